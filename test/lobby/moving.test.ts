// A lobby that moves to another config (record 0109), as values.

import { array, assert, constantFrom, integer, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemberId, PlayerId } from '../../src/common/ids';
import { brokenInLobby } from '../../src/lobby/always';
import { NONE_TRUSTED, type Trusted } from '../../src/lobby/attributes';
import { deletion } from '../../src/lobby/change';
import { decide } from '../../src/lobby/decide';
import { happenings } from '../../src/lobby/history';
import type { Change } from '../../src/lobby/command';
import { UNTOLD, type KnownAttributes, type Lobby } from '../../src/lobby/lobby';
import { admit, leave, standAside } from '../../src/lobby/members';
import { isElsewhere, moved, moveIssues, notMoved, type Claim } from '../../src/lobby/moving';
import { goes } from '../../src/lobby/spectators';
import { given, lobbyOf, player, run, T0 } from '../support/lobbies';

const NOW = T0 + 5_000;

function claimsOf({ players, spectators = [] }: Lobby, attempt: string): Map<PlayerId, Claim> {
  const claim = ({ id }: { id: PlayerId }) => ({ memberId: `${attempt}-${id}` as MemberId });
  return new Map([...players, ...spectators].map((each) => [each.id, claim(each)]));
}

function movedTo(
  lobby: Lobby,
  name: string,
  {
    maxPlayers,
    behind = [],
    ...there
  }: {
    maxPlayers?: number;
    behind?: readonly string[];
    trusted?: Trusted;
    claims?: Map<PlayerId, Claim>;
  } = {},
): Lobby {
  const config = maxPlayers === undefined ? {} : { maxPlayers };
  const place = { name, config, code: lobby.code, trusted: NONE_TRUSTED };
  const to = { ...place, claims: claimsOf(lobby, name), behind: new Set(behind), ...there };
  return moved(lobby, to, NOW);
}

function destination(more: Partial<Parameters<typeof moveIssues>[1]> = {}) {
  const all = { name: 'yard', config: {}, trusted: NONE_TRUSTED, banned: new Set<string>() };
  return { ...all, ...more };
}

describe('a lobby that moves', () => {
  it('keeps all but its config, its memberships, and what the new config does not allow', () => {
    const lobby = lobbyOf('ann', 'ben');
    const there = movedTo(lobby, 'yard', { maxPlayers: 3 });
    const { config, maxPlayers, players, revision, updatedAt, activeAt, ...rest } = there;
    expect([config, maxPlayers, revision]).toEqual(['yard', 3, lobby.revision + 1]);
    expect([updatedAt, activeAt]).toEqual([NOW, NOW]);
    expect(lobby).toMatchObject(rest);
    expect(players.map(({ id, memberId, former }) => [id, memberId, former])).toEqual([
      ['ann', 'yard-ann', [{ config: 'arena', memberId: 'm-ann' }]],
      ['ben', 'yard-ben', [{ config: 'arena', memberId: 'm-ben' }]],
    ]);
  });

  it('knows no seat of a config twice, wherever it goes, and frees each when a player leaves', () => {
    const ways = array(constantFrom('arena', 'yard', 'hall', 'pit'), { maxLength: 12 });
    assert(
      property(ways, integer({ min: 2, max: 8 }), (way, places) => {
        let lobby = lobbyOf('ann', 'ben');
        for (const name of way.filter((each, at) => each !== (way[at - 1] ?? 'arena'))) {
          lobby = movedTo(lobby, name, { maxPlayers: places });
          expect(brokenInLobby(lobby)).toEqual([]);
        }
        const [{ former = [] } = {}] = lobby.players;
        const seats = [lobby.config, ...former.map(({ config }) => config)];
        expect(new Set(seats).size).toBe(seats.length);
        expect(new Set(seats)).toEqual(new Set(['arena', ...way]));
        const removal = { player: player('ben'), connected: new Set<PlayerId>(), now: NOW };
        const left = leave(lobby, removal, given().policy).debts;
        const all = deletion(lobby).debts;
        const freed = (who: string, of: typeof all) =>
          of.flatMap((debt) =>
            debt.to === 'seat' && debt.player === who ? [debt.config ?? lobby.config] : [],
          );
        expect(freed('ben', left).toSorted()).toEqual(seats.toSorted());
        expect(freed('ann', all).toSorted()).toEqual(seats.toSorted());
        expect(freed('ann', left)).toEqual([]);
      }),
    );
  });

  it('is refused with one issue for each player who could not have joined there, and with no other', () => {
    const states = record({ mmr: integer(), hat: string() }, { requiredKeys: [] });
    const who = array(constantFrom('ann', 'ben', 'cid'), { maxLength: 3 });
    assert(
      property(states, who, integer({ min: 1, max: 4 }), (state, banned, maxPlayers) => {
        const lobby = run(lobbyOf('ann', 'ben', 'cid'), {
          type: 'patch_state',
          player: player('ben'),
          state,
        });
        const trusted = new Map([['mmr', null]]);
        const to = destination({ config: { maxPlayers }, banned: new Set(banned), trusted });
        const paths = moveIssues(lobby, to, NONE_TRUSTED).map(({ path }) => path);
        const wanted = [
          ...(maxPlayers < 3 ? ['players'] : []),
          ...new Set(banned),
          ...('mmr' in state ? ['ben'] : []),
        ];
        expect(paths.toSorted()).toEqual(wanted.toSorted());
        // What the backend has said where it was is no player's.
        const known = moveIssues(lobby, destination({ trusted }), trusted);
        expect(known).toEqual([]);
      }),
    );
    const refused = notMoved(isElsewhere([player('ben')], 'yard'));
    expect(refused.detail).toBe('ben: is in another lobby of yard');
  });

  it('leaves behind what the backend alone says where it was, so that it can come back', () => {
    const trusted = new Map([['mmr', null]]);
    const record = { mmr: 1_500 };
    const [lobby, given] = [lobbyOf('ann'), { revision: 1, record, claim: {} }];
    const rated = lobby.players.map((each) => ({
      ...each,
      state: { mmr: 1_500, hat: 'red' },
      given,
    }));
    const there = movedTo({ ...lobby, players: rated }, 'yard', { behind: ['mmr'] });
    expect(there.players).toMatchObject([{ given: { record } }]);
    expect(there.players[0]?.state).toEqual({ hat: 'red' });
    expect(moveIssues(there, destination({ name: 'arena', trusted }), NONE_TRUSTED)).toEqual([]);
  });

  it('goes by the newest that the backend has said, and by the token throughout', () => {
    const trusted = new Map([['mmr', null]]);
    const known = (revision: number, claim = {}) => ({
      revision,
      record: { mmr: revision },
      claim,
    });
    const givenAfter = (
      given: KnownAttributes | undefined,
      to: Trusted,
      said?: number,
    ): KnownAttributes | undefined => {
      const lobby = lobbyOf('ann');
      const players = lobby.players.map((each) => ({ ...each, ...(given && { given }) }));
      const heard = said !== undefined && { said: { revision: said, attributes: { mmr: said } } };
      const claims = new Map([[player('ann'), { memberId: 'm' as MemberId, ...heard }]]);
      const there = movedTo({ ...lobby, players }, 'yard', { trusted: to, claims });
      return there.players[0]?.given;
    };
    const claim = { vip: true };
    expect(givenAfter(undefined, trusted, 3)).toEqual(known(3));
    expect(givenAfter(known(3, claim), trusted)).toEqual(known(3, claim));
    // Told of a change while it moved.
    expect(givenAfter(known(4, claim), trusted, 3)).toEqual(known(4, claim));
    expect(givenAfter(undefined, NONE_TRUSTED)).toBeUndefined();
    const untold = givenAfter(known(3, claim), NONE_TRUSTED);
    expect(untold).toEqual({ ...known(3, claim), revision: UNTOLD });
    expect(givenAfter(untold, trusted, 3)).toEqual(known(3, claim));
    expect(givenAfter(untold, trusted, 5)).toEqual(known(5, claim));
    // The backend has forgotten the player.
    expect(givenAfter(untold, trusted, 0)).toEqual(known(0, claim));
  });

  it('takes along who watches, in their seats, also when they change sides there', () => {
    const spectator = { joinedAt: T0, seenAt: T0, streaming: false };
    const sue = { ...spectator, id: player('sue'), memberId: 'm-sue' as MemberId };
    const lobby: Lobby = { ...lobbyOf('ann', 'ben'), spectators: [sue] };
    const there = movedTo(lobby, 'yard');
    const former = [{ config: 'arena', memberId: 'm-sue' }];
    expect(there.spectators).toEqual([{ ...sue, memberId: 'yard-sue', former }]);
    expect(brokenInLobby(there, lobby)).toEqual([]);
    const seatsOf = (change: Change) =>
      change.debts.flatMap((debt) => (debt.to === 'seat' ? [debt.memberId] : []));
    expect(seatsOf(goes(there, player('sue'), NOW, 'left'))).toEqual(['yard-sue', 'm-sue']);
    const newcomer = { id: player('sue'), memberId: 'yard-sue' as MemberId, state: null };
    const plays = admit(there, newcomer, NOW);
    const lobbyNow = plays.ok ? plays.value.lobby : null;
    expect(lobbyNow?.players.at(-1)).toMatchObject({ memberId: 'yard-sue', former });
    const removal = { player: player('ben'), connected: new Set<PlayerId>(), now: NOW };
    const aside = standAside(there, removal, { max: 2, delaySeconds: 0 }, given().policy);
    const after = aside.ok ? aside.value : null;
    expect(after?.lobby?.spectators?.at(-1)).toMatchObject({
      memberId: 'yard-ben',
      former: [{ config: 'arena', memberId: 'm-ben' }],
    });
    expect(after && seatsOf(after)).toEqual([]);
  });

  it('says how many watch, and how many may there', () => {
    const spectator = { joinedAt: T0, seenAt: T0, streaming: false, memberId: 'm' as MemberId };
    const watching = (count: number): Lobby => ({
      ...lobbyOf('ann'),
      spectators: Array.from({ length: count }, (_, at) => ({
        ...spectator,
        id: player(`s${at}`),
      })),
    });
    const said = (count: number, max?: number) => {
      const config = max === undefined ? {} : { spectators: { max, delaySeconds: 0 } };
      const issues = moveIssues(watching(count), destination({ config }), NONE_TRUSTED);
      return issues.map(({ path, message }) => `${path}: ${message}`);
    };
    const where = 'that a lobby may have in yard';
    expect(said(1)).toEqual([`spectators: 1 spectator is more than the 0 ${where}`]);
    expect(said(3, 2)).toEqual([`spectators: 3 spectators are more than the 2 ${where}`]);
    expect([said(2, 2), said(0)]).toEqual([[], []]);
  });

  it('is noted in its history, with who asked', () => {
    const lobby = lobbyOf('ann');
    const change = { lobby: movedTo(lobby, 'yard'), debts: [], news: [] };
    expect(happenings(lobby, change, { by: 'player:ann' }, NOW)).toEqual([
      { at: NOW, kind: 'moved', by: 'player:ann', detail: 'from arena to yard' },
    ]);
  });

  it('moves only while it waits, and a request under another config is not its own', () => {
    const lobby = lobbyOf('ann', 'ben');
    const move = { type: 'move', player: player('ann'), to: 'yard' } as const;
    expect(decide(lobby, move, given()).ok).toBe(true);
    expect(decide(lobby, { ...move, player: player('ben') }, given())).toMatchObject({
      refusal: { code: 'NOT_HOST' },
    });
    const searching = run(lobby, { type: 'enter', player: player('ann'), mode: 'duel' });
    expect(decide(searching, move, given())).toMatchObject({ refusal: { code: 'INVALID_STATE' } });
    const read = { type: 'heartbeat', player: player('ann') } as const;
    expect(decide(lobby, { ...read, under: 'arena' }, given()).ok).toBe(true);
    expect(decide(lobby, { ...read, under: 'yard' }, given())).toMatchObject({
      refusal: { code: 'LOBBY_NOT_FOUND' },
    });
  });
});
