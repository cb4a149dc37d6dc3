// The fleets of clouds (src/fleet/gameye.ts, src/fleet/edgegap.ts) against stand-ins that answer as the documents of
// Gameye and Edgegap say. contract.test.ts has what all fleets promise.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { readMatch } from '../../packages/js/src/server.ts';
import { edgegapFleet } from '../../src/fleet/edgegap';
import { gameyeFleet } from '../../src/fleet/gameye';
import type { BuildLaunch, Fleet, LaunchSpec } from '../../src/fleet/port';
import { surroundingsOf } from '../../src/fleet/surroundings';
import {
  CLOUD_TOKEN,
  startFakeEdgegap,
  startFakeGameye,
  type FakeEdgegap,
  type FakeGameye,
  type StandIn,
} from './clouds.ts';
import { launchSpec } from './specs.ts';

const IMAGE = 'registry.example.com:5000/games/arena:1.4.0';
const TOKEN = CLOUD_TOKEN;

function arena(launch: BuildLaunch = {}, more: Partial<LaunchSpec> = {}): LaunchSpec {
  const build = {
    name: 'arena',
    version: 3,
    label: null,
    launch: { image: IMAGE, ...launch },
    ports: [
      { name: 'game_udp', internal_port: 7777, protocol: 'udp' },
      { name: 'web', internal_port: 7778, protocol: 'tcp' },
    ],
  } as const;
  return launchSpec({}, { region: 'eu-west', build, ...more });
}

interface Cloud {
  readonly standIn: StandIn;
  readonly fleetOf: (more?: { readonly url?: string; readonly token?: string }) => Fleet;
}

const CLOUDS: Readonly<Record<'Gameye' | 'Edgegap', () => Promise<Cloud>>> = {
  Gameye: async () => {
    const standIn = await startFakeGameye();
    const locations = { 'eu-west': 'frankfurt', 'eu-north': 'atlantis' };
    const fleetOf: Cloud['fleetOf'] = (more) =>
      gameyeFleet({ url: standIn.url, token: TOKEN, locations, ...more });
    return { standIn, fleetOf };
  },
  Edgegap: async () => {
    const standIn = await startFakeEdgegap();
    standIn.begin = 'READY';
    const locations = { 'eu-west': [50.11, 8.68] } as const;
    const fleetOf: Cloud['fleetOf'] = (more) =>
      edgegapFleet({ url: standIn.url, token: TOKEN, locations, ...more });
    return { standIn, fleetOf };
  },
};

describe.each(Object.entries(CLOUDS))('%s', (who, start) => {
  let cloud: Cloud;
  let fleet: Fleet;
  beforeEach(async () => {
    cloud = await start();
    fleet = cloud.fleetOf();
  });
  afterEach(() => cloud.standIn.close());

  it('launches where an answer was lost once, and finds what had started', async () => {
    const spec = arena();
    const reply = { status: 504, body: '<html>gateway</html>' };
    cloud.standIn.failNext({ method: 'POST', reply, started: true });
    expect(await fleet.launch(spec)).toMatchObject({ ok: false, reason: 'unreachable' });
    const found = await fleet.launch(spec);
    const { state, ports } = await fleet.inspect(spec.instanceId);
    expect(state).toBe('running');
    expect(found).toEqual({ ok: true, ports });
    const posts = cloud.standIn.calls.filter((line) => line.startsWith('POST'));
    // Gameye is asked again and says that the id is taken. Edgegap is asked for the tag.
    expect(posts.length).toBe(who === 'Gameye' ? 2 : 1);
  });

  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [429, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ] as const)('that answers a launch with %d: %s, in one sentence', async (status, reason) => {
    const message = `No,\n  and that is ${'long '.repeat(200)}`;
    cloud.standIn.failNext({
      method: 'POST',
      reply: { status, body: { message } },
      started: false,
    });
    const launched = await fleet.launch(arena());
    const detail = expect.stringMatching(
      new RegExp(`^${who} did not start a \\w+: No, and that is long [^\\n]{400,600}$`),
    ) as string;
    expect(launched).toEqual({ ok: false, reason, detail });
  });

  it.each([404, 422, 420, 409])(
    'takes a %d of a proxy for no word of the cloud',
    async (status) => {
      const reply = { status, body: '<html>not found</html>' };
      const spec = arena();
      cloud.standIn.failNext({ method: 'POST', reply, started: false });
      const detail = expect.stringContaining(`status ${status}`) as string;
      expect(await fleet.launch(spec)).toEqual({ ok: false, reason: 'unreachable', detail });
      expect(await fleet.launch(spec)).toMatchObject({ ok: true });
      cloud.standIn.failNext({ method: 'GET', reply, started: false });
      await expect(fleet.inspect(spec.instanceId)).rejects.toThrow(`status ${status}`);
      cloud.standIn.failNext({ method: 'DELETE', reply, started: false });
      await expect(fleet.stop(spec.instanceId)).rejects.toThrow(`status ${status}`);
    },
  );

  it('says its token to nobody, whatever the answer', async () => {
    const secret = 'secret-of-the-operator';
    const stranger = cloud.fleetOf({ token: secret });
    const echo = { status: 401, body: { message: `${secret} is no token` } };
    cloud.standIn.failNext({
      method: who === 'Gameye' ? 'POST' : 'GET',
      reply: echo,
      started: false,
    });
    cloud.standIn.failNext({ method: 'DELETE', reply: echo, started: false });
    const answers = [
      await cloud.fleetOf().launch(arena()),
      await stranger.launch(arena()),
      await stranger.inspect('a').catch(String),
      await stranger.stop('a').catch(String),
      // It can be no header, and the platform's error quotes it.
      await cloud.fleetOf({ token: `${secret}\nx` }).launch(arena()),
      await cloud.fleetOf({ url: 'http://127.0.0.1:1', token: secret }).launch(arena()),
    ];
    // Only the caller with another token is told what it was.
    expect(JSON.stringify(answers[0])).toContain(secret);
    expect(JSON.stringify(answers.slice(1))).not.toContain(secret);
  });

  it('that echoes the token has it blanked out', async () => {
    const body = { message: `Bad credentials: ${TOKEN}` };
    const method = who === 'Gameye' ? 'POST' : 'GET';
    cloud.standIn.failNext({ method, reply: { status: 400, body }, started: false });
    const launched = await fleet.launch(arena());
    expect(JSON.stringify(launched)).toContain('Bad credentials: (token)');
  });

  it('refuses unasked what can never run there', async () => {
    const players = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`p${index}`, 'x'.repeat(2_000)]),
    );
    const refusals = [
      [arena({}, { region: 'mars' }), 'the fleet has no location for the region mars', true],
      [arena({}, { region: 'constructor' }), 'the region constructor', true],
      [arena({ image: undefined, command: './arena' }), 'build arena names no image', false],
      [arena({}, { customData: { players } }), 'over 122880 bytes', true],
    ] as const;
    for (const [spec, detail, ofOrder] of refusals) {
      expect(await fleet.launch(spec)).toEqual({
        ok: false,
        reason: 'refused',
        detail: expect.stringContaining(detail) as string,
        ...(ofOrder && { ofOrder }),
      });
    }
    expect(cloud.standIn.calls).toEqual([]);
  });

  it('that is not there is unreachable, and its servers are not taken for gone', async () => {
    const nobody = cloud.fleetOf({ url: 'http://127.0.0.1:1' });
    expect(await nobody.launch(arena())).toMatchObject({ ok: false, reason: 'unreachable' });
    await expect(nobody.inspect('a')).rejects.toThrow();
    await expect(nobody.stop('a')).rejects.toThrow();
  });
});

it('the script of the page makes the file that game servers read, where there is none', async () => {
  const page = await readFile(new URL('../../docs/clouds.md', import.meta.url), 'utf8');
  const script = /<!-- file: start\.sh -->\s+```sh\n(.*?)```/s.exec(page)?.[1] ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'muster-start-'));
  const path = join(folder, 'start.sh');
  await writeFile(path, script.replace('/tmp/', `${folder}/`), { mode: 0o755 });
  const json = JSON.stringify({ name: `a "den" of $HOME\\n %s` });
  const told = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const print = ['sh', '-c', 'cat "$MUSTER_CONFIG"; echo " $1"', 'game', '--map=dunes'];
    const { stdout } = await promisify(execFile)(path, print, {
      env: { PATH: '/bin:/usr/bin', ...env },
    });
    return stdout;
  };
  expect(await told({ MUSTER_JSON: json })).toBe(`${json} --map=dunes\n`);
  await writeFile(join(folder, 'told.json'), '{}');
  expect(await told({ MUSTER_CONFIG: join(folder, 'told.json') })).toBe('{} --map=dunes\n');
  await rm(folder, { recursive: true });
});

describe('FLEETS with a cloud', () => {
  it('launches there with the token of its variable, in its regions alone', async () => {
    const [gameye, edgegap] = [await startFakeGameye(), await startFakeEdgegap()];
    const rows = [
      { name: 'g', kind: 'gameye', url: gameye.url, locations: { 'eu-west': 'frankfurt' } },
      { name: 'e', kind: 'edgegap', url: edgegap.url, locations: { 'eu-west': [50, 8] } },
      { name: 'no-token', kind: 'edgegap', locations: { 'eu-east': [50, 20] }, tokenEnv: 'NONE' },
    ];
    const FLEETS = JSON.stringify(rows.map((row) => ({ tokenEnv: 'FLEET_CLOUD', ...row })));
    const env = { FLEETS, FLEET_CLOUD: TOKEN };
    const { fleets } = surroundingsOf(env);
    const at = (region: string) => fleets.candidates({ project: 'dev', region, fleet: null });
    expect([at('eu-west'), at('eu-east'), at('us-east')]).toEqual([['g', 'e'], ['no-token'], []]);
    const launched = ['g', 'e', 'no-token'].map(async (name) =>
      fleets.named(name)?.launch(arena()),
    );
    expect(await Promise.all(launched)).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, detail: 'The fleet no-token is not set up correctly' },
    ]);
    await gameye.close();
    await edgegap.close();
  });
});

describe('a session of Gameye', () => {
  let gameye: FakeGameye;
  let fleet: Fleet;
  beforeEach(async () => {
    gameye = await startFakeGameye({ room: 1 });
    const locations = { 'eu-west': 'frankfurt', 'eu-north': 'atlantis' };
    fleet = gameyeFleet({ url: `${gameye.url}/`, token: TOKEN, locations });
  });
  afterEach(() => gameye.close());

  it('has the id of the instance, the image, and all that a server is told', async () => {
    const launch = {
      args: ['--port={port}', '--web={port:web}', '{folder}'],
      env: { LEVEL: 'of {region}', EMPTY: '', MUSTER_TOKEN: 'mine' },
    };
    const customData = { match_id: 'm1' };
    const spec = arena(launch, { customData, ttlSeconds: 61, serverId: 'server-1' });
    const ports = { host: '203.0.113.42', tls_enabled: false, name: 'game' };
    expect(await fleet.launch(spec)).toEqual({
      ok: true,
      ports: [
        { ...ports, external_port: 49_000, internal_port: 7777, protocol: 'udp' },
        { ...ports, external_port: 49_001, internal_port: 7778, protocol: 'tcp' },
      ],
    });
    const { asked } = gameye.sessions.get(spec.instanceId) ?? {};
    const { env = {}, ...rest } = asked ?? {};
    expect(rest).toEqual({
      id: spec.instanceId,
      location: 'frankfurt',
      image: 'arena',
      version: '1.4.0',
      args: ['--port=7777', '--web=7778', '{folder}'],
      labels: { muster: 'server-1', project: 'dev' },
      restart: false,
      ttl: '2m',
    });
    const { MUSTER_JSON: told = '', ...others } = env;
    expect(others).toEqual({
      LEVEL: 'of eu-west',
      MUSTER_INSTANCE_ID: 'server-1',
      MUSTER_NAME: spec.name,
      MUSTER_PROJECT: 'dev',
      MUSTER_REGION: 'eu-west',
      MUSTER_BUILD: 'arena',
      MUSTER_VERSION: '3',
      MUSTER_HOST: '0.0.0.0',
      MUSTER_PORT: '7777',
      MUSTER_PORT_GAME_UDP: '7777',
      MUSTER_PORT_WEB: '7778',
      MUSTER_REPORT_URL: spec.reportUrl,
      MUSTER_TOKEN: spec.token,
    });
    expect(JSON.parse(told)).toMatchObject({ custom_data: customData, token: spec.token });
  });

  it('tells a game server in Node who plays, without a file', async () => {
    const lobby = { lobby_id: 'one', player_states: { ann: { mmr: 1200 } } };
    const match = { match_id: 'm1', matchmaking_mode: 'duel', teams: [{ lobbies: [lobby] }] };
    const spec = arena({}, { customData: match });
    await fleet.launch(spec);
    for (const [key, value] of Object.entries(
      gameye.sessions.get(spec.instanceId)?.asked.env ?? {},
    )) {
      vi.stubEnv(key, value);
    }
    const { id, players, port, host, told } = readMatch();
    vi.unstubAllEnvs();
    expect({ id, port, host }).toEqual({ id: 'm1', port: 7777, host: '0.0.0.0' });
    expect(players).toEqual([
      { id: 'ann', lobby: 'one', team: 0, role: null, state: { mmr: 1200 } },
    ]);
    expect(told.token).toBe(spec.token);
  });

  it('has the application that the build names, and no version without a tag', async () => {
    const spec = arena({ image: 'games/elsewhere', fleetName: 'arena' });
    expect(await fleet.launch(spec)).toMatchObject({ ok: true });
    const { asked } = gameye.sessions.get(spec.instanceId) ?? {};
    expect(asked).toMatchObject({ image: 'arena' });
    expect(asked?.version).toBeUndefined();
  });

  it.each([402, 420])(
    'for which there is no room (%d) leaves the match to others',
    async (status) => {
      const reply = { status, body: { statusCode: status, message: 'Full' } };
      gameye.failNext({ method: 'POST', reply, started: false });
      expect(await fleet.launch(arena())).toEqual({
        ok: false,
        reason: 'no_capacity',
        detail: 'Gameye did not start a session: Full',
      });
    },
  );

  it('in a location that Gameye does not have is refused', async () => {
    expect(await fleet.launch(arena({}, { region: 'eu-north' }))).toEqual({
      ok: false,
      reason: 'refused',
      detail: 'Gameye did not start a session: The region or application does not exist.',
    });
  });

  it.each([
    ['created', 'launching'],
    ['restarting', 'launching'],
    ['running', 'running'],
    ['draining', 'running'],
    ['shuttingdown', 'stopped'],
    ['exited', 'stopped'],
    ['dead', 'stopped'],
  ] as const)('that is %s is %s', async (status, state) => {
    const spec = arena();
    await fleet.launch(spec);
    const session = gameye.sessions.get(spec.instanceId);
    Object.assign(session ?? {}, { status });
    const seen = await fleet.inspect(spec.instanceId);
    expect(seen.state).toBe(state);
    expect(
      seen.ports.map((port) => [port.internal_port, port.external_port, port.protocol]),
    ).toEqual([
      [7777, 49_000, 'udp'],
      [7778, 49_001, 'tcp'],
    ]);
    expect(await fleet.launch(spec)).toMatchObject(
      state === 'stopped' ? { ok: false, reason: 'ended' } : { ok: true, ports: seen.ports },
    );
  });

  it('on a machine that Gameye cannot reach is not taken for gone', async () => {
    const spec = arena();
    await fleet.launch(spec);
    Object.assign(gameye.sessions.get(spec.instanceId) ?? {}, { status: 'server_unreachable' });
    await expect(fleet.inspect(spec.instanceId)).rejects.toThrow('server_unreachable');
    expect(await fleet.launch(spec)).toMatchObject({ ok: false, reason: 'unreachable' });
  });

  it('whose id Gameye has seen and does not know is not launched, nor taken for ended', async () => {
    const reply = {
      status: 409,
      body: { message: 'Cannot start a session with the provided id.' },
    };
    gameye.failNext({ method: 'POST', reply, started: false });
    expect(await fleet.launch(arena())).toMatchObject({ ok: false, reason: 'unreachable' });
  });
});

describe('a deployment of Edgegap', () => {
  let edgegap: FakeEdgegap;
  let fleet: Fleet;
  const locations = { 'eu-west': [50.11, 8.68] } as const;
  beforeEach(async () => {
    edgegap = await startFakeEdgegap();
    fleet = edgegapFleet({ url: edgegap.url, token: TOKEN, locations });
  });
  afterEach(() => edgegap.close());

  it('has the tag of the instance, a place, and hidden variables; its ports come when it runs', async () => {
    const spec = arena({ args: ['--slow'], env: { LEVEL: 'dunes' } }, { startupArgs: '--slow' });
    expect(await fleet.launch(spec)).toEqual({ ok: true, ports: [] });
    const [one] = edgegap.deployments;
    const { environment_variables: variables = [], ...rest } = one?.asked ?? {};
    expect(rest).toEqual({
      application: 'arena',
      version: '1.4.0',
      users: [{ user_type: 'geo_coordinates', user_data: { latitude: 50.11, longitude: 8.68 } }],
      tags: ['muster', `muster-${spec.instanceId}`],
    });
    expect(variables.every((each) => each.is_hidden)).toBe(true);
    const told = Object.fromEntries(variables.map(({ key, value }) => [key, value]));
    expect(told).toMatchObject({
      LEVEL: 'dunes',
      MUSTER_PORT: '7777',
      MUSTER_TOKEN: spec.token,
      PLAYFLOW_STARTUP_ARGS: '--slow',
    });
    expect(JSON.parse(told['MUSTER_JSON'] ?? '')).toMatchObject({ token: spec.token });
    expect(await fleet.inspect(spec.instanceId)).toEqual({ state: 'launching', ports: [] });
    Object.assign(one ?? {}, { status: 'READY' });
    expect(await fleet.inspect(spec.instanceId)).toEqual({
      state: 'running',
      ports: [
        {
          name: 'game',
          host: '192.0.2.48',
          external_port: 30_000,
          internal_port: 7777,
          protocol: 'udp',
          tls_enabled: false,
        },
        {
          name: 'web',
          host: 'd00000000000.pr.edgegap.net',
          external_port: 30_001,
          internal_port: 7778,
          protocol: 'tcp',
          tls_enabled: true,
        },
      ],
    });
  });

  it('that runs is not listed again, which Edgegap allows ten times a second', async () => {
    edgegap.begin = 'READY';
    const spec = arena();
    await fleet.launch(spec);
    await fleet.inspect(spec.instanceId);
    const before = edgegap.calls.length;
    for (let time = 0; time < 5; time += 1) {
      expect((await fleet.inspect(spec.instanceId)).state).toBe('running');
    }
    expect(edgegap.calls.slice(before)).toEqual(
      Array.from({ length: 5 }, () => 'GET /v1/status/d00000000000'),
    );
  });

  it('that fails has stopped, with what Edgegap says of it', async () => {
    const spec = arena();
    await fleet.launch(spec);
    const detail = 'Pull image timeout exceeded';
    Object.assign(edgegap.deployments[0] ?? {}, { status: 'ERROR', detail });
    expect(await fleet.inspect(spec.instanceId)).toMatchObject({
      state: 'stopped',
      ending: { detail },
    });
    expect(await fleet.launch(spec)).toMatchObject({ ok: false, reason: 'ended' });
  });

  it('for which there is no room leaves nothing that a later launch takes for its own', async () => {
    await edgegap.close();
    edgegap = await startFakeEdgegap({ room: 1 });
    fleet = edgegapFleet({ url: edgegap.url, token: TOKEN, locations });
    const [one, two] = [arena(), arena()];
    await fleet.launch(one);
    const full = {
      ok: false,
      reason: 'no_capacity',
      detail: "Edgegap did not start a deployment: Couldn't allocate a server",
    };
    expect(await fleet.launch(two)).toEqual(full);
    expect(edgegap.deployments.map(({ status }) => status)).toEqual(['SEEKING', 'TERMINATED']);
    await fleet.stop(one.instanceId);
    expect(await fleet.launch(two)).toMatchObject({ ok: true });
  });

  it('carried out twice, by a call that came late, leaves the first', async () => {
    const [spec, other] = [arena(), arena()];
    await fleet.launch(spec);
    await fleet.launch(other);
    const [one] = edgegap.deployments;
    edgegap.deployments.push({ id: 'd00000000009', asked: one?.asked ?? never(), status: 'READY' });
    expect((await fleet.inspect(spec.instanceId)).state).toBe('launching');
    expect(edgegap.deployments.map(({ status }) => status)).toEqual([
      'SEEKING',
      'SEEKING',
      'TERMINATED',
    ]);
  });

  it('is stopped with all others of its tag, and no other is', async () => {
    const [spec, other] = [arena(), arena()];
    await fleet.launch(spec);
    await fleet.launch(other);
    const [one] = edgegap.deployments;
    edgegap.deployments.push({ id: 'd00000000009', asked: one?.asked ?? never(), status: 'READY' });
    await fleet.stop(spec.instanceId);
    await fleet.stop(spec.instanceId);
    expect(edgegap.deployments.map(({ status }) => status)).toEqual([
      'TERMINATED',
      'SEEKING',
      'TERMINATED',
    ]);
  });

  it('of another is not touched though the list was not filtered', async () => {
    const [spec, other] = [arena(), arena()];
    await fleet.launch(other);
    const data = edgegap.deployments.map(({ id, asked }) => ({ request_id: id, tags: asked.tags }));
    const reply = { status: 200, body: { data } };
    edgegap.failNext({ method: 'GET', reply, started: false });
    await fleet.stop(spec.instanceId);
    edgegap.failNext({ method: 'GET', reply, started: false });
    expect(await fleet.inspect(spec.instanceId)).toEqual({ state: 'unknown', ports: [] });
    expect(edgegap.deployments.map(({ status }) => status)).toEqual(['SEEKING']);
  });

  it('of an image without a tag is refused, since its versions have names', async () => {
    expect(await fleet.launch(arena({ image: 'games/arena' }))).toMatchObject({
      ok: false,
      reason: 'refused',
    });
    expect(edgegap.calls).toEqual([]);
  });

  it('that could not be stopped is an error', async () => {
    const spec = arena();
    await fleet.launch(spec);
    const reply = { status: 500, body: { message: 'Internal' } };
    edgegap.failNext({ method: 'DELETE', reply, started: false });
    await expect(fleet.stop(spec.instanceId)).rejects.toThrow('Edgegap did not stop');
  });
});

function never(): never {
  throw new Error('nothing was deployed');
}
