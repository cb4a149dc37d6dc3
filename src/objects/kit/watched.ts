// The operators' pages that show one actor. Each page is told that something changed, and then asks for the new
// state itself. An actor without watchers does no work for this, and an actor with watchers can sleep while
// nothing changes (record 0020).

import { message } from '../../common/line';
import { refusal, type Reply } from '../../lobby/refusals';
import type { FarEnd, Ports } from './ports';

/** An actor that operators can watch. */
export interface Watchable {
  /** Opens a line that says `changed` when the answers for operators may have changed. Only relays call it. */
  changes(): Promise<Reply<FarEnd>>;
}

/** Changes within this time are reported as one. */
const TELL_MS = 500;
/** Watchers of one actor. Each costs memory, and somebody with the key could open pages without end. */
const MAX_WATCHERS = 100;

export class Watched {
  readonly #host: Pick<Ports, 'lines' | 'now' | 'later'>;
  #toldAt = -Infinity;
  #isToTell = false;

  constructor(host: Pick<Ports, 'lines' | 'now' | 'later'>) {
    this.#host = host;
  }

  open(): Reply<FarEnd> {
    const { lines } = this.#host;
    return lines.watchers().length < MAX_WATCHERS
      ? { ok: true, value: lines.watch() }
      : refusal('UNAVAILABLE', 'Too many dashboard pages show this already');
  }

  /** Call after anything that operators see has changed. */
  changed(): void {
    if (this.#isToTell || this.#host.lines.watchers().length === 0) {
      return;
    }
    const wait = TELL_MS - Math.abs(this.#host.now() - this.#toldAt);
    if (wait <= 0) {
      this.#tell();
    } else {
      this.#isToTell = true;
      this.#host.later(wait, () => this.#tell());
    }
  }

  #tell(): void {
    this.#isToTell = false;
    this.#toldAt = this.#host.now();
    const said = message('changed', undefined);
    this.#host.lines.watchers().forEach((each) => each.say(said));
  }
}
