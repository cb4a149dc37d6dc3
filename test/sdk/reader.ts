// Reads an event stream as the SDK does: line by line, exact prefixes, each chunk decoded by itself. The end of a chunk
// right after a line counts as an empty line.

export interface Told {
  readonly event: string;
  readonly data: string;
  /** When the bytes arrived, as ./arrivals.ts has noted it; else null. */
  readonly arrived: string | null;
}

export class LineReader {
  readonly #tell: (told: Told) => void;
  #rest = '';
  #event = '';
  #data = '';
  #arrived: string | null = null;

  constructor(tell: (told: Told) => void) {
    this.#tell = tell;
  }

  /** A character that is split over two chunks is spoilt, as in the SDK. */
  feed(chunk: Uint8Array): void {
    const lines = (this.#rest + new TextDecoder().decode(chunk)).split('\n');
    this.#rest = lines.at(-1) ?? '';
    for (const line of this.#rest === '' ? lines : lines.slice(0, -1)) {
      this.#line(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
  }

  /** What an empty line ends is forgotten with the event's name only: data without a name waits for one. */
  #line(line: string): void {
    if (line.startsWith('event: ')) {
      this.#event = line.slice('event: '.length);
    } else if (line.startsWith('data: ')) {
      this.#data += line.slice('data: '.length);
    } else if (line.startsWith('arrived: ')) {
      this.#arrived = line.slice('arrived: '.length);
    } else if (line === '' && this.#event !== '') {
      this.#tell({ event: this.#event, data: this.#data, arrived: this.#arrived });
      this.#event = '';
      this.#data = '';
    }
  }
}
