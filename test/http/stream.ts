// A client of the event stream: reads blocks, keeps them, and waits for the one it wants.

import type { LobbyView } from '../../src/lobby/view';
import { fetchRaw, type Asked } from './support';

export interface Received {
  readonly event: string;
  readonly id: string | null;
  readonly data: unknown;
}

/** Only a fault makes anybody wait so long, or a machine with much else to do. */
const WAIT_MS = 120_000;

export class Stream {
  readonly response: Response;
  readonly received: Received[] = [];
  /** Text as it came, to look at the framing. */
  raw = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = '';

  constructor(response: Response) {
    this.response = response;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** False once the service has ended the stream. */
  async #more(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new Error(`nothing came; so far ${JSON.stringify(this.received)}`));
      }, WAIT_MS);
    });
    const { done, value } = await Promise.race([this.#reader.read(), late]);
    clearTimeout(timer);
    if (done) {
      return false;
    }
    const text = new TextDecoder().decode(value);
    this.raw += text;
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const read = parse(block);
      if (read !== null) {
        this.received.push(read);
      }
    }
    return true;
  }

  /** The next event, past those already taken, that fits. */
  async next(event: string, fits: (data: LobbyView) => boolean = () => true): Promise<LobbyView> {
    for (;;) {
      const taken = this.received.shift();
      if (taken === undefined) {
        if (!(await this.#more())) {
          throw new Error(`the stream ended before ${event}`);
        }
      } else if (taken.event === event && fits(taken.data as LobbyView)) {
        return taken.data as LobbyView;
      }
    }
  }

  /** The next event, whatever it is. */
  async any(): Promise<Received> {
    while (this.received.length === 0) {
      if (!(await this.#more())) {
        throw new Error('the stream ended');
      }
    }
    return this.received.shift() as Received;
  }

  /** Reads until an event of that name has come; all that came, it the last. */
  async upTo(event: string): Promise<readonly Received[]> {
    for (;;) {
      const at = this.received.findIndex((each) => each.event === event);
      if (at >= 0) {
        return this.received.splice(0, at + 1);
      }
      if (!(await this.#more())) {
        throw new Error(`the stream ended before ${event}`);
      }
    }
  }

  /** Reads until the service ends the stream; the events that came. */
  async ended(): Promise<readonly Received[]> {
    for (;;) {
      if (!(await this.#more())) {
        return this.received;
      }
    }
  }

  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

function parse(block: string): Received | null {
  const field = (name: string): string | null =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? null;
  const event = field('event');
  const data = field('data');
  return event === null ? null : { event, id: field('id'), data: JSON.parse(data ?? 'null') };
}

/** `query` with its question mark. */
export async function listen(
  config: string,
  player: string,
  { query = '', ...asked }: Asked & { readonly query?: string } = {},
): Promise<Stream> {
  const headers = { accept: 'text/event-stream', ...asked.headers };
  return new Stream(
    await fetchRaw(`GET lobbies/${config}/me/events${query}`, { player, ...asked, headers }),
  );
}
