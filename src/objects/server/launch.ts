// Starts a server: tries one fleet after the other, and saves each step before the next call.
//
// The next fleet is tried only after the last one was certain that nothing runs or will run there under this id
// (no_capacity, refused). A fleet that does not answer may have started the server, so only that fleet is called
// again, with the same id. If it stays silent, the launch has failed and the fleet is owed a stop. The launch also
// fails if that fleet then says no, because the unanswered call may still arrive.

import type { Fleet, Launched, LaunchSpec } from '../../fleet/port';
import type { Wanted } from '../../fleet/fleets';
import { namedPorts } from '../../fleet/ports';
import { argumentsIn, type Build } from '../../fleet/build';
import { own } from '../../common/named';
import type { ProjectDocument } from '../contracts/project';
import { jwksOf } from '../contracts/secrets';
import { backoff, pause } from '../../common/later';
import type { ServerCore } from './core';
import { firstWord, LAUNCH_LIMIT_MS } from './hearing';
import { electHost, isHosted } from './hosting';
import { instanceAfter, endsAt, runIdOf, type Instance } from './state';

const RETRIES = { first: 500, last: 4_000 };

/** Ends when a fleet has accepted the server, or when none will. Then the instance says why. */
export async function launchServer(core: ServerCore): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await previousGone(core);
    const chosen = await choose(core);
    if (chosen === null) {
      return;
    }
    const launched = await chosen.fleet.launch(chosen.spec);
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
      const patch = { accepted: true, ports: namedPorts(launched.ports, instance.asked) };
      // A match reports a failure to its lobbies at any time, and nobody waits for its answer.
      const { order, run } = instance;
      if (chosen.fleet.tells === true && run === 0 && order.owner.kind !== 'match') {
        core.firstWord = firstWord(core.host);
      }
      core.save(instanceAfter(instance, patch, core.host.now()), ['project']);
      return;
    }
    declined(core, instance, { ...launched, isAgain: chosen.isAgain });
    if (core.awaiting !== null && launched.reason === 'unreachable') {
      await pause(backoff(tries, RETRIES), core.host);
    }
  }
}

/**
 * Ends the previous run and waits until its fleet confirms that nothing of it is left, because two runs of a
 * server must not share its world. If the fleet does not confirm in time, the launch fails.
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
      core.save({ ...now, before: null, launchedAt: core.host.now() }, []);
    } else if (now.launchedAt + LAUNCH_LIMIT_MS <= core.host.now()) {
      core.fail('The fleet did not stop the server for its restart');
    } else {
      await pause(RETRIES.first, core.host);
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

/** The fleet to call next. It is saved before the call. Null if the launch is over. */
async function choose(core: ServerCore) {
  const before = core.awaiting;
  const document = before && (await core.host.document(before.order.project));
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
  const { fleets } = core.around;
  const { order, passed } = instance;
  const { project, region } = order;
  const wanted = { project, region, fleet: build.launch.fleet ?? null };
  const left = fleets.candidates(wanted).filter((each) => !passed.some(({ by }) => by === each));
  const name = instance.fleet ?? left[0] ?? '';
  const fleet = fleets.named(name);
  if (fleet === null) {
    const areRefusals = passed.every((no) => no.reason === 'refused' && no.ofOrder !== true);
    core.fail(whyNone(instance, wanted), passed.length > 0 && areRefusals);
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
  return { fleet, spec, run: instance.run, isAgain: instance.fleet !== null };
}

/** Decides what a fleet's refusal means: try the next fleet, try this one again, or fail. */
function declined(
  core: ServerCore,
  instance: Instance,
  no: Exclude<Launched, { ok: true }> & { readonly isAgain: boolean },
): void {
  const { reason, detail, isAgain, ofOrder = false } = no;
  const by = instance.fleet ?? '';
  if (reason === 'unreachable') {
    if (instance.launchedAt + LAUNCH_LIMIT_MS <= core.host.now()) {
      core.around.fleets.silent(by);
      core.fail(`The fleet could not be reached: ${detail}`);
    }
  } else if (reason === 'ended' || isAgain) {
    core.fail(detail, reason !== 'no_capacity' && !ofOrder);
  } else {
    const passed = [...instance.passed, { by, detail, reason, ofOrder }];
    core.save({ ...instance, fleet: null, passed }, []);
  }
}

function launchSpec(
  { around: { publicUrl }, host }: ServerCore,
  instance: Instance,
  build: Build,
  { keys }: ProjectDocument,
): LaunchSpec {
  const { order, token, customData, startupArgs, asked: ports } = instance;
  const { instanceId, project, name, region, computeSize, matchId, requestId } = order;
  const end = endsAt(instance);
  const left = end === null ? null : Math.max(1, Math.ceil((end - host.now()) / 1000));
  const { startupArgs: extra, env } = order.options ?? {};
  const { args = [] } = build.launch;
  const options = {
    ...build.launch,
    ...(extra === undefined ? {} : { args: [...args, ...argumentsIn(extra)] }),
    ...(env === undefined ? {} : { env: { ...build.launch.env, ...env } }),
  };
  // Before the project has seat keys, a game server is told of none.
  const seats = keys?.seats ?? [];
  const url = `${publicUrl}/.well-known/jwks.json?project=${encodeURIComponent(project)}`;
  return {
    instanceId: runIdOf(instance),
    serverId: instanceId,
    project,
    name,
    region,
    build: { name: build.name, version: build.version, label: build.label, launch: options, ports },
    computeSize,
    matchId,
    startupArgs,
    customData,
    ttlSeconds: left,
    token,
    reportUrl: `${publicUrl}/v3/servers/${encodeURIComponent(instanceId)}/status`,
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
    return wanted.fleet === null
      ? `No fleet serves the region ${wanted.region}`
      : `No fleet named ${wanted.fleet} serves the region ${wanted.region}`;
  }
  return others.length === 0
    ? first.detail
    : passed.map(({ by, detail }) => `${by}: ${detail}`).join('; ');
}
