// What players say of their match: its result, where most of them must say the same (record 0075), and how they are connected.

import { describe, expect, it } from 'vitest';

import type { PeerPath } from '../../../../packages/js/src/journal-types.ts';
import type { PlayerId } from '../../../../src/common/ids';
import { defaultConfig } from '../../../../src/lobby/config';
import { tallyOf } from '../../../../src/lobby/votes';
import type { ResultBy } from '../../../../src/objects/contracts/match';
import type { MatchRecord } from '../../../../src/objects/contracts/reports';
import { matchRecordOf } from '../../../../src/objects/match/history';
import { isVotedOn, resultFor, voteFor, withLink } from '../../../../src/objects/match/result';
import { over, served } from '../../../../src/objects/match/state';
import { duel, serverReport } from '../../../support/duel-match.ts';
import { runningMatch } from '../../../support/match-rig.ts';
import { block } from '../../../support/lobbies';
import { MATCH } from '../../../support/running-match';
import { codeOf } from '../../../support/server-rig.ts';

const by = (player: string) => ({ player: player as PlayerId });
const HOSTED = { block: { ...block('running', 'i'), term: 1, host_player: 'ann' } };
/** Ann, who hosts, and Abe and Sue against Ben. Sue watches. */
const hosted = served(duel(), serverReport(HOSTED), 5);
const RECORD = matchRecordOf(hosted, MATCH);
const won = (team: number) => ({
  teams: [0, 1].map((each) => ({ team: each, rank: each === team ? 1 : 2 })),
});
const MINUTE_MS = 60_000;

type Vote = readonly [who: Exclude<ResultBy, 'backend'>, team: number];

/** The record after each has said who won. */
function after(record: MatchRecord, ...votes: readonly Vote[]): MatchRecord {
  return votes.reduce((before, [who, team]) => {
    const came = voteFor(before, won(team), who, 10);
    if (!came.ok) {
      throw new Error(came.refusal.detail);
    }
    return { ...before, ...came.value };
  }, record);
}

const tally = (...votes: readonly Vote[]) => tallyOf(after(RECORD, ...votes).votes);

describe('a result that most players must say', () => {
  it('is one vote of each who plays; the last word of each counts', () => {
    expect([tallyOf(RECORD.votes), tallyOf(undefined)]).toEqual([null, null]);
    expect(tally([by('ann'), 0])).toEqual({ players: 3, voted: 1, same: 1 });
    expect(tally(['server', 0])).toEqual({ players: 3, voted: 1, same: 1 });
    expect(tally([by('ann'), 0], ['server', 0])).toEqual({ players: 3, voted: 1, same: 1 });
    expect(tally([by('ann'), 0], [by('ben'), 1])).toEqual({ players: 3, voted: 2, same: 1 });
    const undone = [
      [by('ann'), 0],
      [by('ben'), 1],
      [by('ann'), 1],
    ] as const;
    expect(tally(...undone)).toEqual({ players: 3, voted: 2, same: 2 });
  });

  it('is taken when more than half say the same, and not before', () => {
    expect(after(RECORD, [by('ann'), 0], [by('ben'), 1]).result).toBeUndefined();
    expect(after(RECORD, [by('ann'), 0], [by('abe'), 0]).result).toEqual({ ...won(0), at: 10 });
    // Half is not most.
    const { votes } = RECORD;
    const two = { ...RECORD, votes: { ...votes, said: [], of: ['ann', 'ben'] as PlayerId[] } };
    expect(after(two, [by('ann'), 0]).result).toBeUndefined();
    expect(after(two, [by('ann'), 0], [by('ben'), 0]).result).toBeDefined();
    const taken = after(RECORD, [by('ann'), 0], [by('abe'), 0]);
    expect(voteFor(taken, won(0), by('ben'), 11)).toEqual({ ok: true, value: {} });
    expect(codeOf(voteFor(taken, won(1), by('ben'), 11))).toBe('RESULT_EXISTS');
  });

  it('is asked of nobody else, and for a minute after the end', () => {
    const says = (record: MatchRecord | null, who: Vote[0], now = 10) =>
      codeOf(voteFor(record, won(0), who, now));
    expect(says(RECORD, by('ann'))).toBe('ok');
    for (const who of ['zoe', 'spectator-sue']) {
      expect(says(RECORD, by(who))).toBe('NOT_FOUND');
    }
    expect(says(null, by('ann'))).toBe('NOT_FOUND');
    const plain = matchRecordOf(served(duel(), serverReport(), 5), MATCH);
    expect([says(plain, by('ann')), says(plain, 'server')]).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect(codeOf(voteFor(RECORD, { teams: [] }, by('ann'), 10))).toBe('VALIDATION_ERROR');
    const ended = matchRecordOf(over(hosted, 'game_ended', 1_000), MATCH);
    expect(says(ended, by('ann'), 1_000 + MINUTE_MS)).toBe('ok');
    expect(says(ended, by('ann'), 1_001 + MINUTE_MS)).toBe('INVALID_STATE');
    // While it runs there is no limit.
    expect(says(RECORD, by('ann'), 10 * MINUTE_MS)).toBe('ok');
  });

  it('is what the config says, of a match that a player hosts', async () => {
    const arena = (results?: 'majority') => {
      const { serverSettings, ...config } = defaultConfig('arena');
      const settings = { ...serverSettings, ...(results && { results }) };
      const configs = { arena: { ...config, serverSettings: settings } };
      return { document: async () => ({ revision: 0, configs, builds: {} }) } as never;
    };
    const { votes: _, ...unhosted } = RECORD;
    expect(await isVotedOn(arena('majority'), RECORD)).toBe(true);
    expect(await isVotedOn(arena(), RECORD)).toBe(false);
    expect(await isVotedOn(arena('majority'), unhosted)).toBe(false);
    expect(await isVotedOn(arena('majority'), null)).toBe(false);
  });
});

describe('a link between two players', () => {
  const path = (from: string, to: string, ms = 20): PeerPath => ({
    from,
    to,
    ms,
    isRelayed: false,
  });
  const links = (record: MatchRecord | null, said: PeerPath) => {
    const came = withLink(record, said);
    return came.ok ? came.value.links : came.refusal.code;
  };

  it('is the newest of each side, and of players of the match', () => {
    const one = path('ann', 'ben');
    expect(links(RECORD, one)).toEqual([one]);
    const with2 = { ...RECORD, links: [one] };
    expect(links(with2, path('ben', 'ann'))).toEqual([path('ben', 'ann'), one]);
    expect(links(with2, path('ann', 'abe'))).toEqual([path('ann', 'abe'), one]);
    expect(links(with2, path('abe', 'ben'))).toEqual([path('abe', 'ben'), one]);
    expect(links(with2, path('ann', 'ben', 9))).toEqual([path('ann', 'ben', 9)]);
    for (const said of [path('ann', 'zoe'), path('zoe', 'ann')]) {
      expect(links(RECORD, said)).toBe('NOT_FOUND');
    }
    expect(links(null, one)).toBe('NOT_FOUND');
  });

  it('is one of 240 at most', () => {
    const many = Array.from({ length: 240 }, (_, at) => path('ann', `p${at}`));
    const kept = links({ ...RECORD, links: many }, path('ann', 'ben'));
    expect(kept).toEqual([path('ann', 'ben'), ...many.slice(0, 239)]);
  });
});

it('a name in a result is of the team, or of one that the player was in', () => {
  const [first, second] = RECORD.teams;
  const named = (team: number, id: string) => ({
    teams: won(0).teams.map((each) => ({
      ...each,
      players: each.team === team ? [{ id, abandoned: true }] : [],
    })),
  });
  expect(codeOf(resultFor(RECORD, named(0, 'abe'), 8))).toBe('ok');
  expect(codeOf(resultFor(RECORD, named(1, 'abe'), 8))).toBe('VALIDATION_ERROR');
  const [lobby] = first?.lobbies ?? [];
  const stays = [0, 1].map((team) => ({ team, lobbyId: 'a', role: null }));
  const players = lobby?.players.map((each) => (each.id === 'abe' ? { ...each, stays } : each));
  const moved = { ...RECORD, teams: [{ ...first, lobbies: [{ ...lobby, players }] }, second] };
  expect(codeOf(resultFor(moved as MatchRecord, named(1, 'abe'), 8))).toBe('ok');
});

describe('the match of such a result', () => {
  async function game(results: object) {
    const { serverSettings, ...config } = defaultConfig('arena');
    const configs = { arena: { ...config, serverSettings: { ...serverSettings, ...results } } };
    const rig = await runningMatch({ document: { configs } });
    await rig.runs(HOSTED);
    return rig;
  }
  const result = async ({ actor }: Awaited<ReturnType<typeof game>>) =>
    (await actor.record('p'))?.result;

  it('takes it from most players, also when only its record is left', async () => {
    const rig = await game({ results: 'majority' });
    await rig.actor.result('p', won(0), 'server');
    await rig.actor.end('a' as never, 'ticket of a' as never);
    await rig.live(5_000);
    expect([rig.saw(), await result(rig)]).toEqual([undefined, undefined]);
    expect(codeOf(await rig.actor.result('q', won(0), by('ben')))).toBe('NOT_FOUND');
    const taken = await rig.actor.result('p', won(0), by('ben'));
    expect(taken).toMatchObject({ ok: true, value: { result: won(0) } });
    await rig.pass(100);
    expect(rig.did('result a')).toHaveLength(1);
    expect(rig.did('result b')).toHaveLength(1);
  });

  it('takes it from the server and the backend at once elsewhere, and from no player', async () => {
    const plain = await game({});
    await plain.actor.result('p', won(0), by('ben'));
    expect(await result(plain)).toBeUndefined();
    await plain.actor.result('p', won(1), 'server');
    expect(await result(plain)).toMatchObject(won(1));
    const asked = await game({ results: 'majority' });
    await asked.actor.result('p', won(1));
    expect(await result(asked)).toMatchObject(won(1));
  });

  it('keeps how its players are connected', async () => {
    const rig = await game({});
    const path = { from: 'ann', to: 'ben', ms: 20, isRelayed: true };
    expect(codeOf(await rig.actor.linked('q', path))).toBe('NOT_FOUND');
    expect(await rig.actor.linked('p', path)).toMatchObject({ ok: true, value: { links: [path] } });
    expect((await rig.actor.record('p'))?.links).toEqual([path]);
  });
});
