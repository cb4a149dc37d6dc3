// The surroundings of an agent under test: a real HTTP server in the place of the service, and a
// real agent process with its data in a folder of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startAgent } from '../../scripts/local-agent.ts';
import type { Agent } from '../../scripts/local-agent.ts';
import { localFleet } from '../../src/fleet/rest';
import type { BuildLaunch, Fleet, LaunchSpec, StatusReport } from '../../src/fleet/port';
import { eventually } from '../support/eventually.ts';
import { gameServersBelow } from '../support/processes.ts';

export const SECRET = 'a-secret-for-tests-only';

export interface Received {
  readonly instanceId: string;
  readonly authorization: string;
  readonly report: StatusReport;
}

export interface FakeService {
  readonly url: string;
  readonly reports: Received[];
  /** What it answers to reports from now on. */
  answerWith(status: number): void;
  reportOf(instanceId: string, status: string): Promise<Received>;
  close(): Promise<void>;
}

export async function startFakeService(): Promise<FakeService> {
  const reports: Received[] = [];
  const running = new Set<string>();
  let answer = 200;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const instanceId = /^\/v3\/servers\/([^/]+)\/status$/.exec(request.url ?? '')?.[1] ?? '';
      const authorization = request.headers.authorization ?? '';
      const report = JSON.parse(text) as StatusReport;
      reports.push({ instanceId, authorization, report });
      if (report.status === 'running') {
        running.add(instanceId);
      }
      const status = running.has(instanceId) ? 'running' : report.status;
      response.writeHead(answer).end(JSON.stringify({ status }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports,
    answerWith: (status) => (answer = status),
    reportOf: (instanceId, status) =>
      eventually(`a report that ${instanceId} is ${status}`, () =>
        reports.find((one) => one.instanceId === instanceId && one.report.status === status),
      ),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export interface Rig {
  readonly agent: Agent;
  readonly fleet: Fleet;
  readonly service: FakeService;
  readonly dataDir: string;
  spec(launch?: BuildLaunch, more?: Partial<LaunchSpec>): LaunchSpec;
  /** Pid of the game server, from the agent. */
  pidOf(instanceId: string): Promise<number>;
  /** Another agent on the same data, with further settings. */
  startAgain(more?: Readonly<Record<string, string>>): Promise<Rig>;
  end(): Promise<void>;
}

let launches = 0;

/** `within`: the folder in which the agent's own is made. */
export async function startRig(
  env: Readonly<Record<string, string>> = {},
  within = tmpdir(),
): Promise<Rig> {
  const dataDir = await mkdtemp(join(within, 'muster-fleet-'));
  return rigOn(dataDir, await startFakeService(), env);
}

async function rigOn(
  dataDir: string,
  service: FakeService,
  env: Readonly<Record<string, string>>,
): Promise<Rig> {
  const agent = await startAgent({
    port: 0,
    secret: SECRET,
    dataDir,
    env: { AGENT_GRACE_MS: '3000', AGENT_LEASE_MS: '200', AGENT_SAMPLE: '1', ...env },
  });
  return {
    agent,
    service,
    dataDir,
    fleet: localFleet({ url: agent.url, secret: SECRET }),
    spec: (launch = {}, more = {}) => {
      launches += 1;
      const instanceId = `test-${process.pid}-${launches}`;
      return {
        instanceId,
        serverId: instanceId,
        project: 'dev',
        name: `server ${launches}`,
        region: 'us-east',
        build: { name: 'default', version: 1, label: null, launch, ports: [] },
        computeSize: null,
        matchId: null,
        startupArgs: null,
        customData: {},
        ttlSeconds: null,
        token: `token-${launches}`,
        reportUrl: `${service.url}/v3/servers/${instanceId}/status`,
        ...more,
      };
    },
    pidOf: async (instanceId) => {
      const response = await fetch(`${agent.url}/servers/${instanceId}`, {
        headers: { authorization: `Bearer ${SECRET}` },
      });
      const server: { readonly pid: number } = JSON.parse(await response.text());
      return server.pid;
    },
    startAgain: (more = {}) => rigOn(dataDir, service, { ...env, ...more }),
    end: async () => {
      await agent.stop();
      // Adopting agents leave theirs running; a test that failed leaves nothing.
      for (const pids of (await gameServersBelow(join(dataDir, 'servers'))).values()) {
        pids.forEach(endNow);
      }
      await service.close();
      // A keeper that outlives its agent may still write how its program ended.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One that is gone already is no error. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}
