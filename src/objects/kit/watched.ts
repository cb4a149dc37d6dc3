// The operators' pages that look at one actor: each is told that something has changed, and asks
// again itself. An actor that nobody looks at does nothing for it; one that is looked at sleeps on
// while nothing changes (record 0020).

import { message } from '../../line';
import { refusal, type Reply } from '../../lobby/refusals';
import type { FarEnd, Ports } from './ports';

/** An actor that operators look at. */
export interface Watchable {
  /** A line that says `changed` when what it answers operators may have. For relays alone. */
  changes(): Promise<Reply<FarEnd>>;
}

/** Changes in a row are told as one. */
const TELL_MS = 500;
/** Of one actor: each costs memory, and who has the key may open pages without end. */
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
      : refusal('UNAVAILABLE', 'Too many pages look at this already');
  }

  /** Call after what they see has changed. */
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
