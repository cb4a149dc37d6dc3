// A client's end of its stream, independent of its carrier. The client sets the pace. If it lags, the lobby's
// states are dropped and the client counts as stale: it gets the newest state when it reads again (record 0026).
// Vanished and stalled clients are detected here (docs/internals/gotchas.md: Streams). Beyond a limit for what waits
// for all clients of the isolate, the client that has taken nothing for longest is cut off.

import type { Later } from '../../common/later';
import { MAX_LOBBY_BYTES, MAX_MISSED_BYTES } from '../../common/limits';
import { message, type Message } from '../../common/line';
import { endsEarly } from '../isolate/ending-early';

const MAX_HELD_CHARACTERS = 16 * 1024 * 1024;
const BEAT_MS = 10_000;
/** For a client that hosts a game: it is to be noticed soon that it has vanished (record 0069). */
const WATCH_MS = 1_000;
/** After this many beats in a row without the client taking anything, it counts as gone. */
const MAX_STALLED_BEATS = 6;
const CLOSE_LIMIT_MS = 30_000;
/** How much may wait for a client that is merely slow. Beyond it, the client is stale. */
const MAX_WAITING = 16;
const MAX_WAITING_CHARACTERS = 64 * 1024;
/** How much may wait before the client has taken anything: the updates that it missed, then the lobby. */
const MAX_GREETING = 48;
const MAX_GREETING_CHARACTERS = MAX_MISSED_BYTES + MAX_LOBBY_BYTES + MAX_WAITING_CHARACTERS;
/** How many of the last return reasons a stalled client still gets. */
const MAX_REASONS = 32;

/**
 * Why a stream ends: a newer stream of the same player, an expired token, a box that another machine takes over, or nothing
 * more to send.
 */
export type Over = 'replaced' | 'expired' | 'moved' | 'over';

/** The transport of one client's events. */
export interface Carrier {
  /** `wanted`: the client can take more, until `put` is called. `gone`: the client has left. */
  open(wanted: () => void, gone: () => void): void;
  /** Sends events. Null: sends a sign of life that is no event. */
  put(messages: readonly Message[] | null): void;
  /** Ends the stream after everything that was put. */
  end(why: Over): void;
  /** Forgets what it has not sent, and touches no connection. */
  drop(): void;
  /** Ends the stream at once, or, if the platform cannot, as soon as the client reads again. */
  cut(): void;
  /** Resolves when the stream has ended, or the client has left. */
  readonly over: Promise<void>;
}

export class Client {
  readonly #carrier: Carrier;
  readonly #later: Later;
  /** Called when the client is found gone. */
  onGone: () => void = () => {};
  /** Called when a client that missed states can take the newest now. */
  onStale: () => void = () => {};
  /** Called every ten seconds while the client is there and not stalled. */
  onBeat: () => void = () => {};
  #stopBeat: () => void = () => {};
  #stopWatch: (() => void) | null = null;
  #waiting: Message[] = [];
  /** Messages that the carrier has and the client has not taken yet. */
  #given: readonly Message[] = [];
  #isStale = false;
  #isWanted = false;
  /** Whether nothing was taken or dropped so far. */
  #isGreeting = true;
  #stalledBeats = 0;
  #isDropped = false;
  #gone = false;
  readonly #passing: (() => void)[] = [];
  readonly #ended: () => void;

  constructor(carrier: Carrier, later: Later) {
    this.#carrier = carrier;
    this.#later = later;
    this.#ended = endsEarly(() => this.#move());
    this.restartBeat();
    carrier.open(
      () => this.#wanted(),
      () => this.#leave(),
    );
  }

  get gone(): boolean {
    return this.#gone;
  }

  /** Schedules the next beat for ten seconds from now. */
  restartBeat(): void {
    this.#stopBeat();
    if (!this.#gone) {
      this.#stopBeat = this.#later(BEAT_MS, () => {
        this.restartBeat();
        if (this.#isWanted) {
          this.onBeat();
          return;
        }
        this.#stalledBeats += 1;
        if (this.#stalledBeats >= MAX_STALLED_BEATS || this.#isDropped) {
          this.cut();
        }
      });
    }
  }

  /** Whether a sign of life goes out each second, which reveals a vanished client. */
  watch(closely: boolean): void {
    if (closely !== (this.#stopWatch !== null) && !this.#gone) {
      this.#stopWatch?.();
      this.#stopWatch = closely ? this.#look() : null;
    }
  }

  #look(): () => void {
    return this.#later(WATCH_MS, () => {
      this.#stopWatch = this.#look();
      this.comment();
    });
  }

  say(said: Message): void {
    if (this.#gone || this.#isDropped || (this.#isStale && isState(said))) {
      return;
    }
    this.#waiting.push(said);
    held.hold(this, said);
    if (this.#isDropped) {
      return;
    }
    if (this.#isWanted) {
      this.#give();
      return;
    }
    const characters = this.#waiting.reduce((sum, { data }) => sum + data.length, 0);
    const most = this.#isGreeting ? MAX_GREETING : MAX_WAITING;
    const limit = this.#isGreeting ? MAX_GREETING_CHARACTERS : MAX_WAITING_CHARACTERS;
    // A burst of signals is many messages and few characters.
    const count = this.#waiting.filter(({ event }) => event !== 'signal').length;
    if (count > most || characters > limit) {
      this.#isGreeting = false;
      this.#isStale ||= this.#waiting.some(isState);
      const kept = withoutStates(this.#waiting);
      const dropped = this.#waiting.filter((each) => !kept.includes(each));
      held.release(this, dropped);
      this.#waiting = kept;
    }
  }

  /** Sends a sign of life, which reveals a vanished client, unless waiting messages will reveal it too. */
  comment(): void {
    if (!this.#gone && this.#isWanted) {
      this.#isWanted = false;
      this.#carrier.put(null);
    }
  }

  /** Ends the client's stream after all messages. A client that does not read is cut off. */
  async end(why: Over): Promise<void> {
    this.#stopBeat();
    if (this.#waiting.length > 0) {
      const passed = this.#later(CLOSE_LIMIT_MS, () => this.cut());
      await this.passed();
      passed();
    }
    if (!this.#gone) {
      this.#leave();
      this.#carrier.end(why);
    }
  }

  /** Ends the client's stream at once. A client that does not read is cut off. */
  #move(): void {
    if (this.#waiting.length > 0) {
      this.cut();
    } else if (!this.#gone) {
      this.#leave();
      this.#carrier.end('moved');
    }
  }

  /** Resolves once the carrier has taken all messages, or the client is found gone. */
  async passed(): Promise<void> {
    if (!this.#isWanted && !this.#gone) {
      await new Promise<void>((resolve) => this.#passing.push(resolve));
    }
  }

  #hasPassed(): void {
    this.#passing.splice(0).forEach((resolve) => resolve());
  }

  #wanted(): void {
    if (this.#isDropped) {
      this.cut();
      return;
    }
    this.#isWanted = true;
    this.#stalledBeats = 0;
    held.release(this, this.#given);
    this.#given = [];
    if (this.#waiting.length > 0) {
      this.#give();
    } else {
      if (this.#isStale) {
        this.#isStale = false;
        this.onStale();
      }
      this.#hasPassed();
    }
  }

  #give(): void {
    this.#isGreeting = false;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#given = messages;
    this.#isWanted = false;
    this.#carrier.put(messages);
  }

  /** Ends the stream at once. */
  cut(): void {
    if (!this.#gone) {
      this.#leave();
      this.#carrier.cut();
    }
  }

  /**
   * Forgets all that waits. The stream ends when the client reads, or at its next beat: this is called while another
   * client is told something, and on the edge only a client's own request may touch its connection.
   */
  drop(): void {
    this.#isDropped = true;
    this.#forget();
    this.#carrier.drop();
  }

  #forget(): void {
    held.release(this, [...this.#given, ...this.#waiting]);
    this.#given = [];
    this.#waiting = [];
  }

  #leave(): void {
    if (!this.#gone) {
      this.#gone = true;
      this.#ended();
      this.#forget();
      this.#stopBeat();
      this.#stopWatch?.();
      this.#hasPassed();
      this.onGone();
    }
  }
}

/** The messages that wait for the isolate's clients. Streams share the text of a message, so it counts once. */
class HeldMessages {
  readonly #holders = new Map<Message, number>();
  /** Clients that have not taken all their messages. The one that has been behind for longest comes first. */
  readonly #stalled = new Set<Client>();
  #characters = 0;

  get characters(): number {
    return this.#characters;
  }

  hold(client: Client, said: Message): void {
    const holders = this.#holders.get(said) ?? 0;
    this.#holders.set(said, holders + 1);
    this.#characters += holders === 0 ? said.data.length : 0;
    this.#stalled.add(client);
    for (const slowest of this.#stalled) {
      if (this.#characters <= MAX_HELD_CHARACTERS) {
        break;
      }
      slowest.drop();
    }
  }

  /** `client` has taken these messages, or is gone. */
  release(client: Client, messages: readonly Message[]): void {
    this.#stalled.delete(client);
    for (const each of messages) {
      // Nobody holds LOST, which is a constant.
      const holders = this.#holders.get(each) ?? 0;
      if (holders > 1) {
        this.#holders.set(each, holders - 1);
      } else if (this.#holders.delete(each)) {
        this.#characters -= each.data.length;
      }
    }
  }
}

export const held = new HeldMessages();

/** Events that show the whole state, or change it. */
const STATES = new Set<string>([
  'connected',
  'lobby_updated',
  'lobby_changed',
  'snapshot',
  'unavailable',
]);

function isState({ event }: Message): boolean {
  return STATES.has(event);
}

const LOST = message('signals_lost', null);

/** What a lagging client still gets: reasons, which no state shows, new stats, and if signals were lost (record 0070). */
function withoutStates(waiting: readonly Message[]): Message[] {
  const dropped = new Set<string>([...STATES, 'ping', 'signal', LOST.event]);
  const others = waiting.filter(({ event }) => !dropped.has(event));
  const stats = others.findLast(({ event }) => event === 'queue_stats');
  const reasons = others.filter(({ event }) => event !== 'queue_stats').slice(-MAX_REASONS);
  const isLost = waiting.some(({ event }) => event === 'signal' || event === LOST.event);
  const kept = others.filter((each) => each === stats || reasons.includes(each));
  return isLost ? [...kept, LOST] : kept;
}
