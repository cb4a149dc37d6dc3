// A match in which bots take the places that are left: what its server and operators are told, who takes a bot's place, and
// what a no changes (docs/internals/decisions/0063-bots-as-the-last-step.md).

import { describe, expect, it } from 'vitest';
import type { InstanceId, LobbyId, MatchId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import type { ServerReport } from '../../../../src/objects/contracts/server';
import { debtsOf } from '../../../../src/objects/match/debts';
import { matchRecordOf } from '../../../../src/objects/match/history';
import { launchOrder } from '../../../../src/objects/match/launch';
import { gone, lapsed, refused } from '../../../../src/objects/match/refill';
import {
  botsIn,
  withNews,
  offerOf,
  rosterTold,
  withParty,
} from '../../../../src/objects/match/room';
import { confirmed, served, type Match } from '../../../../src/objects/match/state';
import { block } from '../../../support/lobbies';
import { mode, roleMode } from '../../../match/support/make';
import { formedOf, party } from '../../../support/running-match';

const ID = 'm' as MatchId;
const BOTS = { steps: [{ afterSeconds: 30, bots: true as const }], allowBackfill: true };
const ASKS = {
  matchConfirmation: { enabled: true, timeoutSeconds: 30 },
  onDecline: 'refill',
  refillSeconds: 20,
} as const;

type Teams = readonly (readonly [lobby: string, ...players: readonly string[]])[][];

/** Lobbies by team, and then by their players. */
function matchOf(rules: Mode, teams: Teams, roles: Readonly<Record<string, string>> = {}): Match {
  const parties = teams.flat().map(([lobby, ...players]) => party(lobby, ...players));
  const names = Object.keys(rules.teamComposition ?? {});
  return formedOf({
    rules,
    parties,
    teams: teams.map((its, index) => ({
      name: names[index] ?? null,
      tickets: its.map(([lobby]) => `ticket of ${lobby}`),
      roles:
        names.length === 0
          ? null
          : Object.fromEntries(
              its.flatMap(([, ...players]) => players.map((each) => [each, roles[each]])),
            ),
    })),
    bots: true,
  });
}

const duo = (over: Partial<Mode> = {}): Match =>
  matchOf(mode({ playersPerTeam: 2, ...BOTS, ...over }), [[['a', 'ann']], []]);

function running(match: Match): Match {
  const report = { instanceId: 'i' as InstanceId, seq: 1, block: block('running', 'i') };
  return served({ ...match, phase: 'launching' }, report satisfies ServerReport, 5);
}

function told(match: Match): unknown {
  return launchOrder(match, ID, { build: 'v1', computeSize: 'small' }).customData['bots'];
}

function comes(match: Match, who: PartySnapshot, team: number, role?: string): Match | null {
  const members = who.players.map(({ id }) => id);
  const roles = role === undefined ? null : Object.fromEntries(members.map((id) => [id, role]));
  return withParty(match, { party: who, seq: 1, team, members, roles }, 50_000);
}

describe('the server of a match with bots', () => {
  it('is told how many places of each team they take', () => {
    expect(told(duo())).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 2 },
    ]);
    const { customData } = launchOrder(duo(), ID, { build: 'v1', computeSize: 'small' });
    expect(customData['teams']).toMatchObject([{ team_id: 0 }, { team_id: 1, lobbies: [] }]);
  });

  it('is told the roles of those places', () => {
    const rules = roleMode({ hunters: { hunter: 1 }, prey: { medic: 1, scout: 2 } }, BOTS);
    const match = matchOf(rules, [[], [['a', 'ann']]], { ann: 'scout' });
    expect(told(match)).toEqual([
      { team: 0, role: 'hunter', count: 1 },
      { team: 1, role: 'medic', count: 1 },
      { team: 1, role: 'scout', count: 1 },
    ]);
    const more = comes(running(match), party('b', 'ben'), 1, 'medic');
    expect(more && botsIn(more)).toEqual([
      { team: 0, role: 'hunter', count: 1 },
      { team: 1, role: 'scout', count: 1 },
    ]);
  });

  it('hears nothing of bots in a match without them, short or not', () => {
    const short = duo();
    const { bots: _, ...roster } = short.roster;
    expect(told({ ...short, roster })).toBeUndefined();
    expect(matchRecordOf({ ...short, roster }, ID)).not.toHaveProperty('bots');
    const left = rosterTold(
      running({ ...short, roster }),
      { lobbyId: 'a' as LobbyId, ticketId: party('a').ticketId },
      { revision: 1, players: [], now: 0 },
    );
    expect(debtsOf(running({ ...short, roster }), left)).not.toContainEqual({ to: 'bots' });
  });
});

describe("a bot's place", () => {
  it('is offered like an open one, and the server is told when a player has it', () => {
    const match = running(duo());
    expect(offerOf(match, ID)?.open.map(({ slots }) => slots)).toEqual([1, 2]);
    const filled = comes(match, party('b', 'ben'), 1);
    expect(filled && botsIn(filled)).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 1 },
    ]);
    expect(filled && debtsOf(match, filled)).toContainEqual({ to: 'bots' });
    const full = [party('c', 'cat'), party('d', 'dan')].reduce<Match | null>(
      (before, who, at) => before && comes(before, who, at),
      filled,
    );
    expect(full && botsIn(full)).toEqual([]);
    expect(full && offerOf(full, ID)).toBeNull();
    // What the match began with stays in its record.
    expect(full && matchRecordOf(full, ID).bots).toEqual(told(duo()));
  });

  it('is one again when the player leaves; what changed while the server began is told when it runs', () => {
    const match = matchOf(mode({ playersPerTeam: 2, ...BOTS }), [[['a', 'ann', 'al']], []]);
    const stay = { lobbyId: 'a' as LobbyId, ticketId: party('a').ticketId };
    const { players } = party('a', 'ann');
    const launching = rosterTold({ ...match, phase: 'launching' }, stay, {
      revision: 1,
      players,
      now: 0,
    });
    expect(debtsOf({ ...match, phase: 'launching' }, launching)).not.toContainEqual({ to: 'bots' });
    expect(debtsOf(launching, running(launching))).toContainEqual({ to: 'bots' });
    expect(debtsOf(match, running(match))).not.toContainEqual({ to: 'bots' });
    expect(botsIn(running(launching))?.[0]).toEqual({ team: 0, count: 1 });
  });

  it('is not to be had in a mode without backfill', () => {
    expect(offerOf(running(duo({ allowBackfill: false })), ID)).toBeNull();
  });

  it('has a higher number each time that bots have other places, offered to players or not', () => {
    const stay = { lobbyId: 'a' as LobbyId, ticketId: party('a').ticketId };
    const closed = { revision: 1, seated: [], open: [], kicked: [], present: [] };
    for (const match of [running(duo()), { ...running(duo()), steered: closed }]) {
      const left = rosterTold(match, stay, { revision: 1, players: [], now: 0 });
      expect(withNews(match, left, ID).offerSeq).toBe(match.offerSeq + 1);
      expect(withNews(match, { ...match, refused: ['x'] }, ID).offerSeq).toBe(match.offerSeq);
    }
  });
});

describe('a no in a match with bots (onDecline: refill)', () => {
  const three = (minHumans = 1): Match =>
    matchOf(
      mode({
        playersPerTeam: 2,
        ...ASKS,
        steps: [{ afterSeconds: 30, bots: true, minHumans }],
      }),
      [
        [
          ['a', 'ann'],
          ['b', 'ben'],
        ],
        [['c', 'cat']],
      ],
    );
  const yes = (match: Match, ...lobbies: readonly string[]): Match =>
    lobbies.reduce((before, lobby) => confirmed(before, lobby as LobbyId), match);
  const no = (match: Match, lobby: string): Match =>
    refused(match, lobby as LobbyId, 'declined', 5_000);

  it('gives the place to a bot: the others launch once all of them have accepted', () => {
    const before = yes(three(), 'a');
    const match = no(before, 'b');
    expect([match.phase, offerOf(match, ID), match.refillUntil]).toEqual([
      'confirming',
      null,
      undefined,
    ]);
    const launched = yes(match, 'c');
    expect(launched.phase).toBe('launching');
    expect(told(launched)).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 1 },
    ]);
    const { customData } = launchOrder(launched, ID, { build: 'v1', computeSize: 'small' });
    expect(customData['all_players']).toEqual(['ann', 'cat']);
    expect(JSON.stringify(customData['teams'])).not.toContain('ben');
    // As the last answer, too.
    expect(no(yes(three(), 'a', 'c'), 'b').phase).toBe('launching');
    const stay = { lobbyId: 'b' as LobbyId, ticketId: party('b').ticketId };
    expect(gone(yes(three(), 'a', 'c'), stay, 5_000).phase).toBe('launching');
  });

  it('counts silence as a no', () => {
    const match = lapsed(yes(three(), 'a', 'c'), 30_000);
    expect(match.phase).toBe('launching');
    expect(match.participants.map(({ out }) => out)).toEqual([
      undefined,
      'confirm_timeout',
      undefined,
    ]);
    expect(lapsed(three(), 30_000)).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
  });

  it('ends the match when fewer are left than bots play with', () => {
    const match = no(yes(three(3), 'a'), 'b');
    expect(match).toMatchObject({ phase: 'over', reason: 'declined' });
    expect(no(three(2), 'b').phase).toBe('confirming');
  });
});

describe('the record of a match with bots', () => {
  const rating = { field: 'mmr', system: 'openskill' } as const;

  it('has all teams, so that a result can name them', () => {
    const match = running(duo());
    expect(matchRecordOf(match, ID).teams.map(({ lobbies }) => lobbies.length)).toEqual([1, 0]);
  });

  it('is rated where every team has a player, and not against bots alone', () => {
    const match = running(duo({ rating }));
    expect(matchRecordOf(match, ID).rating).toBeUndefined();
    const filled = comes(match, party('b', 'ben'), 1);
    expect(filled && matchRecordOf(filled, ID).rating).toMatchObject({ field: 'mmr', aside: [] });
    const even = matchOf(mode({ playersPerTeam: 2, ...BOTS, rating }), [
      [['a', 'ann']],
      [['b', 'ben']],
    ]);
    expect(matchRecordOf(running(even), ID).rating).toBeDefined();
  });

  it('is not rated either where a lobby plays alone', () => {
    const one = mode({ playersPerTeam: 2, minTeams: 1, rating });
    const record = matchRecordOf(running(matchOf(one, [[['a', 'ann', 'ben']]])), ID);
    expect([record.teams.length, record.rating, record.quality]).toEqual([1, undefined, undefined]);
  });

  it('says nothing of how even it is against bots alone', () => {
    const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 30 }];
    expect(matchRecordOf(duo({ rules, rating }), ID).quality).toBeUndefined();
  });
});
