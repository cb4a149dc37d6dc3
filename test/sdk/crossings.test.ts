// Answers and events cross: a client that handles answers up to 80 ms late must never fall back.
// A short count of what `node test/sdk/crossings.ts` counts in thousands.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { countCrossings, KINDS } from './crossings.ts';
import { startGround, type Ground } from './service.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});

afterAll(() => ground.stop());

it.each(KINDS)('no state falls back in matches that end in %s', async (kind) => {
  const { url, serverKey } = ground.running;
  const asked = { url, serverKey, kind, matches: 8, pairs: 4, lateMs: 80 };
  const counted = await countCrossings(asked);
  expect(counted).toMatchObject({ kind, matches: 8, fellBack: 0, stuck: 0, falseEvents: 0 });
});
