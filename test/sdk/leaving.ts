// Counts who is back in a lobby for good after having left it: all players of a lobby leave at once, again and again.
//   node test/sdk/leaving.ts [--rounds 100] [--players 10] [--lobbies 4] [--when idle|greeted] [--frames 16] [--objects]
//     [--url URL --server-key KEY]
// `--when greeted`: each leaves as soon as its stream shows the lobby, which is when it reads `GET /me`. For the other
// flags see ./crossings.ts.

import { parseArgs } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { SdkClient } from './client.ts';
import { framesOf, onService } from './service.ts';

export interface Leaving {
  readonly url: string;
  readonly config: string;
  readonly rounds: number;
  readonly players: number;
  readonly when: 'idle' | 'greeted';
  readonly frame?: () => number;
}

export interface Left {
  readonly left: number;
  /** Who shows a lobby, though it has left. */
  readonly stuck: number;
}

/** An event that is on its way has come after this time. */
const SETTLED_MS = 300;

/** One lobby after the other, with the same players, each with one stream for all of them. */
export async function countStuck(leaving: Leaving): Promise<Left> {
  const { url, config, rounds, players, when } = leaving;
  const frame = leaving.frame === undefined ? {} : { frame: leaving.frame };
  const clients = Array.from({ length: players }, (_, index) => {
    return new SdkClient({ url, config, player: `player ${index}`, ...frame });
  });
  const [host] = clients;
  let stuck = 0;
  try {
    for (const client of clients) {
      client.begin();
      await eventually('connected', () => client.streamed.length > 0 && client.isIdle);
    }
    for (let round = 0; round < rounds; round += 1) {
      const before = clients.map(greetings);
      const { code = '' } = (await host?.create({ maxPlayers: players })) ?? {};
      await Promise.all(clients.slice(1).map((client) => client.join({ inviteCode: code })));
      const leaves = clients.map(async (client, index) => {
        const isGreeted = (): boolean => greetings(client) > (before[index] ?? 0);
        await eventually('greeted', isGreeted, { everyMs: 1 });
        if (when === 'greeted') {
          await client.leave();
        }
      });
      await Promise.all(leaves);
      if (when === 'idle') {
        await eventually('all are idle', () => clients.every(({ isIdle }) => isIdle));
        await Promise.all(clients.map((client) => client.leave()));
      }
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      const back = clients.filter(({ lobby }) => lobby !== null);
      stuck += back.length;
      for (const client of back) {
        // The answer is a 404, and the SDK then knows.
        await client.look();
      }
    }
  } finally {
    clients.forEach((client) => client.end());
  }
  return { left: rounds * players, stuck };
}

function greetings({ streamed }: SdkClient): number {
  return streamed.filter((event) => event === 'connected').length;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '100' },
      players: { type: 'string', default: '10' },
      lobbies: { type: 'string', default: '4' },
      when: { type: 'string', default: 'idle' },
      frames: { type: 'string' },
      objects: { type: 'boolean', default: false },
      url: { type: 'string' },
      'server-key': { type: 'string', default: '' },
    },
  });
  await onService(values, async ({ url }) => {
    const lobbies = Array.from({ length: Number(values.lobbies) }, (_, index) =>
      countStuck({
        url,
        config: `leaving-${values.when}-${index}`,
        rounds: Number(values.rounds),
        players: Number(values.players),
        when: values.when === 'greeted' ? 'greeted' : 'idle',
        ...(values.frames === undefined ? {} : { frame: framesOf(values.frames) }),
      }),
    );
    const counted = await Promise.all(lobbies);
    const left = counted.reduce((sum, each) => sum + each.left, 0);
    const stuck = counted.reduce((sum, each) => sum + each.stuck, 0);
    console.log(`${values.when}: ${left} left, ${stuck} were back in the lobby for good`);
  });
}

if (import.meta.main) {
  await main();
}
