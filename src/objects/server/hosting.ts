// A game that one of its players hosts (record 0069). It is a server that no fleet runs: a launch elects a host, and each
// run is a term with a token of its own, which that host alone is given. So whatever an earlier term says is refused. The
// Server is the one who decides: it knows the term, and asks its owner who is there.

import type { PlayerId } from '../../common/ids';
import { backoff, pause } from '../../common/later';
import { ok } from '../../common/result';
import { elect, nameOfTerm, type Candidate } from '../../lobby/hosting';
import { refusal, type Reply } from '../../lobby/refusals';
import { configOf } from '../caches/project';
import type { ProjectDocument } from '../contracts/project';
import type { Hosting, HostSaid } from '../contracts/server';
import type { Build } from '../../fleet/build';
import type { ServerCore } from './core';
import { LAUNCH_LIMIT_MS } from './hearing';
import { instanceAfter, restarted, termOf, type Instance } from './state';

const RETRIES = { first: 250, last: 2_000 };
/** Who is said to be gone so soon is in a lobby that does not have it: it would be elected, and be gone, without end. */
const TOO_SOON_MS = 1_000;

export function isHosted({ hosting, order }: Instance, build: Build, document: ProjectDocument) {
  // A server of no config has the defaults.
  const { serverSettings } = configOf(document, order.config ?? '');
  const isPlayers = serverSettings.hosting === 'players' || build.launch.host === 'players';
  return hosting !== undefined || isPlayers;
}

/** Ends when somebody is elected for the term, or nobody was to be found in time. Then the game is over. */
export async function electHost(core: ServerCore, version: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const before = core.awaiting;
    const { owner } = core;
    // An owner that does not answer is asked again, as a fleet would be.
    const members = (await owner?.hosts().catch(() => [])) ?? [];
    const instance = core.awaiting;
    if (instance === null) {
      return;
    }
    if (instance.run !== before?.run) {
      continue;
    }
    const now = core.ports.now();
    const { barred = [], ran = false, lost } = instance.hosting ?? {};
    const elected = owner === null ? 'never' : elect(members, barred);
    if (elected === 'never' || (elected === null && core.hasTaken(LAUNCH_LIMIT_MS, instance))) {
      core.fail('None of the players who are there may host the game');
      return;
    }
    if (elected !== null) {
      const { id, why } = elected;
      const { instanceId } = instance.order;
      const patch = {
        hosting: { id, why: lost === undefined ? why : `${why}; ${lost}`, barred, ran, votes: [] },
        token: core.ports.token(instanceId, nameOfTerm(termOf(instance), id)),
        accepted: true,
        launchedAt: now,
        version,
      };
      // The owner is answered when the first one is elected.
      const whom = instance.run === 0 ? [] : (['owner'] as const);
      core.save(instanceAfter(instance, patch, now), [...whom, 'project']);
      return;
    }
    if (tries === 0 && instance.run > 0) {
      // The players see at least that the game has no host now.
      core.save(instance, ['owner', 'project']);
    }
    await pause(backoff(tries, RETRIES), core.ports);
  }
}

/** Ends the term, and elects for the next one. `barred`: the host never hosts this game again. */
export function nextTerm(core: ServerCore, instance: Instance, why: string, barred = true): void {
  const next = restarted(instance, core.ports.token(instance.order.instanceId), core.ports.now());
  const { id = null } = instance.hosting ?? {};
  if (next.hosting !== undefined && id !== null) {
    const lost = `${id} ${why}`;
    const out = barred ? [...next.hosting.barred, id] : next.hosting.barred;
    core.save({ ...next, hosting: { ...next.hosting, why: lost, lost, barred: out } }, []);
    core.ports.log('host_changed', { term: termOf(instance), reason: why });
  }
}

/** Carries out what was said of the host. It says the same when it is repeated. */
export async function hostSaid(core: ServerCore, said: HostSaid): Promise<Reply<null>> {
  const members = said.says === 'unreachable' ? ((await core.owner?.hosts()) ?? []) : [];
  const { instance } = core;
  const { hosting } = instance ?? {};
  if (instance === null || hosting === undefined || instance.status === 'stopped') {
    return refusal('INVALID_STATE', 'No player hosts this game');
  }
  if (said.term !== termOf(instance) || hosting.id === null) {
    return notHostAnyMore(instance);
  }
  if (said.says === 'lost') {
    const isTooSoon = core.ports.now() < instance.launchedAt + TOO_SOON_MS;
    nextTerm(core, instance, 'was gone', isTooSoon);
  } else if (said.says === 'resigned') {
    if (said.player !== hosting.id) {
      return refusal('NOT_HOST', 'Only the player who hosts the game may resign');
    }
    nextTerm(core, instance, 'resigned');
  } else {
    return voted(core, { ...instance, hosting }, said.player, members);
  }
  return ok(null);
}

/** Counts a player who does not reach the host. More than half of the others who are there make it a change. */
function voted(
  core: ServerCore,
  instance: Instance & { readonly hosting: Hosting },
  by: PlayerId | undefined,
  members: readonly Candidate[],
): Reply<null> {
  const { hosting } = instance;
  const voter = members.find(({ id }) => id === by)?.id;
  if (voter === undefined || voter === hosting.id) {
    return refusal(
      'INVALID_ACTION',
      'Only another player in the game can report that its host is gone',
    );
  }
  const votes = hosting.votes.includes(voter) ? hosting.votes : [...hosting.votes, voter];
  const isVoting = ({ id }: Candidate): boolean => votes.includes(id);
  const rest = members.filter(({ id }) => id !== hosting.id);
  const others = rest.filter((each) => each.connected || isVoting(each));
  const those = others.filter(isVoting);
  if (those.length * 2 > others.length) {
    nextTerm(core, instance, `was unreachable for ${those.length} of ${others.length}`);
  } else if (votes !== hosting.votes) {
    core.save({ ...instance, hosting: { ...hosting, votes } }, []);
  }
  return ok(null);
}

export function notHostAnyMore(instance: Instance): Reply<never> {
  const why = `The game is in term ${termOf(instance)} now, which has another host`;
  return refusal('NOT_HOST_ANY_MORE', why);
}
