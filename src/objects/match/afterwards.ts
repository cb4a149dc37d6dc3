// What comes of a match, while it runs or later: its result, what that did to ratings, and how its players are connected.

import { ok } from '../../common/result';
import type { Reply } from '../../lobby/refusals';
import type { MatchRpc } from '../contracts/match';
import type { MatchRecord } from '../contracts/reports';
import type { MatchCore } from './core';
import { debtsOfResult } from './debts';
import { isEnded } from './history';
import { isVotedOn, resultFor, voteFor, withLink } from './result';
import type { Aftermath } from './store';

export async function resultTold(
  core: MatchCore,
  ...[project, said, by = 'backend']: Parameters<MatchRpc['result']>
): Promise<Reply<MatchRecord>> {
  const { ports, memory } = core;
  const before = memory.recordIn(project);
  const isVoted = by !== 'backend' && (await isVotedOn(ports, before));
  const record = memory.recordIn(project);
  if (!isVoted && typeof by !== 'object') {
    return came(core, resultFor(record, said, ports.now()));
  }
  // The word of a player counts only as a vote.
  return came(core, voteFor(isVoted ? record : null, said, by, ports.now()));
}

/** Of a match that is over, nothing is kept any more. */
export function linkTold(
  core: MatchCore,
  ...[project, path]: Parameters<MatchRpc['linked']>
): Reply<MatchRecord> {
  const record = core.memory.recordIn(project);
  const linked = withLink(record, path);
  return came(core, linked.ok && record?.endedAt !== null ? ok({}) : linked);
}

export function ratingTold(
  core: MatchCore,
  ...[project, changes]: Parameters<MatchRpc['rated']>
): void {
  const { rating } = core.memory.recordIn(project) ?? {};
  if (rating && !rating.changes) {
    came(core, ok({ rated: changes }));
  }
}

/** Saves what came of the match, if anything did. The backend of a running match is told with its end. */
function came(core: MatchCore, what: Reply<Aftermath>): Reply<MatchRecord> {
  if (!what.ok) {
    return what;
  }
  const { memory, life, hooks } = core;
  const { result, rated } = what.value;
  const hook = (result && 'match.result') ?? (rated && 'match.rated');
  if (Object.keys(what.value).length > 0) {
    const save = (): void => {
      const record = memory.add(what.value);
      life.owe(result ? debtsOfResult(record) : []);
      if (hook && isEnded(record)) {
        hooks.owe(hook, record);
      }
    };
    life.save(save, () => core.retire());
  }
  return ok(memory.record);
}
