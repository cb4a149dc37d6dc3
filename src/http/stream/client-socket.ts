// A client's stream as a WebSocket, with one JSON message for each event (docs/events.md). The platform does not say how
// much is still under way, so the client does: any message acknowledges everything that it has received, and until then it
// gets only a limited amount more. It has nothing else to say, so long or frequent messages close the socket (decision 52).
// On a box the guard closes it before they get here (scripts/socket-guard.ts).

import type { Clock } from '../../common/later';
import { message, MOVED, REPLACED, type Message } from '../../common/line';
import type { Carrier, Over } from './client';

/** If more than this is unanswered, the client gets an extra `ping`, besides those every 30 s. */
const ASK_CHARACTERS = 16 * 1024;
/** If more than this is unanswered, nothing is sent until the client answers. */
const MAX_UNANSWERED_CHARACTERS = 64 * 1024;
/** Least time between pings, so that a client that answers each ping stays below the limit of messages. */
const ASK_MS = 1_500;
const MAX_MESSAGE_BYTES = 256;
const MAX_MESSAGES = 10;
const MESSAGES_MS = 10_000;
/** The close code for a client that lags. It should reconnect at once. */
const BEHIND = [4001, 'behind'] as const;
/** The close codes for ends. A client must not reconnect after `replaced`, needs a new token after `expired`, and reconnects at once after `moved`. */
const ENDS = {
  replaced: [4000, 'replaced'],
  expired: [4002, 'token expired'],
  moved: [4003, 'moved'],
  over: [1000, 'over'],
} as const satisfies Record<Over, readonly [number, string]>;

function json({ event, id, data }: Pick<Message, 'event' | 'id' | 'data'>): string {
  return `{"event":${JSON.stringify(event)},"id":${id},"data":${data}}`;
}

function isLong(data: string | Blob): boolean {
  // A text can have 32 MiB. One that has too many characters is never copied.
  return typeof data === 'string'
    ? data.length > MAX_MESSAGE_BYTES || new Blob([data]).size > MAX_MESSAGE_BYTES
    : data.size > MAX_MESSAGE_BYTES;
}

export class ClientSocket implements Carrier {
  readonly response: Response;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  #wanted: () => void = () => {};
  #gone: () => void = () => {};
  #unanswered = 0;
  #askedAt = -Infinity;
  /** Whether a ping is scheduled, or was sent and is not answered yet. */
  #isAsked = false;
  #stopAsking: () => void = () => {};
  #isHeldBack = false;
  #messages = 0;
  #messagesSince = -Infinity;
  readonly #ended = Promise.withResolvers<void>();
  readonly over = this.#ended.promise;

  constructor(clock: Clock) {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.#socket = ours;
    this.#clock = clock;
    this.response = new Response(null, { status: 101, webSocket: theirs });
  }

  open(wanted: () => void, gone: () => void): void {
    this.#wanted = wanted;
    this.#gone = () => {
      this.#stopAsking();
      this.#ended.resolve();
      gone();
    };
    this.#socket.addEventListener('message', this.#heard);
    this.#socket.addEventListener('close', this.#gone);
    this.#socket.addEventListener('error', this.#gone);
    this.#socket.accept();
    wanted();
  }

  readonly #heard = ({ data }: { readonly data: string | Blob }): void => {
    const now = this.#clock.now();
    if (Math.abs(now - this.#messagesSince) >= MESSAGES_MS) {
      this.#messagesSince = now;
      this.#messages = 0;
    }
    this.#messages += 1;
    if (isLong(data)) {
      this.#refuse(1009, `a message has at most ${MAX_MESSAGE_BYTES} bytes`);
    } else if (this.#messages > MAX_MESSAGES) {
      this.#refuse(1008, 'at most ten messages in ten seconds');
    } else {
      this.#unanswered = 0;
      this.#isAsked = false;
      this.#stopAsking();
      if (this.#isHeldBack) {
        this.#isHeldBack = false;
        this.#wanted();
      }
    }
  };

  #refuse(code: number, reason: string): void {
    this.#socket.removeEventListener('message', this.#heard);
    this.#socket.close(code, reason);
    this.#gone();
  }

  put(messages: readonly Message[] | null): void {
    for (const each of messages ?? []) {
      this.#send(json(each));
      if (each.event === 'ping') {
        this.#asked();
      }
    }
    if (this.#unanswered > ASK_CHARACTERS && !this.#isAsked) {
      this.#ask();
    }
    if (this.#unanswered > MAX_UNANSWERED_CHARACTERS) {
      this.#isHeldBack = true;
    } else {
      this.#wanted();
    }
  }

  #ask(): void {
    // Wait at most ASK_MS, even if the clock was set back.
    const wait = Math.min(ASK_MS, this.#askedAt + ASK_MS - this.#clock.now());
    if (wait > 0) {
      this.#isAsked = true;
      this.#stopAsking = this.#clock.later(wait, () => this.#ask());
    } else {
      this.#asked();
      this.#send(json(message('ping', null)));
    }
  }

  #asked(): void {
    this.#stopAsking();
    this.#isAsked = true;
    this.#askedAt = this.#clock.now();
  }

  #send(text: string): void {
    this.#unanswered += text.length;
    try {
      this.#socket.send(text);
    } catch {
      this.#gone();
    }
  }

  end(why: Over): void {
    if (why === 'replaced' || why === 'moved') {
      this.#send(json(why === 'moved' ? MOVED : REPLACED));
    }
    this.#close(ENDS[why]);
  }

  drop(): void {
    // The runtime has all that was put.
  }

  cut(): void {
    this.#close(BEHIND);
  }

  #close([code, reason]: readonly [number, string]): void {
    this.#stopAsking();
    this.#ended.resolve();
    this.#socket.close(code, reason);
  }
}
