// An export of a large ladder takes as long as it takes: its limit is for silence.

import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MusterAdmin } from '../../../packages/js/src/admin.ts';
import type { Fetch } from '../../../packages/js/src/http.ts';

const DUEL = { config: 'arena', mode: 'duel' };
const LINE = '{"player":"zoë","mu":25,"sigma":8,"games":0}\n';

/** Answers with so many pieces, each after a pause. */
function slowly(pieces: number, pauseMs: number): Fetch {
  let left = pieces;
  return async (_, { signal }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (lines) => signal?.addEventListener('abort', () => lines.error(signal.reason)),
      pull: async (lines) => {
        await wait(pauseMs);
        if (signal?.aborted === true) {
          return;
        }
        lines.enqueue(new TextEncoder().encode(LINE));
        left -= 1;
        if (left === 0) {
          lines.close();
        }
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  };
}

function exporting(pieces: number, pauseMs: number) {
  const fetch = slowly(pieces, pauseMs);
  const admin = new MusterAdmin({ url: 'http://muster.test', key: 'k', timeoutMs: 3_000, fetch });
  return admin.exportRatings(DUEL);
}

it('goes on for longer than the limit while players come', async () => {
  const players = await exporting(12, 300);
  expect(players).toHaveLength(12);
  expect(players[11]?.player).toBe('zoë');
});

it('ends once nothing comes for as long as the limit', async () => {
  await expect(exporting(2, 4_000)).rejects.toMatchObject({ code: 'TIMEOUT' });
});
