// Starts a server: tries one fleet after the other, and saves each step before the next call.
//
// The next fleet is tried only after the last one was certain that nothing runs or will run there under this id
// (no_capacity, refused). A fleet that does not answer may have started the server, so only that fleet is called
// again, with the same id. If it stays silent, the launch has failed and the fleet is owed a stop. The launch also
// fails if that fleet then says no, because the unanswered call may still arrive. Where the build names the fleets in
// order, or waits for room, that id is given up instead: the next try has another one.

import type { Fleet, Launched, LaunchSpec } from '../../fleet/port';
import type { Wanted } from '../../fleet/fleets';
import { namedPorts } from '../../fleet/ports';
import { messageOf } from '../../common/result';
import { argumentsIn, type Build } from '../../fleet/build';
import { own } from '../../common/named';
import type { ProjectDocument } from '../contracts/project';
import { jwksOf } from '../contracts/secrets';
import { backoff, pause, within } from '../../common/later';
import type { ServerCore, Told } from './core';
import { firstWord, LAUNCH_LIMIT_MS } from './hearing';
import { electHost, isHosted } from './hosting';
import { hasTurn, patienceMs, standInLine, type Turn } from './line';
import {
  endsAt,
  givenUp,
  type Instance,
  instanceAfter,
  isFirst,
  isWarm,
  runIdOf,
  taken,
} from './state';
import { refusal, type Reply } from '../../lobby/refusals';
import type { LaunchOrder } from '../contracts/server';
import { jsonBytes } from '../../common/json';

/** How long a fleet may be silent where the build names another fleet to ask next. */
const SLOW_MS = 5_000;
const RETRIES = { first: 500, last: 4_000 };

/** Ends when a fleet has accepted the server, or when none will. Then the instance says why. */
export async function launchServer(core: ServerCore): Promise<void> {
  const turn: Turn = { hasCome: false };
  for (let tries = 0; ; tries += 1) {
    await previousGone(core);
    const chosen = await choose(core, turn);
    if (chosen === null) {
      return;
    }
    const launched = await asked(core, chosen);
    const instance = core.awaiting;
    if (instance === null) {
      if (core.instance?.status === 'stopped') {
        // It was stopped during the call. The stop may have arrived first, so it is sent again.
        core.save(core.instance, ['fleet']);
      }
      return;
    }
    if (instance.run !== chosen.run) {
      // The server ran and was restarted before its fleet had answered.
      continue;
    }
    if (launched.ok) {
      const patch = { ...taken(instance), ports: namedPorts(launched.ports, instance.asked) };
      // A match of a queue reports a failure to its lobbies at any time, and nobody waits for its answer.
      const { owner, isStart } = instance.order;
      const isAwaited = owner.kind !== 'match' || isStart === true;
      if (chosen.fleet.tells === true && isFirst(instance) && isAwaited) {
        core.firstWord = firstWord(core.ports);
      }
      // Who waited in line was answered that long ago.
      const whom: readonly Told[] = instance.waiting ? ['owner', 'project'] : ['project'];
      core.save(instanceAfter(instance, patch, core.ports.now()), whom);
      return;
    }
    declined(core, instance, { ...launched, ...chosen.how });
    if (core.awaiting !== null && core.awaiting.fleet !== null) {
      await pause(backoff(tries, RETRIES), core.ports);
    }
  }
}

/**
 * Ends the previous run and waits until its fleet confirms that nothing of it is left: two runs of a server must not
 * share its world. If the fleet does not confirm in time, the launch fails.
 */
async function previousGone(core: ServerCore): Promise<void> {
  for (;;) {
    const instance = core.awaiting;
    const before = instance?.before ?? null;
    if (instance === null || before === null) {
      return;
    }
    const isGone = await endIn(core.around.fleets.named(before.fleet), before.id);
    const now = core.awaiting;
    if (now === null || now.run !== instance.run) {
      continue;
    }
    if (isGone) {
      // The time that this took does not count for the next fleet.
      core.save({ ...now, before: null, launchedAt: core.ports.now() }, []);
    } else if (core.hasTaken(LAUNCH_LIMIT_MS, now)) {
      core.fail('The fleet did not stop the server for its restart');
    } else {
      await pause(RETRIES.first, core.ports);
    }
  }
}

/** Stops the id there and returns whether nothing of it runs. False also if the fleet could not be asked. */
async function endIn(fleet: Fleet | null, id: string): Promise<boolean> {
  try {
    await fleet?.stop(id);
    const state = fleet === null ? 'unknown' : (await fleet.inspect(id)).state;
    return state === 'stopped' || state === 'unknown';
  } catch {
    return false;
  }
}

/** The project's document, and the build in it that is launched. Null if the launch is over. */
async function readyBuild(core: ServerCore) {
  const before = core.awaiting;
  const document = before && (await core.ports.document(before.order.project));
  const instance = core.awaiting;
  if (document === null || instance === null) {
    return null;
  }
  const build = own(document.builds, instance.order.build);
  if (build?.status !== 'ready') {
    core.fail(`There is no ready build ${instance.order.build}`);
    return null;
  }
  if (isHosted(instance, build, document)) {
    await electHost(core, build.version);
    return null;
  }
  return { document, build };
}

type Chosen = NonNullable<Awaited<ReturnType<typeof choose>>>;

/** The fleet to call next. It is saved before the call. Null if the launch is over, or waits for room. */
async function choose(core: ServerCore, turn: Turn) {
  const ready = await readyBuild(core);
  const mayGo = ready !== null && (await hasTurn(core, ready.build, turn));
  const instance = core.awaiting;
  if (!mayGo || instance === null) {
    return null;
  }
  const { document, build } = ready;
  const { fleets } = core.around;
  const { order, passed } = instance;
  const { project, region } = order;
  const wanted = { project, region, fleet: build.launch.fleets ?? build.launch.fleet ?? null };
  const isLeft = (each: string): boolean =>
    !passed.some(({ by }) => by === each) && !(isWarm(instance) && fleets.named(each)?.keepsReady);
  const left = fleets.candidates(wanted).filter(isLeft);
  const waits = patienceMs(instance, build) > 0;
  // Who can wait for room does not wait for a fleet that did not answer lately.
  const isOpen = (each: string): boolean =>
    !(waits && isFull(instance) && fleets.resting().has(each));
  const name = instance.fleet ?? left.find(isOpen) ?? null;
  const fleet = name === null ? null : fleets.named(name);
  if (name === null || fleet === null) {
    await noneLeft(core, instance, build, wanted);
    return null;
  }
  const chosen = {
    ...instance,
    fleet: name,
    version: build.version,
    startupArgs: order.options?.startupArgs ?? build.launch.args?.join(' ') ?? null,
    asked: order.options?.ports ?? build.ports,
  };
  if (instance.fleet === null) {
    core.save(chosen, []);
  }
  const spec = launchSpec(core, chosen, build, document);
  // A fleet that was called before did not answer, so what came of that call is not known.
  const isAgain = instance.fleet !== null;
  const hasNext = build.launch.fleets !== undefined && left.some((each) => each !== name);
  return { fleet, spec, run: instance.run, how: { isAgain, waits, hasNext } };
}

function isFull({ passed }: Instance): boolean {
  return passed.some(({ reason }) => reason === 'no_capacity');
}

/** What the fleet answers. Where there is another one to ask, only so long. */
function asked(core: ServerCore, { fleet, spec, how }: Chosen): Promise<Launched> {
  const launching = fleet.launch(spec);
  const silent = (error: unknown): Launched => {
    return { ok: false, reason: 'unreachable', detail: messageOf(error) };
  };
  return how.hasNext ? within(core.ports, SLOW_MS, launching).catch(silent) : launching;
}

/** No fleet is left to try: the launch has failed, or waits until one has room. */
async function noneLeft(core: ServerCore, instance: Instance, build: Build, wanted: Wanted) {
  const { fleet, passed } = instance;
  if (fleet === null && isFull(instance) && patienceMs(instance, build) > 0) {
    await standInLine(core, build, true);
    return;
  }
  const areRefusals = passed.every((no) => no.reason === 'refused' && no.ofOrder !== true);
  core.fail(whyNone(instance, wanted), passed.length > 0 && areRefusals);
}

/** Decides what a fleet's refusal means: try the next fleet, try this one again, or fail. */
function declined(
  core: ServerCore,
  instance: Instance,
  no: Exclude<Launched, { ok: true }> & Chosen['how'],
): void {
  const { reason, detail, isAgain, waits, hasNext, ofOrder = false } = no;
  const by = instance.fleet ?? '';
  const now = core.ports.now();
  const passed = [...instance.passed, { by, detail, reason, ofOrder }];
  const isLate = core.hasTaken(hasNext ? SLOW_MS : LAUNCH_LIMIT_MS, instance);
  if (reason === 'unreachable' && isLate) {
    core.around.fleets.silent(by);
    core.ports.log('fleet_silent', { fleet: by, detail });
  }
  const isToGoOn = reason === 'unreachable' ? isLate && hasNext : reason === 'no_capacity';
  if (isToGoOn && (hasNext || waits) && (isAgain || reason === 'unreachable')) {
    // A call that was not answered may arrive yet. So the next try has an id of its own, and this one is stopped here.
    const token = core.ports.token(instance.order.instanceId);
    core.save({ ...givenUp(instance, token, now), passed }, ['strays']);
  } else if (reason === 'unreachable') {
    if (isLate) {
      core.fail(`The fleet could not be reached: ${detail}`);
    }
  } else if (reason === 'ended' || isAgain) {
    core.fail(detail, reason !== 'no_capacity' && !ofOrder);
  } else {
    core.save({ ...instance, fleet: null, passed }, []);
  }
}

function launchSpec(
  core: ServerCore,
  instance: Instance,
  build: Build,
  { keys }: ProjectDocument,
): LaunchSpec {
  const { order, token, customData, startupArgs, asked: ports } = instance;
  const { instanceId, project, name, region, computeSize, matchId, requestId } = order;
  const end = endsAt(instance);
  const left = end === null ? null : Math.max(1, Math.ceil((end - core.ports.now()) / 1000));
  const { startupArgs: extra, env } = order.options ?? {};
  const { args = [] } = build.launch;
  const options = {
    ...build.launch,
    ...(extra !== undefined && { args: [...args, ...argumentsIn(extra)] }),
    ...(env && { env: { ...build.launch.env, ...env } }),
  };
  // Before the project has seat keys, a game server is told of none.
  const seats = keys?.seats ?? [];
  const url = `${core.around.publicUrl}/.well-known/jwks.json?project=${encodeURIComponent(project)}`;
  return {
    instanceId: runIdOf(instance),
    serverId: instanceId,
    project,
    name,
    region,
    build: { name: build.name, version: build.version, label: build.label, launch: options, ports },
    computeSize,
    matchId,
    ...((isWarm(instance) || instance.takenAt !== undefined) && { warm: true }),
    startupArgs,
    customData,
    ttlSeconds: left,
    token,
    reportUrl: `${core.around.publicUrl}/v3/servers/${encodeURIComponent(instanceId)}/status`,
    ...(seats.length === 0 ? {} : { seats: { keys: jwksOf(seats), url } }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

/** Why no fleet is left to try: the refusal of each, or that no fleet fits. */
function whyNone({ fleet, passed }: Instance, wanted: Wanted): string {
  if (fleet !== null) {
    return `The fleet ${fleet} is not there any more`;
  }
  const [first, ...others] = passed;
  if (first === undefined) {
    const which = wanted.fleet === null ? '' : ` named ${[wanted.fleet].flat().join(' or ')}`;
    return `No fleet${which} serves the region ${wanted.region}`;
  }
  const all = passed.map(({ by, detail }) => `${by}: ${detail}`).join('; ');
  return others.length === 0 ? first.detail : all;
}

const GONE = refusal('LAUNCH_FAILED', 'The warm server has ended, or another match has it');

/**
 * Gives a warm server to the match of the order (record 0073): the first that asks has it for good. Returns the refusal, or null
 * if the launch goes on: the fleet is told of the match by a launch with the id that it knows, and says whether the server lives.
 */
export function giveTo(core: ServerCore, order: LaunchOrder): Reply<never> | null {
  const { instance } = core;
  const { owner } = order;
  if (instance === null || owner.kind !== 'match') {
    return null;
  }
  const { owner: has } = instance.order;
  if (!isWarm(instance)) {
    return has.kind === 'match' && has.id === owner.id ? null : GONE;
  }
  if (instance.status !== 'running' || !instance.accepted) {
    return GONE;
  }
  const { customData, ...told } = order;
  const now = core.ports.now();
  const patch = {
    order: { ...instance.order, ...told },
    customData,
    customBytes: jsonBytes(customData),
    accepted: false,
    launchedAt: now,
    takenAt: now,
  };
  core.save(instanceAfter(instance, patch, now), []);
  return null;
}
