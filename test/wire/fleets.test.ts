// Several fleets behind one service, all real but the cluster: an agent, the example receiver of an
// `http` fleet, and Agones behind a Kubernetes API with a CA of its own. Regions and builds choose.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { startAgent, type Agent } from '../../scripts/local-agent.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { NAMESPACE, startFakeKubernetes, TOKEN, type FakeKubernetes } from '../fleet/kubernetes.ts';
import { RECEIVER_SECRET, startReceiver, type Receiver } from '../fleet/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { gameServersOf } from '../support/processes.ts';
import { needs } from '../support/tools.ts';
import { certified } from '../browser/stand-ins.ts';

const AGENT_SECRET = 'a-secret-for-tests-only';

let dataDir: string;
let agent: Agent;
let receiver: Receiver;
let kubernetes: FakeKubernetes;
let service: Service;
let operator: Player;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-fleets-'));
  [agent, receiver, kubernetes] = await Promise.all([
    startAgent({
      port: 0,
      secret: AGENT_SECRET,
      dataDir: join(dataDir, 'fleet'),
      env: { AGENT_MAX_SERVERS: '1', AGENT_LEASE_MS: '200', AGENT_SAMPLE: '1' },
    }),
    startReceiver({ FIRST_PORT: '32000' }),
    startFakeKubernetes(await certified(dataDir)),
  ]);
  const port = await freePort();
  const fleets = [
    {
      name: 'box',
      kind: 'local',
      url: agent.url,
      secretEnv: 'FLEET_BOX_SECRET',
      regions: ['us-east'],
    },
    { name: 'hooks', kind: 'http', url: receiver.url, secretEnv: 'FLEET_HOOKS_SECRET' },
    {
      name: 'cluster',
      kind: 'agones',
      url: kubernetes.url,
      tokenEnv: 'FLEET_CLUSTER_TOKEN',
      namespace: NAMESPACE,
      regions: ['eu-west'],
    },
  ];
  service = await startService({
    port,
    dataDir,
    devKeys: true,
    env: {
      FLEETS: JSON.stringify(fleets),
      FLEET_BOX_SECRET: AGENT_SECRET,
      FLEET_HOOKS_SECRET: RECEIVER_SECRET,
      FLEET_CLUSTER_TOKEN: TOKEN,
      FLEET_CA: join(dataDir, 'ca.pem'),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  });
  operator = new Player(service.url, 'operator', service.serverKey);
});
afterAll(async () => {
  await agent.stop();
  await receiver.end();
  await service.stop();
  await kubernetes.close();
  await rm(dataDir, { recursive: true, force: true });
});

let players = 0;

/** A player in a lobby of that region, who has started a game on that build. */
async function playing(region: string, build: string): Promise<readonly [Player, Lobby]> {
  players += 1;
  const player = new Player(service.url, `player-${players}`);
  const config = `on-${build}`;
  await operator.ok('PUT', `/lobby-configs/${config}`, { serverSettings: { gameBuild: build } });
  await player.ok('POST', `/lobbies/${config}`, { name: 'den', region });
  await player.ok('POST', `/lobbies/${config}/me/start`);
  const lobby = await eventually('it runs', async () => {
    const mine = await player.ok('GET', `/lobbies/${config}/me`);
    return mine.server?.status === 'running' ? mine : null;
  });
  return [player, lobby];
}

async function end(player: Player, lobby: Lobby): Promise<void> {
  await player.ok('POST', `/lobbies/${lobby.config}/me/end-match`);
}

function hostOf({ server }: Lobby): string | undefined {
  return server?.network_ports[0]?.host;
}

describe.runIf(needs('openssl'))('a deployment with several fleets', () => {
  it('launches on Agones in its region, over TLS with the CA of the cluster, and stops there', async () => {
    await operator.ok('PUT', '/builds/arena', { launch: { fleetName: 'arena' } });
    kubernetes.ready('arena');
    const [player, lobby] = await playing('eu-west', 'arena');
    expect(hostOf(lobby)).toBe('203.0.113.7');
    const [one] = kubernetes.gameServers;
    expect(one?.metadata.labels?.['muster/instance']).toBe(lobby.server?.instance_id);
    const told = JSON.parse(one?.metadata.annotations?.['muster/config'] ?? '{}') as {
      report_url: string;
      token: string;
    };
    // The game server itself says that it ends, with what it was told.
    const ended = await fetch(told.report_url, {
      method: 'POST',
      headers: { authorization: `Bearer ${told.token}` },
      body: JSON.stringify({ status: 'stopped' }),
    });
    expect(ended.status).toBe(200);
    await eventually('the lobby waits', async () => {
      const { status } = await player.ok('GET', `/lobbies/${lobby.config}/me`);
      return status === 'waiting';
    });
    await eventually('the GameServer is deleted', () => kubernetes.gameServers.length === 0);
  });

  it('goes on to the next fleet when one has no capacity', async () => {
    await operator.ok('PUT', '/builds/sleep', { launch: { fleetName: 'empty' } });
    // No GameServer is ready in the region's cluster: the fleet that serves any region takes it.
    const [player, lobby] = await playing('eu-west', 'sleep');
    expect(lobby.server?.network_ports[0]?.external_port).toBe(32_000);
    expect(await gameServersOf(lobby.server?.instance_id ?? '')).toHaveLength(1);
    await end(player, lobby);
  });

  it('fills the region\u2019s own fleet first, then the other', async () => {
    await operator.ok('PUT', '/builds/default', { launch: {} });
    const [first, one] = await playing('us-east', 'default');
    const [second, two] = await playing('us-east', 'default');
    const ports = [one, two].map(({ server }) => server?.network_ports[0]?.external_port ?? 0);
    expect(ports[0]).toBeLessThan(21_000);
    expect(ports[1]).toBeGreaterThanOrEqual(32_000);
    await end(first, one);
    await end(second, two);
    await eventually('no process is left', async () => {
      const ids = [one, two].map(({ server }) => server?.instance_id ?? '');
      return (await Promise.all(ids.map(gameServersOf))).flat().length === 0;
    });
  });

  it('launches a build that names a fleet there alone', async () => {
    await operator.ok('PUT', '/builds/pinned', { launch: { fleet: 'hooks' } });
    const [player, lobby] = await playing('us-east', 'pinned');
    expect(lobby.server?.network_ports[0]?.external_port).toBeGreaterThanOrEqual(32_000);
    await end(player, lobby);
    await operator.ok('PUT', '/builds/pinned', { launch: { fleet: 'cluster' } });
    const refused = await player.call('POST', `/lobbies/${lobby.config}/me/start`);
    expect(refused).toMatchObject({ status: 503, body: { code: 'LAUNCH_FAILED' } });
  });
});
