// Reads the list of real processes from the kernel.

import { readdir, readFile } from 'node:fs/promises';

/** Whether the process runs; one that ended and waits to be reaped does not. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** Pids of the live processes that carry this in their environment, keepers included. */
export async function processesWith(variable: string): Promise<readonly number[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    names.map(async (name) => {
      const variables = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '');
      return variables.split('\0').includes(variable) ? [Number(name)] : [];
    }),
  );
  return found.flat();
}

/** Pids of the game servers of an instance: what runs in its name, without the keeper's shells. */
export async function gameServersOf(instanceId: string): Promise<readonly number[]> {
  const servers: number[] = [];
  for (const pid of await processesWith(`MUSTER_INSTANCE_ID=${instanceId}`)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    if (!command.includes('muster-keeper') && command !== '') {
      servers.push(pid);
    }
  }
  return servers;
}

/** The game servers whose files lie below a folder, by instance id. Those in containers see other paths. */
export function gameServersBelow(folder: string): Promise<ReadonlyMap<string, readonly number[]>> {
  return gameServersWith(`MUSTER_CONFIG=${folder}/`);
}

/**
 * Those that report to the service at that address, in containers too. A keeper whose agent is gone waits by `sleep`, which
 * is no game server.
 */
export function gameServersOfService(url: string): Promise<ReadonlyMap<string, readonly number[]>> {
  return gameServersWith(`MUSTER_REPORT_URL=${url}/`, /^sleep\0/);
}

/**
 * The game servers with a variable that begins like that, by instance id: one pid each, if all is well.
 * Read in one pass, without the keepers' shells.
 */
async function gameServersWith(
  beginning: string,
  none = /^$/,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const found = new Map<string, number[]>();
  for (const { pid, command, environment } of await allProcesses()) {
    const variables = environment.split('\0');
    const isMeant = variables.some((each) => each.startsWith(beginning));
    const id = variables.find((each) => each.startsWith('MUSTER_INSTANCE_ID='))?.slice(19);
    if (
      isMeant &&
      id !== undefined &&
      command !== '' &&
      !none.test(command) &&
      !command.includes('muster-keeper')
    ) {
      found.set(id, [...(found.get(id) ?? []), pid]);
    }
  }
  return found;
}

/** Command lines of the live processes that name this text in it or in their environment. */
export async function processesNaming(text: string): Promise<readonly string[]> {
  const named = (await allProcesses()).filter(
    ({ command, environment }) => command.includes(text) || environment.includes(text),
  );
  return named.map(({ pid, command }) => `${pid}: ${command.replaceAll('\0', ' ').slice(0, 200)}`);
}

/** One that ended and waits to be reaped has neither command line nor environment. */
async function allProcesses(): Promise<
  readonly { readonly pid: number; readonly command: string; readonly environment: string }[]
> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    names.map(async (name) => {
      const [command = '', environment = ''] = await Promise.all(
        ['cmdline', 'environ'].map((file) =>
          readFile(`/proc/${name}/${file}`, 'latin1').catch(() => ''),
        ),
      );
      return { pid: Number(name), command, environment };
    }),
  );
}
