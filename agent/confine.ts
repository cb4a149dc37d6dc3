// Confines game servers: limits the programs that an agent starts, the user that they run as, and their
// environment variables. Anybody with the server key writes builds, and players write names.

import { execFile, execFileSync } from 'node:child_process';
import { chmod, chown, lstat, mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';

import { systemVariables } from './platform.ts';
import { BadSpec } from './spec.ts';
import { log } from './log.ts';

/** The only variables that are inherited, by the agent and by its servers. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'];

/** Variables only for games. No runtime or library reads them, so they cannot make a program run other code. */
const OF_GAMES = /^(GAME|MUSTER)_/;

/** The user that servers run as, without the rights of the agent. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
  /**
   * Holds a folder for each server, which belongs to that user. The user cannot read anything else of the agent.
   */
  readonly runDir: string;
}

/** The agent's own environment without its secrets. */
export function inherited(): Record<string, string> {
  const given = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...systemVariables(), ...Object.fromEntries(given) };
}

/** What Podman and Docker read: where their settings, registries and daemons are. */
const OF_ENGINES = /^(CONTAINERS?_|DOCKER_|(XDG_RUNTIME_DIR|REGISTRY_AUTH_FILE)$)/;
const PROXIES = /^((HTTPS?|NO)_PROXY|https?_proxy|no_proxy)$/;

/** Whether Podman or Docker read the variable, to run containers or to fetch images. */
export function isOfEngines(name: string): boolean {
  return OF_ENGINES.test(name) || PROXIES.test(name);
}

/** The environment of Podman and Docker. `proxies`: to fetch images. Podman would hand them on to containers. */
export function ofEngines({ proxies }: { readonly proxies: boolean }): Record<string, string> {
  const theirs = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && (OF_ENGINES.test(name) || (proxies && PROXIES.test(name)))
      ? [[name, value] as const]
      : [],
  );
  return { ...inherited(), ...Object.fromEntries(theirs) };
}

/** Makes text of players safe for a variable: one line, without zero bytes. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Throws BadSpec unless the program is below one of these folders, after following links. */
export async function checkProgram(program: string, folders: readonly string[]): Promise<void> {
  const real = await realpath(program);
  const allowed = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
  if (!allowed.some((folder) => folder !== null && real.startsWith(join(folder, sep)))) {
    throw new BadSpec(`"${program}" is not in a folder of AGENT_COMMANDS`);
  }
}

/** Warns once when a second project starts programs and projects may start any program. */
export function projectWatch(commands: readonly string[] | null): (project: string) => void {
  const seen = new Set<string>();
  return (project) => {
    if (commands === null && !seen.has(project) && seen.add(project).size === 2) {
      const names = [...seen].join(' and ');
      const why = `${names} can start any program on this machine: see AGENT_COMMANDS and AGENT_USER`;
      log('agent', 'warn', 'unconfined', why);
    }
  };
}

/**
 * Throws BadSpec for a variable that is neither for games nor in `more` (AGENT_ENV). Some other variables can make
 * an allowed program run code that is not allowed, and nobody knows all of them.
 */
export function checkVariables(names: readonly string[], more: readonly string[]): void {
  const wrong = names.find((name) => !OF_GAMES.test(name) && !more.includes(name));
  if (wrong !== undefined) {
    throw new BadSpec(
      `build.launch.env.${wrong}: AGENT_ENV of the agent does not name this variable`,
    );
  }
}

/** Throws if there is no such user, or if the agent may not start programs as that user. */
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

/** Makes the folder for the servers' folders. Throws if another user made it, who could replace its content. */
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

/** Gives the user the paths that exist, in this order. List a folder after its content. */
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
 * Removes a server's folder with the rights of its user, so that a link that the server left cannot lead the agent
 * elsewhere. A folder that was never given away is removed with the agent's rights.
 */
export async function removeAs(folder: string, { uid, gid }: ServerUser): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found?.uid !== uid) {
    await rm(folder, { recursive: true, force: true });
    return;
  }
  const removal = 'chmod -R u+rwx -- "$0"; rm -rf -- "$0"';
  await promisify(execFile)('sh', ['-c', removal, folder], { uid, gid, cwd: '/' }).catch(() => {
    // The user cannot remove the folder itself, because its parent belongs to the agent.
  });
  await rmdir(folder);
}
