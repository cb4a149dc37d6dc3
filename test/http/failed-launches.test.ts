// A game server that ends before it ran, or that no fleet would start: what players are told, what
// operators can read of it, and what it makes of its build.

import type { AttentionView } from '../../packages/js/src/attention-types';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Build } from '../../src/fleet/build';
import { controlled } from '../support/simulated';
import { ONLY } from '../../src/fleet/fleets';
import type { ServerRecord } from '../../src/fleet/port';
import type { ServerLogs, ServerPage } from '../../packages/js/src/admin-types.ts';
import { report, savedServer } from '../objects/servers';
import { ask, CLIENT, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';
import { listen } from './stream';

const fleet = controlled;
const SECRET = '/srv/secret/path: no such file';
const asked = { key: SERVER };

afterEach(() => {
  vi.restoreAllMocks();
});

/** Nothing runs until it is reported: what is asked of the fleet says that it launches. */
function slowly(): void {
  vi.spyOn(fleet, 'inspect').mockResolvedValue({ state: 'launching', ports: [] });
}

async function read(id: string, key: string): Promise<ServerRecord> {
  return (await ask<ServerRecord>(`GET servers/${id}`, { key })).body;
}

async function buildNamed(name: string): Promise<Build | undefined> {
  const { body } = await ask<{ readonly builds: readonly Build[] }>('GET builds', asked);
  return body.builds.find((build) => build.name === name);
}

const STARTS = [
  ['alone', {}],
  ['with a match', { matchOnStart: true }],
] as const;

/** A config with a lobby of ann's. */
async function annIn(serverSettings: object): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { serverSettings });
  await createLobby(config, 'ann');
  return config;
}

const CRASH = { status: 'stopped', exit_code: 127, output: SECRET };

describe('a game server that ends before it ran', () => {
  // shows: D40a
  it('is a failed launch for every lobby of its match, and they are told', async () => {
    slowly();
    const config = freshConfig();
    await saveConfig(config, { matchmaking: { modes: { duel: {} } } });
    const streams = [];
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
      streams.push(await listen(config, player));
      await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
    }
    const { server } = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_game',
    );
    await report(server?.instance_id ?? '', CRASH);
    for (const stream of streams) {
      const told = await stream.next('matchmaking_timeout');
      expect(told).toMatchObject({ mode: 'duel', reason: 'launch_failed' });
      expect(await stream.next('lobby_updated')).toMatchObject({ status: 'waiting' });
      await stream.leave();
    }
  });

  // shows: D40b
  it.each(STARTS)(
    'fails a direct start that still waits for its answer, which does not say why, %s',
    async (_, settings) => {
      const config = await annIn(settings);
      const before = new Set(fleet.alive());
      fleet.failNext('unreachable', { started: true });
      const start = ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
      const [id = ''] = await until(
        async () => fleet.alive().filter((each) => !before.has(each)),
        (started) => started.length > 0,
      );
      await report(id, CRASH);
      const { status, body } = await start;
      expect([status, body.code]).toEqual([503, 'LAUNCH_FAILED']);
      // A request id is random, and may have these digits.
      expect(JSON.stringify({ ...body, requestId: '' })).not.toMatch(/secret|ended|127/);
      expect((await mine(config, 'ann')).status).toBe('waiting');
      const detail = `The server ended before it ran: exit code 127; its last words: ${SECRET}`;
      expect(await read(id, SERVER)).toMatchObject({ status: 'stopped', detail, output: SECRET });
    },
  );

  describe('on a fleet that tells how its programs begin', () => {
    beforeEach(() => {
      fleet.tells = true;
      slowly();
    });

    afterEach(() => {
      delete fleet.tells;
    });

    /** A start by ann, and the server that it brings. */
    async function started(config: string) {
      const before = new Set(fleet.alive());
      const start = ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
      const [id = ''] = await until(
        async () => fleet.alive().filter((each) => !before.has(each)),
        (known) => known.length > 0,
      );
      await until(
        () => savedServer(id),
        (saved) => saved?.accepted === true,
      );
      return { id, start };
    }

    // shows: D40c
    it.each(STARTS)(
      'fails the start although the fleet has taken it: it was never in game, %s',
      async (_, settings) => {
        const config = await annIn(settings);
        const stream = await listen(config, 'ann');
        const { id, start } = await started(config);
        await report(id, CRASH);
        const { status, body } = await start;
        expect([status, body.code]).toEqual([503, 'LAUNCH_FAILED']);
        expect(JSON.stringify({ ...body, requestId: '' })).not.toMatch(/secret|ended|127/);
        expect(await stream.next('lobby_updated')).toMatchObject({ status: 'starting' });
        expect(await stream.next('matchmaking_timeout')).toMatchObject({ reason: 'launch_failed' });
        expect(await stream.next('lobby_updated')).toMatchObject({ status: 'waiting' });
        await stream.leave();
      },
    );

    it.each(STARTS)('is answered as launching, and runs after that, %s', async (_, settings) => {
      const config = await annIn(settings);
      const { id, start } = await started(config);
      await report(id, { status: 'running' });
      const { body } = await start;
      expect(body).toMatchObject({ status: 'in_game', server: { status: 'launching' } });
      await until(
        () => mine(config, 'ann'),
        ({ server }) => server?.status === 'running',
      );
    });

    // shows: D40d
    it.each(STARTS)('is answered although it says nothing for long, %s', async (_, settings) => {
      const config = await annIn(settings);
      const { id, start } = await started(config);
      expect(await start).toMatchObject({ body: { server: { status: 'launching' } } });
      const stream = await listen(config, 'ann');
      await report(id, CRASH);
      const told = await stream.next('matchmaking_timeout');
      expect(told).toMatchObject({ mode: '', reason: 'launch_failed' });
      expect(await stream.next('lobby_updated')).toMatchObject({ status: 'waiting', server: null });
      await stream.leave();
    });

    it('also fails a server that a backend starts, which reads why', async () => {
      const before = new Set(fleet.alive());
      const start = ask('POST servers/start', { ...asked, body: {} });
      const [id = ''] = await until(
        async () => fleet.alive().filter((each) => !before.has(each)),
        (known) => known.length > 0,
      );
      await report(id, CRASH);
      const { status, body } = await start;
      const detail = `The server ended before it ran: exit code 127; its last words: ${SECRET}`;
      expect([status, body]).toMatchObject([
        503,
        { code: 'LAUNCH_FAILED', detail, instance_id: id },
      ]);
    });
  });

  it('is read by the server key with its end, and by no client key', async () => {
    slowly();
    const config = freshConfig();
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const id = (await mine(config, 'ann')).server?.instance_id ?? '';
    const output = `${'x'.repeat(5_000)} last words`;
    await report(id, { status: 'stopped', exit_code: 139, signal: 'SIGSEGV', output });
    const seen = await read(id, SERVER);
    expect(seen).toMatchObject({ exit_code: 139, signal: 'SIGSEGV' });
    expect(seen.output).toHaveLength(4_096);
    expect(seen.output).toMatch(/x last words$/);
    const plain = await read(id, CLIENT);
    const said = JSON.stringify([plain, await mine(config, 'ann')]);
    expect(said).not.toMatch(/last words|exit_code|SIGSEGV|ended before/);
    const listed = await until(
      async () => {
        const path = 'GET servers?include_stopped=true';
        const { body } = await ask<ServerPage>(path, asked);
        return body.servers.find((server) => server.instance_id === id);
      },
      (server) => server?.exit_code === 139,
    );
    expect(listed?.output).toBeNull();
  });
});

describe('a server that was stopped', () => {
  it('has the end its fleet tells afterwards', async () => {
    const { body } = await ask<ServerRecord>('POST servers/start', { ...asked, body: {} });
    const id = body.instance_id;
    await ask(`DELETE servers/${id}`, asked);
    expect((await report(id, { ...CRASH, exit_code: 143, signal: 'SIGTERM' })).status).toBe(200);
    const seen = await read(id, SERVER);
    expect(seen).toMatchObject({ exit_code: 143, signal: 'SIGTERM', output: SECRET, detail: null });
  });
});

describe('what a fleet says when it refuses', () => {
  it('is for operators only', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    fleet.failNext('refused');
    const { status, body } = await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect([status, body.detail]).toEqual([
      503,
      'The game server could not be started; launch_failed in the log of the service says why',
    ]);
    fleet.failNext('refused');
    const operators = await ask('POST servers/start', { ...asked, body: {} });
    expect([operators.status, operators.body.detail]).toEqual([503, 'simulated failure']);
  });
});

describe('a game server whose port does not open', () => {
  const elsewhere = 'UDP 20979 was not opened within 10 s; the process opened UDP 7777';

  async function launching(): Promise<{ readonly name: string; readonly id: string }> {
    slowly();
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    const body = { version_tag: name };
    const started = await ask<ServerRecord>('POST servers/start', { ...asked, body });
    return { name, id: started.body.instance_id };
  }

  it('is warned of while it launches, with its output, in its record, lists and the log', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const { name, id } = await launching();
    const warning = { status: 'launching', detail: elsewhere, output: 'listening on 7777' };
    await report(id, warning);
    await report(id, warning);
    expect(await read(id, SERVER)).toMatchObject(warning);
    expect(await read(id, CLIENT)).not.toHaveProperty('detail');
    const listed = async (): Promise<ServerRecord | undefined> => {
      const { body } = await ask<ServerPage>('GET servers?include_launching=true', asked);
      return body.servers.find((each) => each.instance_id === id);
    };
    await until(listed, (shown) => shown?.detail === elsewhere);
    const late = async () => (await ask<AttentionView>('GET admin/attention', asked)).body.late;
    expect(await late()).toContainEqual({ id, build: name, detail: elsewhere });
    const lines = log.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      event: 'launch_late',
      build: name,
      reason: elsewhere,
    });
    await report(id, { status: 'running' });
    expect(await read(id, SERVER)).toMatchObject({ status: 'running', detail: null, output: null });
    await until(late, (all) => all.every((each) => each.id !== id));
    await report(id, warning);
    expect(await read(id, SERVER)).toMatchObject({ status: 'running', detail: null });
  });

  it('and does after all: the lobby is told that it runs', async () => {
    slowly();
    const config = freshConfig();
    await createLobby(config, 'ann');
    const stream = await listen(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const { server } = await mine(config, 'ann');
    const id = server?.instance_id ?? '';
    await report(id, { status: 'launching', detail: elsewhere });
    await report(id, { status: 'running' });
    for (const status of ['starting', 'in_game', 'in_game']) {
      expect(await stream.next('lobby_updated')).toMatchObject({ status });
    }
    expect((await mine(config, 'ann')).server?.status).toBe('running');
    await stream.leave();
  });

  it('fails for that reason, not for the signal that ended it, and its build says so', async () => {
    const { name, id } = await launching();
    const detail = elsewhere.replace('10 s', '120 s');
    await report(id, { status: 'stopped', signal: 'SIGTERM', exit_code: 143, detail });
    expect(await read(id, SERVER)).toMatchObject({ status: 'stopped', signal: 'SIGTERM', detail });
    const build = await until(
      () => buildNamed(name),
      (seen) => seen?.failure !== undefined,
    );
    expect(build).toMatchObject({ failure: detail });
    expect(build?.failing).toBeUndefined();
    const next = { version_tag: name };
    const { body } = await ask<ServerRecord>('POST servers/start', { ...asked, body: next });
    await report(body.instance_id, { status: 'running' });
    await until(
      () => buildNamed(name),
      (seen) => seen?.failure === undefined,
    );
  });
});

describe('a build whose launches fail', () => {
  async function launched(
    build: string,
    reason: 'refused' | 'no_capacity' | null,
    expected = reason === null ? 200 : 503,
  ): Promise<void> {
    if (reason !== null) {
      fleet.failNext(reason);
    }
    const body = { version_tag: build };
    const { status } = await ask('POST servers/start', { ...asked, body });
    expect(status).toBe(expected);
  }

  it('three times in a row is failing, until one runs', async () => {
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    const begun = new Date().toISOString();
    await launched(name, 'refused');
    const first = await until(
      () => buildNamed(name),
      (build) => build?.failure !== undefined,
    );
    expect(first?.failingSince).toBeUndefined();
    const failed = new Date().toISOString();
    await launched(name, 'refused');
    expect((await buildNamed(name))?.failing).toBeUndefined();
    await launched(name, 'refused');
    const failing = await until(
      () => buildNamed(name),
      (build) => build?.failing === true,
    );
    const since = failing?.failingSince ?? '';
    expect([begun, since, failed].toSorted()).toEqual([begun, since, failed]);
    await launched(name, null);
    await until(
      () => buildNamed(name),
      (build) => build?.failing === undefined,
    );
  });

  it('is failing no more once it is saved', async () => {
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    for (let count = 0; count < 3; count += 1) {
      await launched(name, 'refused');
    }
    await until(
      () => buildNamed(name),
      (build) => build?.failing === true,
    );
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    expect((await buildNamed(name))?.failing).toBeUndefined();
  });

  it('for what players order is not to blame', async () => {
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    for (let count = 0; count < 4; count += 1) {
      fleet.failNext('refused', { ofOrder: true });
      await launched(name, null, 503);
    }
    await ask('GET servers', asked);
    const build = await buildNamed(name);
    expect([build?.failing, build?.failure]).toEqual([undefined, undefined]);
  });

  it('for want of room is not to blame', async () => {
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    for (let count = 0; count < 3; count += 1) {
      await launched(name, 'no_capacity');
    }
    for (let count = 0; count < 2; count += 1) {
      await launched(name, 'refused');
    }
    await ask('GET servers', asked);
    expect((await buildNamed(name))?.failing).toBeUndefined();
  });
});

describe('the default build', () => {
  it('comes back as it was at first when it is removed, under a number of its own', async () => {
    const saved = await ask<Build>('PUT builds/default', {
      ...asked,
      body: { label: 'mine', launch: { command: '/opt/game' } },
    });
    expect(saved.body).toMatchObject({ label: 'mine', warnings: [] });
    expect((await ask('DELETE builds/default', asked)).status).toBe(200);
    const { version } = saved.body;
    expect(await buildNamed('default')).toEqual({
      name: 'default',
      version: version + 1,
      label: null,
      status: 'ready',
      launch: {},
      ports: [],
    });
  });
});

describe('a build a fleet cannot launch', () => {
  it('is saved all the same, and the answer says why', async () => {
    const name = freshConfig();
    fleet.check = async ({ launch }) => (launch.command === undefined ? null : 'no such program');
    try {
      const body = { launch: { command: '/opt/game' } };
      const saved = await ask<{ warnings: unknown }>(`PUT builds/${name}`, { ...asked, body });
      const warnings = [{ path: 'launch', message: 'no such program', didYouMean: null }];
      expect([saved.status, saved.body.warnings]).toEqual([200, warnings]);
      expect((await buildNamed(name))?.launch).toEqual(body.launch);
    } finally {
      delete fleet.check;
    }
  });
});

describe('the version that a call pins', () => {
  // shows: D38b
  it('is the one of the build, or the call is refused', async () => {
    const name = freshConfig();
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    await ask(`PUT builds/${name}`, { ...asked, body: {} });
    const start = (version: number) =>
      ask<ServerRecord>('POST servers/start', { ...asked, body: { version_tag: name, version } });
    const old = await start(1);
    expect([old.status, Reflect.get(old.body, 'code')]).toEqual([404, 'BUILD_NOT_FOUND']);
    const current = await start(2);
    expect([current.status, current.body.version]).toEqual([200, 2]);
    const id = current.body.instance_id;
    await until(
      () => read(id, SERVER),
      ({ status }) => status === 'running',
    );
    const restart = (version: number) =>
      ask(`POST servers/${id}/restart`, { ...asked, body: { version } });
    expect((await restart(3)).status).toBe(404);
    expect((await read(id, SERVER)).status).toBe('running');
    expect((await restart(2)).status).toBe(200);
  });
});

/** Colours of 8, 256 and 16 million, the title of a window, a cursor that moves, and a set of characters. */
const COLOURED =
  '\u001b[1;31mred\u001b[0m, \u001b]0;the title\u0007a\u001b[38;5;9m title,\u001b[2K \u001b[38;2;1;2;3mbold [1]\u001b[m\u001b(B and ünï\u001b=';

describe('the logs of a server', () => {
  it('are those of its fleet, in the form of the hosted API', async () => {
    const { body: server } = await ask<ServerRecord>('POST servers/start', { ...asked, body: {} });
    const id = server.instance_id;
    const path = `GET servers/${id}/logs`;
    const without = await ask(path, asked);
    expect([without.status, without.body.code]).toEqual([404, 'LOGS_NOT_AVAILABLE']);
    const [first, second] = ['2026-11-21T09:00:00.000Z', '2026-11-21T09:00:05.000Z'];
    const limits: number[] = [];
    fleet.logs = async (_id, limit) => {
      limits.push(limit);
      return [
        { timestamp: first, message: 'one' },
        { timestamp: second, message: 'two' },
      ];
    };
    try {
      const line = { level: 'info', instance: id, region: 'us-east' };
      const both = [
        { timestamp: first, message: 'one', ...line },
        { timestamp: second, message: 'two', ...line },
      ];
      const whole = { instance_id: id, machine_id: ONLY, next_token: null };
      expect((await ask(path, asked)).body).toEqual({ logs: both, ...whole });
      const later = await ask(`${path}?start_time=2026-11-21T10:00:01%2B01:00&limit=5`, asked);
      expect(later.body).toEqual({ logs: both.slice(1), ...whole });
      expect(limits).toEqual([200, 5]);
      fleet.logs = async () => [{ timestamp: first, message: COLOURED }];
      const [plain, raw] = await Promise.all(
        [path, `${path}?raw=true`].map((each) => ask<ServerLogs>(each, asked)),
      );
      expect(plain?.body.logs[0]?.message).toBe('red, a title, bold [1] and ünï');
      expect(raw?.body.logs[0]?.message).toBe(COLOURED);
      const ages = [90 * 60_000, 50 * 60_000, 5_000].map((age) => {
        return { timestamp: new Date(Date.now() - age).toISOString(), message: `${age}` };
      });
      fleet.logs = async () => ages;
      const shown = async (since: string): Promise<number> => {
        const { status, body } = await ask<ServerLogs>(`${path}?start_time=${since}`, asked);
        return status === 200 ? body.logs.length : -status;
      };
      const given = ['-2h', '-1h', '-1h10m', '-3000s', '-20m', '-1d', '-1s'];
      expect(await Promise.all(given.map(shown))).toEqual([3, 2, 2, 1, 1, 3, 0]);
      for (const wrong of ['1h', '-1', '-h', '-1y', '--1h', 'now-1h']) {
        expect([wrong, await shown(wrong)]).toEqual([wrong, -400]);
      }
      for (const query of ['limit=0', 'limit=1001', 'limit=x', 'start_time=yesterday']) {
        expect((await ask(`${path}?${query}`, asked)).status).toBe(400);
      }
      expect((await ask(path, { key: CLIENT })).status).toBe(403);
      fleet.logs = () => Promise.reject(new Error('silent'));
      expect((await ask(path, asked)).status).toBe(503);
    } finally {
      delete fleet.logs;
    }
  });
});

describe('launches that fail in a row', () => {
  const no = { ok: false, reason: 'refused', detail: 'no such map' } as const;

  async function setUp(): Promise<string> {
    const config = freshConfig();
    await ask(`PUT builds/${config}`, { ...asked, body: {} });
    const serverSettings = { gameBuild: config };
    await saveConfig(config, {
      serverSettings,
      matchmaking: { modes: { duel: { timeout: 600 } } },
    });
    return config;
  }

  /** Two clients that search again as soon as their search has ended. Returns how many matches they got by then. */
  async function searchAgain(config: string, ms: number): Promise<number> {
    let begun = 0;
    const search = async (player: string): Promise<void> => {
      if ((await mine(config, player)).status === 'waiting') {
        await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
        begun += 1;
      }
    };
    for (const end = Date.now() + ms; Date.now() < end;) {
      await Promise.all(['ann', 'bob'].map(search));
    }
    return begun / 2;
  }

  it('hold matches back whose clients search again at once, until one is tried and runs', async () => {
    const config = await setUp();
    const launching = vi.spyOn(fleet, 'launch').mockResolvedValue(no);
    const stream = await createLobby(config, 'ann').then(() => listen(config, 'ann'));
    await createLobby(config, 'bob');
    await searchAgain(config, 5_000);
    // Three, and a try each after about 2 and 4 s more.
    expect(launching.mock.calls.length).toBeGreaterThanOrEqual(3);
    expect(launching.mock.calls.length).toBeLessThanOrEqual(5);
    const told = await stream.next('matchmaking_timeout');
    expect(told).toMatchObject({ reason: 'launch_failed', retryAfter: expect.any(Number) });
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'in_queue',
    );
    const because = await until(
      () => stream.next('queue_stats'),
      (stats) => /could not be started; the next try is in/.test(JSON.stringify(stats)),
    );
    expect(JSON.stringify(because)).not.toContain('no such map');
    // A save ends the pause, and so would the next try.
    launching.mockRestore();
    await ask(`PUT builds/${config}`, { ...asked, body: {} });
    await until(
      () => mine(config, 'bob'),
      ({ status }) => status === 'in_game',
    );
    await stream.leave();
  }, 30_000);

  it('hold matches back that have no build, until there is one', async () => {
    const config = await setUp();
    await ask(`DELETE builds/${config}`, asked);
    const stream = await createLobby(config, 'ann').then(() => listen(config, 'ann'));
    await createLobby(config, 'bob');
    expect(await searchAgain(config, 3_000)).toBeLessThanOrEqual(3);
    await until(
      () => stream.next('queue_stats'),
      (stats) => /could not be started; the next try is in/.test(JSON.stringify(stats)),
    );
    await ask(`PUT builds/${config}`, { ...asked, body: {} });
    await until(
      () => mine(config, 'bob'),
      ({ status }) => status === 'in_game',
    );
    await stream.leave();
  }, 30_000);

  it('refuse a start that would fail as the last one did, and say when to come again', async () => {
    const config = await setUp();
    vi.spyOn(fleet, 'launch').mockResolvedValue(no);
    await createLobby(config, 'ann');
    const start = () => ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    for (const left of [3, 2, 1]) {
      const { status, headers } = await start();
      expect([left, status, headers.get('retry-after')]).toEqual([left, 503, expect.any(String)]);
    }
    expect((await mine(config, 'ann')).returned?.retryAfter).toBeGreaterThanOrEqual(1);
    await until(start, ({ body }) => /the next try is in \d s/.test(body.detail));
    const { status, body, headers } = await start();
    expect([status, body.code]).toEqual([503, 'LAUNCH_FAILED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    vi.restoreAllMocks();
    await ask(`PUT builds/${config}`, { ...asked, body: {} });
    expect((await start()).status).toBe(200);
  });
});
