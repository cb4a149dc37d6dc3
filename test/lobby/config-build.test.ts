// Builds as they are saved (decision 34).

import { describe, expect, it } from 'vitest';
import { defaultBuild, parseBuild } from '../../src/fleet/build';

describe('a build', () => {
  it.each<[string, object, object]>([
    ['nothing said', {}, { label: null, status: 'ready', launch: {}, ports: [] }],
    [
      'not ready',
      { status: 'not_ready', label: '1.2' },
      { label: '1.2', status: 'not_ready', launch: {}, ports: [] },
    ],
    [
      'a version as a text',
      { version: '1.2' },
      { label: '1.2', status: 'ready', launch: {}, ports: [] },
    ],
    [
      'a version as an answer said it',
      { version: 7, label: '1.2' },
      { label: '1.2', status: 'ready', launch: {}, ports: [] },
    ],
    [
      'not ready, as people write it',
      { status: 'not ready' },
      { label: null, status: 'not_ready', launch: {}, ports: [] },
    ],
    [
      'all of it',
      {
        name: 'v1',
        launch: {
          command: './server',
          args: ['-p', ''],
          fleet: 'eu',
          fleetName: 'arena',
          env: { MODE: '' },
          files: { 'config/a b.cfg': '{port:voice}' },
          keep: 'world',
          ownFolder: true,
          ready: { line: 'Map generated' },
        },
        ports: [
          { name: 'game_udp', internal_port: 7777 },
          { name: 'voice', internal_port: 7778, protocol: 'tcp', tls_enabled: false },
        ],
      },
      {
        label: null,
        status: 'ready',
        launch: {
          command: './server',
          args: ['-p', ''],
          fleet: 'eu',
          fleetName: 'arena',
          env: { MODE: '' },
          files: { 'config/a b.cfg': '{port:voice}' },
          keep: 'world',
          ownFolder: true,
          ready: { line: 'Map generated' },
        },
        ports: [
          { name: 'game_udp', internal_port: 7777, protocol: 'udp' },
          { name: 'voice', internal_port: 7778, protocol: 'tcp' },
        ],
      },
    ],
    [
      'a port that a proxy takes TLS for',
      { ports: [{ name: 'web', internal_port: 1, protocol: 'tcp', tls: 'proxy' }] },
      {
        label: null,
        status: 'ready',
        launch: {},
        ports: [{ name: 'web', internal_port: 1, protocol: 'tcp', tls: 'proxy' }],
      },
    ],
    [
      'ports that stand at a distance, and one that a machine has once',
      {
        ports: [
          { name: 'game' },
          { name: 'rcon', offset: 0, protocol: 'tcp' },
          { name: 'info', offset: 1 },
          { name: 'admin', fixed: 2757, protocol: 'tcp' },
        ],
      },
      {
        label: null,
        status: 'ready',
        launch: {},
        ports: [
          { name: 'game', protocol: 'udp' },
          { name: 'rcon', protocol: 'tcp', offset: 0 },
          { name: 'info', protocol: 'udp', offset: 1 },
          { name: 'admin', protocol: 'tcp', fixed: 2757 },
        ],
      },
    ],
    [
      'a container',
      { launch: { image: 'repo.example:5000/a/game:1', memory: 512, cpus: 0.5, command: null } },
      {
        label: null,
        status: 'ready',
        launch: { image: 'repo.example:5000/a/game:1', memory: 512, cpus: 0.5 },
        ports: [],
      },
    ],
    [
      'only what was said',
      { launch: { command: null, image: 'a' } },
      { label: null, status: 'ready', launch: { image: 'a' }, ports: [] },
    ],
  ])('%s', (_, body, expected) => {
    const parsed = parseBuild('v1', body);
    expect(parsed).toStrictEqual({ ok: true, value: { name: 'v1', ...expected } });
    expect(parseBuild('v1', parsed.ok ? parsed.value : null)).toStrictEqual(parsed);
  });

  it('there is one from the start', () => {
    expect(defaultBuild()).toEqual({
      name: 'default',
      version: 1,
      label: null,
      status: 'ready',
      launch: {},
      ports: [],
    });
  });

  const ENV =
    'the name of an environment variable has letters, digits and _, and does not start with a digit';
  const FILE_FORM = 'must be a path inside of the folder, such as server.cfg or config/server.cfg';
  const WITH_IMAGE = 'must not be there with an image: a build starts a program or a container';
  const READY_FORM = 'must be port, report or {"line": "a text that the server prints"}';
  const IMAGE_FORM = 'must be a container image name, such as registry.example.com/game:1.0';
  it.each<[unknown, string, string]>([
    [null, '', 'must be an object'],
    [{ name: 'v2' }, 'name', 'must be v1, as in the path'],
    [{ version: 2.5 }, 'version', 'must be a number or a string'],
    [{ label: 2 }, 'label', 'must be a string'],
    [{ label: 'v'.repeat(65) }, 'label', 'must be at most 64 characters long'],
    [{ status: 'done' }, 'status', 'must be one of ready, not_ready, not ready'],
    [{ launch: './server' }, 'launch', 'must be an object'],
    [{ launch: { command: '' } }, 'launch.command', 'must not be empty'],
    [{ launch: { args: '-p' } }, 'launch.args', 'must be a list'],
    [{ launch: { args: ['a', 1] } }, 'launch.args[1]', 'must be a string'],
    [
      { launch: { args: Array.from({ length: 65 }, () => 'a') } },
      'launch.args',
      'must have at most 64 entries',
    ],
    [
      { launch: { image: 'a'.repeat(1025) } },
      'launch.image',
      'must be at most 1024 characters long',
    ],
    [{ launch: { image: 'a', command: './server' } }, 'launch.command', WITH_IMAGE],
    [{ launch: { image: 'a', ownFolder: true } }, 'launch.ownFolder', WITH_IMAGE],
    [{ launch: { ready: 'soon' } }, 'launch.ready', READY_FORM],
    [{ launch: { ready: {} } }, 'launch.ready', READY_FORM],
    [{ launch: { ready: { line: '' } } }, 'launch.ready.line', 'must not be empty'],
    [{ launch: { ready: { line: 'a\nb' } } }, 'launch.ready.line', 'must be one line'],
    [{ launch: { memory: 64 } }, 'launch.memory', 'needs an image: only containers have limits'],
    [
      { launch: { command: './server', cpus: 1 } },
      'launch.cpus',
      'needs an image: only containers have limits',
    ],
    [{ launch: { image: 'a', memory: 5 } }, 'launch.memory', 'must be at least 6'],
    [{ launch: { image: 'a', memory: '1g' } }, 'launch.memory', 'must be a whole number'],
    [{ launch: { image: 'a', cpus: 0 } }, 'launch.cpus', 'must be at least 0.01'],
    [{ launch: { image: 'a', cpus: 257 } }, 'launch.cpus', 'must be at most 256'],
    ...[
      '--privileged',
      '-a',
      'a b',
      'a\n',
      'A',
      'a:',
      'a/../b',
      'a//b',
      'https://example.com/a',
      'a@sha256:12',
      'a:tag:tag',
      'a;b',
      '$(a)',
    ].map(
      (image) => [{ launch: { image } }, 'launch.image', IMAGE_FORM] as [unknown, string, string],
    ),
    [{ launch: { env: ['A=1'] } }, 'launch.env', 'must be an object'],
    [{ launch: { env: { A: 1 } } }, 'launch.env.A', 'must be a string'],
    [{ launch: { env: { '1A': '' } } }, 'launch.env.1A', ENV],
    [{ launch: { env: { 'A=B': '' } } }, 'launch.env.A=B', ENV],
    ...[
      '/etc/passwd',
      '../a',
      'a/../b',
      './a',
      'a//b',
      '',
      'a/',
      'C:\\a',
      'a\n',
      '__proto__x/..',
    ].map(
      (path) =>
        [{ launch: { files: { [path]: '' } } }, `launch.files.${path}`, FILE_FORM] as [
          unknown,
          string,
          string,
        ],
    ),
    ...['muster.json', 'LEASE.json', 'server.log.1', 'env', 'told/a', 'game', 'exit.pids'].map(
      (path) =>
        [
          { launch: { files: { [path]: '' } } },
          `launch.files.${path}`,
          'is a file name that the agent uses itself',
        ] as [unknown, string, string],
    ),
    [
      { launch: { files: { 'a.cfg': '{port:voice}' } } },
      'launch.files.a.cfg',
      'uses a port that the build does not have: voice',
    ],
    [
      { launch: { keep: 'a/b' } },
      'launch.keep',
      'must be 1 to 32 letters, digits, _ and -, and begin with a letter or digit',
    ],
    [{ ports: {} }, 'ports', 'must be a list'],
    [{ ports: [{ internal_port: 1 }] }, 'ports[0].name', 'is missing: it must be a string'],
    [
      { ports: [{ name: '1st', internal_port: 1 }] },
      'ports[0].name',
      'must start with a letter, and have only letters, digits, _ and -',
    ],
    [{ ports: [{ name: 'a', internal_port: 0 }] }, 'ports[0].internal_port', 'must be at least 1'],
    [
      { ports: [{ name: 'a', internal_port: 1, protocol: 'sctp' }] },
      'ports[0].protocol',
      'must be one of udp, tcp',
    ],
    [
      { ports: [{ name: 'a', internal_port: 1, tls: 'proxy' }] },
      'ports[0].tls',
      'needs a port of protocol tcp',
    ],
    [
      { ports: [{ name: 'a', internal_port: 1, protocol: 'tcp', tls: true }] },
      'ports[0].tls',
      'must be one of proxy',
    ],
    [
      {
        ports: [
          { name: 'a-b', internal_port: 1 },
          { name: 'A_b', internal_port: 2 },
        ],
      },
      'ports[1].name',
      'is listed twice',
    ],
    [
      { launch: { args: ['-v', '{port:voice}'] }, ports: [{ name: 'game', internal_port: 1 }] },
      'launch.args[1]',
      'uses a port that the build does not have: voice',
    ],
    [
      { ports: [{ name: 'a', offset: 1 }] },
      'ports[0].offset',
      'must not be on the first port: it is the distance from that one',
    ],
    [
      { ports: [{ name: 'a' }, { name: 'b', offset: 1, fixed: 5 }] },
      'ports[1].offset',
      'must not be there with fixed',
    ],
    [
      { ports: [{ name: 'a' }, { name: 'b', offset: 0 }] },
      'ports[1].offset',
      'has the same number and protocol as another port',
    ],
    [
      {
        ports: [
          { name: 'a', fixed: 7 },
          { name: 'b', offset: 2 },
          { name: 'c', fixed: 9 },
        ],
      },
      'ports[2].fixed',
      'has the same number and protocol as another port',
    ],
    [
      {
        ports: [
          { name: 'a', fixed: 65_535 },
          { name: 'b', offset: 1 },
        ],
      },
      'ports[1].offset',
      'makes a number over 65535',
    ],
    [JSON.parse('{"launch":{"env":{"__proto__":"x"}}}'), 'launch.env.__proto__', ENV],
  ])('%j is refused', (body, path, message) => {
    expect(parseBuild('v1', body)).toEqual({ ok: false, refusal: [{ path, message }] });
  });

  it('has a name that can stand in a path', () => {
    expect(parseBuild('a/b', {})).toMatchObject({ ok: false, refusal: [{ path: 'name' }] });
  });
});
