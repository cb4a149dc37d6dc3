// What a project's backend is told of a match, if the project has hooks (docs/webhooks.md). The events of a match are a
// lane: saved with what they tell, in the order in which they happened. The next one waits until the backend has
// acknowledged the one before, or has not for a day. An event can be told twice, under the same id.

import { within } from '../../common/later';
import { iso, isoOrNull } from '../../common/clock';
import { metrics } from '../../common/metrics';
import type { TellHook } from '../../fleet/hook';
import type { Host } from '../host';
import { commit } from '../kit/commit';
import { deleteLarge, getLarge, putLarge } from '../kit/large';
import type { MatchRecord } from '../reports';

/** Each happens once in a match. A result that comes before the end is part of `match.ended`. */
export type HookType =
  | 'match.formed'
  | 'match.ended'
  | 'match.failed'
  | 'match.result'
  | 'match.rated';

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
  /** How often the first was told in vain. */
  readonly failures: number;
  /** When the first may be told, epoch ms. */
  readonly at: number;
}

const HOOKS = 'hooks';
const EMPTY: Lane = { events: [], failures: 0, at: 0 };
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60 * 60_000;
/** How long an event is told again and again. */
export const GIVE_UP_MS = 24 * 60 * 60_000;
/** A call that takes longer counts as lost. The call itself has a shorter limit. */
const TELL_LIMIT_MS = 15_000;
/** How soon the alarm tells an event that was being told when the object died. */
const BACKSTOP_MS = 20_000;

export class Hooks {
  readonly #host: Host;
  readonly #tell: TellHook;
  readonly #arm: () => void;
  #lane: Lane;
  #isTelling = false;

  /** `arm` arms the object's alarm, which calls `flush`. */
  constructor(host: Host, tell: TellHook, arm: () => void) {
    this.#host = host;
    this.#tell = tell;
    this.#arm = arm;
    this.#lane = getLarge<Lane>(host.store, HOOKS) ?? EMPTY;
  }

  get empty(): boolean {
    return this.#lane.events.length === 0;
  }

  nextAt(): number | null {
    const backstop = this.#host.now() + BACKSTOP_MS;
    return this.empty ? null : this.#isTelling ? backstop : Math.min(this.#lane.at, this.#latest);
  }

  get #latest(): number {
    return this.#host.now() + LAST_RETRY_MS;
  }

  /** Owes that the match has formed or is over. Call inside the transaction that saves it; then `flush`. */
  note(record: MatchRecord): void {
    const { outcome, rating } = record;
    const isOver = outcome === 'ended' || outcome === 'failed';
    this.owe(isOver ? `match.${outcome}` : 'match.formed', record);
    if (isOver && rating?.changes !== undefined) {
      this.owe('match.rated', record);
    }
  }

  /**
   * Owes the event, unless nobody is to be told of the match or the event waits already. Call inside the transaction
   * that saves the cause; then `flush`.
   */
  owe(type: HookType, record: MatchRecord): void {
    const { events } = this.#lane;
    const id = `${record.id}.${type}`;
    if (record.hooks !== true || events.some((event) => event.id === id)) {
      return;
    }
    const at = this.#host.now();
    const event = { project: record.project, at, id, type, facts: factsOf(record) };
    this.#save({ ...this.#lane, events: [...events, event] });
  }

  #save(lane: Lane): void {
    this.#lane = lane;
    if (this.empty) {
      deleteLarge(this.#host.store, HOOKS);
    } else {
      putLarge(this.#host.store, HOOKS, lane);
    }
  }

  /** Call after a save, and in the alarm: tells what is due. */
  flush(): void {
    // An event that seems to wait for longer than any does waits for a clock that was set back.
    const isDue = this.#lane.at <= this.#host.now() || this.#lane.at > this.#latest;
    if (!this.empty && !this.#isTelling && isDue) {
      this.#isTelling = true;
      this.#host.background(this.#tellAll());
    }
  }

  async #tellAll(): Promise<void> {
    for (let event = this.#lane.events[0]; event !== undefined; event = this.#lane.events[0]) {
      const error = await this.#problemOf(event);
      const isLate = this.#host.now() >= event.at + GIVE_UP_MS;
      this.#count(event, error === null ? 'told' : isLate ? 'given_up' : 'failed', error);
      if (error !== null && !isLate) {
        break;
      }
      const events = this.#lane.events.slice(1);
      commit(this.#host, () => this.#save({ ...EMPTY, events }));
    }
    if (!this.empty) {
      const { events, failures } = this.#lane;
      // Matches that failed together come back apart.
      const apart = 0.75 + this.#host.random() / 2;
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures * apart);
      const lane = { events, failures: failures + 1, at: this.#host.now() + wait };
      commit(this.#host, () => this.#save(lane));
    }
    this.#isTelling = false;
    this.#arm();
  }

  /** Why the backend has not acknowledged the event. Null: it has, or wants to hear of none any more. */
  async #problemOf({ project, at, facts, id, type }: HookEvent): Promise<string | null> {
    try {
      const hook = await this.#host.peers.project(project).hook();
      if (hook !== null) {
        const body = JSON.stringify({ id, type, at: iso(at), ...facts });
        await within(this.#host, TELL_LIMIT_MS, this.#tell(hook, body));
      }
      return null;
    } catch (error) {
      return String(error);
    }
  }

  /** One failure says nothing: the backend may just be starting. */
  #count({ project, id }: HookEvent, outcome: string, error: string | null): void {
    metrics.count('muster_hooks_total', { project, outcome });
    const { failures: attempts } = this.#lane;
    if (error !== null && attempts > 0) {
      const told = { id, attempts, error };
      this.#host.log(outcome === 'failed' ? 'hook_failed' : 'hook_given_up', told);
    }
  }
}

/** What each event says of the match. */
function factsOf({ id, config, mode, outcome, reason, detail, ...record }: MatchRecord): object {
  const { teams, result } = record;
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
    ...(result && { result: { ...result, at: iso(result.at) } }),
    ...(changes && { rating: { field, changes } }),
  };
}
