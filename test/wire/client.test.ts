// The client package against the real service, over real sockets.

import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { MusterAdmin, reportServerStatus } from '../../packages/js/src/admin.ts';
import { addressOf, isMusterError, MusterPlayer } from '../../packages/js/src/index.ts';
import type { FollowOptions, Lobby, LobbyEvent, StreamState } from '../../packages/js/src/index.ts';
import { freePort } from '../../agent/ports.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';

let dataDir: string;
let running: Running;
let admin: MusterAdmin;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-client-'));
  running = await startAll({ port: 0, dataDir });
  admin = new MusterAdmin({ url: `${running.url}/`, key: running.serverKey });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

let configs = 0;

/** Players of a config of their own. */
function players(...names: readonly string[]): readonly MusterPlayer[] {
  configs += 1;
  const config = `client-${configs}`;
  return names.map(
    (player) => new MusterPlayer({ url: running.url, key: 'client_dev_key', config, player }),
  );
}

function two(): readonly [MusterPlayer, MusterPlayer] {
  const [ann, bob] = players('ann', 'bob');
  if (ann === undefined || bob === undefined) {
    throw new Error('two were asked for');
  }
  return [ann, bob];
}

/** Follows a player until the test is done with it. */
class Following {
  readonly events: LobbyEvent[] = [];
  readonly states: StreamState[] = [];
  readonly done: Promise<void>;
  readonly #abort = new AbortController();
  #look: () => void = () => {};

  constructor(player: MusterPlayer, options: FollowOptions = {}) {
    const onState = (state: StreamState): void => void this.states.push(state);
    this.done = this.#run(player, { onState, signal: this.#abort.signal, ...options });
    this.done.catch(() => {
      // Looked at by the tests that expect it.
    });
  }

  async #run(player: MusterPlayer, options: FollowOptions): Promise<void> {
    for await (const event of player.streamEvents(options)) {
      this.events.push(event);
      this.#look();
    }
  }

  /** The first event that fits, seen already or to come. */
  async until(fits: (event: LobbyEvent) => boolean, withinMs = PATIENCE_MS): Promise<LobbyEvent> {
    const found = this.events.find(fits);
    if (found !== undefined) {
      return found;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise<LobbyEvent>((resolve, reject) => {
        const seen = (): string => this.events.map(({ type }) => type).join(', ');
        timer = setTimeout(() => reject(new Error(`it never came; seen: ${seen()}`)), withinMs);
        this.#look = () => {
          const came = this.events.find(fits);
          if (came !== undefined) {
            resolve(came);
          }
        };
      });
    } finally {
      clearTimeout(timer);
      this.#look = () => {};
    }
  }

  stop(): void {
    this.#abort.abort(new Error('stopped'));
  }
}

function shows(fits: (lobby: Lobby) => boolean): (event: LobbyEvent) => boolean {
  return (event) =>
    (event.type === 'lobby_updated' || event.type === 'connected') &&
    event.lobby !== null &&
    fits(event.lobby);
}

describe('a player', () => {
  it('goes the whole way: lobby, queue, confirmation, game, and back', async () => {
    const [ann, bob] = two();
    await admin.saveLobbyConfig(ann.config, {
      matchmaking: {
        modes: {
          duel: {
            rules: [{ type: 'difference', field: 'skill', maxDifference: 100 }],
            matchConfirmation: { enabled: true },
          },
        },
      },
    });
    const following = new Following(ann);
    const lobby = await ann.createLobby({ name: 'Den', state: { skill: 1200 } });
    expect(lobby).toMatchObject({ name: 'Den', host: 'ann', status: 'waiting' });
    await bob.createLobby({ name: 'Lair', state: { skill: 1250 } });
    expect((await ann.startMatchmaking('duel')).status).toBe('in_queue');
    await bob.startMatchmaking('duel');
    await following.until(shows(({ status }) => status === 'match_found'));
    expect((await ann.confirmMatch()).matchmaking?.confirmation?.confirmed).toBe(true);
    await bob.confirmMatch();
    const event = await following.until(shows((seen) => addressOf(seen) !== null));
    const playing = 'lobby' in event ? event.lobby : null;
    expect(addressOf(playing)).toEqual({ host: '127.0.0.1', port: expect.any(Number) });
    const server = await bob.getServer(playing?.server?.instance_id ?? '');
    expect(server).toMatchObject({ status: 'running', match_id: playing?.matchId });
    // The list hears of a server that launches and runs at once a second later.
    await eventually('the server is listed', async () => {
      const { servers } = await admin.listServers({ include_launching: true });
      return servers.some(({ instance_id: id }) => id === server.instance_id);
    });
    expect((await ann.endMatch()).status).toBe('waiting');
    const both = await Promise.all([ann.leaveLobby(), bob.leaveLobby()]);
    expect(both).toEqual([null, null]);
    expect(await ann.findMyLobby()).toBeNull();
    following.stop();
    const kinds = new Set(following.events.map(({ type }) => type));
    expect([...kinds]).toEqual(
      expect.arrayContaining(['connected', 'lobby_updated', 'queue_stats']),
    );
  });

  it('asks every endpoint that games have', async () => {
    const [ann, bob] = two();
    await admin.saveLobbyConfig(ann.config, { matchmaking: { modes: { duel: {} } } });
    const lobby = await ann.createLobby({ name: 'Den', maxPlayers: 4, isPrivate: true });
    expect(await bob.browseLobbies()).toMatchObject({ lobbies: [], total: 0, hasMore: false });
    expect((await bob.joinLobby({ code: lobby.code.toLowerCase() })).currentPlayers).toBe(2);
    expect((await bob.joinLobby({ lobbyId: lobby.id })).currentPlayers).toBe(2);
    const state = await bob.updateMyState({ ready: true, name: 'B\u00f6b \u{1f600}' });
    expect(state.players[1]?.state).toEqual({ ready: true, name: 'B\u00f6b \u{1f600}' });
    const settings = await ann.updateLobbySettings({ isPrivate: false, settings: { map: 'x' } });
    expect([settings.isPrivate, settings.settings]).toEqual([false, { map: 'x' }]);
    // Browsing may be a moment behind.
    await eventually('it is listed', async () => {
      const page = await bob.browseLobbies({ status: 'waiting', region: 'us-east', limit: 1 });
      return page.lobbies[0]?.id === lobby.id;
    });
    await bob.sendHeartbeat();
    expect((await ann.kickPlayer('bob')).currentPlayers).toBe(1);
    await ann.startMatchmaking('duel');
    expect((await ann.cancelMatchmaking()).status).toBe('waiting');
    expect((await ann.startGame()).server?.status).toMatch(/launching|running/);
    expect((await ann.endMatch()).status).toBe('waiting');
    await expect(ann.declineMatch()).rejects.toMatchObject({ code: 'INVALID_STATE', status: 409 });
    expect(await admin.getLobby(ann.config, lobby.id)).toEqual(await ann.getMyLobby());
    await admin.deleteLobby(ann.config, lobby.id);
    await expect(ann.getMyLobby()).rejects.toMatchObject({ code: 'LOBBY_NOT_FOUND' });
  });

  it('may have any printable id, in any config name', async () => {
    const place = { url: running.url, key: 'client_dev_key', config: 'a b.c-d_e' };
    const player = new MusterPlayer({ ...place, player: 'steam:7656/"x"' });
    const other = new MusterPlayer({ ...place, player: 'a/b?c#d' });
    const { code, config } = await player.createLobby({ name: 'Den' });
    expect(config).toBe('a b.c-d_e');
    await other.joinLobby({ code });
    expect((await player.kickPlayer('a/b?c#d')).currentPlayers).toBe(1);
    expect(await player.leaveLobby()).toBeNull();
  });

  it('is told apart from every other, whatever its name is written in', async () => {
    const place = { url: running.url, key: 'client_dev_key', config: 'names' };
    const names = ['zo\u00e9', 'zo\u00e8', '\u65e5\u672c', "utf-8''zo%C3%A9", ' zoe', 'zoe'];
    for (const player of names) {
      const { host } = await new MusterPlayer({ ...place, player }).createLobby({ name: 'Den' });
      expect(host).toBe(player);
    }
    for (const player of names) {
      for (const transport of ['stream', 'socket'] as const) {
        const muster = new MusterPlayer({ ...place, player });
        for await (const event of muster.streamEvents({ transport })) {
          expect(event).toMatchObject({ type: 'connected', lobby: { host: player } });
          break;
        }
      }
    }
    for (const player of ['half a pair \ud83d', 'two\nlines', '']) {
      const muster = new MusterPlayer({ ...place, player });
      const told = { code: 'VALIDATION_ERROR', detail: expect.stringMatching(/^x-player-id: /) };
      await expect(muster.getMyLobby(), player).rejects.toMatchObject(told);
    }
    await expect(
      new MusterPlayer({ ...place, player: 'ann', key: 'schl\u00fcssel \u65e5' }).getMyLobby(),
    ).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('an operator', () => {
  it('asks every endpoint that operators have', async () => {
    const name = 'operated';
    const { warnings, ...saved } = await admin.saveLobbyConfig(name, { timeout: 60 });
    expect(warnings).toEqual([]);
    expect(await admin.getLobbyConfig(name)).toEqual(saved);
    expect(await admin.listLobbyConfigs()).toContainEqual(saved);
    const { revision } = await admin.getProjectSettings();
    const later = await admin.updateProjectSettings([{ name, timeout: 90 }], {
      ifRevision: revision,
    });
    expect(later.revision).toBe(revision + 1);
    await expect(
      admin.saveLobbyConfig(name, { timeout: 30 }, { ifRevision: revision }),
    ).rejects.toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    await admin.deleteLobbyConfig(name);
    await expect(admin.getLobbyConfig(name)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    expect(await admin.saveBuild('v2', { label: '2.0.1' })).toMatchObject({ status: 'ready' });
    expect((await admin.listBuilds()).map((build) => build.name)).toContain('v2');
    await admin.deleteBuild('v2');
    expect((await admin.browseLobbies(name)).total).toBe(0);
    const { instance_id: id } = await admin.startServer({ ttl: 600 });
    expect((await admin.updateServer(id, { round: 2 })).custom_data).toEqual({ round: 2 });
    await eventually('it runs', async () => (await admin.getServer(id)).status === 'running');
    expect((await admin.stopServer(id)).instance_id).toBe(id);
    await admin.getHealth();
    await expect(
      reportServerStatus(
        { url: running.url, instanceId: id, token: 'guessed' },
        { status: 'running' },
      ),
    ).rejects.toMatchObject({ name: 'MusterError' });
  });
});

describe('errors', () => {
  it('carry the code, the status and the detail of the service', async () => {
    const [ann] = two();
    const refused = await ann
      .createLobby({ name: '', maxPlayers: 101 })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', status: 400, isPassing: false });
    expect(isMusterError(refused) ? refused.detail : '').toMatch(/name.*maxPlayers/);
    expect(isMusterError(refused, 'LOBBY_FULL', 'VALIDATION_ERROR')).toBe(true);
    expect(isMusterError(refused, 'LOBBY_FULL')).toBe(false);
    const stranger = new MusterPlayer({ url: running.url, key: 'x', config: 'a', player: 'p' });
    await expect(stranger.getMyLobby()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    const client = new MusterAdmin({ url: running.url, key: 'client_dev_key' });
    await expect(client.listBuilds()).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 });
  });

  it('say where a config is wrong', async () => {
    const refused = await admin
      .saveLobbyConfig('wrong', { matchmaking: { modes: { duel: { minTeams: 9 } } } })
      .catch((error: unknown) => error);
    expect(isMusterError(refused) ? refused.issues : []).toEqual([
      { path: 'matchmaking.modes.duel.minTeams', message: expect.any(String) },
    ]);
  });

  it('tell a wrong code too often apart, with the seconds to wait', async () => {
    // With more time it would wait, and ask again.
    const ann = new MusterPlayer({
      url: running.url,
      key: 'client_dev_key',
      config: 'guessed',
      player: 'ann',
      timeoutMs: 2_000,
    });
    const codes: unknown[] = [];
    for (let turn = 0; turn < 40 && !codes.includes('RATE_LIMITED'); turn += 1) {
      const error: unknown = await ann.joinLobby({ code: `NO-${turn}` }).catch((e: unknown) => e);
      codes.push(isMusterError(error) ? error.code : error);
      if (isMusterError(error, 'RATE_LIMITED')) {
        expect([error.status, error.isPassing, (error.retryAfter ?? 0) > 0]).toEqual([
          429,
          true,
          true,
        ]);
      }
    }
    expect(new Set(codes)).toEqual(new Set(['LOBBY_NOT_FOUND', 'RATE_LIMITED']));
  });

  it('of the network, of time and of the caller are each their own', async () => {
    const place = { key: 'k', config: 'a', player: 'p' };
    for (const url of ['', 'muster.example.com', 'localhost:8787', 'ftp://a', 'http://a b']) {
      const wrong = new MusterPlayer({ url, ...place });
      const detail = `url: ${JSON.stringify(url)} is not an http or https address`;
      const told = { code: 'INVALID_OPTION', status: 0, detail, isPassing: false };
      await expect(wrong.getMyLobby()).rejects.toMatchObject(told);
      for (const transport of ['auto', 'socket'] as const) {
        const first = wrong.streamEvents({ transport }).next();
        await expect(first).rejects.toMatchObject(told);
      }
    }
    const nobody = new MusterPlayer({ url: `http://127.0.0.1:${await freePort()}`, ...place });
    await expect(nobody.getMyLobby()).rejects.toMatchObject({ code: 'NETWORK', status: 0 });
    const reason = new Error('not needed any more');
    const silent = await listening(createServer(() => undefined));
    try {
      const slow = new MusterPlayer({ url: silent.url, timeoutMs: 50, ...place });
      await expect(slow.getMyLobby()).rejects.toMatchObject({ code: 'TIMEOUT' });
      const abort = new AbortController();
      const patient = new MusterPlayer({ url: silent.url, ...place });
      const asking = patient.createLobby({ name: 'x' }, { signal: abort.signal });
      abort.abort(reason);
      await expect(asking).rejects.toBe(reason);
      await expect(patient.getMyLobby({ signal: abort.signal })).rejects.toBe(reason);
    } finally {
      await silent.close();
    }
    const proxy = await listening(
      createServer((_, response) => response.writeHead(502).end('<h1>Bad gateway</h1>')),
    );
    try {
      const behind = new MusterPlayer({ url: proxy.url, ...place });
      await expect(behind.getMyLobby()).rejects.toMatchObject({ code: 'BAD_ANSWER', status: 502 });
    } finally {
      await proxy.close();
    }
  });
});

describe('the stream', () => {
  it('opens before there is a lobby, and ends with it', async () => {
    const [ann] = two();
    const following = new Following(ann);
    await following.until(({ type }) => type === 'connected');
    const { id } = await ann.createLobby({ name: 'Den' });
    await following.until(shows((lobby) => lobby.id === id));
    await admin.deleteLobby(ann.config, id);
    await following.done;
    expect(following.events.map(({ type }) => type)).toEqual([
      'connected',
      'connected',
      'lobby_deleted',
      'closed',
    ]);
    expect(following.events.at(-1)).toEqual({ type: 'closed', reason: 'deleted' });
  });

  it('tells who was kicked, and who was replaced', async () => {
    const [ann, bob] = two();
    const { code } = await ann.createLobby({ name: 'Den' });
    await bob.joinLobby({ code });
    const first = new Following(bob);
    await first.until(shows(() => true));
    const second = new Following(bob);
    await second.until(shows(() => true));
    await first.done;
    expect(first.events.at(-1)).toEqual({ type: 'closed', reason: 'replaced' });
    await ann.kickPlayer('bob');
    await second.done;
    expect(second.events.at(-1)).toEqual({ type: 'closed', reason: 'kicked' });
  });

  it('survives that the service is killed, and misses nothing', async () => {
    const [ann, bob] = two();
    const { code } = await ann.createLobby({ name: 'Den' });
    const following = new Following(ann, { backoff: { firstMs: 50, maxMs: 200 } });
    await following.until(shows(() => true));
    await running.service.kill();
    await eventually('it waits', async () => following.states.includes('waiting'));
    await running.service.start();
    await bob.joinLobby({ code });
    await following.until(shows(({ currentPlayers }) => currentPlayers === 2));
    expect(following.states.at(-1)).toBe('streaming');
    await bob.leaveLobby();
    await following.until(
      shows(({ revision, currentPlayers }) => currentPlayers === 1 && revision > 2),
    );
    const told = following.events.flatMap((event) =>
      event.type === 'lobby_updated' ? [event.lobby.revision] : [],
    );
    expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other));
    following.stop();
    await following.done;
  });

  it('goes on by asking where a proxy lets no stream through, with heartbeats', async () => {
    const [ann, bob] = two();
    await admin.saveLobbyConfig(ann.config, { heartbeat: true, heartbeatTimeout: 3 });
    const proxy = await listening(refusingStreams(running.url));
    try {
      const place = { url: proxy.url, key: 'client_dev_key', config: ann.config };
      const behind = new MusterPlayer({ ...place, player: 'ann' });
      const following = new Following(behind, {
        pollMs: 100,
        heartbeatMs: 500,
        backoff: { firstMs: 10, maxMs: 20 },
      });
      const { code, createdAt } = await behind.createLobby({ name: 'Den' });
      await following.until(shows(() => true));
      // Longer than a player without heartbeats would stay.
      await eventually(
        'six seconds have passed',
        async () => Date.now() - Date.parse(createdAt) > 6_000,
      );
      await bob.joinLobby({ code });
      await following.until(shows(({ currentPlayers }) => currentPlayers === 2));
      expect(following.states.at(-1)).toBe('polling');
      expect((await behind.getMyLobby()).host).toBe('ann');
      following.stop();
    } finally {
      await proxy.close();
    }
  });
});

describe('the stream of a page that came over plain http', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const quick: FollowOptions = { pollMs: 100, backoff: { firstMs: 10, maxMs: 20 } };

  /** How the events come that a page hears, whose requests and sockets go through that proxy. */
  async function heard(proxy: Server): Promise<readonly StreamState[]> {
    vi.stubGlobal('document', {});
    const [ann, bob] = two();
    const at = await listening(proxy);
    try {
      const place = { url: at.url, key: 'client_dev_key', config: ann.config };
      const behind = new MusterPlayer({ ...place, player: 'ann' });
      const { code } = await behind.createLobby({ name: 'Den' });
      const following = new Following(behind, quick);
      await following.until(shows(() => true));
      await bob.joinLobby({ code });
      await following.until(shows(({ currentPlayers }) => currentPlayers === 2));
      following.stop();
      await following.done;
      return following.states;
    } finally {
      await at.close();
    }
  }

  it('is a socket at once, so that it takes none of the six connections', async () => {
    const asked: string[] = [];
    const proxy = passing(running.url, asked).on('upgrade', through(running.url, asked));
    expect(await heard(proxy)).toEqual(['connecting', 'streaming']);
    expect(asked.filter((path) => path.includes('/me/events'))).toEqual([
      expect.stringMatching(/^socket /),
    ]);
  });

  it('is a stream where no socket opens, and polls where neither does', async () => {
    const asked: string[] = [];
    expect((await heard(passing(running.url, asked))).at(-1)).toBe('streaming');
    expect(asked.some((path) => path.includes('/me/events?'))).toBe(true);
    expect((await heard(refusingStreams(running.url))).at(-1)).toBe('polling');
  });

  it('is a socket again after the service was away', async () => {
    vi.stubGlobal('document', {});
    const [ann, bob] = two();
    const asked: string[] = [];
    const proxy = await listening(
      passing(running.url, asked).on('upgrade', through(running.url, asked)),
    );
    const behind = new MusterPlayer({
      url: proxy.url,
      key: 'client_dev_key',
      config: ann.config,
      player: 'ann',
    });
    const { code } = await behind.createLobby({ name: 'Den' });
    const following = new Following(behind, quick);
    await following.until(shows(() => true));
    await running.service.kill();
    await eventually('it waits', () => following.states.includes('waiting'));
    asked.length = 0;
    await running.service.start();
    await bob.joinLobby({ code });
    await following.until(shows(({ currentPlayers }) => currentPlayers === 2));
    expect(following.states).not.toContain('polling');
    expect(asked.filter((path) => path.includes('/me/events')).at(-1)).toMatch(/^socket /);
    following.stop();
    await proxy.close();
  });
});

interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

async function listening(server: Server): Promise<Listening> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Passes requests on, streams too, and notes their paths. */
function passing(url: string, asked: string[]): Server {
  return createServer((incoming, outgoing) => {
    asked.push(incoming.url ?? '');
    const { method, headers } = incoming;
    const onward = httpRequest(`${url}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on('close', () => onward.destroy());
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
}

/** Passes sockets on. */
function through(url: string, asked: string[]) {
  return (incoming: IncomingMessage, client: Duplex): void => {
    asked.push(`socket ${incoming.url}`);
    const { hostname, port } = new URL(url);
    const onward = connect(Number(port), hostname, () => {
      const head = Object.entries(incoming.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      onward.write([`GET ${incoming.url} HTTP/1.1`, ...head, '', ''].join('\r\n'));
      client.pipe(onward).pipe(client);
    });
    client.on('error', () => onward.destroy());
    onward.on('error', () => client.destroy());
  };
}

/** A proxy of the kind some schools and hotels have: it knows requests, but no streams. */
function refusingStreams(url: string): Server {
  return createServer((incoming, outgoing) => {
    if (incoming.headers.accept === 'text/event-stream') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<p>Not here</p>');
      return;
    }
    const { method, headers } = incoming;
    const onward = httpRequest(`${url}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
}
