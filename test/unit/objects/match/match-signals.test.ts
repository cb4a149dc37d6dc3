// A signal from one lobby of a match to the others (record 0070): who is asked, and what comes of it.

import { expect, it } from 'vitest';

import type { LobbyId, PlayerId } from '../../../../src/common/ids';
import { passOn } from '../../../../src/objects/match/signals';
import { withParty } from '../../../../src/objects/match/room';
import { served, withoutLobby, type Match } from '../../../../src/objects/match/state';
import { A, ASKS, B, duel, serverReport, stayOf } from '../../../support/duel-match.ts';
import { backfill, MATCH, party } from '../../../support/running-match';

const running = served(duel({ allowBackfill: true }), serverReport(), 5);
/** Lobbies a, b and c. Somebody of c watches, and somebody has left a place. */
const three = withParty(running, backfill(party('c', 'cat', 'spectator-cy'), 1), 9) as Match;

async function asked(match: Match | null, to: string | null, from: LobbyId = A) {
  const lobbies: string[] = [];
  const lobby = (id: string) => ({
    signalled: async () => {
      lobbies.push(id);
      return id === 'b' ? Promise.reject(new Error('away')) : { players: 2, streams: 3 };
    },
  });
  const said = { to: to as PlayerId | null } as never;
  const told = await passOn({ id: MATCH, match, ports: { peers: { lobby } } } as never, from, said);
  return [lobbies.join(), told.lobbies, told.players, told.streams];
}

it('goes to all other lobbies, or to that of a player whom the match knows', async () => {
  expect(await asked(three, null)).toEqual(['b,c', 2, 2, 3]);
  expect(await asked(three, null, 'c' as LobbyId)).toEqual(['a,b', 2, 2, 3]);
  expect(await asked(three, 'ben')).toEqual(['b', 1, 0, 0]);
  for (const player of ['cat', 'spectator-cy']) {
    expect(await asked(three, player)).toEqual(['c', 1, 2, 3]);
  }
  const gone = {
    ...three,
    participants: three.participants.map((who) => ({ ...who, members: [], aside: [] })),
  };
  expect(await asked(gone, 'cat')).toEqual(['c', 1, 2, 3]);
  // Somebody who came later may be in any of them; so may somebody of the own lobby.
  expect(await asked(three, 'late')).toEqual(['b,c', 2, 2, 3]);
});

it('goes nowhere from outside, from a match that has not formed, and to nobody who is out', async () => {
  const nobody = ['', 0, 0, 0];
  expect(await asked(three, null, 'x' as LobbyId)).toEqual(nobody);
  expect(await asked(null, null)).toEqual(nobody);
  expect(await asked(duel(ASKS), null)).toEqual(nobody);
  expect(await asked({ ...three, phase: 'over' }, null)).toEqual(nobody);
  expect(await asked(duel(), null)).toEqual(['b', 1, 0, 0]);
  const left = withoutLobby(three, stayOf('b'), 9);
  expect(await asked(left, null)).toEqual(['c', 1, 2, 3]);
  expect(await asked(left, null, B)).toEqual(nobody);
});
