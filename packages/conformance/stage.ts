// A real Muster with all that the programs need of it: configs, a friend in the lobby, game servers, and the line between.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Player, type Stream } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { type Front, openFront, type PlayersLine } from './front.ts';

export const CONFIG = 'arena';
/** Its game servers are the programs under test. */
const SERVED = 'served';
const SECRET = 'a secret of the conformance that nobody else knows';

interface Launch {
  readonly instanceId: string;
  readonly serverId: string;
  readonly token: string;
  readonly reportUrl: string;
  readonly customData: object;
  readonly seats?: { readonly keys: readonly object[]; readonly url: string };
}

const MODES = {
  solo: { teams: 1, playersPerTeam: 1, timeout: 60 },
  agreed: { teams: 1, playersPerTeam: 1, timeout: 60, matchConfirmation: { enabled: true } },
  // So large that the lobbies of other programs never fill them.
  large: { teams: 2, playersPerTeam: 50, timeout: 60 },
  never: { teams: 2, playersPerTeam: 50, timeout: 5 },
  duel: { teams: 2, playersPerTeam: 1, timeout: 60 },
};

/** A fleet whose game servers are the programs under test: it keeps each launch for whoever starts one. */
async function fleetOfLaunches(): Promise<{
  readonly url: string;
  readonly launches: Launch[];
  readonly close: () => void;
}> {
  const launches: Launch[] = [];
  const server = createServer((request, answer) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) {
        body += String(chunk);
      }
      if (request.method === 'POST' && request.url === '/servers') {
        launches.push(JSON.parse(body) as Launch);
      }
      const port = { name: 'game_udp', host: '127.0.0.1', protocol: 'udp', tls_enabled: false };
      const ports = [{ ...port, external_port: 7777, internal_port: 7777 }];
      const said = request.method === 'DELETE' ? {} : { state: 'running', ports };
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    launches,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export class Stage {
  readonly folder: string;
  readonly front: Front;
  readonly operator: Player;
  readonly #launches: readonly Launch[];
  readonly #start: () => Promise<Service>;
  readonly #closeFleet: () => void;
  #service: Service;
  #arrived = 0;
  #expected = 0;
  #restarted: Promise<void> | null = null;
  #release: () => void = () => undefined;
  #isQuiet: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, { front, service, start, fleet }: Opening) {
    this.folder = folder;
    this.front = front;
    this.#service = service;
    this.#start = start;
    this.#launches = fleet.launches;
    this.#closeFleet = fleet.close;
    this.operator = new Player(service.url, 'operator', service.serverKey);
  }

  static async open(): Promise<Stage> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-conformance-'));
    const fleet = await fleetOfLaunches();
    const fleets = [
      { kind: 'simulated', name: 'simulated' },
      { kind: 'http', name: 'served', url: fleet.url, secretEnv: 'FLEET_SECRET' },
    ];
    const env = { FLEETS: JSON.stringify(fleets), FLEET_SECRET: SECRET, LIMITS: 'off' };
    const dataDir = join(folder, 'data');
    const service = await startService({ port: 0, dataDir, devKeys: true, env });
    const { port } = service;
    const start = (): Promise<Service> => startService({ port, dataDir, devKeys: true, env });
    const stage = new Stage(folder, { front: await openFront(service.url), service, start, fleet });
    const { operator } = stage;
    await operator.ok('PUT', '/builds/served', { launch: { fleet: 'served' } });
    const spectators = { max: 9, delaySeconds: 0 };
    const matchmaking = { modes: MODES };
    const config = { matchmaking, maxPlayers: 4, heartbeat: true, spectators };
    await operator.ok('PUT', `/lobby-configs/${CONFIG}`, config);
    await operator.ok('PUT', '/lobby-configs/hall', config);
    await operator.ok('PUT', `/lobby-configs/${SERVED}`, {
      ...config,
      serverSettings: { gameBuild: 'served' },
    });
    return stage;
  }

  get url(): string {
    return this.#service.url;
  }

  /** A config in which its players meet nobody else. */
  async ownConfig(name: string): Promise<string> {
    const matchmaking = { modes: { duel: MODES.duel } };
    await this.operator.ok('PUT', `/lobby-configs/${name}`, { matchmaking });
    return name;
  }

  friend(name: string): Player {
    return new Player(this.url, name);
  }

  line(player: string): PlayersLine {
    return this.front.line(player);
  }

  events(player: string): Promise<Stream> {
    return this.friend(player).events(CONFIG);
  }

  /** So many programs wait for a restart, which begins when all are there and `others` are done. */
  expect(count: number, others: Promise<unknown>): void {
    this.#expected = count;
    this.#isQuiet = others;
  }

  /** Of a program that ends before it comes to the restart. */
  leave(): void {
    this.#expected -= 1;
    this.#look();
  }

  /** Resolves when Muster is back. It is killed, as in a power cut. */
  restart(): Promise<void> {
    this.#arrived += 1;
    this.#restarted ??= new Promise<void>((resolve) => {
      this.#release = resolve;
    }).then(async () => {
      await this.#isQuiet;
      await this.#service.kill();
      this.#service = await this.#start();
    });
    this.#look();
    return this.#restarted;
  }

  #look(): void {
    if (this.#arrived >= this.#expected) {
      this.#release();
    }
  }

  /** What the game server of the player's match is told, in a file as an agent writes it; and the player's ticket. */
  async servedMatch(one: string, other: string): Promise<{ config: string; ticket: string }> {
    const streams: Stream[] = [];
    for (const name of [one, other]) {
      const player = this.friend(name);
      await player.ok('POST', `/lobbies/${SERVED}`, { name });
      streams.push(await player.events(SERVED));
      await player.ok('POST', `/lobbies/${SERVED}/me/matchmaking`, { mode: 'duel' });
    }
    type Seen = {
      status: string;
      server: { instance_id: string; status: string; ticket?: string };
    };
    const { data } = await (streams[0] as Stream).until(({ data: lobby }) => {
      const seen = lobby as Seen | null;
      return seen?.status === 'in_game' && seen.server.status === 'running';
    });
    streams.forEach((stream) => stream.close());
    const { server } = data as Seen;
    const launch = this.#launches.find(({ serverId }) => serverId === server.instance_id);
    if (launch === undefined || server.ticket === undefined) {
      throw new Error(`no launch of ${server.instance_id}`);
    }
    const config = join(this.folder, `${one}.json`);
    const told = {
      instance_id: launch.serverId,
      report_url: new URL(launch.reportUrl, this.url).href,
      token: launch.token,
      seat_keys: { keys: launch.seats?.keys ?? [] },
      custom_data: launch.customData,
    };
    await writeFile(config, JSON.stringify(told));
    return { config, ticket: server.ticket };
  }

  async close(): Promise<void> {
    this.front.close();
    await this.#service.stop();
    this.#closeFleet();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface Opening {
  readonly front: Front;
  readonly service: Service;
  readonly start: () => Promise<Service>;
  readonly fleet: Awaited<ReturnType<typeof fleetOfLaunches>>;
}
