// What differs between Linux, macOS and Windows, in one place. Every function takes the system by its name, so that the tests
// run the guards of all three on one. Muster is made and tested on Linux: docs/other-systems.md says what is missing elsewhere.

import { execFile } from 'node:child_process';
import { copyFile, link, readFile, stat, symlink } from 'node:fs/promises';
import type { NetConnectOpts } from 'node:net';
import { posix, win32 } from 'node:path';

/** `linux`, `darwin` or `win32`. */
export type System = NodeJS.Platform;

export const HERE: System = process.platform;

type Variables = Readonly<Record<string, string | undefined>>;

export function isWindows(system: System): boolean {
  return system === 'win32';
}

/** Without these no program starts on Windows, or finds its own folders. */
const OF_WINDOWS = [
  ['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'ProgramData'],
  ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
].flat();

/** The variables that every program needs there. None of them is a secret. */
export function systemVariables(
  system: System = HERE,
  env: Variables = process.env,
): Record<string, string> {
  const names = isWindows(system) ? OF_WINDOWS : [];
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  );
}

/** A setting of the agent that does nothing there, in a sentence. Null: there is none. */
export function lackingSetting(env: Variables, system: System = HERE): string | null {
  const name = ['AGENT_ADOPT', 'AGENT_USER'].find((each) => !['', '0'].includes(env[each] ?? ''));
  if (isWindows(system) && name !== undefined) {
    return `${name} does not work on Windows: run the agent in WSL`;
  }
  return ['', '0'].includes(env['AGENT_CONTAINERS'] ?? '') ? null : lackingContainers(system);
}

/** Why no containers run there. Null: they can. */
export function lackingContainers(system: System = HERE): string | null {
  return system === 'linux' ? null : 'containers need Linux: on Windows, run the agent in WSL';
}

/** Whether the command is a path, and not only a name. */
export function isPath(command: string, system: System = HERE): boolean {
  return isWindows(system) ? /[\\/]/.test(command) : command.includes('/');
}

/** Where that program may be, in order. `path`: the variable PATH. */
export function programPlaces(command: string, path: string, system: System = HERE): string[] {
  const paths = isWindows(system) ? win32 : posix;
  const places = isPath(command, system)
    ? [command]
    : path.split(paths.delimiter).map((folder) => paths.join(folder, command));
  return isWindows(system) && win32.extname(command) === ''
    ? places.flatMap((place) => [`${place}.exe`, `${place}.com`, place])
    : places;
}

/** Whether Windows starts the file only by its shell, which would read the arguments anew. */
export function isScript(place: string, system: System = HERE): boolean {
  return isWindows(system) && /\.(bat|cmd)$/i.test(place);
}

/** What `ps` of macOS prints. */
function printed(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('ps', args, (_error, stdout) => resolve(stdout));
  });
}

/**
 * The command line and the environment of a process of ours. Empty once it has ended, and on Windows, where nobody
 * looks for what an earlier process left.
 */
export async function wordsOf(
  pid: number,
  system: System = HERE,
  ps: typeof printed = printed,
): Promise<string> {
  if (isWindows(system)) {
    return '';
  }
  if (system === 'darwin') {
    return ps(['-Eww', '-o', 'command=', '-p', String(pid)]);
  }
  const read = ['cmdline', 'environ'].map((name) =>
    readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => ''),
  );
  return (await Promise.all(read)).join('\n');
}

/** Ends a process on Windows, with all that it has started. It is no error if it is gone. */
export function endTree(pid: number): void {
  execFile('taskkill', ['/PID', String(pid), '/T', '/F'], (error) => {
    try {
      if (error !== null) {
        process.kill(pid, 'SIGKILL');
      }
    } catch {
      // It is gone.
    }
  });
}

/** Shows a file or a folder in another place. Windows makes symbolic links for administrators alone. */
export async function show(from: string, to: string, system: System = HERE): Promise<void> {
  if (!isWindows(system)) {
    await symlink(from, to);
  } else if ((await stat(from)).isDirectory()) {
    await symlink(from, to, 'junction');
  } else {
    await link(from, to).catch(() => copyFile(from, to));
  }
}

/** How many files a process may have open. Node has raised the soft limit to the hard one. */
export async function openFiles(system: System = HERE): Promise<number> {
  if (isWindows(system)) {
    return Infinity;
  }
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile('/bin/sh', ['-c', 'ulimit -n'], (error, text) =>
      error === null ? resolve(text) : reject(error),
    );
  });
  return stdout.trim() === 'unlimited' ? Infinity : Number(stdout);
}

const LOOPBACK = /^127\.0\.0\.1:(\d+)$/;

/** Where programs of ours meet on this machine: the path of a Unix socket, or `127.0.0.1:1234`. */
export function meetingPlace(address: string): NetConnectOpts {
  const [, port] = LOOPBACK.exec(address) ?? [];
  return port === undefined ? { path: address } : { host: '127.0.0.1', port: Number(port) };
}

/** The same for the configuration of workerd. */
export function workerdAddress(address: string): string {
  return LOOPBACK.test(address) ? address : `unix:${address}`;
}
