// The game server that comes with the agent, over real UDP.

import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { freePort } from '../../agent/ports.ts';
import { udpPlayer } from '../../agent/udp-player.ts';
import type { LaunchSpec } from '../../src/fleet/port';
import type { UdpPlayer } from '../../agent/udp-player.ts';
import { eventually } from '../support/eventually.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const MATCH = {
  match_id: 'm-1',
  matchmaking_mode: 'duel',
  teams: [
    { team_id: 0, lobbies: [{ lobby_id: 'a', player_states: { ann: { level: 3 } } }] },
    { team_id: 1, lobbies: [{ lobby_id: 'b', player_states: { bob: null } }] },
  ],
};

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.end());

async function launch(
  env: Record<string, string> = {},
  more: Partial<LaunchSpec> = {},
): Promise<{ id: string; port: number }> {
  const spec = rig.spec({ env }, { customData: MATCH, ...more });
  const launched = await rig.fleet.launch(spec);
  const port = launched.ok ? launched.ports[0]?.external_port : undefined;
  await rig.service.reportOf(spec.instanceId, 'running');
  return { id: spec.instanceId, port: port ?? 0 };
}

async function joined(port: number, player: string): Promise<UdpPlayer> {
  const end = udpPlayer(port);
  await end.request({ type: 'join', player }, 'welcome');
  return end;
}

it('welcomes players with their match, and echoes states to all who joined', async () => {
  const { id, port } = await launch();
  const ann = udpPlayer(port);
  expect(await ann.request({ type: 'join', player: 'ann' }, 'welcome')).toEqual({
    type: 'welcome',
    instance_id: id,
    region: 'us-east',
    match_id: 'm-1',
    matchmaking_mode: 'duel',
    teams: [
      { team_id: 0, players: ['ann'] },
      { team_id: 1, players: ['bob'] },
    ],
    players: ['ann'],
  });
  const bob = await joined(port, 'bob');
  expect(await ann.received('joined')).toEqual({ type: 'joined', player: 'bob' });
  // Nothing that is no message, and no message of a stranger, does it harm.
  const stranger = udpPlayer(port);
  stranger.send({ type: 'end' });
  expect(await stranger.request({ type: 'ping', at: 1 }, 'pong')).toEqual({ type: 'pong', at: 1 });

  const seen = { type: 'state', x: 1, player: 'ann' };
  expect(await ann.request({ type: 'state', x: 1 }, 'state')).toEqual(seen);
  expect(await bob.received('state')).toEqual(seen);

  bob.send({ type: 'end' });
  expect(await ann.received('ended')).toEqual({ type: 'ended', player: 'bob' });
  expect((await rig.service.reportOf(id, 'stopped')).report.exit_code).toBe(0);
  for (const end of [ann, bob, stranger]) {
    end.close();
  }
});

/** A player in a page. */
async function pagePlayer(port: number): Promise<{
  readonly socket: WebSocket;
  readonly heard: readonly Record<string, unknown>[];
  send(message: object): void;
  received(type: string): Promise<Record<string, unknown>>;
}> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const heard: Record<string, unknown>[] = [];
  socket.addEventListener('message', ({ data }) => {
    heard.push(JSON.parse(String(data)) as Record<string, unknown>);
  });
  await once(socket, 'open');
  return {
    socket,
    heard,
    send: (message) => socket.send(JSON.stringify(message)),
    received: (type) =>
      eventually(`"${type}" comes`, () => heard.find((each) => each['type'] === type)),
  };
}

it('takes WebSockets on the same port, for pages', async () => {
  const { id, port } = await launch();
  const { report } = await rig.service.reportOf(id, 'running');
  expect(report.network_ports).toMatchObject([
    { name: 'game_udp', protocol: 'udp', external_port: port },
  ]);
  const bob = await joined(port, 'bob');
  const stranger = await pagePlayer(port);
  stranger.send({ type: 'end' });
  stranger.send({ type: 'ping', at: 1 });
  expect(await stranger.received('pong')).toEqual({ type: 'pong', at: 1 });

  const ann = await pagePlayer(port);
  ann.send({ type: 'join', player: 'ann' });
  expect(await ann.received('welcome')).toMatchObject({ match_id: 'm-1', players: ['bob', 'ann'] });
  expect(await bob.received('joined')).toEqual({ type: 'joined', player: 'ann' });
  // Long enough for each way in which a frame says its length.
  for (const text of ['x', 'x'.repeat(200), 'x'.repeat(3_000)]) {
    ann.send({ type: 'state', text });
    const seen = await eventually('bob sees it', async () => {
      const state = await bob.received('state');
      return state['text'] === text && state;
    });
    expect(seen).toEqual({ type: 'state', text, player: 'ann' });
  }
  bob.send({ type: 'state', x: 2 });
  await eventually('ann sees it', () =>
    ann.heard.some(({ x, player }) => x === 2 && player === 'bob'),
  );

  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(426);
  stranger.send({ type: 'join', player: 'x'.repeat(5_000) });
  await once(stranger.socket, 'close');
  ann.socket.close();
  expect(await bob.received('left')).toEqual({ type: 'left', player: 'ann' });

  const again = await pagePlayer(port);
  again.send({ type: 'join', player: 'ann' });
  await again.received('welcome');
  bob.send({ type: 'end' });
  expect(await again.received('ended')).toEqual({ type: 'ended', player: 'bob' });
  expect((await rig.service.reportOf(id, 'stopped')).report.exit_code).toBe(0);
  bob.close();
});

it.each([(port: string) => [`--port=${port}`], (port: string) => ['--port', port]])(
  'listens on the port of its arguments',
  async (argsOf) => {
    const port = String(await freePort());
    const program = fileURLToPath(new URL('../../agent/game-server.ts', import.meta.url));
    const env = { MUSTER_PORT: '1' };
    const child = spawn(process.execPath, [program, ...argsOf(port)], { env });
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    await eventually('it listens', () => said.includes(`on udp 127.0.0.1:${port}\n`));
    child.kill();
    await once(child, 'exit');
  },
);

it('says what is no port', async () => {
  const spec = rig.spec({ args: ['--port=game'] });
  await rig.fleet.launch(spec);
  const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
  expect([report.exit_code, report.output]).toEqual([
    1,
    'game server: --port must be a number, not "game"\n',
  ]);
});

it('ends when the last player has quit', async () => {
  const { id, port } = await launch();
  const [ann, bob] = [await joined(port, 'ann'), await joined(port, 'bob')];
  ann.send({ type: 'quit' });
  expect(await bob.received('left')).toEqual({ type: 'left', player: 'ann' });
  expect(await rig.fleet.inspect(id)).toMatchObject({ state: 'running' });
  bob.send({ type: 'quit' });
  expect((await rig.service.reportOf(id, 'stopped')).report.exit_code).toBe(0);
  ann.close();
  bob.close();
});

it('ends itself when it is empty for long', async () => {
  // It may have ended before anybody has seen it run.
  const spec = rig.spec({ env: { MUSTER_EMPTY_SECONDS: '0.5' } }, { customData: MATCH });
  await rig.fleet.launch(spec);
  expect((await rig.service.reportOf(spec.instanceId, 'stopped')).report.exit_code).toBe(0);
});

it('refuses a ticket without a place in the match, unless it takes spectators', async () => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const { x = '' } = await exportJWK(publicKey);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x, kid: 'one', alg: 'EdDSA', use: 'sig' } as const;
  const seats = { keys: [jwk], url: 'http://127.0.0.1:9/jwks.json' };
  const ticket = (id: string, player: string, claims: object): Promise<string> =>
    new SignJWT({ match: 'm-1', team: null, role: null, late: false, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'muster-seat+jwt', kid: 'one' })
      .setSubject(player)
      .setAudience(id)
      .setExpirationTime('10m')
      .sign(privateKey);
  for (const spectators of ['0', '1']) {
    const env = { MUSTER_WANTS_TICKETS: '1', MUSTER_TAKES_SPECTATORS: spectators };
    const { id, port } = await launch(env, { seats });
    const answers = spectators === '1' ? 'welcome' : 'refused';
    for (const [player, claims, type] of [
      ['ann', { team: 0 }, 'welcome'],
      ['den', { match: null }, 'welcome'],
      ['sam', {}, answers],
      ['eve', { late: true }, answers],
    ] as const) {
      const end = udpPlayer(port);
      const join = { type: 'join', ticket: await ticket(id, player, claims) };
      expect(await end.request(join, type)).toMatchObject({ type });
      end.close();
    }
  }
});

it('sends no more than it got to who has not shown that the address is its own', async () => {
  const { port } = await launch();
  const ann = await joined(port, 'ann');
  const questions = [
    '{"type":"join","player":"a"}',
    '{"type":"join"}',
    `{"type":"join","player":"a","cookie":"${'x'.repeat(8)}"}`,
    '{"type":"join","ticket":"x"}',
    `{"type":"ping","x":[${Array.from({ length: 200 }, () => '1e20').join(',')}]}`,
    Buffer.concat([
      Buffer.from('{"type":"ping","x":"'),
      Buffer.alloc(400, 0xff),
      Buffer.from('"}'),
    ]),
  ];
  for (const question of questions) {
    const [first, ...others] = await answersTo(Buffer.from(question), port);
    expect(others).toEqual([]);
    expect(first?.length ?? 0).toBeLessThanOrEqual(question.length);
    expect(first ?? '').toMatch(/^$|^\{"cookie":"[\w-]{8}"\}$/);
  }
  ann.close();
});

/** All that comes back to who sends this once. */
function answersTo(question: Buffer, port: number): Promise<readonly string[]> {
  const socket = createSocket('udp4');
  const last = '{"type":"pong"}';
  const heard: string[] = [];
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      if (data.toString() === last) {
        socket.close();
        resolve(heard);
      } else {
        heard.push(data.toString());
      }
    });
    socket.send(question, port, '127.0.0.1');
    // The server answers in order: what is heard before this was the answer.
    socket.send(last.replace('pong', 'ping'), port, '127.0.0.1');
  });
}
