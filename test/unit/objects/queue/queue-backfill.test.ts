// Places of a running match that a queue has promised: none is promised twice, and none stays promised
// after the match has told of its new room (decision 30).

import { describe, expect, it } from 'vitest';
import type { MatchId } from '../../../../src/common/ids';
import type { Offer } from '../../../../src/objects/contracts/match';
import type { ProposalRow } from '../../../../src/objects/queue/rows';
import { mode, ticket } from '../../../match/support/make';
import { entry, NOW, rowsOf, wake } from '../../../support/waking-queue';

const GAME = 'game' as MatchId;
const FILLED = mode({ teams: 1, playersPerTeam: 4, allowBackfill: true });
const came = (id: string) => entry(ticket(id, { at: NOW }), FILLED);

function roomFor(slots: number): Offer {
  return {
    seq: 10 - slots,
    match: {
      matchId: GAME,
      startedAt: NOW - 1000,
      anchor: ticket('anchor', { at: NOW - 1000 }),
      region: 'us-east',
      version: null,
      open: [{ name: null, slots, roles: null }],
    },
  };
}

describe('a running match with two places', () => {
  it.each(['before', 'after'])(
    'fills the second as soon as the first, telling its room %s its answer',
    async (when) => {
      let slots = 2;
      const woken = wake(rowsOf(FILLED, []), 4, {
        admit: async () => {
          slots -= 1;
          if (when === 'before') {
            await woken.queue.offer(GAME, roomFor(slots));
          }
        },
      });
      await woken.queue.offer(GAME, roomFor(slots));
      for (const id of ['third', 'fourth']) {
        await woken.queue.enter(came(id));
        await woken.settle();
        if (when === 'after') {
          await woken.queue.offer(GAME, roomFor(slots));
          await woken.settle();
        }
      }
      expect(woken.admitted.map(({ party }) => party.ticketId)).toEqual(['third', 'fourth']);
    },
  );

  it('promises a place only once, though the queue died after it had promised it', async () => {
    const [first, second] = [ticket('first', { at: NOW }), ticket('second', { at: NOW + 1 })];
    const saved = rowsOf(FILLED, [first, second]);
    saved.set(`offer:${GAME}`, roomFor(1));
    const proposal: ProposalRow = {
      id: 'p1',
      matchId: GAME,
      seq: 1,
      tickets: [first.id],
      members: [first.players],
      what: {
        kind: 'backfill',
        proposal: { matchId: GAME, ticket: first.id, team: 0, roles: null },
      },
      commit: null,
    };
    saved.set('proposal:p1', proposal);
    const asked: string[] = [];
    let refuse = (): void => {};
    const woken = wake(saved, 4, {
      hold: (id, held) => {
        asked.push(id);
        return id === first.id
          ? new Promise((answer) => {
              refuse = () => answer({ held: false, searches: false });
            })
          : Promise.resolve(held);
      },
    });
    await woken.settle();
    expect(asked).toEqual(['first']);
    refuse();
    await woken.settle();
    expect(asked).toEqual(['first', 'second']);
    expect(woken.admitted.map(({ party }) => party.ticketId)).toEqual(['second']);
  });
});
