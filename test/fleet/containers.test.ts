// Builds that name an image: what their containers may do, and that none is ever left, with a real Podman.

import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { udpPlayer } from '../../agent/udp-player.ts';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { BuildLaunch, LaunchSpec, PortConfig } from '../../src/fleet/port';
import { eventually } from '../support/eventually.ts';
import { processesNaming } from '../support/processes.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';
import { runsContainers, startPodman } from './podman.ts';
import type { Podman } from './podman.ts';
import { gameFiles, megabytesOf } from './registry.ts';

const PORTS: readonly PortConfig[] = [{ name: 'game_udp', internal_port: 7777, protocol: 'udp' }];
/** Says what it sees and may do, then answers datagrams, and ends with 7 when it is told to. */
const GAME = `
const { readFileSync, writeFileSync } = require('node:fs');
const may = (path) => { try { writeFileSync(path, ''); return true; } catch { return false; } };
const { MUSTER_CONFIG, MUSTER_HOST, MUSTER_PORT, MUSTER_PORT_GAME_UDP, LEVEL } = process.env;
const config = JSON.parse(readFileSync(MUSTER_CONFIG, 'utf8'));
const status = readFileSync('/proc/self/status', 'utf8');
const found = (name) => status.match(new RegExp(name + ':\\\\s*(\\\\S+)'))[1];
const writes = ['/x', '/muster/x', '/tmp/x'].map(may);
console.log(JSON.stringify({
  config, writes, level: LEVEL, args: process.argv.slice(1), named: MUSTER_PORT_GAME_UDP,
  rights: found('CapBnd'), locked: found('NoNewPrivs'), variables: Object.keys(process.env),
}));
const socket = require('node:dgram').createSocket('udp4');
socket.on('message', (text, { port, address }) => socket.send('you said ' + text, port, address));
socket.bind(Number(MUSTER_PORT), MUSTER_HOST);
process.on('SIGTERM', () => { console.log('was told to stop'); process.exit(7); });
`;
const DEAF = `${GAME}; process.removeAllListeners('SIGTERM'); process.on('SIGTERM', () => {})`;

describe.runIf(runsContainers())('a build with an image', () => {
  let podman: Podman;
  let image: string;
  let rig: Rig;
  let adopting: Rig;
  const rigs: Rig[] = [];

  async function rigWith(env: Readonly<Record<string, string>> = {}): Promise<Rig> {
    const made = await startRig({ ...podman.env, AGENT_GRACE_MS: '1000', ...env });
    rigs.push(made);
    return made;
  }

  beforeAll(async () => {
    podman = await startPodman();
    image = `${podman.registry.host}/games/duel:1`;
    podman.registry.offer('games/duel:1', gameFiles());
    podman.registry.offer('games/large:1', gameFiles());
    podman.registry.offer('games/other:1', { '/bin/tar': '/bin/tar' }, { architecture: 's390x' });
    podman.registry.offer('games/world:1', gameFiles(), {
      config: { Volumes: { '/data': {} }, User: '4711' },
    });
    [rig, adopting] = await Promise.all([rigWith(), rigWith({ AGENT_ADOPT: '1' })]);
  });
  afterAll(async () => {
    await podman.end(
      rigs.map(({ dataDir }) => dataDir).filter((each) => existsSync(join(each, 'containers'))),
    );
    await Promise.all(rigs.map((each) => each.end()));
  });

  function specOf(launch: BuildLaunch, more: Partial<LaunchSpec> = {}, ports = PORTS): LaunchSpec {
    const build = { name: 'duel', version: 3, label: null, launch: { image, ...launch }, ports };
    return rig.spec({}, { build, ...more });
  }

  function playing(script: string, more: BuildLaunch = {}): LaunchSpec {
    return specOf({ args: ['/bin/node', '-e', script, '--', '{port}', '{config}'], ...more });
  }

  /** Launches it, and waits until it runs. */
  async function started(spec: LaunchSpec, on = rig): Promise<number> {
    const launched = await on.fleet.launch(spec);
    expect(launched).toMatchObject({ ok: true });
    await on.service.reportOf(spec.instanceId, 'running');
    return launched.ok ? (launched.ports[0]?.external_port ?? 0) : 0;
  }

  function inspected(spec: LaunchSpec): Record<string, never> {
    return JSON.parse(podman.run('container', 'inspect', `muster-${spec.instanceId}`))[0];
  }

  it('is fetched when it is saved, and its state can be asked for', async () => {
    const { build } = specOf({});
    const open = podman.registry.hold();
    expect(await rig.fleet.check?.(build)).toMatch(
      new RegExp(`^the image ${image} is being fetched since 1 s: `),
    );
    // A launch does not wait for long, and another fleet may have it.
    expect(await rig.fleet.launch(specOf({}))).toMatchObject({
      ok: false,
      reason: 'no_capacity',
      detail: expect.stringContaining('is being fetched since'),
    });
    open();
    await eventually('it is there', async () => (await rig.fleet.check?.(build)) === null);
    const before = podman.registry.fetched();
    await rig.fleet.check?.(build);
    expect([before, podman.registry.fetched()]).toEqual([1, 1]);
  });

  it('runs with what it is told, within limits, and is heard to its last words', async () => {
    const spec = playing(GAME, { env: { LEVEL: 'dunes {port:game_udp}' }, memory: 96, cpus: 0.5 });
    const told = { ...spec, customData: { all_players: ['ann', 'ben'] }, name: 'one\ntwo' };
    const port = await started(told);
    expect(await said(port, 'hello')).toBe('you said hello');
    const {
      HostConfig: limits,
      Config: config,
      NetworkSettings: network,
    } = inspected(spec) as {
      readonly [name: string]: { readonly [name: string]: unknown };
    };
    expect(limits).toMatchObject({
      Memory: 96 * 1024 * 1024,
      NanoCpus: 500_000_000,
      PidsLimit: 1024,
      ReadonlyRootfs: true,
      Privileged: false,
    });
    expect(config?.['Labels']).toMatchObject({ 'muster.server': spec.serverId });
    expect(network?.['Ports']).toEqual({
      '7777/udp': [{ HostIp: '127.0.0.1', HostPort: String(port) }],
    });
    await rig.fleet.stop(spec.instanceId);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 7, signal: null });
    expect(report.output).toContain('was told to stop');
    const [first = ''] = (report.output ?? '').split('\n');
    const seen = JSON.parse(first);
    expect(seen).toMatchObject({
      level: 'dunes 7777',
      args: ['7777', '/muster/muster.json'],
      named: '7777',
      writes: [false, false, true],
      rights: '0000000000000000',
      locked: '1',
      config: {
        instance_id: spec.serverId,
        port: 7777,
        token: spec.token,
        network_ports: [{ external_port: port, internal_port: 7777 }],
        custom_data: { all_players: ['ann', 'ben'] },
      },
    });
    // Nothing of the agent's own, and no secret where others could read it.
    expect(seen.variables.filter((name: string) => name.startsWith('AGENT_'))).toEqual([]);
    expect(podman.containersOf(rig.dataDir)).toEqual([]);
  });

  it('has its token nowhere that other users of the machine can read', async () => {
    const spec = playing(GAME);
    await started(spec);
    const pid = await rig.pidOf(spec.instanceId);
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    expect(line).toContain(`--name=muster-${spec.instanceId}`);
    expect(line).not.toContain(spec.token);
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
    const folder = join(rig.dataDir, 'servers', spec.instanceId);
    await eventually(
      'its files are gone',
      () => !existsSync(join(folder, 'env')) && !existsSync(join(folder, 'told')),
    );
  });

  it('is killed if it does not end, and removed', async () => {
    const spec = playing(DEAF);
    await started(spec);
    await rig.fleet.stop(spec.instanceId);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 137, signal: 'SIGKILL' });
    expect(podman.containersOf(rig.dataDir)).toEqual([]);
  });

  it('is removed though its client is killed, and though Podman is busy with it at first', async () => {
    const bin = await mkdtemp(join(tmpdir(), 'muster-busy-'));
    const script = `#!/bin/sh
if [ "$1" = rm ] && mkdir ${bin}/was-busy 2>/dev/null; then
  echo 'Error: unlinkat /userdata/shm: device or resource busy' >&2
  exit 1
fi
exec ${podman.env['AGENT_CONTAINERS']} "$@"
`;
    await writeFile(join(bin, 'podman'), script, { mode: 0o755 });
    const busy = await rigWith({ AGENT_CONTAINERS: join(bin, 'podman') });
    const spec = of(busy, playing(GAME));
    await started(spec, busy);
    const [client = ''] = (await processesNaming(`--name=muster-${spec.instanceId}`)).filter(
      (each) => each.includes(`: ${podman.env['AGENT_CONTAINERS']} run `),
    );
    process.kill(Number.parseInt(client, 10), 'SIGKILL');
    await busy.service.reportOf(spec.instanceId, 'stopped');
    expect(podman.containersOf(busy.dataDir)).toEqual([]);
    expect(existsSync(join(bin, 'was-busy'))).toBe(true);
    await rm(bin, { recursive: true });
  });

  it('with a volume is bounded by its memory there too, and whoever saves it is warned', async () => {
    const world = `${podman.registry.host}/games/world:1`;
    const writes = `
      const { appendFileSync } = require('node:fs');
      let mb = 0;
      try { for (; mb < 300; mb += 1) appendFileSync('/data/world', Buffer.alloc(1024 * 1024)); }
      catch (error) { console.log(error.code); }
      console.log('wrote ' + mb + ' MB'); process.exit(0);
    `;
    const spec = specOf({ image: world, args: ['/bin/node', '-e', writes], memory: 256 });
    const warning = `launch.keep: the image ${world} writes to /data. Without keep, that is gone when the server ends, a world too`;
    await eventually('it is warned of', async () => {
      return (await rig.fleet.check?.(spec.build)) === warning;
    });
    const { build } = specOf({ image: world, keep: 'world' });
    expect(await rig.fleet.check?.(build)).toBeNull();
    expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 0, output: 'ENOSPC\nwrote 128 MB\n' });
  });

  it('keeps a folder, which is what the image calls its volume, for one server at a time', async () => {
    const world = `${podman.registry.host}/games/world:1`;
    const script = `
      const { appendFileSync, readFileSync, statSync } = require('node:fs');
      appendFileSync('/data/runs', 'x');
      appendFileSync(process.argv[1] + '/all', 'y');
      const of = (path) => readFileSync(path, 'utf8').length;
      const file = readFileSync('/muster/a.cfg', 'utf8');
      console.log(of('/data/runs'), of(process.env.MUSTER_KEEP + '/all'), file, statSync('/data/runs').uid);
      require('node:dgram').createSocket('udp4').bind(7777);
      process.on('SIGTERM', () => process.exit(0));
    `;
    const launch = {
      image: world,
      args: ['/bin/node', '-e', script, '--', '{keep}'],
      keep: 'world',
      files: { 'a.cfg': 'port={port}' },
    };
    await eventually('its image is there', async () => {
      return (await rig.fleet.check?.(specOf(launch).build)) === null;
    });
    for (const run of [1, 2]) {
      const spec = specOf(launch);
      await started(spec);
      expect(await rig.fleet.launch(specOf(launch))).toMatchObject({ reason: 'no_capacity' });
      await rig.fleet.stop(spec.instanceId);
      const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
      expect(report.output).toBe(`${run} ${run} port=7777 4711\n`);
    }
    const kept = join(rig.dataDir, 'keep', 'dev', 'duel', 'world');
    expect(await readFile(join(kept, 'data', 'runs'), 'utf8')).toBe('xx');
  });

  it('without an inner number listens on the one that players see', async () => {
    const ports: readonly PortConfig[] = [
      { name: 'game_udp', protocol: 'udp' },
      { name: 'query', protocol: 'tcp', offset: 0 },
    ];
    const script = `${GAME}; require('node:net').createServer().listen(Number(process.env.MUSTER_PORT_QUERY))`;
    const spec = specOf({ args: ['/bin/node', '-e', script, '--', '{port}'] }, {}, ports);
    const port = await started(spec);
    expect(await said(port, 'hello')).toBe('you said hello');
    const told = await rig.fleet.inspect(spec.instanceId);
    expect(told.ports).toMatchObject([
      { external_port: port, internal_port: port, protocol: 'udp' },
      { external_port: port, internal_port: port, protocol: 'tcp' },
    ]);
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
  });

  it('may end by itself, and may name no ports', async () => {
    const ends = 'console.log("the last round is over"); process.exit(3)';
    const spec = specOf({ args: ['/bin/node', '-e', ends] }, {}, []);
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 3, output: 'the last round is over\n' });
    // The server that comes with the agent, in the image: any port, by UDP and WebSocket.
    const sample = specOf({ args: ['/bin/node', '/game/game-server.ts'] }, {}, []);
    const port = await started(sample);
    const player = udpPlayer(port);
    expect(await player.request({ type: 'join', player: 'ann' }, 'welcome')).toMatchObject({
      instance_id: sample.serverId,
    });
    player.close();
    await rig.fleet.stop(sample.instanceId);
    await rig.service.reportOf(sample.instanceId, 'stopped');
  });

  it('that opens another port is told so', async () => {
    const late = await rigWith({ AGENT_LATE_MS: '300', AGENT_START_MS: '2400' });
    const wrong = `require('node:dgram').createSocket('udp4').bind(7000)`;
    const spec = specOf({ args: ['/bin/node', '-e', wrong] });
    await late.fleet.launch({
      ...spec,
      reportUrl: late.spec().reportUrl.replace(/[^/]+\/status$/, `${spec.instanceId}/status`),
    });
    const { report } = await late.service.reportOf(spec.instanceId, 'stopped');
    expect(report.detail).toBe(
      'UDP 7777 was not opened within 2.4 s; the container opened UDP 7000',
    );
  });

  it('ends when its agent is killed, as a process does, and the next agent tells of it', async () => {
    const doomed = await rigWith();
    const specs = [playing(GAME), playing(DEAF)].map((spec) => of(doomed, spec));
    await Promise.all(specs.map((spec) => started(spec, doomed)));
    await doomed.agent.kill();
    const next = await doomed.startAgain();
    rigs.push(next);
    const reports = await Promise.all(
      specs.map(({ instanceId }) => next.service.reportOf(instanceId, 'stopped')),
    );
    expect(reports.map(({ report }) => report.output?.includes('was told to stop'))).toEqual([
      true,
      false,
    ]);
    expect(podman.containersOf(doomed.dataDir)).toEqual([]);
  });

  it('goes on under an agent that adopts, which ends it and hears how it ended', async () => {
    const spec = of(adopting, playing(GAME));
    const port = await started(spec, adopting);
    await adopting.agent.kill();
    const next = await adopting.startAgain();
    rigs.push(next);
    expect(await said(port, 'still here?')).toBe('you said still here?');
    expect(await next.fleet.inspect(spec.instanceId)).toMatchObject({
      ports: [{ external_port: port }],
    });
    await next.fleet.stop(spec.instanceId);
    const { report } = await next.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: 7 });
    expect(podman.containersOf(adopting.dataDir)).toEqual([]);
    // What no lease tells of is found by its label, and what belongs to another agent is not.
    const id = await readFile(join(adopting.dataDir, 'containers'), 'utf8');
    const left = (label: string, name: string): string =>
      podman.run(
        'run',
        '--detach',
        '--stop-timeout=0',
        '--pull=never',
        `--label=muster.agent=${label}`,
        `--name=${name}`,
        image,
        '/bin/node',
        '-e',
        'setInterval(() => {}, 1000)',
      );
    left(id, `muster-left-${process.pid}`);
    left(`${id}0`, `muster-other-${process.pid}`);
    try {
      await next.agent.kill();
      rigs.push(await next.startAgain());
      await eventually('it is removed', () => podman.containersOf(adopting.dataDir).length === 0);
      expect(podman.run('ps', '--format={{.Names}}')).toContain(`muster-other-${process.pid}`);
    } finally {
      podman.run('rm', '--force', '--time=0', `muster-other-${process.pid}`);
    }
  });

  it.each([
    [
      'is missing',
      'games/none:1',
      /^there is no image \S+\/games\/none:1, or this machine may not read it: .*manifest unknown/,
    ],
    [
      'is for another machine',
      'games/other:1',
      /^the image \S+ is for linux\/s390x, and this machine runs linux\/(amd64|arm64)$/,
    ],
    ['is too large', 'games/large:1', /^the image \S+ has \d+ MB, and AGENT_IMAGE_MB allows 10$/],
  ])('%s: the check and the launch say so', async (_, name, message) => {
    const small = await rigWith({ AGENT_IMAGE_MB: '10' });
    expect(megabytesOf(gameFiles())).toBeGreaterThan(10);
    const spec = of(small, specOf({ image: `${podman.registry.host}/${name}` }));
    await eventually('the check says so', async () =>
      message.test((await small.fleet.check?.(spec.build)) ?? ''),
    );
    expect(await small.fleet.launch(spec)).toMatchObject({
      ok: false,
      reason: 'refused',
      detail: expect.stringMatching(message),
    });
    // What is of no use does not fill the disk. The agent may say why before it has removed the image.
    await eventually(
      'it is removed',
      () => !podman.run('images', '--format={{.Repository}}').includes(name.split(':')[0] ?? ''),
    );
  });

  it('plays a match', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-match-'));
    const running = await startAll({ port: 0, dataDir, agentEnv: podman.env });
    try {
      const operator = new Player(running.url, 'operator', running.serverKey);
      const launch = { image, args: ['/bin/node', '/game/game-server.ts'], memory: 128 };
      const asked = { launch, ports: PORTS };
      expect(await operator.ok('PUT', '/builds/default', asked)).toMatchObject({ warnings: [] });
      const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 120 } };
      await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
      const players = ['ann', 'bob'].map((id) => new Player(running.url, id));
      for (const player of players) {
        await player.ok('POST', '/lobbies/arena', { name: player.id });
        await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
      }
      const server = await eventually('both play', async () => {
        const lobbies = await Promise.all(
          players.map((each) => each.ok('GET', '/lobbies/arena/me')),
        );
        return lobbies.every((each) => each.server?.status === 'running') && lobbies[0]?.server;
      });
      const guest = udpPlayer(server.network_ports[0]?.external_port ?? 0);
      const welcome = await guest.request({ type: 'join', player: 'ann' }, 'welcome');
      guest.close();
      const parties = (welcome['teams'] as { readonly players: readonly string[] }[]).map(
        (team) => team.players,
      );
      expect(parties.flat().toSorted()).toEqual(['ann', 'bob']);
      await players[0]?.ok('POST', '/lobbies/arena/me/end-match');
      await eventually('no container is left', () => {
        return podman.containersOf(join(dataDir, 'fleet')).length === 0;
      });
      // With neither or with both there is nothing to choose.
      const both = await operator.call('PUT', '/builds/default', {
        launch: { image, command: 'a' },
      });
      expect(both.status).toBe(400);
    } finally {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  it('needs a program that works, and an agent whose settings allow it', async () => {
    const { build } = specOf({});
    const bin = join(rig.dataDir, 'bin');
    await mkdir(bin);
    const script = '#!/bin/sh\necho "Error: Cannot connect to the Docker daemon" >&2\nexit 1\n';
    await writeFile(join(bin, 'docker'), script);
    await chmod(join(bin, 'docker'), 0o755);
    const problems = [
      [
        { AGENT_CONTAINERS: join(bin, 'docker') },
        `${bin}/docker is there but does not work: Cannot connect to the Docker daemon`,
      ],
      [
        { AGENT_CONTAINERS: join(bin, 'none') },
        `AGENT_CONTAINERS: no program "${bin}/none" on this machine`,
      ],
      [{ AGENT_CONTAINERS: '0' }, 'AGENT_CONTAINERS=0 lets this agent run no containers'],
      [{ AGENT_COMMANDS: bin }, `build duel: AGENT_IMAGES does not allow the image ${image}`],
      [
        { AGENT_IMAGES: `${podman.registry.host}/game` },
        `build duel: AGENT_IMAGES does not allow the image ${image}`,
      ],
      [{ AGENT_IMAGES: `${podman.registry.host}/games/` }, null],
      [{ AGENT_IMAGES: `other/, ${podman.registry.host}/games/duel` }, null],
    ] as const;
    for (const [env, problem] of problems) {
      const one = await rigWith(env);
      expect(await one.fleet.check?.(build)).toBe(problem);
      await one.agent.stop();
    }
    const lines = specOf({ env: { LEVEL: 'one\nTWO=2' } }).build;
    expect(await rig.fleet.check?.(lines)).toBe(
      'build duel: a variable of a container has one line, unlike LEVEL',
    );
    const option = specOf({ image: '--privileged' }).build;
    expect(await rig.fleet.launch(rig.spec({}, { build: option }))).toMatchObject({
      ok: false,
      reason: 'refused',
      detail: 'build.launch.image: not the name of an image',
    });
  });
});

/** The same launch, reported to that rig's service. */
function of(rig: Rig, spec: LaunchSpec): LaunchSpec {
  const { service } = rig;
  return { ...spec, reportUrl: `${service.url}/v3/servers/${spec.instanceId}/status` };
}

/** What a server answers to a text, which may be lost on its way. */
function said(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const send = (): void => socket.send(text, port, '127.0.0.1');
    const again = setInterval(send, 200);
    const late = setTimeout(() => reject(new Error(`no answer on UDP ${port}`)), 10_000);
    socket.on('message', (answer) => {
      [again, late].forEach((timer) => clearTimeout(timer));
      socket.close();
      resolve(String(answer));
    });
    send();
  });
}
