// What comes of a match, while it runs or later: its result, what that did to ratings, and how its players are connected.

import { ok } from '../../common/result';
import type { Reply } from '../../lobby/refusals';
import type { ActorPorts } from '../contracts/actor-ports';
import type { MatchRpc } from '../contracts/match';
import type { MatchRecord } from '../contracts/reports';
import type { Life } from '../kit/life';
import { debtsOfResult, type MatchDebt } from './debts';
import { isEnded } from './history';
import type { Hooks } from './hooks';
import type { Aftermath, MatchStore } from './store';
import { isVotedOn, resultFor, voteFor, withLink } from './result';

interface AfterwardsPorts {
  readonly ports: ActorPorts;
  readonly memory: MatchStore;
  readonly life: Pick<Life<MatchDebt>, 'owe' | 'save'>;
  readonly hooks: Pick<Hooks, 'owe'>;
  /** Call in each save, once memory has followed. */
  readonly told: () => void;
}

export class Afterwards {
  readonly #around: AfterwardsPorts;

  constructor(around: AfterwardsPorts) {
    this.#around = around;
  }

  async result(...[project, told, by = 'backend']: Parameters<MatchRpc['result']>) {
    const { ports, memory } = this.#around;
    const before = memory.recordIn(project);
    const isVoted = by !== 'backend' && (await isVotedOn(ports, before));
    const record = memory.recordIn(project);
    if (!isVoted && typeof by !== 'object') {
      return this.#came(resultFor(record, told, ports.now()));
    }
    // The word of a player counts only as a vote.
    return this.#came(voteFor(isVoted ? record : null, told, by, ports.now()));
  }

  /** Of a match that is over, nothing is kept any more. */
  linked(...[project, path]: Parameters<MatchRpc['linked']>): Reply<MatchRecord> {
    const record = this.#around.memory.recordIn(project);
    const came = withLink(record, path);
    return this.#came(came.ok && record?.endedAt !== null ? ok({}) : came);
  }

  rated(...[project, changes]: Parameters<MatchRpc['rated']>): void {
    const { rating } = this.#around.memory.recordIn(project) ?? {};
    if (rating && !rating.changes) {
      this.#came(ok({ rated: changes }));
    }
  }

  /** Saves what came of the match, if anything did. The backend of a running match is told with its end. */
  #came(came: Reply<Aftermath>): Reply<MatchRecord> {
    if (!came.ok) {
      return came;
    }
    const { memory, life, hooks, told } = this.#around;
    const { result, rated } = came.value;
    const hook = (result && 'match.result') ?? (rated && 'match.rated');
    if (Object.keys(came.value).length > 0) {
      const save = (): void => {
        const record = memory.add(came.value);
        life.owe(result ? debtsOfResult(record) : []);
        if (hook && isEnded(record)) {
          hooks.owe(hook, record);
        }
      };
      life.save(save, told);
    }
    return ok(memory.record);
  }
}
