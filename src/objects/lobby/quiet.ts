// Some clients apply answers and events as they arrive, without comparing `revision`, and handle the events of one
// frame of the game before its answers (decisions 39 and 64). If such a client handles an event before an older answer,
// the answer undoes the event. So the events of its stream wait from when a request arrives until the client has surely
// handled the answer. A change of status that would be older than the next answer is still said, before it. This file
// keeps the waiting events and decides when the caller sends them. Only the Worker knows when an answer leaves, and
// reports it here: on a busy machine that may be long after the lobby answered. The states of a player's line, and what
// holds in each, are in docs/internals/sdk.md.

import type { Status } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import { LAST_REVISION } from '../../common/line';
import type { ActorPorts } from '../contracts/actor-ports';
import { after, changes, isMark, withMark, withNewest, type Said, type Shows } from './waiting';

/** How long a stream stays quiet after an answer: longer than a slow frame of a game. */
const QUIET_MS = 400;
/** How long a stream waits for the answer to a request. A launch may take long, and a Worker may be gone. */
const MAX_QUIET_MS = 3_000;

const DELETED: Shows = { revision: LAST_REVISION, status: null };

/** An answer: the lobby itself, or an object that holds it. A null lobby was deleted. */
type Showing = Shows | { readonly lobby: Shows | null };

/** A request that only reads, or another whose answer has a mark. */
export type Marked = 'read' | 'command';

/** A request whose answer has not left yet. */
interface Unsent {
  readonly isRead: boolean;
  /** Epoch ms. */
  readonly since: number;
  /** The revision that the answer shows. Null until it is known. */
  shown: number | null;
  /** Whether the answer waits for its mark, which waits behind events. */
  isHeld: boolean;
}

interface Silence {
  asked: readonly Unsent[];
  /** When the last answer that left has surely been handled, epoch ms. */
  until: number;
  /** The same for the last answer to a read. */
  readUntil: number;
  /** The newest state that an answer has shown. Before the first answer: the status that the client shows. */
  shown: Shows;
  waiting: readonly Said[];
  /** The player has left. The stream goes back to the seat once reads are handled: their lobby would seem a new one. */
  isLeaving: boolean;
  cancel: () => void;
}

export class Quiet {
  readonly #ports: Pick<ActorPorts, 'now' | 'later'>;
  readonly #status: () => Status | null;
  readonly #speak: (player: string, said: Said) => void;
  readonly #silences = new Map<string, Silence>();

  /** `status`: the lobby's. `speak` sends one event at once, in the order in which the events were kept. */
  constructor(
    ports: Pick<ActorPorts, 'now' | 'later'>,
    status: () => Status | null,
    speak: (player: string, said: Said) => void,
  ) {
    this.#ports = ports;
    this.#status = status;
    this.#speak = speak;
  }

  /** Keeps the stream quiet during `work`, and until QUIET_MS after `answered` unless it refuses. `marked`: say its mark. */
  async during<T extends Showing>(
    player: string,
    work: () => Promise<Reply<T>>,
    marked: Marked | null = null,
  ): Promise<Reply<T>> {
    const silence = this.#silence(player);
    const asked = this.#asks(player, silence, marked === 'read');
    const reply = await work().catch((error: unknown) => {
      this.#refused(player, silence, asked);
      throw error;
    });
    if (!reply.ok || silence.isLeaving) {
      this.#refused(player, silence, asked);
      return reply;
    }
    const answer: Showing = reply.value;
    const shows = ('revision' in answer ? answer : answer.lobby) ?? DELETED;
    asked.shown = shows.revision;
    const owed = changes(silence.waiting, silence.shown, shows);
    if (shows.revision >= silence.shown.revision) {
      silence.shown = shows;
    }
    const mark = { kind: 'answer', revision: shows.revision } as const;
    if (marked !== null && this.#holds(player, silence, { owed, mark })) {
      asked.isHeld = true;
      this.#wait(player, silence);
    }
    return reply;
  }

  #asks(player: string, silence: Silence, isRead: boolean): Unsent {
    const asked: Unsent = { isRead, since: this.#ports.now(), shown: null, isHeld: false };
    silence.asked = [...silence.asked, asked];
    this.#wait(player, silence);
    return asked;
  }

  /** No answer shows a lobby: nothing waits for it. */
  #refused(player: string, silence: Silence, asked: Unsent): void {
    silence.asked = silence.asked.filter((each) => each !== asked);
    this.#wait(player, silence);
  }

  /** Says an answer's mark, unless it waits behind events. Whether it does. */
  #holds(player: string, silence: Silence, answer: Parameters<typeof withMark>[1]): boolean {
    const { waiting } = silence;
    const isNext = answer.owed.length === 0 && !waiting.some(isMark);
    if (isNext || this.#silences.get(player) !== silence) {
      this.#speak(player, answer.mark);
      return false;
    }
    silence.waiting = withMark(waiting, answer);
    return true;
  }

  /**
   * Call when an answer that shows the lobby at that revision leaves. All answers that show no newer revision count
   * as sent too, because the report that they left may have been lost.
   */
  answered(player: string, revision: number, behindMs: number): void {
    const silence = this.#silence(player);
    const handledAt = this.#ports.now() + QUIET_MS + behindMs;
    const isLeft = ({ shown }: Unsent): boolean => shown !== null && shown <= revision;
    if (silence.asked.some((asked) => asked.isRead && isLeft(asked))) {
      silence.readUntil = Math.max(silence.readUntil, handledAt);
    }
    silence.asked = silence.asked.filter((asked) => !isLeft(asked));
    // An answer that did not wait for its mark is only just on its way.
    while (silence.waiting.some((said) => isMark(said) && said.revision <= revision)) {
      this.#sayMarked(player, silence);
    }
    silence.until = Math.max(silence.until, handledAt);
    this.#wait(player, silence);
  }

  /** Keeps the event for later if the player's stream is quiet. False: the caller must send it now. */
  keeps(player: string, said: Said): boolean {
    const silence = this.#silences.get(player);
    if (silence === undefined) {
      return false;
    }
    if (this.#overAt(silence) <= this.#ports.now()) {
      // The timer is late, or was lost.
      this.#break(player, silence);
      return this.keeps(player, said);
    }
    if (said.kind === 'end') {
      this.#drop(player, silence);
    }
    silence.waiting = withNewest(silence.waiting, said);
    return true;
  }

  /** Drops what waits before the end. A player may have left by an answer that arrives first. */
  #drop(player: string, silence: Silence): void {
    silence.waiting = silence.waiting.filter(isMark);
    if (silence.waiting.length > 0) {
      this.#sayMarked(player, silence);
    }
  }

  /** The player opens a new stream. Events that waited for the old stream are dropped. */
  renew(player: string): void {
    const silence = this.#silences.get(player);
    if (silence !== undefined) {
      silence.waiting = silence.waiting.filter(isMark);
    }
  }

  /** The player has left, and hears nothing more. Waiting events are dropped. */
  leaves(player: string): void {
    const left = { kind: 'left' } as const;
    const silence = this.#silences.get(player);
    if (silence === undefined) {
      this.#speak(player, left);
      return;
    }
    this.#drop(player, silence);
    silence.waiting = [left];
    silence.isLeaving = true;
    this.#wait(player, silence);
  }

  #silence(player: string): Silence {
    const silence = this.#silences.get(player) ?? {
      asked: [],
      until: 0,
      readUntil: 0,
      shown: { revision: 0, status: this.#status() },
      waiting: [],
      isLeaving: false,
      cancel: () => {},
    };
    this.#silences.set(player, silence);
    return silence;
  }

  /** When what waits first may be said. An answer that waits for its mark keeps nothing back. */
  #overAt({ asked, until, readUntil, isLeaving }: Silence): number {
    const keepsBack = ({ isHeld, isRead, shown }: Unsent): boolean =>
      isLeaving ? isRead && shown !== null : !isHeld;
    const waits = asked.filter(keepsBack).map(({ since }) => since + MAX_QUIET_MS);
    return Math.max(isLeaving ? readUntil : until, ...waits);
  }

  #wait(player: string, silence: Silence): void {
    silence.cancel();
    if (this.#silences.get(player) !== silence) {
      return;
    }
    const ms = this.#overAt(silence) - this.#ports.now();
    if (ms > 0) {
      silence.cancel = this.#ports.later(ms, () => this.#break(player, silence));
    } else {
      this.#break(player, silence);
    }
  }

  /** Ends the silence and sends the waiting events, up to an answer that waits for them if there is one. */
  #break(player: string, silence: Silence): void {
    silence.cancel();
    if (silence.waiting.some(isMark)) {
      this.#sayMarked(player, silence);
      this.#wait(player, silence);
    } else {
      this.#silences.delete(player);
      after(silence.waiting, silence.shown).forEach((said) => this.#speak(player, said));
    }
  }

  /** Sends the events before the first mark, and all marks that follow them: their answers are under way. */
  #sayMarked(player: string, silence: Silence): void {
    const first = silence.waiting.findIndex(isMark);
    const marks = silence.waiting.slice(first);
    const next = marks.findIndex((said) => !isMark(said));
    const end = next < 0 ? silence.waiting.length : first + next;
    const said = silence.waiting.slice(0, end);
    silence.waiting = silence.waiting.slice(end);
    const revision = Math.max(...said.filter(isMark).map((mark) => mark.revision));
    for (const asked of silence.asked) {
      asked.isHeld &&= (asked.shown ?? 0) > revision;
    }
    said.forEach((each) => this.#speak(player, each));
  }
}
