// What runs leave behind when the power goes in the middle of them, a line a seed. `npm run sim -- --from-rows VERSION` runs
// this in the tree of that version, so it uses only what the simulation of each version has (proof/sim/resume.ts).

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import type { LaunchSpec } from '../../src/fleet/port';
import { Always } from './always';
import { backend, referee } from './backend';
import type { Crowd } from './client';
import type { Rows } from './disk';
import { Happenings } from './happenings';
import { hosting } from './hosts';
import { Ledger } from './ledger';
import type { Kind, Placement, Saved } from './parts';
import { SimPlayer } from './player';
import { Random } from './random';
import { CONFIG, scenarioOf, type Scenario } from './scenario';
import { steward } from './steward';
import { REAL, World, type Clocks } from './world';

export interface Left extends Clocks {
  readonly seed: number;
  readonly project: string;
  readonly scenario: Omit<Scenario, 'stateOf'>;
  readonly nodes: readonly {
    readonly kind: Kind;
    readonly name: readonly string[];
    readonly rows: Rows;
    readonly alarm: number | null;
  }[];
  /** Servers that run. */
  readonly servers: readonly LaunchSpec[];
  /** What the backend has heard of each match. */
  readonly heard: readonly (readonly [MatchId, readonly string[]])[];
  /** What players were promised, and what they had asked for. */
  readonly members: readonly (readonly [member: string, keys: readonly string[]])[];
  readonly settings: readonly (readonly [LobbyId, readonly string[]])[];
  readonly mayLeave: readonly (readonly [PlayerId, LobbyId])[];
  readonly mayEnd: readonly LobbyId[];
}

/** The defaults of every version so far. Each has them in another file. */
const IDLE_SECONDS = 300;
const PRESENCE_SECONDS = 30;
/** The power goes after so many steps at most, and often much earlier. */
const MOST_STEPS = 4_000;
const LONGEST_MS = 30 * 60_000;
/** What a run may be given besides, of streams that nothing else draws from. */
const STREAM = 77;

async function left(seed: number, placement: Placement): Promise<Left> {
  const scenario = scenarioOf(seed);
  const { rates, startMs, reports } = scenario;
  const of = { seed, placement, rates, startMs, reports, tracing: false, makers: REAL };
  const world = new World(of);
  const ledger = new Ledger();
  const { heartbeat, timeout, queuePresenceSeconds: presence } = scenario.config;
  const always = new Always(world, ledger, {
    heartbeatConfigs: new Set(heartbeat ? [CONFIG] : []),
    idleMs: Math.min(timeout, IDLE_SECONDS) * 1_000,
    presenceMs: (presence === 0 ? PRESENCE_SECONDS : presence) * 1_000,
  });
  // A box makes actors of its own accord, so the world does not know all.
  const nodes = new Set<Saved>();
  world.watcher = {
    committed: (node) => {
      nodes.add(node);
      always.committed(node);
    },
    launching: (spec) => always.launching(spec),
  };
  const random = new Random(seed, 5);
  const crowd: Crowd = { world, random, ledger, always, scenario, listeners: new Set() };
  const cut = Math.exp(new Random(seed, STREAM).between(Math.log(200), Math.log(MOST_STEPS)));
  let isFounded = false;
  let isOver = false;
  let failure: unknown = null;
  const failed = (error: unknown): void => {
    failure ??= error;
  };
  const playing = async (): Promise<void> => {
    const happenings = new Happenings(crowd);
    await happenings.found();
    isFounded = true;
    void happenings.go(() => isOver).catch(failed);
    for (const others of [referee, hosting, steward]) {
      void others(crowd, () => isOver).catch(failed);
    }
    const players = playersOf(scenario).map((id) => new SimPlayer(id, crowd).play());
    await Promise.all([...players, backend(world, scenario)]);
    isOver = true;
  };
  playing().catch(failed);
  await world.loop.run(
    LONGEST_MS,
    () => failure !== null || (isFounded && (isOver || world.loop.steps > cut)),
  );
  if (failure !== null || !isFounded) {
    throw new Error(`seed ${seed} leaves nothing`, { cause: failure });
  }
  world.nodes.forEach((node) => node.crash('in a power cut'));
  return { seed, ...leftIn(crowd), nodes: [...nodes].map(savedOn) };
}

function playersOf({ players }: Scenario): readonly PlayerId[] {
  return Array.from({ length: players }, (_, index) => `p${index + 1}` as PlayerId);
}

function leftIn({ world, ledger, always, scenario }: Crowd): Omit<Left, 'seed' | 'nodes'> {
  const { stateOf: _, ...plain } = scenario;
  const lobbies = [...always.lobbies.values()];
  const hostless = lobbies.filter(({ id, host }) => ledger.isReplaced(host, id));
  const ids = new Set([...always.lobbies.keys(), ...lobbiesIn(ledger)]);
  const may = [...ids].flatMap((id) => playersOf(scenario).map((player) => [player, id] as const));
  return {
    project: world.project,
    now: world.loop.now,
    jumped: world.jumped,
    setBack: world.setBack,
    scenario: plain,
    servers: world.fleet.alive().flatMap((id) => world.fleet.specOf(id) ?? []),
    heard: [...world.receiver.heard],
    members: Array.from(ledger.members, ([member, { keys }]) => [member, [...keys]] as const),
    settings: Array.from(ledger.settings, ([id, keys]) => [id, [...keys]] as const),
    mayLeave: may.filter(([player, id]) => ledger.mayLeave(player, id)),
    mayEnd: hostless.map(({ id }) => id),
  };
}

function savedOn({ kind, name, disk }: Saved): Left['nodes'][number] {
  return { kind, name, rows: [...disk.rows], alarm: disk.alarm };
}

function lobbiesIn({ members }: Ledger): readonly LobbyId[] {
  return Array.from(members.keys(), (member) => member.split(' ')[1] as LobbyId);
}

/** Rows are plain data. A field that is undefined is absent afterwards. */
function asJson(key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${key} is ${value}, which JSON does not hold`);
  }
  return value;
}

const [placement, from, seeds] = process.argv.slice(2) as [Placement, string, string];

// In code of a dead incarnation, which nobody awaits.
process.on('unhandledRejection', () => {});

for (let seed = Number(from); seed < Number(from) + Number(seeds); seed += 1) {
  console.log(JSON.stringify(await left(seed, placement), asJson));
}
