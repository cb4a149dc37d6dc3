// What the pure core owes, allows and refuses at the edges of its rules. A mutation tester changed each of these lines
// without a test in Node noticing.

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, TicketId } from '../../src/common/ids';
import { MAX_LOBBY_BYTES, MAX_SETTINGS_BYTES, MAX_STATE_BYTES } from '../../src/common/limits';
import { deletion } from '../../src/lobby/change';
import { codeAt, codeSpace, normalCode, randomCode } from '../../src/lobby/codes';
import type { Command } from '../../src/lobby/command';
import { decide } from '../../src/lobby/decide';
import type { Lobby } from '../../src/lobby/lobby';
import { playgroundOf, ruledBy } from '../../src/lobby/playground';
import { growthRefusal, writtenBytes } from '../../src/lobby/change';
import { changeOf, codeOf, given, lobbyOf, matchUpdate, player, run } from '../support/lobbies';
import { hold } from '../../src/lobby/queueing';
import { matchUpdated } from '../../src/lobby/game';

const alice = player('alice');
const M1 = 'match-1' as MatchId;

function queued(lobby: Lobby = lobbyOf('alice', 'bob')): Lobby {
  return run(lobby, { type: 'enter', player: alice, mode: 'duel' });
}

/** The lobby in that phase of a match. */
function inMatch(patch: Parameters<typeof matchUpdate>[0] | object): Lobby {
  const searching = queued();
  const ticketId = searching.search?.ticketId as TicketId;
  const held = hold(searching, { ticketId, matchId: M1, seq: 1 }, given().now)?.lobby ?? searching;
  const update = matchUpdate({ ticketId, matchId: M1, ...patch });
  return matchUpdated(held, update, given().now, 'ticket-new' as TicketId).lobby ?? held;
}

function patched(bytes: number, lobby = lobbyOf('alice')): string {
  const state = { a: 'x'.repeat(bytes - '{"a":""}'.length) };
  return codeOf(decide(lobby, { type: 'patch_state', player: alice, state }, given()));
}

describe('sizes', () => {
  it('a state may have as many bytes as it may have, and no more', () => {
    expect([patched(MAX_STATE_BYTES), patched(MAX_STATE_BYTES + 1)]).toEqual([
      'ok',
      'VALIDATION_ERROR',
    ]);
  });

  it('so may the settings', () => {
    const codes = [MAX_SETTINGS_BYTES, MAX_SETTINGS_BYTES + 1].map((bytes) => {
      const settings = { a: 'x'.repeat(bytes - '{"a":""}'.length) };
      const command: Command = { type: 'settings', player: alice, patch: { settings } };
      return codeOf(decide(lobbyOf('alice'), command, given()));
    });
    expect(codes).toEqual(['ok', 'VALIDATION_ERROR']);
  });

  it('a lobby as a whole has a bound, and one above it may only become smaller', () => {
    const of = (bytes: number): Lobby => {
      const empty = { ...lobbyOf('alice'), name: '' };
      return { ...empty, name: 'x'.repeat(bytes - writtenBytes(empty)) };
    };
    const most = MAX_LOBBY_BYTES - 64 * 1024;
    expect(writtenBytes(of(most))).toBe(most);
    const codes = [
      growthRefusal(of(most - 1), of(most)),
      growthRefusal(of(most), of(most + 1)),
      growthRefusal(of(most + 9), of(most + 9)),
      growthRefusal(of(most + 9), of(most + 10)),
    ].map((refused) => refused?.code ?? 'ok');
    expect(codes).toEqual(['ok', 'PAYLOAD_TOO_LARGE', 'ok', 'PAYLOAD_TOO_LARGE']);
  });
});

describe('settings', () => {
  const change = (lobby: Lobby, patch: object): Lobby =>
    run(lobby, { type: 'settings', player: alice, patch });

  it('may leave as many places as there are players', () => {
    expect(change(lobbyOf('alice', 'bob'), { maxPlayers: 2 }).maxPlayers).toBe(2);
  });

  it('change what they name to either value, and keep what they do not name', () => {
    const lobby = { ...lobbyOf('alice'), isPrivate: false, allowLateJoin: true, region: 'us-east' };
    const there = { isPrivate: true, allowLateJoin: false, region: 'eu-west' };
    const back = { isPrivate: false, allowLateJoin: true, region: 'us-east' };
    const changed = change(lobby, there);
    expect(changed).toMatchObject(there);
    expect(change(changed, { name: 'Den' })).toMatchObject({ ...there, name: 'Den' });
    expect(change(changed, back)).toMatchObject(back);
  });
});

describe('whoever is no member', () => {
  it('gets nothing from a lobby, and a member gets an answer', () => {
    const beat = (name: string) =>
      decide(lobbyOf('alice'), { type: 'heartbeat', player: player(name) }, given({ now: 9e12 }));
    expect(codeOf(beat('eve'))).toBe('LOBBY_NOT_FOUND');
    expect(changeOf(beat('alice')).lobby).toMatchObject({ activeAt: 9e12 });
  });
});

describe('an answer to a match', () => {
  const answers = (lobby: Lobby): string[] =>
    (['confirm', 'decline'] as const).map((type) =>
      codeOf(decide(lobby, { type, player: alice }, given())),
    );

  it('is for a lobby that was asked', () => {
    expect(answers(inMatch({ phase: 'match_found', deadline: 9e12 }))).toEqual(['ok', 'ok']);
    const refused = ['INVALID_STATE', 'INVALID_STATE'];
    expect(answers(lobbyOf('alice'))).toEqual(refused);
    expect(answers(queued())).toEqual(refused);
    expect(answers(inMatch({}))).toEqual(refused);
  });

  it('is a decline where a player leaves instead', () => {
    const asked = inMatch({ phase: 'match_found', deadline: 9e12 });
    const leaves: Command = { type: 'leave', player: player('bob') };
    expect(changeOf(decide(asked, leaves, given())).debts).toContainEqual({
      to: 'match',
      act: 'decline',
      matchId: M1,
      reason: 'player_left',
      by: 'bob',
    });
    expect(changeOf(decide(queued(), leaves, given())).debts).not.toContainEqual(
      expect.objectContaining({ act: 'decline' }),
    );
  });
});

describe('a lobby that ends', () => {
  it('tells the queue, the match, or its own server, and nobody else', () => {
    const others = (lobby: Lobby) =>
      deletion(lobby).debts.filter(({ to }) => to !== 'seat' && to !== 'directory');
    const searching = queued();
    const ticketId = searching.search?.ticketId;
    expect(others(searching)).toEqual([
      { to: 'queue', act: 'leave', mode: 'duel', ticketId, reason: 'player_left' },
    ]);
    const matched = inMatch({});
    expect(others(matched)).toEqual([
      { to: 'match', act: 'left', matchId: M1, ticketId: matched.part?.ticketId },
    ]);
    const instanceId = 'server-1' as InstanceId;
    const started = run(
      lobbyOf('alice'),
      { type: 'start', player: alice },
      { made: { instanceId } },
    );
    expect(others(started)).toEqual([{ to: 'server', act: 'stop', instanceId }]);
    expect(others(lobbyOf('alice'))).toEqual([]);
  });
});

describe('a player who leaves a match', () => {
  it('is told to the match if that fills its places again', () => {
    const leaves: Command = { type: 'leave', player: player('bob') };
    const roster = { to: 'match', act: 'roster', matchId: M1 };
    const debts = (backfills: boolean) =>
      changeOf(decide(inMatch({ backfills }), leaves, given())).debts;
    expect(debts(true)).toContainEqual(roster);
    expect(debts(false)).not.toContainEqual(roster);
  });
});

describe('codes', () => {
  const config = { type: 'alphabetic', length: 2, prefix: 'T-' } as const;

  it('are compared without case and white space around them', () => {
    expect(normalCode('  meow-7k2 ')).toBe(normalCode('MEOW-7K2'));
  });

  it('are counted through: each number has a code of its own, drawn ones are among them', () => {
    const space = codeSpace(config);
    expect(space).toBe(26 * 26);
    const all = Array.from({ length: space }, (_, index) => codeAt(config, index));
    expect(new Set(all).size).toBe(space);
    expect([all[0], all[1], all[26], all.at(-1)]).toEqual(['T-AA', 'T-AB', 'T-BA', 'T-ZZ']);
    expect(randomCode(config, () => 0)).toBe('T-AA');
    expect(randomCode(config, () => 0.999)).toBe('T-ZZ');
    expect(codeAt(null, 0)).toBeNull();
  });

  it('are a word and six characters unless the config says otherwise', () => {
    const drawn = [0, 0.5, 0.999].map((chance) => randomCode(null, () => chance));
    drawn.forEach((code) => expect(code).toMatch(/^[A-Z]+-[0-9A-Z]{6}$/));
    expect(new Set(drawn).size).toBe(3);
    expect(codeSpace(null)).toBeGreaterThan(2 ** 33);
  });
});

it('the playground of a config has a name of its own, and the rules of that config', () => {
  const playground = playgroundOf('arena');
  expect(playground).not.toBe('arena');
  expect(playgroundOf(playground)).toBe(playground);
  expect([ruledBy(playground), ruledBy('arena')]).toEqual(['arena', 'arena']);
});
