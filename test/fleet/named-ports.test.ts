// Ports by name, and what a game server written for the hosted API reads, on the local fleet.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Port, PortConfig } from '../../src/fleet/port';
import { namedPorts } from '../../src/fleet/ports';
import { argumentsIn } from '../../src/fleet/build';
import { eventually } from '../support/eventually';
import { startRig, type Rig } from './harness';

const PORTS = [
  { name: 'game_udp', internal_port: 7777, protocol: 'udp' },
  { name: 'voice', internal_port: 7778, protocol: 'udp' },
  { name: 'web-chat', internal_port: 8080, protocol: 'tcp' },
] as const;

/** Opens its ports as its arguments and variables say, the last one when it is told to. */
const OPENS_ALL = `
const { createSocket } = require('node:dgram');
const { createServer } = require('node:net');
const { existsSync } = require('node:fs');
const [first, voice, gate] = process.argv.slice(1);
createSocket('udp4').bind(Number(first));
createSocket('udp4').bind(Number(voice));
const open = setInterval(() => {
  if (existsSync(gate)) {
    clearInterval(open);
    createServer().listen(Number(process.env.MUSTER_PORT_WEB_CHAT), '127.0.0.1');
  }
}, 10);
`;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.end());

function withPorts(args: readonly string[]) {
  const spec = rig.spec({ command: process.execPath, args: ['-e', OPENS_ALL, ...args] });
  return { ...spec, build: { ...spec.build, ports: PORTS } };
}

describe('ports by name on the local fleet', () => {
  it('each get a number of their own, and the server runs when all are open', async () => {
    const gate = join(rig.dataDir, 'gate');
    const spec = withPorts(['{port}', '{port:voice}', gate]);
    const launched = await rig.fleet.launch(spec);
    const ports = launched.ok ? launched.ports : [];
    expect(ports).toMatchObject(PORTS);
    expect(new Set(ports.map((port) => port.external_port)).size).toBe(3);
    // Two of three are open for several leases, and nothing says that it runs.
    await eventually('three leases', () => {
      const told = rig.service.reports.filter((one) => one.instanceId === spec.instanceId);
      return told.length >= 3 && told.every((one) => one.report.status === 'launching');
    });
    await writeFile(gate, '');
    const { report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(report.network_ports).toEqual(ports);
    await rig.fleet.stop(spec.instanceId);
  });

  it('a UDP server that names none has game_udp, by argument and variable too', async () => {
    const listen = `require('node:dgram').createSocket('udp4').bind(Number(process.argv[1]))`;
    const spec = rig.spec({ command: process.execPath, args: ['-e', listen, '{port:game_udp}'] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'running');
    expect(report.network_ports).toMatchObject([{ name: 'game_udp', protocol: 'udp' }]);
    await rig.fleet.stop(spec.instanceId);
  });

  it('fail as a whole when not all can be had', async () => {
    // Ports of its own: test files run side by side, and another one uses 21990.
    const small = await startRig({ AGENT_PORTS: '21992-21993' });
    try {
      const spec = small.spec();
      const many = { ...spec, build: { ...spec.build, ports: PORTS } };
      expect(await small.fleet.launch(many)).toMatchObject({ ok: false, reason: 'no_capacity' });
      // Nothing is kept of the two that were free.
      const two = { ...small.spec(), build: { ...spec.build, ports: PORTS.slice(0, 2) } };
      expect(await small.fleet.launch(two)).toMatchObject({ ok: true });
    } finally {
      await small.end();
    }
  });
});

/** Opens a UDP port for each of its arguments, and a TCP port for each with a +. It ends if one of them is taken. */
const OPENS_EACH = `
for (const each of process.argv.slice(1)) {
  const number = Number(each.replace('+', ''));
  const open = each.startsWith('+')
    ? require('node:net').createServer().listen(number)
    : require('node:dgram').createSocket('udp4').bind(number);
  open.on('error', () => process.exit(3));
}
`;

describe('the number of a port', () => {
  function opening(args: readonly string[], ports: readonly PortConfig[], of = rig) {
    const spec = of.spec({ command: process.execPath, args: ['-e', OPENS_EACH, ...args] });
    return { ...spec, build: { ...spec.build, ports } };
  }
  const BESIDE: readonly PortConfig[] = [
    { name: 'game', protocol: 'udp' },
    { name: 'rcon', protocol: 'tcp', offset: 0 },
    { name: 'info', protocol: 'udp', offset: 1 },
  ];

  it('stands at its distance from the first, and launches at once never meet', async () => {
    // Nine numbers for four servers: no two may be left unused between two of them.
    const small = await startRig({ AGENT_PORTS: '21970-21978' });
    try {
      const specs = Array.from({ length: 4 }, () =>
        opening(['{port}', '+{port:rcon}', '{port:info}'], BESIDE, small),
      );
      const launched = await Promise.all(specs.map((spec) => small.fleet.launch(spec)));
      const numbers = launched.map((each) => (each.ok ? each.ports : []));
      for (const [game, rcon, info] of numbers) {
        expect(rcon?.external_port).toBe(game?.external_port);
        expect(info?.external_port).toBe((game?.external_port ?? 0) + 1);
        expect(game?.internal_port).toBe(game?.external_port);
        expect(game).not.toHaveProperty('offset');
      }
      const all = numbers.flatMap(([game, , info]) => [game, info]);
      expect(new Set(all.map((port) => port?.external_port)).size).toBe(8);
      for (const spec of specs) {
        await small.service.reportOf(spec.instanceId, 'running');
      }
      const next = opening(['{port}'], BESIDE, small);
      const full = { ok: false, reason: 'no_capacity', detail: 'no free port in 21970-21978' };
      expect(await small.fleet.launch(next)).toEqual({ ...full, ofOrder: undefined });
    } finally {
      await small.end();
    }
  });

  it('that is fixed is that of one server at a time, and the next launch says so', async () => {
    const ports: readonly PortConfig[] = [
      { name: 'game', protocol: 'udp' },
      { name: 'admin', protocol: 'tcp', fixed: 21_980 },
    ];
    const [one, two] = [0, 1].map(() => opening(['{port}', '+{port:admin}'], ports));
    const launched = await rig.fleet.launch(one ?? rig.spec());
    expect(launched).toMatchObject({ ok: true, ports: [{}, { external_port: 21_980 }] });
    await rig.service.reportOf(one?.instanceId ?? '', 'running');
    expect(await rig.fleet.launch(two ?? rig.spec())).toMatchObject({
      reason: 'no_capacity',
      detail: '21980 must be free on this machine, and is in use: the build has a fixed port',
    });
    await rig.fleet.stop(one?.instanceId ?? '');
    await rig.service.reportOf(one?.instanceId ?? '', 'stopped');
    // Whoever waits in line comes back with the same id.
    expect(await rig.fleet.launch(two ?? rig.spec())).toMatchObject({ ok: true });
    await rig.fleet.stop(two?.instanceId ?? '');
  });

  it('of a first port that is fixed takes those beside it along, whoever holds them', async () => {
    const other = createSocket('udp4').bind(21_983);
    await once(other, 'listening');
    const ports: readonly PortConfig[] = [
      { name: 'game', protocol: 'udp', fixed: 21_982 },
      { name: 'info', protocol: 'udp', offset: 1 },
    ];
    const spec = opening(['{port}', '{port:info}'], ports);
    expect(await rig.fleet.launch(spec)).toMatchObject({ ok: false, reason: 'no_capacity' });
    other.close();
    await once(other, 'close');
    expect(await rig.fleet.launch(spec)).toMatchObject({
      ok: true,
      ports: [{ external_port: 21_982 }, { external_port: 21_983 }],
    });
    await rig.service.reportOf(spec.instanceId, 'running');
    await rig.fleet.stop(spec.instanceId);
  });
});

describe('a game server written for the hosted API', () => {
  it('finds playflow.json beside its program, one for each server', async () => {
    const home = join(rig.dataDir, 'unity');
    const program = join(home, 'Server.x86_64');
    await mkdir(join(home, 'Server_Data'), { recursive: true });
    await writeFile(join(home, 'Server_Data', 'level0'), 'level');
    await copyFile(process.execPath, program);
    // As Unity finds it: from its own path, not from the working folder.
    const script = `
      const { readFileSync, writeFileSync, realpathSync } = require('node:fs');
      const { dirname, join } = require('node:path');
      const home = dirname(realpathSync('/proc/self/exe'));
      const config = JSON.parse(readFileSync(join(home, 'playflow.json'), 'utf8'));
      const level = readFileSync(join(home, 'Server_Data', 'level0'), 'utf8');
      const { PLAYFLOW_STARTUP_ARGS: args } = process.env;
      const seen = { config, level, args, cwd: process.cwd() === home, argv: process.argv.slice(1) };
      writeFileSync(process.env.OUT, JSON.stringify(seen));
      setInterval(() => {}, 1000);
    `;
    const specs = ['one', 'two'].map((map) =>
      rig.spec(
        {
          command: program,
          args: ['-e', script, '--', '-map', map, '{port}'],
          env: { OUT: join(rig.dataDir, `${map}.json`) },
          ownFolder: true,
        },
        {
          startupArgs: `-map ${map} -port {port}`,
          customData: { map },
          matchId: `match-${map}`,
        },
      ),
    );
    const launched = await Promise.all(specs.map((spec) => rig.fleet.launch(spec)));
    for (const [index, spec] of specs.entries()) {
      const map = ['one', 'two'][index] ?? '';
      const answer = launched[index];
      const port = answer?.ok === true ? answer.ports[0]?.external_port : 0;
      const text = await eventually('what it read', async () => {
        const read = await readFile(join(rig.dataDir, `${map}.json`), 'utf8');
        return read === '' ? undefined : read;
      });
      expect(JSON.parse(text)).toEqual({
        config: {
          instance_id: spec.serverId,
          region: 'us-east',
          'api-key': spec.token,
          startup_args: `-map ${map} -port ${port}`,
          version_tag: 'default',
          match_id: `match-${map}`,
          arguments: `-map ${map} -port ${port}`,
          custom_data: { map },
        },
        level: 'level',
        args: `-map ${map} -port ${port}`,
        cwd: true,
        argv: ['-map', map, String(port)],
      });
      await rig.fleet.stop(spec.instanceId);
      await rig.service.reportOf(spec.instanceId, 'stopped');
    }
  });

  it('is refused a folder of its own when its program has no path', async () => {
    const launched = await rig.fleet.launch(rig.spec({ command: 'node', ownFolder: true }));
    expect(launched).toMatchObject({ ok: false, reason: 'refused' });
  });
});

describe('the ports a fleet tells', () => {
  const port = (name: string, number: number, protocol = 'udp'): Port => ({
    name,
    host: 'h',
    external_port: number,
    internal_port: number,
    protocol,
    tls_enabled: false,
  });

  it.each<[string, readonly Port[], readonly [string, number][]]>([
    [
      'in its own order',
      [port('voice', 2), port('game_udp', 1)],
      [
        ['game_udp', 1],
        ['voice', 2],
      ],
    ],
    ['as Kubernetes spells it', [port('game-udp', 1)], [['game_udp', 1]]],
    [
      'by number and protocol',
      [port('p', 7777, 'tcp'), port('q', 7777)],
      [
        ['game_udp', 7777],
        ['p', 7777],
      ],
    ],
    [
      'and more than were asked for',
      [port('x', 9), port('game_udp', 1)],
      [
        ['game_udp', 1],
        ['x', 9],
      ],
    ],
    ['and not all of them', [port('voice', 2)], [['voice', 2]]],
  ])('are those of the build, told %s', (_, told, expected) => {
    const named = namedPorts(told, PORTS);
    expect(named.map(({ name, external_port: number }) => [name, number])).toEqual(expected);
  });

  it('are those of the proxy where the build says so, also told twice', () => {
    const asked = [{ name: 'game_ws', internal_port: 1, protocol: 'tcp', tls: 'proxy' }] as const;
    const behind = namedPorts([port('game-ws', 20_123, 'tcp')], asked);
    const shown = { name: 'game_ws', external_port: 443, tls_enabled: true, path: '/g/20123' };
    expect(behind).toMatchObject([{ ...shown, host: 'h' }]);
    expect(namedPorts(behind, asked)).toEqual(behind);
  });

  it.each([
    [port('default', 1), 'game_udp'],
    [port('game', 1, 'tcp'), 'game_tcp'],
    [port('voice', 1), 'voice'],
  ])('are named by protocol where nobody named them', (told, expected) => {
    expect(namedPorts([told], [])[0]?.name).toBe(expected);
  });
});

it.each([
  ['-map forest  -tickrate 64', ['-map', 'forest', '-tickrate', '64']],
  [`-name "The Arena" 'a b' x"y z"`, ['-name', 'The Arena', 'a b', 'xy z']],
  ['-empty "" -x', ['-empty', '', '-x']],
  [`it's`, [`it's`]],
  ['   ', []],
])('startup arguments are read as a shell reads them: %s', (text, expected) => {
  expect(argumentsIn(text)).toEqual(expected);
});
