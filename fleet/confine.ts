// What a game server may be and may touch: the programs an agent starts, the user they run as, and
// what reaches their environment. Builds are written by whoever has the server key, names by players.

import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';

import { BadSpec } from './spec.ts';

/** All that passes from one environment to the next: to the agent, and on to its servers. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'];

/** Variables of games alone: no runtime or library reads one, so none can make a program run other code. */
const OF_GAMES = /^(GAME|MUSTER)_/;

/** The user that servers run as, without the rights of the agent. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /** Holds a folder a server, which belongs to that user; all else of the agent is closed to it. */
  readonly runDir: string;
}

/** Our own environment without what is secret in it. */
export function inherited(): Record<string, string> {
  const given = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** A text that players may have written, as a variable can hold it: one line, without zero bytes. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Throws BadSpec unless the program is below one of these folders, links followed. */
export async function checkProgram(program: string, folders: readonly string[]): Promise<void> {
  const real = await realpath(program);
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  if (!allowed.some((folder) => folder !== null && real.startsWith(join(folder, sep)))) {
    throw new BadSpec(`"${program}" is not in a folder of AGENT_COMMANDS`);
  }
}

/** Warns, once, when a second project starts programs and both may start any. */
export function projectWatch(commands: readonly string[] | null): (project: string) => void {
  const seen = new Set<string>();
  return (project) => {
    if (commands === null && !seen.has(project) && seen.add(project).size === 2) {
      const names = [...seen].join(' and ');
      console.warn(
        `agent: ${names} can start any program on this machine: see AGENT_COMMANDS and AGENT_USER`,
      );
    }
  };
}

/**
 * Throws BadSpec for a variable that is neither a game's own nor one of `more` (AGENT_ENV). Other variables may
 * make an allowed program run what is not allowed, and nobody knows all that do.
 */
export function checkVariables(names: readonly string[], more: readonly string[]): void {
  const wrong = names.find((name) => !OF_GAMES.test(name) && !more.includes(name));
  if (wrong !== undefined) {
    throw new BadSpec(
      `build.launch.env.${wrong}: AGENT_ENV of the agent does not name this variable`,
    );
  }
}

/** Throws when there is no such user, or when we may not start programs as that user. */
export function userOf(name: string, runDir: string): ServerUser {
  if (process.getuid?.() !== 0) {
    throw new Error(
      'AGENT_USER needs an agent that runs as root, to start servers as another user',
    );
  }
  const idOf = (flag: '-u' | '-g'): number => {
    try {
      return Number(execFileSync('id', [flag, '--', name], { encoding: 'utf8', stdio: 'pipe' }));
    } catch {
      throw new Error(`AGENT_USER: there is no user "${name}" on this machine`);
    }
  };
  const user = { uid: idOf('-u'), gid: idOf('-g'), runDir };
  if (user.uid === 0) {
    throw new Error('AGENT_USER must not be root');
  }
  return user;
}

/** The servers' folders lie in it. Throws when somebody else made it: they could swap what it holds. */
export async function prepareRunDir({ runDir }: ServerUser): Promise<void> {
  await mkdir(runDir, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') {
      throw error;
    }
  });
  const found = await lstat(runDir);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`AGENT_RUN: ${runDir} is not a folder of the agent's own user`);
  }
  await chmod(runDir, 0o711);
}

/** Gives the user those of these paths that are there, in this order: a folder after what is in it. */
export async function give(paths: readonly string[], { uid, gid }: ServerUser): Promise<void> {
  for (const path of paths) {
    await chown(path, uid, gid).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') {
        throw error;
      }
    });
  }
}

/**
 * By the user's own rights: what a server left in it, such as a link, cannot lead us elsewhere. One
 * that was never given away is ours to remove.
 */
export async function removeAs(folder: string, { uid, gid }: ServerUser): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found?.uid !== uid) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  await promisify(execFile)('rm', ['-rf', '--', folder], { uid, gid, cwd: '/' }).catch(() => {
    // It cannot remove the folder itself, which lies in one of ours.
  });
  await rmdir(folder);
}
