// What a project's backend is told of a match (docs/webhooks.md). The events of a match are a lane: saved with their
// content, in the order in which they happened. While there are events, the match owes one debt, `hooks`, with a ladder
// of its own (kit/outbox.ts). Each delivery sends the first event, until the backend has acknowledged it or a day has
// passed. An event can be sent twice, under the same id.

import type { GameRoster } from '../../../packages/js/src/journal-types';
import { iso, isoOrNull } from '../../common/clock';
import { metrics } from '../../common/metrics';
import type { TellHook } from '../../fleet/hook';
import type { ActorPorts } from '../contracts/actor-ports';
import { commit } from '../kit/commit';
import type { Life } from '../kit/life';
import type { MatchRecord } from '../contracts/reports';
import type { MatchDebt } from './debts';
import { isEnded } from './history';

/** Each happens once, `match.roster` once a revision. A result that comes before the end is part of `match.ended`. */
export type HookType =
  | 'match.formed'
  | 'match.ended'
  | 'match.failed'
  | 'match.result'
  | 'match.rated'
  | 'match.roster';

interface HookEvent {
  readonly project: string;
  /** Epoch ms. */
  readonly at: number;
  /** The same each time that the event is told. */
  readonly id: string;
  readonly type: HookType;
  readonly facts: object;
}

interface Lane {
  /** Oldest first. */
  readonly events: readonly HookEvent[];
}

const HOOKS = 'hooks';
const DEBT = { to: 'hooks' } as const;
/** How often the first event is told again. */
export const HOOK_RETRIES = { first: 1_000, last: 60 * 60_000 };
/** How long an event is told again and again. */
const GIVE_UP_MS = 24 * 60 * 60_000;

export class Hooks {
  readonly #ports: ActorPorts;
  readonly #tell: TellHook;
  readonly #life: Pick<Life<MatchDebt>, 'owe'>;
  #events: readonly HookEvent[];

  constructor(ports: ActorPorts, tell: TellHook, life: Pick<Life<MatchDebt>, 'owe'>) {
    this.#ports = ports;
    this.#tell = tell;
    this.#life = life;
    this.#events = ports.store.get<Lane>(HOOKS)?.events ?? [];
  }

  /** Owes that the match has formed or is over, also if nobody is in it any more. Call inside the transaction that saves it. */
  note(known: MatchRecord, hadHooks = false): void {
    const record = hadHooks ? { ...known, hooks: true as const } : known;
    const { outcome, rating } = record;
    const isOver = isEnded(record) || outcome === 'failed';
    const over = outcome === 'failed' ? 'match.failed' : 'match.ended';
    this.owe(isOver ? over : 'match.formed', record);
    if (isOver && rating?.changes !== undefined) {
      this.owe('match.rated', record);
    }
  }

  /** Owes the event, unless nobody is to be told or the event waits already. Call inside the cause's transaction. */
  owe(type: HookType, record: MatchRecord, roster?: GameRoster): void {
    const id = `${record.id}.${type}${roster ? `.${roster.revision}` : ''}`;
    if (record.hooks !== true || this.#events.some((event) => event.id === id)) {
      return;
    }
    const at = this.#ports.now();
    const facts = roster ? rosterFacts(record, roster) : factsOf(record);
    const event = { project: record.project, at, id, type, facts };
    // A roster says all that older ones say. The first event may be under way.
    const isLeft = (each: HookEvent, index: number) => index === 0 || !roster || each.type !== type;
    const before = this.#events.filter(isLeft);
    this.#save([...before, event]);
    if (before.length === 0) {
      this.#life.owe([DEBT]);
    }
  }

  #save(events: readonly HookEvent[]): void {
    this.#events = events;
    if (events.length === 0) {
      this.#ports.store.delete(HOOKS);
    } else {
      this.#ports.store.put<Lane>(HOOKS, { events });
    }
  }

  /** Tells the first event. Rejects if the backend has not acknowledged it. `attempts`: how often it has not before. */
  async deliver(attempts: number): Promise<void> {
    const [event] = this.#events;
    if (event === undefined) {
      return;
    }
    try {
      await this.#told(event);
      this.#count(event, 'told');
    } catch (error) {
      const isLate = this.#ports.now() >= event.at + GIVE_UP_MS;
      this.#count(event, isLate ? 'given_up' : 'failed');
      // One failure says nothing: the backend may just be starting.
      if (attempts > 0 || isLate) {
        const why = { id: event.id, attempts, error: String(error) };
        this.#ports.log(isLate ? 'hook_given_up' : 'hook_failed', why);
      }
      if (!isLate) {
        throw error;
      }
    }
    commit(this.#ports, () => {
      this.#save(this.#events.filter(({ id }) => id !== event.id));
      if (this.#events.length > 0) {
        this.#life.owe([DEBT]);
      }
    });
  }

  /** Resolves when the backend has acknowledged the event, or if it wants to hear of none any more. */
  async #told({ project, at, facts, id, type }: HookEvent): Promise<void> {
    const hook = await this.#ports.peers.project(project).hook();
    if (hook !== null && hook.format === undefined) {
      await this.#tell(hook, JSON.stringify({ id, type, at: iso(at), ...facts }), project);
    }
  }

  #count({ project }: HookEvent, outcome: 'told' | 'failed' | 'given_up'): void {
    metrics.count('muster_hooks_total', { project, outcome });
  }
}

function rosterFacts({ id, config, mode }: MatchRecord, { players, ...roster }: GameRoster) {
  const shown = players.map((each) => ({ ...each, state: undefined }));
  return { matchId: id, config, mode, ...roster, players: shown };
}

/** What each other event says of the match. */
function factsOf({ id, config, mode, outcome, reason, detail, ...record }: MatchRecord): object {
  const { teams, result, quality, bots } = record;
  const { field, changes } = record.rating ?? {};
  return {
    matchId: id,
    config,
    mode,
    outcome,
    reason,
    detail,
    formedAt: iso(record.formedAt),
    runningAt: isoOrNull(record.runningAt),
    endedAt: isoOrNull(record.endedAt),
    teams,
    ...(quality && { quality }),
    ...(bots && { bots }),
    ...(result && { result: { ...result, at: iso(result.at) } }),
    ...(changes && { rating: { field, changes } }),
  };
}
