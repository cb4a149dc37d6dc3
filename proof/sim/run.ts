// One run: players and faults for a while, then quiet, then all checks.

import type { PlayerId } from '../../src/common/ids';
import {
  DEFAULT_LOBBY_TIMEOUT_SECONDS,
  DEFAULT_QUEUE_PRESENCE_SECONDS,
} from '../../src/lobby/defaults';
import { Always } from './always';
import { backend, referee } from './backend';
import { checkClosed } from './closed';
import { checkQuiet, type Quiet } from './finally';
import { checkOwed } from './owed';
import { Happenings } from './happenings';
import { checkLadders } from './ladders';
import { History } from './history';
import { hosting } from './hosts';
import { Ledger } from './ledger';
import type { Left } from './left';
import { maker } from './made';
import { matching } from './matcher';
import type { Listener } from './listener';
import { movesOf } from './moves';
import type { Placement } from './parts';
import { SimPlayer } from './player';
import { rematching } from './rematch';
import { Random } from './random';
import { restRead } from './rest';
import { resume, resumedScenario } from './resume';
import { CONFIG, scenarioOf, YARD } from './scenario';
import { checkStrays } from './strays';
import { checkSeated } from './always-steered';
import { signalling } from './signals';
import { voting } from './votes';
import { steward } from './steward';
import { keeper } from './warm';
import { REAL, World, type Makers } from './world';

/** No run lasts this long. A run that does is stuck. */
const MAX_STEPS = 40_000;
/** By then, all players have made their requests, or hang. */
const PLAY_LIMIT_MS = 30 * 60_000;
/** Longer than every retry, lease, hold and deadline. */
const QUIET_MS = 200_000;

/** A directory asks after a lobby that it is not sure of, a minute after its end. */
const CODES_ASKED_MS = 75_000;
/** A match that has just formed still confirms, launches, and reports. */
const MATCH_FORMS_MS = 60_000;

export interface Outcome {
  readonly seed: number;
  readonly steps: number;
  readonly virtualMs: number;
  readonly counts: ReadonlyMap<string, number>;
  /** The number of checks. */
  readonly checks: number;
  readonly violations: readonly string[];
  readonly trace: readonly string[];
  /** What clients saw, as lines for the judge. Empty unless it was asked for. */
  readonly history: string;
}

export interface RunOptions {
  readonly tracing?: boolean;
  readonly makers?: Makers;
  /** `objects` unless told otherwise. */
  readonly placement?: Placement;
  /** Writes what clients see, and goes on after a violation: the judge finds it, or not, without the checker. */
  readonly history?: boolean;
  /** Whether the owner of a box moves in each seed, and not in some. */
  readonly moves?: boolean;
  /** A deliberate bug: a box answers before its writes are durable. */
  readonly tellsEarly?: boolean;
  /** What an earlier run left behind, which this one goes on from. */
  readonly left?: Left;
}

export async function run(seed: number, options: RunOptions = {}): Promise<Outcome> {
  const { left } = options;
  const scenario = left === undefined ? scenarioOf(seed) : resumedScenario(left);
  const { rates, startMs, reports } = scenario;
  const { tracing = false, makers = REAL, placement = 'objects' } = options;
  const how = { seed, placement, tracing, rates, makers, startMs, reports };
  const moves = movesOf(seed, options.moves === true);
  const world = new World({ ...how, moves, tellsEarly: options.tellsEarly === true, since: left });
  const ledger = new Ledger();
  const { queuePresenceSeconds: presence } = scenario.config;
  const heartbeatConfigs = new Set(scenario.config.heartbeat ? [CONFIG, YARD] : []);
  const always = new Always(world, ledger, {
    heartbeatConfigs,
    // A config that is switched off for a while leaves the default in force.
    idleMs: Math.min(scenario.config.timeout, DEFAULT_LOBBY_TIMEOUT_SECONDS) * 1_000,
    presenceMs: (presence === 0 ? DEFAULT_QUEUE_PRESENCE_SECONDS : presence) * 1_000,
  });
  const random = new Random(seed, 5);
  const listeners = new Set<Listener>();
  const crowd = { world, random, ledger, always, scenario, listeners };
  const quiet: Quiet = crowd;
  if (left === undefined) {
    world.watcher = always;
  } else {
    resume(crowd, left);
  }
  if (options.history === true) {
    world.history = new History(`sim ${placement}, seed ${seed}`, () => world.loop.now);
    world.receiver.history = world.history;
  }
  const broken = (): boolean =>
    (world.history === null && world.journal.violations.length > 0) || world.loop.steps > MAX_STEPS;
  try {
    await play(crowd, broken, left === undefined);
    await settle(quiet, broken);
    if (!broken()) {
      checkQuiet(quiet);
      checkLadders(quiet);
      checkSeated(always.lobbies, always.matches, world.journal);
    }
    // To read is a sign of life, which lobbies save.
    if (world.history !== null && !broken()) {
      await restRead(crowd, world.history);
    }
    if (!broken()) {
      await checkOwed(quiet, broken);
      await checkStrays(quiet, broken);
    }
    if (scenario.closes && !broken()) {
      await checkClosed(quiet, broken);
    }
  } catch (error) {
    world.journal.violation(`the run threw: ${stackOf(error)}`);
  }
  await breath();
  world.journal.check(world.loop.steps <= MAX_STEPS, () => `still busy after ${MAX_STEPS} steps`);
  return {
    seed,
    steps: world.loop.steps,
    virtualMs: world.loop.now,
    counts: world.journal.counts,
    checks: world.journal.checks,
    violations: world.journal.violations,
    trace: world.journal.lines,
    history: world.history?.text ?? '',
  };
}

/** The loop never leaves room for what else the process has to do, a rejection nobody saw among it. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function play(
  crowd: Quiet & { random: Random; listeners: Set<Listener> },
  broken: () => boolean,
  isNew: boolean,
): Promise<void> {
  const { world, scenario } = crowd;
  let isOver = false;
  let failure: unknown = null;
  const happenings = new Happenings(crowd);
  const playing = (async () => {
    await (isNew ? happenings.found() : happenings.saveBuild());
    void happenings.go(() => isOver).catch(failed);
    void referee(crowd, () => isOver).catch(failed);
    void hosting(crowd, () => isOver).catch(failed);
    void voting(crowd, () => isOver).catch(failed);
    void signalling(crowd, () => isOver).catch(failed);
    void steward(crowd, () => isOver).catch(failed);
    void keeper(crowd, () => isOver).catch(failed);
    void maker(crowd, () => isOver).catch(failed);
    void matching(crowd, () => isOver).catch(failed);
    void rematching(crowd, () => isOver).catch(failed);
    const said = backend(world, scenario);
    const players = Array.from({ length: scenario.players }, (_, index) =>
      new SimPlayer(`p${index + 1}` as PlayerId, crowd).play(),
    );
    await Promise.all([...players, said]);
    isOver = true;
  })();
  playing.catch(failed);
  function failed(error: unknown): void {
    failure ??= error;
  }
  await world.loop.run(
    world.loop.now + PLAY_LIMIT_MS,
    () => isOver || failure !== null || broken(),
  );
  if (failure !== null) {
    world.journal.violation(`a client threw: ${stackOf(failure)}`);
  }
  world.journal.check(isOver || broken(), () => 'a request hangs without an answer');
}

/** No new faults. Objects without work are let go, as the platform does: alarms must do. */
async function settle({ world, always }: Quiet, broken: () => boolean): Promise<void> {
  world.journal.say(() => '=== quiet');
  world.weather.calm();
  world.moves = null;
  world.history?.note({ at: Math.max(world.loop.now, world.documentsGoneUntil), calm: true });
  const evicts = world.random.chance(0.5);
  for (const node of evicts ? world.nodes.values() : []) {
    if (node.isIdle) {
      node.crash('idle');
    }
  }
  await world.loop.run(Math.max(world.loop.now, world.documentsGoneUntil) + QUIET_MS, broken);
  const settledAt = (): number =>
    Math.max(always.lastOpenedAt + MATCH_FORMS_MS, always.lastDeletedAt + CODES_ASKED_MS);
  while (world.loop.now < settledAt() && !broken()) {
    await world.loop.run(settledAt(), broken);
  }
}
