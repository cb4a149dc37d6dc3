// Who is elected to host a game, and when a lobby says that the host is gone (record 0069).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import { elect, hostGoneAt, hostLost, hostSeen, type Candidate } from '../../src/lobby/hosting';
import type { Lobby } from '../../src/lobby/lobby';
import { deletion } from '../../src/lobby/change';
import { start, serverReported } from '../../src/lobby/game';
import { after, block, lobbyOf, player, T0 } from '../support/lobbies';

const REGIONS = ['us', 'eu', 'ap'];
const IDS = 'a b c d e f g h i j'.split(' ').map(player);

const candidate = fc.record({
  id: fc.constantFrom(...IDS),
  may: fc.boolean(),
  connected: fc.boolean(),
  since: fc.integer({ min: 0, max: 5 }),
  ping: fc.option(
    fc.dictionary(fc.constantFrom(...REGIONS), fc.integer({ min: 0, max: 300 }), { minKeys: 1 }),
  ),
});
const all = fc.uniqueArray(candidate, { selector: ({ id }) => id, maxLength: 10 });
const barred = fc.subarray(IDS, { maxLength: 4 });

/** The same, said once more and plainly. */
function worst(one: Candidate, others: readonly Candidate[]): number {
  let most = -1;
  for (const other of others.filter(({ id, connected }) => connected && id !== one.id)) {
    const ways = REGIONS.flatMap((region) => {
      const [mine, its] = [one.ping?.[region], other.ping?.[region]];
      return mine === undefined || its === undefined ? [] : [Number(mine) + Number(its)];
    });
    most = ways.length === 0 ? most : Math.max(most, Math.min(...ways));
  }
  return most < 0 ? Infinity : most;
}

describe('an election', () => {
  it('takes somebody who may and is there, and of these the best, whatever the order', () => {
    fc.assert(
      fc.property(all, barred, (those, out) => {
        const may = those.filter(({ id, may: wants }) => wants && !out.includes(id));
        const here = may.filter(({ connected }) => connected);
        const elected = elect(those, out);
        if (here.length === 0) {
          expect(elected).toBe(may.length === 0 && those.length > 0 ? 'never' : null);
          return;
        }
        const [best] = here.toSorted(
          (a, b) =>
            Math.min(worst(a, those), 1e9) - Math.min(worst(b, those), 1e9) ||
            a.since - b.since ||
            (a.id < b.id ? -1 : 1),
        );
        expect(elected).toMatchObject({ id: best?.id });
        expect(elect(those.toReversed(), out)).toEqual(elected);
      }),
      { seed: 69, numRuns: 2_000 },
    );
  });

  it('does not compare pings of many', () => {
    const many = Array.from({ length: 33 }, (_, at): Candidate => {
      const id = `p${at + 10}` as PlayerId;
      return { id, may: true, connected: true, since: at, ping: { us: 300 - at } };
    });
    expect(elect(many, [])).toEqual({ id: 'p10', why: 'the longest there' });
    expect(elect(many.slice(1), [])).toMatchObject({ id: 'p42' });
  });
});

const ANN = player('ann');
const SERVER = 'server-1' as InstanceId;

/** A game of ann's and ben's that this player hosts in this term. */
function hostedBy(host: string, term = 1): Lobby {
  const starting = after(start(lobbyOf('ann', 'ben'), { instanceId: SERVER }, T0));
  const shown = { ...block('running'), host_player: host, term };
  const { lobby } =
    serverReported(starting, { instanceId: SERVER, seq: 2, block: shown }, T0) ?? {};
  if (!lobby) {
    throw new Error('no game');
  }
  return lobby;
}

/** The same as a part of a match, into which ann and ben came. */
function inMatch(lobby: Lobby): Lobby {
  const part = {
    matchId: 'match-1' as MatchId,
    ticketId: 'ticket-1' as TicketId,
    mode: 'duel',
    startedAt: T0,
    giveUpAt: T0,
    backfills: false,
    lateJoin: true,
    step: 1,
    confirmation: null,
    places: { team: 0, teamName: null, roles: null, members: [ANN, player('ben')], aside: [] },
  };
  return lobby.status === 'in_game'
    ? { ...lobby, part, game: { ...lobby.game, own: false } }
    : lobby;
}

const GRACE_MS = 5_000;
const those = (...ids: readonly string[]) => new Set(ids.map(player));

describe('a host without a stream', () => {
  it('is noted once, counts as gone after the grace, and is said to be gone once a term', () => {
    const lobby = hostedBy('ann');
    expect(hostSeen(lobby, those('ann'), T0)).toBeNull();
    expect(hostGoneAt(lobby, GRACE_MS)).toBeNull();
    const away = hostSeen(lobby, those('ben'), T0 + 7)?.lobby ?? lobby;
    expect(hostSeen(away, those('ben'), T0 + 9)).toBeNull();
    expect(hostGoneAt(away, GRACE_MS)).toBe(T0 + 7 + GRACE_MS);
    expect(hostGoneAt(away, GRACE_MS, T0 + 60_000)).toBe(T0 + 65_000);
    const said = hostLost(away);
    expect(said?.debts).toEqual([{ to: 'server', act: 'lost', instanceId: SERVER, term: 1 }]);
    expect(hostGoneAt(said?.lobby ?? lobby, GRACE_MS)).toBeNull();
  });

  it('that comes back in time goes on', () => {
    const away = hostSeen(hostedBy('ann'), those(), T0)?.lobby ?? null;
    const back = away && hostSeen(away, those('ann'), T0 + 4_000)?.lobby;
    expect(back && hostGoneAt(back, GRACE_MS)).toBeNull();
    expect(back?.game).not.toHaveProperty('hostAway');
  });
});

describe('a host who has left', () => {
  it('is gone at once; one of another lobby is not this lobby’s to watch', () => {
    expect(hostGoneAt(hostedBy('eve'), GRACE_MS)).toBe(0);
    expect(hostGoneAt(inMatch(hostedBy('eve')), GRACE_MS)).toBeNull();
    const [, ben] = hostedBy('ann').players;
    const left = { ...inMatch(hostedBy('ann')), players: ben ? [ben] : [] };
    expect(hostGoneAt(left, GRACE_MS)).toBe(0);
  });

  it('with the whole lobby is said to be gone by what the lobby leaves behind', () => {
    const lost = { to: 'server', act: 'lost', instanceId: SERVER, term: 3 };
    expect(deletion(inMatch(hostedBy('ann', 3))).debts).toContainEqual(lost);
    expect(deletion(inMatch(hostedBy('eve', 3))).debts).not.toContainEqual(lost);
    expect(deletion(hostedBy('ann', 3)).debts).not.toContainEqual(lost);
  });
});
