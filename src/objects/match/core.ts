// The state of a Match object, and the consequences of each change. A change is saved in one transaction with its debts: lobbies
// to tell, and a server to launch or stop. They are delivered afterwards (pay.ts), and actor.ts is what others call.

import type { Wait } from '../../common/later';
import type { JournalSettings } from '../../common/happening';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { SendSpans } from '../../common/otlp';
import { must } from '../../common/result';
import type { LeaverTold } from '../../lobby/lobby';
import type { TellHook } from '../../fleet/hook';
import type { ActorPorts } from '../contracts/actor-ports';
import { Life } from '../kit/life';
import { debtsOf, debtKeyOf, declinesIn, type MatchDebt } from './debts';
import { hasHooks, type MatchCause } from './history';
import { HOOK_RETRIES, Hooks } from './hooks';
import { isPlaying } from './places';
import { gone } from './refill';
import { answerable, dueAt, duly, rosterOf, withNews } from './room';
import type { Match } from './state';
import { MatchStore } from './store';
import { isTraced } from './trace';

/** Who is told of the match outside of Muster. `sendSpans` absent: no collector. */
interface Outside {
  readonly tellHook: TellHook;
  readonly sendSpans: SendSpans | undefined;
}

type Pay = (core: MatchCore, debt: MatchDebt, attempts: number) => Promise<void>;

export class MatchCore {
  readonly ports: ActorPorts;
  readonly id: MatchId;
  readonly life: Life<MatchDebt>;
  readonly memory: MatchStore;
  readonly hooks: Hooks;
  readonly sendSpans: SendSpans | undefined;
  readonly #traced: number | undefined;
  /** For whoever waits for the roster to change. A wait is not saved: whoever lost it asks again. */
  news = Promise.withResolvers<void>();
  /** How long lobbies are not told that the match is launching. */
  fleetAnswers: Wait | null = null;

  constructor(ports: ActorPorts, outside: Outside, journal: JournalSettings, pay: Pay) {
    this.ports = ports;
    this.sendSpans = outside.sendSpans;
    this.#traced = journal.traced;
    this.id = must(ports.name[0], 'the id of a match') as MatchId;
    this.memory = new MatchStore(ports, this.id, journal);
    this.life = new Life<MatchDebt>(ports, {
      keyOf: debtKeyOf,
      deliver: (debt, attempts) => pay(this, debt, attempts),
      times: () => this.#times(),
      emptied: () => this.retire(),
      ladderOf: ({ to }) => (to === 'hooks' ? HOOK_RETRIES : null),
    });
    this.hooks = new Hooks(ports, outside.tellHook, this.life);
  }

  get match(): Match | null {
    return this.memory.match;
  }

  /** Throws if there is none. */
  get opened(): Match {
    return must(this.match, 'a match that has opened');
  }

  /** The match with the time to answer that a start of the service gives. */
  get answerable(): Match | null {
    return this.match && answerable(this.match, this.ports.upSince);
  }

  /** Null also if the match is over. */
  get live(): Match | null {
    return this.match?.phase === 'over' ? null : this.match;
  }

  /** Null unless it waits for its server. */
  get launching(): Match | null {
    return this.match?.phase === 'launching' ? this.match : null;
  }

  /** The match will never open. */
  abort(): void {
    this.memory.abort();
    this.life.rearm();
  }

  /** Saves the next state, if it is another. */
  goOn(next: Match | null, cause?: MatchCause): void {
    if (next !== null && next !== this.match) {
      this.save(next, cause);
    }
  }

  /** Saves the next state together with its debts. */
  save(changed: Match, cause: MatchCause = {}): void {
    const before = this.match;
    const next = withNews(before, changed, this.id);
    const isOver = next.phase === 'over' && before?.phase !== 'over';
    const declines = declinesIn(before, next, cause.no, this.ports.now());
    const save = (): void => {
      this.memory.save(next, cause);
      this.life.owe([...debtsOf(before, next), ...declines]);
      this.#oweHooks(before, next, isOver);
      if (isOver && isTraced(next, this.id, this.#traced)) {
        this.life.owe([{ to: 'trace' }]);
      }
    };
    this.life.save(save, () => {
      if (isOver) {
        this.memory.noteFailure();
      }
      if (next.phase !== 'launching') {
        this.fleetAnswers?.end();
      }
      if (!isPlaying(next) || before?.steered?.revision !== next.steered?.revision) {
        this.news.resolve();
        this.news = Promise.withResolvers();
      }
      this.retire();
    });
  }

  #oweHooks(before: Match | null, next: Match, isOver: boolean): void {
    const hadHooks = before !== null && hasHooks(before);
    if (hadHooks ? isOver : hasHooks(next)) {
      this.hooks.note(this.memory.record, hadHooks);
    }
    if (isPlaying(next) && before?.steered?.revision !== next.steered?.revision) {
      this.hooks.owe('match.roster', this.memory.record, rosterOf(next, this.id));
    }
  }

  left(lobbyId: LobbyId, ticketId: TicketId, no?: PlayerId, how?: readonly LeaverTold[]): void {
    const next = this.live && gone(this.live, { lobbyId, ticketId, how }, this.ports.now());
    this.goOn(next, { lobbyId, reason: 'all_left', no });
  }

  #times(): readonly (number | null)[] {
    // A match that is over retires once everybody was told, but its object may have died before that.
    const retiresAt = this.life.toldAll ? (this.match?.overAt ?? null) : null;
    return [dueAt(this.answerable), retiresAt, this.#forgottenAt];
  }

  /** Null: somebody is owed something, or nothing is left yet. */
  get #forgottenAt(): number | null {
    return this.life.isFree ? this.memory.forgottenAt : null;
  }

  onAlarm(): Promise<void> {
    return this.life.fired(() => {
      const now = this.ports.now();
      this.goOn(this.answerable && duly(this.answerable, now));
      if ((this.#forgottenAt ?? Infinity) <= now) {
        this.life.forget();
        this.memory.cleared();
      } else {
        this.retire();
      }
    });
  }

  /** Once a match is over and all of Muster was told, only its record is left. It also answers questions that come late. */
  retire(): void {
    if (this.match?.phase === 'over' && this.life.toldAll) {
      this.life.rest(() => this.memory.retire());
    }
  }
}
