// Looks at real processes, as the kernel lists them.

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
