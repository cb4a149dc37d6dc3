// What the specification says of events: which change emits which, in which order, and where a
// stream goes on or ends (the tags name rows of docs/internals/conformance.md).

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { listen, type Stream } from './stream';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

async function listening(config: string, player: string): Promise<Stream> {
  const stream = await listen(config, player);
  await stream.next('connected');
  return stream;
}

async function matchmade(modes: object, patch: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes }, ...patch });
  return config;
}

function queue(config: string, player: string, mode = 'duel'): Promise<{ status: number }> {
  return ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode } });
}

async function deletedEvent(stream: Stream): Promise<unknown> {
  return (await stream.upTo('lobby_deleted')).at(-1);
}

describe('lobby_updated', () => {
  // shows: S20, S105, S206, S210, S211, S212, S213, S214, S216, D10b
  it('is emitted for each change the specification names, as the full lobby', async () => {
    const config = await matchmade({ duel: {} });
    const lobby = await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    const changes: readonly (readonly [() => Promise<unknown>, (now: LobbyView) => boolean])[] = [
      [() => joinLobby(config, 'bob', lobby.code), ({ currentPlayers }) => currentPlayers === 2],
      [
        () => ask(`PATCH lobbies/${config}/me`, { player: 'bob', body: { state: { a: 1 } } }),
        ({ players }) => players[1]?.state?.['a'] === 1,
      ],
      [
        () => ask(`DELETE lobbies/${config}/me`, { player: 'bob' }),
        ({ currentPlayers }) => currentPlayers === 1,
      ],
      [() => joinLobby(config, 'cat', lobby.code), ({ currentPlayers }) => currentPlayers === 2],
      [
        () => ask(`DELETE lobbies/${config}/me/players/cat`, { player: 'ann' }),
        ({ currentPlayers }) => currentPlayers === 1,
      ],
      [
        () => ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name: 'Lair' } }),
        ({ name }) => name === 'Lair',
      ],
      [() => queue(config, 'ann'), ({ status }) => status === 'in_queue'],
      [
        () => ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' }),
        ({ status }) => status === 'waiting',
      ],
      [
        () => ask(`POST lobbies/${config}/me/start`, { player: 'ann' }),
        ({ status, server }) => status === 'in_game' && server?.status === 'launching',
      ],
      [() => Promise.resolve(), ({ server }) => server?.status === 'running'],
      [
        () => ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' }),
        ({ status }) => status === 'waiting',
      ],
    ];
    let revision = lobby.revision;
    for (const [change, shows] of changes) {
      await change();
      const update = await stream.next('lobby_updated', shows);
      expect(Object.keys(update)).toEqual(Object.keys(lobby));
      expect(update.revision).toBeGreaterThan(revision);
      revision = update.revision;
    }
    await stream.leave();
  });

  // shows: S114, S215, S221, D9b, D10b, D25i
  it('has an updatedAt and a revision that rise with each of them', async () => {
    const config = await matchmade({ duel: { matchConfirmation: { enabled: true } } });
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
    }
    const stream = await listening(config, 'ann');
    await queue(config, 'ann');
    await queue(config, 'bob');
    const seen = [await stream.next('lobby_updated', ({ status }) => status === 'match_found')];
    for (const player of ['ann', 'bob']) {
      await ask(`POST lobbies/${config}/me/confirm-match`, { player });
    }
    while (seen.at(-1)?.server?.status !== 'running') {
      seen.push(await stream.next('lobby_updated'));
    }
    const shown = seen.map(({ status, matchmaking, server }) =>
      [status, matchmaking?.confirmation?.confirmed, server?.status, server?.network_ports.length]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    expect(shown).toEqual([
      'match_found false',
      'match_found true',
      'matched',
      'in_game launching 0',
      'in_game running 1',
    ]);
    const times = seen.map(({ updatedAt }) => Date.parse(updatedAt));
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    const revisions = seen.map(({ revision }) => revision);
    expect(revisions).toEqual(revisions.map((_, index) => (revisions[0] ?? 0) + index));
    await stream.leave();
  });
});

describe('lobby_deleted', () => {
  // shows: S208, S217
  it('comes when the last player left', async () => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect(await deletedEvent(stream)).toEqual({ event: 'lobby_deleted', id: null, data: { id } });
  });

  // shows: S126, S218
  it('comes to those who remain when the host left under delete', async () => {
    const config = freshConfig();
    await saveConfig(config, { hostLeaveBehavior: 'delete' });
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const stream = await listening(config, 'bob');
    await ask(`DELETE lobbies/${config}/me`, { player: 'ann' });
    expect(await deletedEvent(stream)).toMatchObject({ event: 'lobby_deleted', data: { id } });
  });

  // shows: S127, S196, S219
  it('comes to everybody on an admin delete', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const streams = [await listening(config, 'ann'), await listening(config, 'bob')];
    await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
    for (const stream of streams) {
      expect(await deletedEvent(stream)).toMatchObject({ event: 'lobby_deleted', data: { id } });
    }
  });

  it('comes to the guests of a lobby that forceFresh replaces', async () => {
    const config = freshConfig();
    const { id, code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const stream = await listening(config, 'bob');
    await createLobby(config, 'ann', { forceFresh: true });
    expect(await deletedEvent(stream)).toMatchObject({ event: 'lobby_deleted', data: { id } });
  });
});

describe('matchmaking_timeout', () => {
  /** What the stream tells of a search's end, up to the lobby at rest. */
  async function told(stream: Stream): Promise<unknown> {
    const event: unknown = await stream.next('matchmaking_timeout');
    const after = await stream.next('lobby_updated');
    expect([after.status, after.matchmaking, after.matchId]).toEqual(['waiting', null, null]);
    return event;
  }

  // shows: S72, S109, S245, D25a, D25b
  it('says timeout when the mode\u2019s time is over, and the lobby is not queued again', async () => {
    const config = await matchmade({ duel: { timeout: 1 } });
    const { id } = await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    await queue(config, 'ann');
    expect(await told(stream)).toEqual({ id, mode: 'duel', reason: 'timeout' });
    await new Promise((resume) => {
      setTimeout(resume, 300);
    });
    expect((await mine(config, 'ann')).status).toBe('waiting');
    await stream.leave();
  });

  // shows: S110, D25d
  it('says cancelled and player_left where those are why', async () => {
    const config = await matchmade({ duo: { playersPerTeam: 2 } });
    const { code } = await createLobby(config, 'ann');
    await joinLobby(config, 'bob', code);
    const stream = await listening(config, 'ann');
    await queue(config, 'ann', 'duo');
    await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann' });
    expect(await told(stream)).toMatchObject({ reason: 'cancelled' });
    await queue(config, 'ann', 'duo');
    await ask(`DELETE lobbies/${config}/me`, { player: 'bob' });
    expect(await told(stream)).toMatchObject({ reason: 'player_left' });
    await stream.leave();
  });

  // shows: D50a
  it('says away of a party whose streams have closed, as it reads when it comes back', async () => {
    const config = await matchmade({ duel: { timeout: 600 } }, { queuePresenceSeconds: 1 });
    const { id } = await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    await queue(config, 'ann');
    await stream.leave();
    // An operator's look at the lobby is no sign of life.
    const { returned } = await until(
      async () => (await ask<LobbyView>(`GET lobbies/${config}/${id}`, { key: SERVER })).body,
      ({ status }) => status === 'waiting',
    );
    expect(returned).toMatchObject({ mode: 'duel', reason: 'away' });
    const again = await listen(config, 'ann');
    expect((await again.next('connected'))?.returned).toEqual(returned);
    await again.leave();
  });

  // shows: S116, S147, D25e
  it('says declined to every lobby of the match, by any player of one', async () => {
    const config = await matchmade({ duo: { ...duo, matchConfirmation: { enabled: true } } });
    const streams = await twoParties(config);
    await Promise.all(streams.map((stream) => stream.next('lobby_updated', isFound)));
    const { status } = await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'bob-2' });
    expect(status).toBe(200);
    for (const stream of streams) {
      expect(await told(stream)).toMatchObject({ reason: 'declined' });
      await stream.leave();
    }
  });

  // shows: S117, S246, D25f
  it('says confirm_timeout to every lobby when the deadline passes', async () => {
    const matchConfirmation = { enabled: true, timeoutSeconds: 1 };
    const config = await matchmade({ duo: { ...duo, matchConfirmation } });
    const streams = await twoParties(config);
    await streams[0].next('lobby_updated', isFound);
    await ask(`POST lobbies/${config}/me/confirm-match`, { player: 'ann' });
    for (const stream of streams) {
      expect(await told(stream)).toMatchObject({ reason: 'confirm_timeout' });
      await stream.leave();
    }
    expect((await mine(config, 'ann')).status).toBe('waiting');
  });

  // shows: S118, D25g
  it('says launch_failed to every lobby when no build can be launched', async () => {
    const rules = [{ type: 'equals', field: 'version' }];
    const config = await matchmade({ duo: { ...duo, rules, useVersionFromState: 'version' } });
    const streams = await twoParties(config, { version: 'never-built' });
    for (const stream of streams) {
      expect(await told(stream)).toMatchObject({ reason: 'launch_failed' });
      await stream.leave();
    }
  });

  // shows: D25h, D32b
  it('says config_changed when the mode is gone', async () => {
    const config = await matchmade({ duel: {} });
    await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    await queue(config, 'ann');
    await saveConfig(config, {});
    expect(await told(stream)).toMatchObject({ mode: 'duel', reason: 'config_changed' });
    await stream.leave();
  });

  const duo = { playersPerTeam: 2 };
  const isFound = ({ status }: LobbyView): boolean => status === 'match_found';

  /** Two lobbies of two, queued; the streams of their hosts. */
  async function twoParties(
    config: string,
    state: object = {},
  ): Promise<readonly [Stream, Stream]> {
    const streams: Stream[] = [];
    for (const player of ['ann', 'bob']) {
      const { code } = await createLobby(config, player, { state });
      const body = { code, state };
      await ask(`POST lobbies/${config}/join`, { player: `${player}-2`, body });
      streams.push(await listening(config, player));
      await queue(config, player, 'duo');
    }
    return streams as [Stream, Stream] & Stream[];
  }
});

describe('after a disconnect', () => {
  // shows: S222
  it('connected brings the whole state; what was missed is not replayed unasked', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    await (await listening(config, 'ann')).leave();
    for (const name of ['Two', 'Three']) {
      await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name } });
    }
    const again = await listen(config, 'ann');
    expect((await again.next('connected')).name).toBe('Three');
    expect(again.raw).not.toContain('lobby_updated');
    await again.leave();
  });

  // shows: S223
  it('polling GET /me shows the same lobby as the stream', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann');
    const stream = await listening(config, 'ann');
    await joinLobby(config, 'bob', code);
    expect(await stream.next('lobby_updated')).toEqual(await mine(config, 'ann'));
    await stream.leave();
  });
});

describe('streams of many configs', () => {
  // shows: S12
  it('are one a player and config, and hear only their own', async () => {
    const [one, two] = [freshConfig(), freshConfig()];
    for (const config of [one, two]) {
      await createLobby(config, 'ann');
    }
    const first = await listening(one, 'ann');
    const second = await listening(two, 'ann');
    await ask(`PATCH lobbies/${two}/me/settings`, { player: 'ann', body: { name: 'second' } });
    await ask(`PATCH lobbies/${one}/me/settings`, { player: 'ann', body: { name: 'first' } });
    expect((await first.next('lobby_updated')).name).toBe('first');
    expect((await second.next('lobby_updated')).name).toBe('second');
    await first.leave();
    await second.leave();
  });
});
