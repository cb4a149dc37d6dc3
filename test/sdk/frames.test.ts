// Answers and events cross in clients that handle both in frames, read few bytes at a time, or write all the time. A
// short count of what `node test/sdk/crossings.ts` counts in thousands.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { countCrossings } from './crossings.ts';
import { framesOf, startGround, type Ground } from './service.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await startGround();
});

afterAll(() => ground.stop());

const WAYS = [
  { what: 'slow frames', lateMs: 0, client: { frame: framesOf('120-350') } },
  { what: 'even frames', lateMs: 0, client: { frame: framesOf('16') } },
  { what: 'short reads', lateMs: 80, client: { pieceBytes: 7 } },
  { what: 'quick writes', lateMs: 0, writeMs: 80, client: { frame: framesOf('16') } },
  {
    what: 'quick writes in slow frames',
    lateMs: 0,
    writeMs: 80,
    client: { frame: framesOf('120-350') },
  },
];

// shows: D64
it.each(WAYS)('no state falls back with $what', async ({ what, ...ways }) => {
  const { url, serverKey } = ground.running;
  const kind = 'confirm';
  const asked = { url, serverKey, kind, matches: 6, pairs: 3, label: what, ...ways } as const;
  const counted = await countCrossings(asked);
  expect(counted).toMatchObject({ matches: 6, fellBack: 0, stuck: 0, falseEvents: 0 });
});
