// Players measure how far away the regions are, at the echo of a real agent, and play where the worst of them is best.

import { createSocket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { type Agent, startAgent } from '../../scripts/local-agent.ts';
import { type Service, startService } from '../../scripts/service.ts';

const SECRET = 'a-secret-for-tests-only';

let dataDir: string;
let agent: Agent;
let service: Service;
let echoPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-latency-'));
  echoPort = await freePort();
  agent = await startAgent({
    port: 0,
    secret: SECRET,
    dataDir: join(dataDir, 'fleet'),
    env: { AGENT_ECHO_PORT: String(echoPort), AGENT_SAMPLE: '1' },
  });
  const echo = { http: `http://127.0.0.1:${echoPort}/`, udp: `127.0.0.1:${echoPort}` };
  const nobody = { http: `http://127.0.0.1:${await freePort()}/` };
  const port = await freePort();
  const fleets = [
    {
      name: 'near',
      kind: 'local',
      url: agent.url,
      secretEnv: 'FLEET_NEAR',
      regions: ['eu-west'],
      echo,
    },
    { name: 'far', kind: 'simulated', regions: ['asia', 'eu-west'], echo: nobody },
    { name: 'theirs', kind: 'simulated', regions: ['moon'], projects: ['other'], echo },
    { name: 'quiet', kind: 'simulated', regions: ['us-east'] },
  ];
  service = await startService({
    port,
    dataDir,
    devKeys: true,
    env: {
      FLEETS: JSON.stringify(fleets),
      FLEET_NEAR: SECRET,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
  });
});

afterAll(async () => {
  await agent.stop();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const playerOf = (player: string): MusterPlayer =>
  new MusterPlayer({ url: service.url, key: 'client_dev_key', config: 'near', player });

/** What comes back of that many bytes, or null if nothing does. */
function echoed(bytes: number): Promise<Buffer | null> {
  const socket = createSocket('udp4');
  return new Promise<Buffer | null>((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), 500);
    socket.on('error', reject);
    socket.on('message', (message) => {
      clearTimeout(timer);
      resolve(message);
    });
    socket.send(Buffer.alloc(bytes, 7), echoPort, '127.0.0.1');
  }).finally(() => socket.close());
}

describe('the echo of an agent', () => {
  it('sends back short packets, and no long ones', async () => {
    expect(await echoed(64)).toEqual(Buffer.from([0x87, ...Buffer.alloc(63, 7)]));
    expect(await echoed(65)).toBeNull();
  });

  it('answers every page, and is no way into the API of the agent', async () => {
    const answer = await fetch(`http://127.0.0.1:${echoPort}/servers`, {
      headers: { origin: 'https://game.example', authorization: `Bearer ${SECRET}` },
    });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the regions of a project', () => {
  it('are those of its fleets that say where to measure, each once', async () => {
    const listed = await playerOf('ann').listRegions();
    expect(listed).toMatchObject([
      { region: 'eu-west', udp: `127.0.0.1:${echoPort}` },
      { region: 'asia', udp: null },
    ]);
  });

  it('are measured by the client, without those that do not answer', async () => {
    const ping = await playerOf('ann').measureRegions({ timeoutMs: 5_000 });
    expect(Object.keys(ping)).toEqual(['eu-west']);
    expect(ping['eu-west']).toBeGreaterThanOrEqual(0);
    expect(ping['eu-west']).toBeLessThan(1_000);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(playerOf('ann').measureRegions({ signal })).rejects.toThrow('enough');
  });

  it('lead two players who measured to a game there, with what it was like for them', async () => {
    const admin = new MusterAdmin({ url: service.url, key: service.serverKey });
    const rules = [{ type: 'latency', field: 'ping', maxMs: 1_000 }] as const;
    await admin.saveLobbyConfig('near', { matchmaking: { modes: { duel: { rules } } } });
    const games = await Promise.all(
      ['ann', 'bob'].map(async (name) => {
        const muster = playerOf(name);
        // The lobby's own region would be us-east.
        const ping = { ...(await muster.measureRegions()), 'us-east': 999 };
        await muster.createLobby({ name, state: { ping } });
        return muster.playMatch('duel');
      }),
    );
    expect(games.map(({ lobby }) => lobby.server?.region)).toEqual(['eu-west', 'eu-west']);
    const [latest] = await admin.listMatches();
    const { quality } = await admin.getMatch(latest?.id ?? '');
    expect(quality?.ping?.worst).toBeLessThan(999);
    await Promise.all(games.map((game) => game.leave()));
  });
});
