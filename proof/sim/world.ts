// The whole simulated service of one run: its objects, the network between them, the fleet.

import type { Fresh } from '../../src/common/fresh';
import type { InstanceId } from '../../src/common/ids';
import { seatShare, type Peers } from '../../src/objects/contracts/peers';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import type { ServerRpc } from '../../src/objects/contracts/server';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import { fleetsAmong, ONLY, type Fleets } from '../../src/fleet/fleets';
import { DirectoryActor } from '../../src/objects/directory/actor';
import { MIGRATIONS, migrate } from '../../src/objects/placement/migrations';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { MatchActor } from '../../src/objects/match/actor';
import { ProjectActor } from '../../src/objects/project/actor';
import { PlayersActor } from '../../src/objects/players/actor';
import { QueueActor } from '../../src/objects/queue/actor';
import { RatingsActor } from '../../src/objects/ratings/actor';
import { SeatActor } from '../../src/objects/seat/actor';
import { ServerActor } from '../../src/objects/server/actor';
import type { TellHook } from '../../src/fleet/hook';
import type { Fleet, LaunchSpec, ServerStatus } from '../../src/fleet/port';
import { Weather, type Rates } from './faults';
import type { Op } from './disk';
import { SimFleet, fleetPort } from './fleet';
import type { History } from './history';
import { Journal } from './journal';
import { Loop } from './loop';
import type { Moves } from './moves';
import { Network } from './network';
import { SimBox } from './box';
import { ObjectNode } from './node';
import {
  Broken,
  type Actor,
  type Caller,
  DOCUMENT_AGE,
  newIsolate,
  type CrashPoint,
  type Domain,
  type Kind,
  type Node,
  type Placement,
  type Saved,
  type Surroundings,
} from './parts';
import { Random } from './random';
import { Receiver } from './receiver';

const EPOCH = 1_800_000_000_000;
/**
 * Each run has a project of its own, because caches of the process, like those of an isolate,
 * outlive a run.
 */
let runs = 0;
/** Tombstones last for less time than a run goes on after its end. */
export const JOURNAL = { keepMs: 3_600_000 };

/** A queue that wakes with more tickets reads them in slices. */
const ROWS_A_SLICE = 1;

/** The name of the node outside that hears what matches tell. */
const RECEIVER = 'receiver';
/** The name of the fleet that is asked after the first. */
export const NEXT = 'next';

/** More ids than a run makes: one that goes on from another makes others. */
const OTHER_IDS = 1_000_000;

/** Isolates of the platform: each keeps a project's document for some seconds. */
const ISOLATES = 3;

/** Makes the code of an object. A deliberate bug replaces it. */
export type Makers = Readonly<
  Record<Exclude<Kind, 'fleet' | 'server' | 'match'>, (ports: ActorPorts) => object> & {
    match: (ports: ActorPorts, tell: TellHook) => object;
    server: (ports: ActorPorts, fleet: Fleet, next: Fleet) => object;
  }
>;

export const REAL: Makers = {
  lobby: (ports) => new LobbyActor(ports, undefined, JOURNAL),
  seat: (ports) => new SeatActor(ports),
  directory: (ports) => new DirectoryActor(ports),
  queue: (ports) => new QueueActor(ports, undefined, ROWS_A_SLICE),
  match: (ports, tell) => new MatchActor(ports, tell, JOURNAL),
  project: (ports) => new ProjectActor(ports),
  players: (ports) => new PlayersActor(ports),
  ratings: (ports) => new RatingsActor(ports),
  server: (ports, ...fleets) => serverOf(ports, ...fleets),
};

/** A server with both fleets. Builds that name none run in the first. */
export function serverOf(ports: ActorPorts, fleet: Fleet, next: Fleet): ServerActor {
  const route = { group: null, regions: [], projects: [] };
  const all = [
    { route: { ...route, name: ONLY }, fleet },
    { route: { ...route, name: NEXT }, fleet: next },
  ];
  const both = fleetsAmong(all, () => ports.now());
  const candidates: Fleets['candidates'] = (wanted) =>
    wanted.fleet === null ? [ONLY] : both.candidates(wanted);
  return new ServerActor(ports, { fleets: { ...both, candidates }, publicUrl: 'http://sim' });
}

/** The loop's time, how far all clocks have jumped so far, and how far they were set back in all, in ms. */
export interface Clocks {
  readonly now: number;
  readonly jumped: number;
  readonly setBack: number;
}

export interface WorldOptions {
  readonly seed: number;
  readonly placement: Placement;
  readonly tracing: boolean;
  readonly rates: Rates;
  readonly makers: Makers;
  readonly startMs: number;
  readonly reports: boolean;
  /** Replaces the random faults. */
  readonly weather?: Weather;
  /** Replaces chance in the order of events and in the fleet. */
  readonly luck?: typeof Random;
  /** Replaces random crashes. */
  readonly crashes?: (domain: Domain, point: CrashPoint) => boolean;
  readonly moves?: Moves | null;
  readonly tellsEarly?: boolean;
  /** The clocks of an earlier run as it was cut off, which this one goes on from. */
  readonly since?: Clocks | undefined;
}

/** The observers of a run. */
export interface Watcher {
  committed(node: Saved): void;
  launching(spec: LaunchSpec): void;
  /** The code of an object sends a request. */
  sent?(from: Caller, to: Saved, method: string): void;
  /** An object's code made these writes in one stretch. */
  wrote?(node: Saved, ops: readonly Op[]): void;
}

export class World implements Surroundings {
  readonly loop: Loop;
  readonly random: Random;
  readonly weather: Weather;
  readonly journal: Journal;
  readonly epoch = EPOCH;
  readonly project: string;
  readonly nodes = new Map<string, Node>();
  /** All that have saved anything. A box makes most of them by itself, so they are not among `nodes`. */
  readonly saved = new Set<Node>();
  readonly fleet: SimFleet;
  /** Only builds that name it run there too, after the first. */
  readonly next: SimFleet;
  readonly receiver: Receiver;
  watcher: Watcher | null = null;
  /** Whether its rows are of an earlier run. */
  readonly goesOn: boolean;
  /** What clients see is written there, if anywhere. */
  history: History | null = null;
  behindMs: Surroundings['behindMs'] = () => 0;
  moves: Moves | null;
  readonly tellsEarly: boolean;
  /** How far all clocks have jumped so far. */
  jumped = 0;
  /** Until when no object gets the project's document, of the loop's time. */
  documentsGoneUntil = 0;
  /** How far clocks were set back in all, in ms. */
  setBack = 0;
  readonly #options: WorldOptions;
  readonly #network: Network;
  /** Where all actors live, unless each has an object. */
  readonly #box: SimBox | null;
  readonly #isolates: Fresh<ProjectDocument>[];
  readonly #ids: Random;
  #uuids: number;

  constructor(options: WorldOptions) {
    const { seed, placement, tracing, rates, startMs, reports } = options;
    this.#options = options;
    this.moves = options.moves ?? null;
    this.tellsEarly = options.tellsEarly === true;
    runs += 1;
    this.project = `studio-${runs}`;
    this.journal = new Journal(tracing);
    const { weather = new Weather(new Random(seed, 3), rates), luck = Random } = options;
    this.loop = new Loop(new luck(seed, 1), options.since?.now);
    this.journal.clock = () => this.loop.now;
    this.random = new luck(seed, 2);
    this.weather = weather;
    this.#ids = new Random(seed, 4);
    this.#uuids = options.since === undefined ? 0 : OTHER_IDS;
    this.goesOn = options.since !== undefined;
    this.jumped = options.since?.jumped ?? 0;
    this.setBack = options.since?.setBack ?? 0;
    const { loop, random, journal } = this;
    this.#network = new Network({ loop, weather, journal });
    this.#isolates = Array.from({ length: ISOLATES }, () => newIsolate(loop));
    this.#box = placement === 'box' ? new SimBox(this) : null;
    this.receiver = new Receiver(journal, weather, (id) => this.node('match', id));
    const fleet = {
      loop,
      random,
      weather,
      journal,
      startMs,
      reports,
      report: (spec: LaunchSpec, status: ServerStatus) => {
        const server = this.peersOf(this.client('agent')).server(spec.serverId as InstanceId);
        server.report(spec.token, { status }).catch(() => {
          // The lease finds out what a lost report would have told.
        });
      },
      onLaunch: (spec: LaunchSpec) => this.watcher?.launching(spec),
    };
    this.next = new SimFleet(fleet);
    this.fleet = new SimFleet({ ...fleet, next: this.next });
  }

  uuid(): string {
    this.#uuids += 1;
    return `${this.#ids.below(46_656).toString(36).padStart(3, '0')}.${this.#uuids}`;
  }

  node(kind: Kind, ...name: readonly string[]): Node {
    const key = `${kind}/${name.join('\n')}`;
    let node = this.nodes.get(key);
    if (node === undefined) {
      node =
        this.#box === null || kind === 'fleet'
          ? new ObjectNode(kind, name, this)
          : this.#box.node(kind, ...name);
      this.nodes.set(key, node);
    }
    return node;
  }

  makeActor(kind: Kind, ports: ActorPorts, caller: Caller): Actor {
    const { makers } = this.#options;
    if (kind === 'fleet') {
      const fleet = ports.name[0] === NEXT ? this.next : this.fleet;
      return (ports.name[0] === RECEIVER ? this.receiver : fleet) as unknown as Actor;
    }
    migrate(ports, MIGRATIONS[kind]);
    const ask =
      (outside: string) =>
      (method: string, ...args: readonly unknown[]) =>
        this.#send(caller, this.node('fleet', outside), { method, args, stub: { lastAt: 0 } });
    if (kind === 'server') {
      return makers.server(ports, fleetPort(ask('fleet')), fleetPort(ask(NEXT))) as Actor;
    }
    if (kind === 'match') {
      const tell = ask(RECEIVER);
      return makers.match(ports, async (_, body) => void (await tell('hear', body))) as Actor;
    }
    return makers[kind](ports) as Actor;
  }

  #send(
    from: Caller,
    to: Node,
    request: { method: string; args: readonly unknown[]; stub: { lastAt: number } },
  ): Promise<unknown> {
    this.watcher?.sent?.(from, to, request.method);
    return this.#network.send({ from, to, ...request });
  }

  #stub<Rpc>(from: Caller, kind: Kind, ...name: readonly string[]): Rpc {
    const to = this.node(kind, ...name);
    const stub = { lastAt: 0 };
    const handler: ProxyHandler<object> = {
      get:
        (_, method) =>
        (...args: readonly unknown[]) =>
          this.#send(from, to, { method: String(method), args, stub }),
    };
    return new Proxy({}, handler) as Rpc;
  }

  /** Since when a box serves, by its clock; 0 for objects, which somebody always serves. */
  get upSince(): number {
    return this.#box?.upSince ?? 0;
  }

  peersOf(from: Caller): Peers {
    return {
      lobby: (id) => this.#stub(from, 'lobby', id),
      seat: (project, config, player) =>
        this.#stub(from, 'seat', project, config, seatShare(player)),
      directory: (project, config) => this.#stub(from, 'directory', project, config),
      queue: (project, config, mode) => this.#stub(from, 'queue', project, config, mode),
      match: (id) => this.#stub(from, 'match', id),
      server: (id) => this.#stub<ServerRpc>(from, 'server', id),
      project: (id) => this.#stub(from, 'project', id),
      players: (project, player) => this.#stub(from, 'players', project, seatShare(player)),
      ratings: (project, field) => this.#stub(from, 'ratings', project, field),
    };
  }

  /** A caller from outside. It never crashes, and has no writes to wait for. */
  client(label: string): Caller {
    return { label, gone: false, gate: (send) => send() };
  }

  document(caller: Caller, project: string, now: number): Promise<ProjectDocument> {
    if (this.loop.now < this.documentsGoneUntil) {
      return Promise.reject(new Broken('the document cannot be reached'));
    }
    const isolate = this.#isolates[caller.label.length % ISOLATES] ?? newIsolate(this.loop);
    const read = () => this.peersOf(caller).project(project).document();
    return isolate.young(project, { now, age: DOCUMENT_AGE, read });
  }

  crashes(domain: Domain, point: CrashPoint): boolean {
    return this.#options.crashes?.(domain, point) ?? this.weather.chance('crash');
  }

  committed(node: Node): void {
    this.saved.add(node);
    this.watcher?.committed(node);
  }

  wrote(node: Saved, ops: readonly Op[]): void {
    this.watcher?.wrote?.(node, ops);
  }
}
