// What a match keeps is bounded, however often somebody comes and goes: states only of those who are there, so many stays, so
// many refusals, and nothing is written again for a link.

import { describe, expect, it } from 'vitest';
import type { InstanceId, PlayerId, TicketId } from '../../../../src/common/ids';
import { A_DAY } from '../../../../src/common/happening';
import { brokenInMatch } from '../../../../src/objects/match/always';
import { MatchActor } from '../../../../src/objects/match/actor';
import { matchIn } from '../../../../src/objects/match/store';
import {
  barred,
  isBarred,
  MOST_REFUSED,
  MOST_STAYS,
} from '../../../../src/objects/match/newcomers';
import { staysOf, type Match } from '../../../../src/objects/match/state';
import { storeFor } from '../../../../src/objects/kit/rows';
import { fakePorts } from '../../../fleet/ports.ts';
import { ticket } from '../../../match/support/make';
import { duel } from '../../../support/duel-match.ts';
import { block } from '../../../support/lobbies';
import { backfill, MATCH, OPEN, party } from '../../../support/running-match';
import { mode } from '../../../match/support/make';

const LARGE = 'x'.repeat(16_000);

/** A running match that its game steers, on the rows that it has in production. */
async function game() {
  let written = 0;
  const fake = fakePorts({
    name: MATCH,
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      lobby: () => ({ matchUpdate: async () => true }) as never,
      queue: () => ({ offer: async () => {} }) as never,
      server: () => ({ stop: async () => {}, launch: () => new Promise(() => {}) }) as never,
    },
  });
  const { store: plain } = fake.ports;
  const counting = {
    ...plain,
    put: <T>(key: string, value: T): void => {
      written += JSON.stringify(value).length;
      plain.put(key, value);
    },
  };
  const store = storeFor('match', counting);
  const ports = { ...fake.ports, store, instanceId: () => 'i' as InstanceId };
  const match = new MatchActor(ports, async () => {}, A_DAY);
  const parties = [party('a', 'ann'), party('b', 'ben')];
  await match.open({
    matchId: MATCH,
    project: 'p',
    config: 'arena',
    mode: 'open',
    rules: mode(OPEN),
    region: 'us-east',
    version: null,
    anchor: ticket('ticket of a'),
    parties,
    teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
  });
  await match.serverReport({ instanceId: 'i' as InstanceId, seq: 1, block: block('running', 'i') });
  await match.steer('p', {});
  let seq = 0;
  /** A player with 16 KB of state comes, and goes again unless told otherwise. */
  const comes = async (name: string, lobby = name, stays = false) => {
    seq += 1;
    const ticketId = `ticket ${seq}` as TicketId;
    const players = [{ id: name as PlayerId, state: { LARGE } }];
    const came = { ...party(lobby, name), ticketId, players };
    const refused = await match.admit({ ...backfill(came, 1, seq), ticket: ticket(ticketId) });
    if (!stays) {
      await match.left(came.lobbyId, ticketId);
    }
    return refused;
  };
  const state = () => matchIn(store) as Match;
  const costs = async (act: () => Promise<unknown>): Promise<number> => {
    const before = written;
    await act();
    return written - before;
  };
  return { match, comes, state, costs, fake };
}

describe('a match to which many come, and leave it again', () => {
  it('lets a lobby in that comes back before the match has heard that it left', async () => {
    const { comes, state } = await game();
    expect(await comes('cat', 'c', true)).toBeNull();
    expect(await comes('cat', 'c', true)).toBeNull();
    expect(Object.keys(state().newcomers ?? {})).toEqual(['ticket 2']);
  });

  it('keeps the states of those alone who are there', async () => {
    const { match, comes, state, costs, fake } = await game();
    for (let at = 0; at < 40; at += 1) {
      await comes(`p${at}`);
    }
    await comes('cat', 'c', true);
    const rows = [...fake.saved.keys()].filter((key) => key.startsWith('came:'));
    expect([Object.keys(state().newcomers ?? {}), rows.length]).toEqual([['ticket 41'], 1]);
    expect(await costs(() => match.steer('p', { open: 1 }))).toBeLessThan(2 * 16_384);
    const roster = await match.follow('p', 0, 0);
    const shown = roster.ok ? roster.value.players : [];
    expect(shown).toHaveLength(43);
    expect(shown.find(({ id }) => id === 'cat')?.state).toEqual({ LARGE });
    expect(shown.find(({ id }) => id === 'p7')).toMatchObject({ status: 'left', state: null });
  });

  it('keeps so many stays, and those that it formed with always', async () => {
    const { match, comes, state } = await game();
    for (let at = 0; at < MOST_STAYS + 20; at += 1) {
      expect(await comes(`p${at}`)).toBeNull();
    }
    expect(staysOf(state())).toHaveLength(MOST_STAYS);
    const record = await match.record('p');
    const lobbies = record?.teams.flatMap((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
    expect(lobbies).toHaveLength(MOST_STAYS);
    expect(lobbies).toEqual(expect.arrayContaining(['a', 'b', `p${MOST_STAYS + 19}`]));
    expect(lobbies).not.toContain('p0');
    expect(brokenInMatch(state(), null)).toEqual([]);
  });

  it('takes nobody a third time, by whatever lobby', async () => {
    const { comes } = await game();
    expect(await comes('cat')).toBeNull();
    expect(await comes('cat', 'another')).toBeNull();
    expect(await comes('cat', 'a third')).not.toBeNull();
  });

  it('keeps so many refusals, and refuses what is older by its number', () => {
    const hold = (seq: number) => ({ ticketId: `t${seq}` as TicketId, seq });
    let match = duel();
    for (let seq = 1; seq <= MOST_REFUSED + 10; seq += 1) {
      match = barred(match, hold(seq));
    }
    expect([match.refused.length, match.refusedTo]).toEqual([MOST_REFUSED, 10]);
    expect([3, 10, 11, MOST_REFUSED + 11].map((seq) => isBarred(match, hold(seq)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(barred(match, hold(5))).toBe(match);
    expect(isBarred(duel(), hold(0))).toBe(false);
  });

  it.each<[string, Partial<Match>]>([
    ['a bounded number of refusals', { refused: Array.from({ length: 65 }, (_, at) => `t ${at}`) }],
    ['nothing of parties that have left', { newcomers: { ['t' as TicketId]: {} } }],
    [
      'a bounded number of stays',
      { earlier: Array.from({ length: 500 }, () => duel().participants[0]) as never },
    ],
  ])('keeps %s', (what, patch) => {
    expect(brokenInMatch({ ...duel(), ...patch }, duel())).toEqual([`a match keeps ${what}`]);
  });
});

describe('a link', () => {
  const path = { from: 'ann', to: 'ben', isRelayed: false, ms: 9 };

  it('is written alone, and only while the match runs', async () => {
    const { match, comes, costs, fake } = await game();
    for (let at = 0; at < 120; at += 1) {
      await comes(`p${at}`);
    }
    const before = JSON.stringify(fake.saved.get('match'));
    expect(before.length).toBeGreaterThan(16_384);
    expect(await costs(() => match.linked('p', path))).toBeLessThan(1_000 + 32_768);
    expect(JSON.stringify(fake.saved.get('match'))).toBe(before);
    expect((await match.record('p'))?.links).toEqual([path]);
    await match.endByOperator('p', 'operator:o');
    await fake.pass(1_000);
    expect(await match.linked('p', { ...path, ms: 12 })).toMatchObject({ ok: true });
    expect((await match.record('p'))?.links).toEqual([path]);
    expect(await match.linked('p', { ...path, to: 'x' })).toMatchObject({ ok: false });
  });

  it('of rows of an earlier release is read, and kept', async () => {
    const rows = new Map<string, unknown>([
      ['match', { ...duel(), links: [path], earlier: duel().participants.slice(0, 1) }],
      ['roster', duel().roster],
    ]);
    const { ports, saved } = fakePorts({
      name: MATCH,
      document: {} as never,
      saved: rows,
      peers: {},
    });
    const match = new MatchActor(ports, async () => {}, A_DAY);
    await match.linked('p', { ...path, from: 'ben', to: 'ann' });
    expect(saved.get('links')).toHaveLength(2);
    expect(saved.get('earlier')).toHaveLength(1);
    expect(matchIn(ports.store)).toMatchObject({ links: [{ from: 'ben' }, path], earlier: [{}] });
  });
});
