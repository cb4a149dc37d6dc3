// Why a lobby waits, as its own players read it.

import { describe, expect, it } from 'vitest';
import { waitReason } from '../../src/match/explain/explain';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import { mode as plain } from '../support/lobbies';

const NOW = 1_800_000_000_000;
let ids = 0;

function ticket(state: Ticket['state'], roles: readonly (readonly string[])[] = [[]]): Ticket {
  ids += 1;
  const members = roles.map((each, place) => ({ id: `p${ids}-${place}`, roles: each }));
  return {
    id: `t${ids}`,
    lobbyId: `l${ids}`,
    startedAt: NOW - 1_000,
    members,
    players: members.map(({ id }) => id),
    region: 'eu',
    acceptableRegions: [],
    state,
    metadata: {},
  } as unknown as Ticket;
}

const duel: Mode = plain({
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  maxPartySize: 1,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }],
});

function because(mode: Mode, own: Ticket, ...others: Ticket[]): string | null {
  return waitReason(mode, own, others, NOW).because;
}

describe('a lobby is told', () => {
  it('that nobody else waits', () => {
    expect(because(duel, ticket({ mmr: 1 }))).toBe('nobody else waits');
  });

  it('which rule rejects most, and when the next comes into reach', () => {
    const others = [ticket({ mmr: 1_150 }), ticket({ mmr: 4_000 })];
    const told = waitReason(duel, ticket({ mmr: 1_000 }), others, NOW);
    expect(told).toMatchObject({ inReach: 0, compared: 2 });
    expect(told.because).toBe('mmr within 100: 2 of 2 others do not fit');
    expect(told.opensInSeconds).toBeCloseTo(29, 0);
  });

  it('that an expression rejects others, and not its text', () => {
    const cel = 'a.state.secretRank == b.state.secretRank';
    const hidden = plain({ ...duel, rules: [{ type: 'expression', cel }] });
    const told = because(hidden, ticket({ secretRank: 1 }), ticket({ secretRank: 2 }));
    expect(told).toBe('a rule of this mode: 1 of 1 others do not fit');
  });

  it('of a field that it lacks', () => {
    expect(because(duel, ticket({}), ticket({ mmr: 1 }))).toBe('your players have no mmr');
  });

  it('of roles that too many want', () => {
    const teamComposition = { hunters: { hunter: 1 }, prey: { runner: 1 } };
    const hunt = plain({ teamComposition, playersPerTeam: 1, minPlayersPerTeam: 1 });
    const own = ticket({}, [['hunter']]);
    expect(because(hunt, own, ticket({}, [['hunter']]))).toBe(
      '2 of 2 want hunter, the mode needs 1',
    );
    const trio = plain({ teamComposition: { all: { tank: 1, healer: 2 } } });
    const tanks = [['tank'], []];
    expect(because(trio, ticket({}, [['tank']]), ticket({}, [['healer']]))).toBe(
      '2 of 3 players are here',
    );
    expect(because(trio, ticket({}, [['tank'], ['healer']]), ticket({}, tanks))).toBeNull();
  });

  it('of parties that fill no team', () => {
    const trios = plain({ playersPerTeam: 3, minPlayersPerTeam: 3, maxPartySize: 3 });
    const pair = [[], []];
    expect(because(trios, ticket({}, pair), ticket({}, pair))).toBe(
      'only parties of 2 wait, which do not fill teams of 3',
    );
  });

  it('nothing of anybody else', () => {
    const others = Array.from({ length: 20 }, (_, index) => ticket({ mmr: 7_000 + index }));
    const told = JSON.stringify(waitReason(duel, ticket({ mmr: 1 }), others, NOW));
    for (const other of others) {
      expect(told).not.toContain(other.lobbyId);
      expect(told).not.toContain(String(other.state['mmr']));
    }
  });
});
