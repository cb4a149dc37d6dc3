// Several players leave at once: none of them may be back in the lobby. A short count of what
// `node test/sdk/leaving.ts` counts in thousands.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { countStuck } from './leaving.ts';
import { framesOf, startGround, type Ground } from './service.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});

afterAll(() => ground.stop());

// shows: D64
it.each([
  { when: 'idle', players: 10, frames: null },
  { when: 'idle', players: 4, frames: '120-350' },
  { when: 'greeted', players: 4, frames: null },
] as const)('$players who leave at once when $when stay out', async ({ when, players, frames }) => {
  const counted = await countStuck({
    url: ground.url,
    config: `leaving-${when}-${players}`,
    rounds: 3,
    players,
    when,
    ...(frames === null ? {} : { frame: framesOf(frames) }),
  });
  expect(counted).toEqual({ left: 3 * players, stuck: 0 });
});
