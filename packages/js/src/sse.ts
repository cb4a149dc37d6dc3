// Parses server-sent events from text that arrives in arbitrary pieces.

export interface ServerSentEvent {
  readonly event: string;
  /** The last `id` seen so far on this stream; null before the first. */
  readonly id: string | null;
  readonly data: string;
}

export interface SseHandlers {
  readonly onEvent: (event: ServerSentEvent) => void;
  /** A comment line, without its colon. */
  readonly onComment?: ((text: string) => void) | undefined;
}

/** Lines end with LF, CR or CRLF, also when a piece ends between CR and LF. */
export class SseParser {
  readonly #handlers: SseHandlers;
  #rest = '';
  #isFirst = true;
  #event = '';
  #data: string[] = [];
  #id: string | null = null;

  constructor(handlers: SseHandlers) {
    this.#handlers = handlers;
  }

  feed(piece: string): void {
    let text = this.#rest + piece;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      text = text.replace(/^\uFEFF/, '');
    }
    const line = /\r\n|\n|\r/g;
    let from = 0;
    for (;;) {
      line.lastIndex = from;
      const end = line.exec(text);
      // A CR at the very end may be half of a CRLF.
      if (end === null || (end[0] === '\r' && line.lastIndex === text.length)) {
        break;
      }
      this.#line(text.slice(from, end.index));
      from = line.lastIndex;
    }
    this.#rest = text.slice(from);
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) {
      this.#handlers.onComment?.(line.slice(1));
      return;
    }
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') {
      this.#event = value;
    } else if (field === 'data') {
      this.#data.push(value);
    } else if (field === 'id' && !value.includes('\0')) {
      this.#id = value;
    }
  }

  #dispatch(): void {
    const [event, data] = [this.#event, this.#data];
    this.#event = '';
    this.#data = [];
    if (data.length > 0) {
      const name = event === '' ? 'message' : event;
      this.#handlers.onEvent({ event: name, id: this.#id, data: data.join('\n') });
    }
  }
}
