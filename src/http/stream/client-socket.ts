// A client's stream as a WebSocket: a JSON message an event (docs/events.md). The platform does not
// say how much of what was sent is still on its way, so the client does: any message of it
// acknowledges all that it has got. Of a client that owes one only so much is on its way.

import type { Message } from '../../line';
import type { Carrier, Over } from './client';

/** Beyond it the client is asked to answer, by a `ping` besides those each 30 s. */
const ASK_CHARACTERS = 16 * 1024;
/** Beyond it nothing more is sent before it has answered. */
const MAX_UNANSWERED_CHARACTERS = 64 * 1024;
/** Why a socket was closed: the client is to come back at once. */
const BEHIND = 4001;
/** The same of ends: it is not to come back after `replaced`, and with a new token after `expired`. */
const ENDS = {
  replaced: [4000, 'replaced'],
  expired: [4002, 'token expired'],
  over: [1000, 'over'],
} as const satisfies Record<Over, readonly [number, string]>;

const PING = '{"event":"ping","id":null,"data":null}';

function json({ event, id, data }: Message): string {
  return `{"event":${JSON.stringify(event)},"id":${id},"data":${data === '' ? 'null' : data}}`;
}

export class ClientSocket implements Carrier {
  readonly response: Response;
  readonly #socket: WebSocket;
  #wanted: () => void = () => {};
  #gone: () => void = () => {};
  #unanswered = 0;
  #isAsked = false;
  #isHeldBack = false;

  constructor() {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    this.#socket = ours;
    this.response = new Response(null, { status: 101, webSocket: theirs });
  }

  open(wanted: () => void, gone: () => void): void {
    this.#wanted = wanted;
    this.#gone = gone;
    this.#socket.addEventListener('message', () => this.#answered());
    this.#socket.addEventListener('close', gone);
    this.#socket.addEventListener('error', gone);
    this.#socket.accept();
    wanted();
  }

  #answered(): void {
    this.#unanswered = 0;
    this.#isAsked = false;
    if (this.#isHeldBack) {
      this.#isHeldBack = false;
      this.#wanted();
    }
  }

  put(messages: readonly Message[] | null): void {
    for (const message of messages ?? []) {
      this.#send(json(message));
      this.#isAsked ||= message.event === 'ping';
    }
    if (this.#unanswered > ASK_CHARACTERS && !this.#isAsked) {
      this.#isAsked = true;
      this.#send(PING);
    }
    if (this.#unanswered > MAX_UNANSWERED_CHARACTERS) {
      this.#isHeldBack = true;
    } else {
      this.#wanted();
    }
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
    const [code, reason] = ENDS[why];
    this.#socket.close(code, reason);
  }

  cut(): void {
    this.#socket.close(BEHIND, 'behind');
  }
}
