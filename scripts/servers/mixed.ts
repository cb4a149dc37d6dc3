// Many launches of all kinds at once, mixed: nobody may be sent to another program's port, and nothing may be left running.

import { openSockets } from '../../agent/ports.ts';
import { gameServersOfService } from '../../test/support/processes.ts';
import type { Running } from '../start.ts';
import { ends, saveServer, starts, until } from './play.ts';
import type { ServerFile } from './play.ts';

/** How many servers run at once. Each of them is asked while others start and end beside it. */
const AT_ONCE = 16;

/** Returns how many launches failed. */
export async function playMixed(
  running: Running,
  servers: readonly (readonly [name: string, build: ServerFile])[],
  count: number,
): Promise<number> {
  const many = servers.filter(([, { ports }]) => ports.every(({ fixed }) => fixed === undefined));
  for (const [name, build] of many) {
    await saveServer(running, name, build);
  }
  const used = new Set<number>();
  const failures: string[] = [];
  let next = 0;
  const plays = async (): Promise<void> => {
    for (let turn = next++; turn < count; turn = next++) {
      const [name = ''] = many[turn % many.length] ?? [];
      try {
        const playing = await starts(running, name, `${name}-${turn}`);
        playing.ports.forEach((port) => used.add(port));
        await ends(playing, name, turn % 3 === 0 ? 'kill' : 'end-match');
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, plays));
  const left = await gameServersOfService(running.url);
  await until('the ports are free', async () => {
    const open = (await openSockets()) ?? [];
    return open.some(({ port, isConnected }) => used.has(port) && !isConnected) ? null : true;
  });
  failures.forEach((each) => console.log(each));
  const kinds = many.map(([name]) => name).join(', ');
  console.log(
    `${count} launches of ${many.length} kinds (${kinds}), ${AT_ONCE} at once: ${failures.length} failed or were answered by somebody else, ${left.size} processes left, 0 ports left`,
  );
  return failures.length + left.size;
}
