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

const CASES = KINDS.flatMap((kind) => [
  { kind, guestMs: 0, who: 'nobody else' },
  { kind, guestMs: 50, who: 'a guest who writes' },
]);

// shows: D39
it.each(CASES)('no state falls back in $kind matches with $who', async ({ kind, guestMs }) => {
  const { url, serverKey } = ground.running;
  const asked = { url, serverKey, kind, matches: 9, pairs: 3, lateMs: 80, guestMs };
  const counted = await countCrossings(asked);
  expect(counted).toMatchObject({ kind, matches: 9, fellBack: 0, stuck: 0, falseEvents: 0 });
});
