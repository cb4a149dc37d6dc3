// Whoever watches a lobby (record 0108), and what they are told of it: its states as to strangers, fewer than its players hear, and
// later where the config has `delaySeconds`. The past of a lobby is in memory alone, so after a restart spectators see it as it
// was then. No answer to a player and no event of one waits for them.

import type { PlayerId } from '../../common/ids';
import { message } from '../../common/line';
import { writtenBytes } from '../../lobby/change';
import type { Lobby } from '../../lobby/lobby';
import { isSpectator } from '../../lobby/lobby';
import {
  spectatorSeatIn,
  viewForStrangers,
  type LobbyReading,
  type LobbyView,
} from '../../lobby/view';
import type { StreamOpening } from '../contracts/lobby';
import { Streams } from '../kit/listeners';
import type { FarEnd } from '../kit/ports';
import type { Seen } from './seen';
import { isUrgent, Pace } from './pace';
import { ShownStates, wholeOf } from './states';

/** States within this time are told as one, unless it is urgent. */
const FRAME_MS = 250;
/** What spectators of a lobby may make its thread write: a sixteenth of what it can. */
const BYTES_A_MS = 2_000;
/** Of the past, at most one state for each of these is kept. */
const PAST_MS = 1_000;
/** What players wrote in all that is kept of a past is no more than this and one state. */
const PAST_BYTES = 1_000_000;

/** A state that was the newest until then, epoch ms, or one before it that stands for it. `since`: its own end. */
interface PastState {
  readonly lobby: Lobby;
  readonly since: number;
  until: number;
}

export class Crowd {
  readonly streams: Streams;
  readonly #core: Seen;
  readonly #states: ShownStates;
  readonly #pace: Pace;
  /** What the delay still hides, or shows. Oldest first. */
  readonly #past: PastState[] = [];
  #newest: Lobby | null;
  #toldLast: Lobby | null = null;
  #isWaiting = false;
  readonly #views = new WeakMap<LobbyView, LobbyView>();

  constructor(core: Seen) {
    this.#core = core;
    this.#newest = core.lobby;
    const isIts = (player: string): boolean =>
      core.lobby !== null && isSpectator(core.lobby, player);
    this.streams = new Streams(core.ports, isIts);
    const viewOf = (lobby: Lobby): LobbyView => this.#viewOf(lobby);
    this.#states = new ShownStates(core.ports, {
      viewOf,
      seatOf: spectatorSeatIn,
      queueOf: () => null,
    });
    const pauseAfter = (bytes: number): number => Math.max(FRAME_MS, bytes / BYTES_A_MS);
    this.#pace = new Pace(core.ports, () => this.#tell(), pauseAfter);
  }

  /** What a spectator is answered. Null: there is no lobby. */
  reading(): LobbyReading | null {
    const lobby = this.shown();
    return lobby && { lobby: this.#viewOf(lobby), seat: spectatorSeatIn(lobby) };
  }

  #viewOf(lobby: Lobby): LobbyView {
    const whole = this.#core.view(lobby);
    const known = this.#views.get(whole);
    // First, as operations keep the order of keys, and add the list of spectators at the end.
    const view = known ?? { as: 'spectator' as const, ...viewForStrangers(whole) };
    this.#views.set(whole, view);
    return view;
  }

  open(player: PlayerId, lastRevision: number | null, how: StreamOpening = {}): FarEnd | null {
    const lobby = this.shown();
    if (lobby === null) {
      return null;
    }
    const { line, far } = this.streams.open(player, how.changes);
    if (how.changes && lastRevision !== null && how.lobby === lobby.id) {
      this.#states.resume(line, lastRevision, lobby);
    }
    line.say(this.#states.next(line, { kind: 'lobby', event: 'connected', lobby }, true));
    this.#wait();
    return far;
  }

  updated(lobby: Lobby): void {
    const before = this.#newest;
    this.#newest = lobby;
    if (before !== null && this.#core.delayMs > 0) {
      this.#pass(before);
      this.#wait();
    } else if (this.streams.size === 0) {
      return;
    } else if (before === null || isUrgent(before, lobby)) {
      this.#pace.now();
    } else {
      this.#pace.soon();
    }
  }

  /** A state that is not kept is told as the one before it, so nothing is told early. */
  #pass(lobby: Lobby): void {
    const { ports, delayMs } = this.#core;
    const now = ports.now();
    const last = this.#past.at(-1);
    const stepMs = Math.max(PAST_MS, (delayMs * writtenBytes(lobby)) / PAST_BYTES);
    if (last !== undefined && now < last.since + stepMs) {
      last.until = now;
    } else {
      this.#past.push({ lobby, since: now, until: now });
    }
    this.shown();
  }

  /** The state that was the newest `delayMs` ago. Of what was before this memory, the oldest that is known. */
  shown(): Lobby | null {
    const { ports, delayMs, lobby } = this.#core;
    const since = ports.now() - delayMs;
    while ((this.#past[0]?.until ?? Infinity) <= since) {
      this.#past.shift();
    }
    return this.#past[0]?.lobby ?? lobby;
  }

  /** Tells them each past state when its time has come, and keeps the object awake until then, or the past would be forgotten. */
  #wait(): void {
    // What is over goes first, or the timer would be due again at once.
    this.shown();
    const [next] = this.#past;
    if (next === undefined || this.#isWaiting) {
      return;
    }
    const { ports, delayMs } = this.#core;
    this.#isWaiting = true;
    ports.later(next.until + delayMs - ports.now(), () => {
      this.#isWaiting = false;
      if (this.streams.size > 0) {
        this.#pace.soon();
      }
      this.#wait();
    });
  }

  #tell(): void {
    const lobby = this.shown();
    if (lobby === null) {
      return;
    }
    if (lobby !== this.#toldLast) {
      this.#states.keep(lobby);
      this.#toldLast = lobby;
    }
    let bytes = 0;
    for (const line of [...this.streams.lines(true), ...this.streams.lines(false)]) {
      if (!this.#states.hasSeen(line, lobby)) {
        const said = { kind: 'lobby', event: 'lobby_updated', lobby } as const;
        const text = this.#states.next(line, said, true);
        line.say(text);
        bytes += text.data.length;
      }
    }
    this.#pace.told(bytes);
  }

  /** The player watches no more, and hears that at once: by what was shown, as a new state without `as`. */
  kicked(player: PlayerId): void {
    const lobby = this.shown();
    if (lobby !== null) {
      const last = { ...lobby, revision: this.#core.lobby?.revision ?? lobby.revision };
      const { as: _, ...view } = this.#viewOf(lobby);
      const said = { event: 'lobby_updated', lobby: last, queue: null } as const;
      this.streams.send(player, wholeOf(said, { ...view, revision: last.revision }));
    }
    this.streams.end(player, 'kicked');
  }

  /** The lobby has ended, and they hear that at once. */
  deleted(id: string): void {
    this.#newest = null;
    this.#past.length = 0;
    this.#states.forget();
    const said = message('lobby_deleted', { id });
    for (const player of this.streams.players) {
      this.streams.send(player, said);
      this.streams.end(player, 'left');
    }
  }
}
