// Torture: players do everything at random while the service is killed at random and started again
// on the same data, game servers among it; between rounds all is left to come to rest, and a
// checker compares what it finds with what was acknowledged.

import { EventEmitter } from 'node:events';
import type { FSWatcher } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Placement, ServiceOptions } from '../../scripts/service.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { gameServersOfService } from '../../test/support/processes.ts';
import { Backend } from './backend.ts';
import type { Bystander } from './bystander.ts';
import { Checker } from './checker.ts';
import { TwoInstances } from './cluster.ts';
import { CONFIGS, configsWith, MODES } from './configs.ts';
import { startEdge } from './edge.ts';
import { Facts } from './facts.ts';
import { Filler, mountSmallDisk } from './filler.ts';
import { History } from './history.ts';
import { BOXED, startImages } from './images.ts';
import type { Images } from './images.ts';
import { Killer } from './killer.ts';
import { EVERYWHERE, Log, loggedEvents } from './log.ts';
import { leftOn, watchLaunches } from './machine.ts';
import { Outcast } from './outcast.ts';
import { takePicture } from './picture.ts';
import { Random } from './random.ts';
import { Traffic } from './traffic.ts';
import { Board, Gate, newTally, operatorOf } from './world.ts';
import type { Tally, World } from './world.ts';

export interface TortureOptions {
  readonly kills: number;
  readonly seed: number;
  /** In each of the two configs. */
  readonly players?: number;
  /** Mean pause of a player between two requests. */
  readonly pauseMs?: number;
  /** From the start of the service to the next kill. */
  readonly killAfterMs?: readonly [number, number];
  readonly killsPerRound?: number;
  /** The bundle. Absent: it is made. */
  readonly worker?: string;
  /** Default: `box`. `edge` runs under `wrangler dev`; `cluster` is a box on two instances, which share a simulated bucket. */
  readonly placement?: Placement | 'edge' | 'cluster';
  /** By how much the lease of an instance, 20 s, is divided. */
  readonly divisor?: number;
  /** A file for what clients saw (`npm run judge`). */
  readonly history?: string;
  /** The disk fills and empties all the while. */
  readonly fullDisk?: boolean;
  /** Every second server runs in a container, where there is a Podman. */
  readonly images?: boolean;
  readonly tell?: (line: string) => void;
}

export interface TortureReport {
  readonly seed: number;
  readonly tally: Tally;
  readonly answers: ReadonlyMap<string, number>;
  readonly violations: readonly { readonly what: string; readonly timeline: readonly string[] }[];
  readonly lobbies: number;
  readonly matches: number;
  /** Lobby readings judged, values compared with what was acknowledged, matches shown by a launch. */
  readonly judged: number;
  readonly compared: number;
  readonly proved: number;
  readonly slowestRestMs: number;
  /** What happened to two instances. */
  readonly struck: ReadonlyMap<string, number>;
  /** How often the disk was full. */
  readonly fillings: number;
  readonly seconds: number;
  /** Of the service's own log, by event. */
  readonly logged: ReadonlyMap<string, number>;
  /** Kept when there was a violation. */
  readonly dataDir: string;
}

const TOO_MANY_VIOLATIONS = 5;
/** After a minute a directory asks whether a lobby is there whose founding was killed. Nothing else takes longer. */
const REST_MS = 75_000;
const KILLS_MS = [400, 1_400] as const;
/** `wrangler dev` needs longer until all of it is warm. */
const EDGE_KILLS_MS = [3_000, 6_000] as const;

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-torture-'));
  const unmount = options.fullDisk === true ? mountSmallDisk(dataDir) : null;
  const { placement = 'box', tell = () => undefined } = options;
  const fleetDir = join(dataDir, 'fleet');
  const images = options.images === true ? await startImages(fleetDir, tell) : null;
  const instances =
    placement === 'cluster'
      ? new TwoInstances(new Random(options.seed + 1), options.divisor ?? 1)
      : null;
  const launch =
    placement === 'edge' ? startEdge : instances && ((of: ServiceOptions) => instances.launch(of));
  const running = await startAll({
    port: 0,
    dataDir,
    ...(options.worker === undefined ? {} : { worker: options.worker }),
    ...(launch === null ? { placement: placement as Placement } : { launch }),
    // A few players ask as much as thousands.
    // The backend listens on this machine.
    env: { LIMITS: 'off', PRIVATE_PROVIDERS: '1' },
    // Servers without an owner are found soon.
    agentEnv: {
      ...images?.env,
      AGENT_LEASE_MS: '2000',
      AGENT_MAX_SERVERS: '60',
      AGENT_GRACE_MS: '2000',
    },
  });
  const run = new Run({ running, images, instances }, dataDir, options);
  try {
    await run.all();
  } finally {
    await run.end();
    await images?.end();
  }
  const report = await run.report();
  if (report.violations.length === 0) {
    unmount?.();
    await rm(dataDir, { recursive: true, force: true });
  }
  return report;
}

interface Tortured {
  readonly running: Running;
  readonly images: Images | null;
  readonly instances: TwoInstances | null;
}

class Run {
  readonly #running: Running;
  readonly #instances: TwoInstances | null;
  readonly #dataDir: string;
  readonly #options: TortureOptions;
  readonly #world: World;
  readonly #traffic: Traffic;
  readonly #checker: Checker;
  readonly #killer: Killer;
  readonly #filler: Filler;
  readonly #bystanders: readonly Bystander[];
  readonly #begun = performance.now();
  readonly #tell: (line: string) => void;
  #isWatching = true;
  #watching: Promise<void>;
  #launches: FSWatcher | null = null;
  #matches = 0;
  #lobbies = 0;
  #proved = 0;
  #slowestRestMs = 0;

  constructor({ running, images, instances }: Tortured, dataDir: string, options: TortureOptions) {
    const { seed, players = 30, pauseMs = 250, tell = () => undefined } = options;
    const log = new Log();
    this.#running = running;
    this.#dataDir = dataDir;
    this.#options = options;
    this.#tell = tell;
    const random = new Random(seed);
    this.#world = {
      url: running.url,
      serverKey: running.serverKey,
      log,
      facts: new Facts(log),
      board: new Board(),
      up: new Gate(),
      tally: newTally(),
      answers: new Map(),
      started: [],
      ended: [],
      launchedWith: new Map(),
      stopped: new Map(),
      declined: [],
      history:
        options.history === undefined
          ? null
          : new History(options.history, `torture ${options.placement ?? 'box'}, seed ${seed}`),
      asked: new EventEmitter(),
      images,
      lateMs: instances?.lateMs ?? 0,
    };
    this.#instances = instances;
    this.#traffic = new Traffic(this.#world, { players, pauseMs, random: random.fork() });
    this.#killer = new Killer(this.#world, running, {
      random: random.fork(),
      instances,
      afterMs: options.killAfterMs ?? (options.placement === 'edge' ? EDGE_KILLS_MS : KILLS_MS),
    });
    this.#checker = new Checker(this.#world);
    const { history } = this.#world;
    const others = { players, random: random.fork() };
    this.#bystanders =
      history === null
        ? []
        : [new Outcast(this.#world, history), new Backend(this.#world, history, others)];
    this.#filler = new Filler(dataDir, (what) => log.note([EVERYWHERE], what));
    this.#watching = this.#watchProcesses();
  }

  async all(): Promise<void> {
    this.#launches = await watchLaunches(join(this.#dataDir, 'fleet'), this.#world);
    const { kills, killsPerRound = 25 } = this.#options;
    const operator = operatorOf(this.#world);
    const { images } = this.#world;
    if (images !== null) {
      await operator.ok('PUT', `/builds/${BOXED}`, images.build);
    }
    for (const [name, config] of configsWith(images === null ? null : BOXED)) {
      const answered = this.#world.history?.asks(null, `PUT /v3/lobby-configs/${name}`, config);
      const saved = await operator.ok('PUT', `/lobby-configs/${name}`, config);
      answered?.({ status: 200, body: saved });
      for (const [mode, { promised }] of Object.entries(MODES)) {
        this.#world.facts.searches.promise(name, mode, promised);
      }
    }
    for (const each of this.#bystanders) {
      await each.begin();
    }
    for (let left = kills; left > 0 && !this.#isHopeless; left -= killsPerRound) {
      await this.#round(Math.min(left, killsPerRound));
    }
    await this.#readAtRest();
  }

  /** The end of a history: everybody reads all that it may, the players twice. */
  async #readAtRest(): Promise<void> {
    const { history } = this.#world;
    if (history === null) {
      return;
    }
    history.note({ rest: true });
    for (const client of [...this.#traffic.clients, ...this.#traffic.clients]) {
      await client.get();
    }
    const operator = operatorOf(this.#world);
    for (const config of Object.keys(CONFIGS)) {
      await history.call(operator, `GET /lobbies/${config}?limit=100`);
    }
    const known = [...history.matches];
    for (const id of known) {
      await history.call(operator, `GET /matches/${id}`);
    }
    for (const each of this.#bystanders) {
      await each.readAtRest();
    }
  }

  get #isHopeless(): boolean {
    return this.#world.log.violations.length >= TOO_MANY_VIOLATIONS;
  }

  async #round(kills: number): Promise<void> {
    this.#traffic.start();
    this.#bystanders.forEach((each) => each.start());
    if (this.#options.fullDisk === true) {
      this.#filler.start();
    }
    for (let count = 0; count < kills && !this.#isHopeless; count += 1) {
      await this.#killer.strike();
    }
    await this.#filler.stop();
    await sleep(this.#killer.leastMs);
    await Promise.all([this.#traffic, ...this.#bystanders].map((each) => each.stop()));
    await this.#rest();
    const { tally, log, facts } = this.#world;
    this.#tell(
      `${String(tally.kills).padStart(5)} kills  ${tally.asked} requests, ${tally.done} accepted, ` +
        `${tally.lost} in doubt; ${this.#lobbies} lobbies, ${this.#matches} matches; ` +
        `${facts.compared} comparisons; ${log.violations.length} violations`,
    );
  }

  /** Checks until everything is in its final state. Whatever is not by then is a violation. */
  async #rest(): Promise<void> {
    const { log } = this.#world;
    const begun = performance.now();
    const until = begun + REST_MS;
    log.note([EVERYWHERE], '--- the traffic rests');
    for (let pauseMs = 250, last = ''; ; pauseMs = Math.min(pauseMs * 1.5, 2_000)) {
      const picture = await takePicture(this.#world, this.#traffic.clients);
      this.#checker.judge(picture, this.#traffic.clients);
      const unsettled = this.#checker.unsettled(picture, this.#traffic.clients);
      if (unsettled.length === 0 || performance.now() > until) {
        unsettled.forEach(({ what, tags }) => log.violation(what, tags));
        this.#proved += this.#checker.prove(picture);
        const matches = [...picture.servers.values()].filter((each) => each.match_id !== null);
        this.#matches = matches.length;
        this.#lobbies = this.#world.facts.lobbiesSeen;
        this.#slowestRestMs = Math.max(this.#slowestRestMs, performance.now() - begun);
        if (last !== '') {
          this.#tell(`      at last it waited for this: ${last}`);
        }
        return;
      }
      last = unsettled[0]?.what ?? '';
      await sleep(pauseMs);
    }
  }

  /** All the time: never two processes of one instance. */
  async #watchProcesses(): Promise<void> {
    while (this.#isWatching) {
      const servers = await gameServersOfService(this.#world.url);
      for (const [instance, pids] of servers) {
        if (pids.length > 1) {
          const what = `server ${instance} has ${pids.length} processes: ${pids.join(', ')}`;
          this.#world.log.violation(what, [EVERYWHERE], `processes of ${instance}`);
        }
      }
      await sleep(300);
    }
  }

  /** Stops everything. A process that still runs after that is an orphan. */
  async end(): Promise<void> {
    this.#traffic.hangUp();
    this.#isWatching = false;
    this.#launches?.close();
    await this.#filler.stop();
    await this.#watching;
    await this.#running.stop();
    this.#bystanders.forEach((each) => each.end());
    await this.#world.history?.end();
    let orphans = await leftOn(this.#dataDir, this.#world);
    for (let tries = 0; tries < 20 && orphans.length > 0; tries += 1) {
      await sleep(100);
      orphans = await leftOn(this.#dataDir, this.#world);
    }
    if (orphans.length > 0) {
      this.#world.log.violation(`orphans: ${orphans.join('; ')}`, [EVERYWHERE]);
    }
  }

  async report(): Promise<TortureReport> {
    const { log, facts, tally, answers } = this.#world;
    return {
      seed: this.#options.seed,
      tally,
      answers,
      violations: log.violations.map((violation) => ({
        what: violation.what,
        timeline: log.timeline(violation),
      })),
      lobbies: this.#lobbies,
      matches: this.#matches,
      judged: facts.judged,
      compared: facts.compared,
      proved: this.#proved,
      slowestRestMs: Math.round(this.#slowestRestMs),
      fillings: this.#filler.times,
      struck: new Map<string, number>([
        ...(this.#instances?.struck ?? []),
        ['ended by itself', this.#instances?.endedAlone ?? 0],
      ]),
      seconds: Math.round((performance.now() - this.#begun) / 1000),
      logged: await loggedEvents(join(this.#dataDir, 'service.log')),
      dataDir: this.#dataDir,
    };
  }
}
