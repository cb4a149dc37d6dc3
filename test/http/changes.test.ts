// Streams that ask for changes, through the front door (decision 75).

import { describe, expect, it } from 'vitest';
import type { LobbyChange } from '../../packages/js/src/change-types';
import { withOperations } from '../../packages/js/src/operations';
import type { LobbyView } from '../../src/lobby/view';
import { eventually } from '../support/eventually';
import { matchmade, party, playing } from './parties';
import { listen, Stream } from './stream';
import { ask, askUnder, createLobby, fetchRaw, freshConfig, joinLobby, mine } from './support';

const CHANGES = '?changes=1';

function openWith(config: string, player: string, query: string, lastId?: string) {
  const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
  return listen(config, player, { query, headers });
}

/** What the client knows once it has that revision. */
async function until(stream: Stream, revision: number, known: LobbyView | null = null) {
  let lobby = known;
  const names: string[] = [];
  while (lobby === null || lobby.revision < revision) {
    const said = await stream.any();
    names.push(said.event);
    if (said.event === 'lobby_changed') {
      const { from, ops } = said.data as LobbyChange;
      expect(from).toBe(lobby?.revision);
      lobby = withOperations(lobby as LobbyView, ops);
    } else if (said.event === 'connected' || said.event === 'lobby_updated') {
      lobby = said.data as LobbyView;
    }
  }
  return { lobby, names };
}

async function patch(config: string, player: string, state: object): Promise<LobbyView> {
  return (await ask<LobbyView>(`PATCH lobbies/${config}/me`, { player, body: { state } })).body;
}

describe('a stream with changes=1', () => {
  it('begins with the whole lobby and goes on with operations', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { state: { skill: 1 } });
    const stream = await openWith(config, 'ann', CHANGES);
    const first = await stream.next('connected');
    await joinLobby(config, 'ben', code);
    const { revision, updatedAt } = await patch(config, 'ben', { 'a/b': 'ü' });
    const joined = await stream.any();
    const changed = await stream.any();
    expect([joined.event, changed.event, changed.id]).toEqual([
      'lobby_changed',
      'lobby_changed',
      String(revision),
    ]);
    expect(changed.data).toEqual({
      revision,
      from: revision - 1,
      ops: [
        { op: 'replace', path: '/players/1/state', value: { 'a/b': 'ü' } },
        { op: 'replace', path: '/revision', value: revision },
        { op: 'replace', path: '/updatedAt', value: updatedAt },
      ],
    });
    const [one, two] = [joined.data as LobbyChange, changed.data as LobbyChange];
    const lobby = withOperations(withOperations(first, one.ops), two.ops);
    expect(JSON.stringify(lobby)).toBe(JSON.stringify(await mine(config, 'ann')));
    await stream.leave();
  });

  it('shows each player of a match its own ticket, as GET /me does', async () => {
    const config = await matchmade({ duo: { teams: 2, playersPerTeam: 2, timeout: 60 } });
    await party(config, 'duo', { ann: {}, ben: {} });
    const players = ['ann', 'ben', 'eve'];
    const streams = [
      await openWith(config, 'ann', CHANGES),
      await openWith(config, 'ben', CHANGES),
    ];
    await party(config, 'duo', { cat: {}, dan: {} });
    const { code } = await playing(config, 'ann');
    // Somebody who comes during the game has no place in it.
    await joinLobby(config, 'eve', code);
    streams.push(await openWith(config, 'eve', CHANGES));
    await patch(config, 'ben', { ready: true });
    const tickets = new Set<string | undefined>();
    for (const [at, stream] of streams.entries()) {
      const wanted = await mine(config, players[at] ?? '');
      const { lobby } = await until(stream, wanted.revision);
      expect(JSON.stringify(lobby)).toBe(JSON.stringify(wanted));
      tickets.add(lobby.server?.ticket);
      await stream.leave();
    }
    expect(tickets.size).toBe(3);
    expect(tickets).not.toContain(undefined);
  });

  it('tells a socket the same', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const headers = { upgrade: 'websocket' };
    const line = `GET lobbies/${config}/me/events${CHANGES}`;
    const { webSocket } = await fetchRaw(line, { player: 'ann', headers });
    const told: { readonly event: string; readonly data: LobbyChange }[] = [];
    webSocket?.addEventListener('message', ({ data }) => {
      told.push(JSON.parse(String(data)) as (typeof told)[number]);
    });
    webSocket?.accept();
    await eventually('the whole lobby', () => told.find(({ event }) => event === 'connected'));
    const { revision } = await patch(config, 'ann', { n: 1 });
    const change = await eventually('a change', () =>
      told.find(({ event }) => event === 'lobby_changed'),
    );
    expect(change.data).toMatchObject({ revision, from: revision - 1 });
    webSocket?.close();
  });

  it('is no stream with changes under /api/v3', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const line = `GET /api/v3/lobbies/${config}/me/events${CHANGES}`;
    const stream = new Stream(await fetchRaw(line, { player: 'ann' }));
    await stream.next('connected');
    await patch(config, 'ann', { n: 1 });
    expect((await stream.any()).event).toBe('lobby_updated');
    await stream.leave();
  });
});

describe('a stream that goes on with changes', () => {
  const RING = 32;

  it('has them since the revision that the client saw, as far back as they are kept', async () => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann');
    const before = await openWith(config, 'ann', CHANGES);
    await before.next('connected');
    const states: LobbyView[] = [];
    for (let n = 0; n < RING + 2; n += 1) {
      states.push(await patch(config, 'ann', { n }));
      await before.any();
    }
    await before.leave();
    const newest = states.at(-1) as LobbyView;
    for (const [back, kept] of [
      [0, true],
      [1, true],
      [RING - 1, true],
      [RING, false],
    ] as const) {
      const known = states[states.length - 1 - back] as LobbyView;
      const stream = await openWith(
        config,
        'ann',
        `${CHANGES}&lobby=${id}`,
        String(known.revision),
      );
      const first = await stream.any();
      expect([back, first.event]).toEqual([back, kept ? 'lobby_changed' : 'connected']);
      const lobby = kept
        ? withOperations(known, (first.data as LobbyChange).ops)
        : (first.data as LobbyView);
      expect(JSON.stringify(lobby)).toBe(JSON.stringify(newest));
      // It goes on from there.
      await stream.leave();
    }
  });

  it.for([
    ['', '2'],
    ['&lobby=another', '2'],
    ['&lobby=ID', '999'],
    ['&lobby=ID', '0'],
    ['&lobby=ID', '-1'],
    ['&lobby=ID', '2.0'],
    ['&lobby=ID', '99999999999999999999'],
    ['&lobby=ID', 'x'],
    ['&lobby=ID', ''],
    ['&lobby=%00', '2'],
    [`&lobby=${'y'.repeat(2_000)}`, '2'],
  ] as const)('is a new one with %s and last-event-id %s', async ([query, lastId]) => {
    const config = freshConfig();
    const { id } = await createLobby(config, 'ann');
    const { revision } = await patch(config, 'ann', { n: 1 });
    expect(revision).toBe(2);
    const stream = await openWith(config, 'ann', CHANGES + query.replace('ID', id), lastId);
    expect(await stream.any()).toMatchObject({ event: 'connected', data: { revision } });
    await patch(config, 'ann', { n: 2 });
    expect(await stream.any()).toMatchObject({ event: 'lobby_changed', data: { from: revision } });
    await stream.leave();
  });
});

describe('Prefer: return=minimal', () => {
  it.for(['return=minimal', 'respond-async, RETURN = "minimal"; x=1'])(
    'answers a change with its revision alone: %s',
    async (prefer) => {
      const config = freshConfig();
      await createLobby(config, 'ann');
      for (const [path, body] of [
        ['me', { state: { n: 1 } }],
        ['me/settings', { name: 'Other' }],
      ] as const) {
        const line = `PATCH lobbies/${config}/${path}`;
        const answer = await ask<object>(line, { player: 'ann', body, headers: { prefer } });
        const { revision } = await mine(config, 'ann');
        expect(answer.body).toEqual({ revision });
        expect(answer.headers.get('etag')).toBe(`"${revision}"`);
        expect(answer.headers.get('preference-applied')).toBe('return=minimal');
      }
    },
  );

  it.for(['return=representation', 'return=minimally', 'xreturn=minimal', ''])(
    'is not: %s',
    async (prefer) => {
      const config = freshConfig();
      await createLobby(config, 'ann');
      const asked = { player: 'ann', body: { state: { n: 1 } }, headers: { prefer } };
      const { body, headers } = await ask<LobbyView>(`PATCH lobbies/${config}/me`, asked);
      expect(body).toMatchObject({ config, status: 'waiting' });
      expect(headers.get('preference-applied')).toBe(null);
    },
  );

  it('changes nothing of a refusal, and nothing under /api/v3', async () => {
    const config = freshConfig();
    const headers = { prefer: 'return=minimal' };
    const asked = { player: 'ann', body: { state: {} }, headers };
    expect((await ask(`PATCH lobbies/${config}/me`, asked)).body.code).toBe('LOBBY_NOT_FOUND');
    await createLobby(config, 'ann');
    const { body } = await ask<LobbyView>(`PATCH /api/v3/lobbies/${config}/me`, asked);
    expect(body.config).toBe(config);
  });
});

describe('a player who changes much in a lobby of many', () => {
  it('is refused as long as others have more than their share to read, and nobody else is', async () => {
    const config = freshConfig();
    const { code } = await createLobby(config, 'ann', { maxPlayers: 10 });
    const players = ['ann', 'ben', 'cat', 'dan', 'eve'];
    for (const player of players.slice(1)) {
      await joinLobby(config, player, code);
    }
    const streams = await Promise.all(players.map((player) => listen(config, player)));
    const LIMITS = '{"changes":{"player":"30/6000s"}}';
    const write = (player: string, skin: string) => {
      const body = { state: { skin } };
      return askUnder({ LIMITS }, `PATCH lobbies/${config}/me`, { player, body });
    };
    // 5 streams of 8 KiB are more than 30.
    expect((await write('ben', 'x'.repeat(8_192))).status).toBe(200);
    const refused = await write('ben', 'y');
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.detail).toMatch(/the streams of the other players/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await write('cat', 'y')).status).toBe(200);
    await createLobby(`${config}-other`, 'ben');
    await Promise.all(streams.map((stream) => stream.leave()));
  });
});
