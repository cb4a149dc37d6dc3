// The players who listen to one actor, one line each. Nothing depends on a line: a line that breaks is
// forgotten, and its relay reconnects and gets the full state. The actor keeps no timer for its lines and calls
// nobody for them, so it can sleep while nothing happens (record 0020).

import type { Farewell, Message } from '../../common/line';
import type { FarEnd, Line, Ports } from './ports';

export class Streams {
  readonly #host: Pick<Ports, 'lines'>;
  readonly #lines = new Map<string, Line>();
  #hasBeenOpen: boolean;

  /** Players who listened before the actor slept are still listening. */
  constructor(host: Pick<Ports, 'lines'>) {
    this.#host = host;
    for (const line of host.lines.all()) {
      this.#lines.set(line.player, line);
    }
    this.#hasBeenOpen = this.#lines.size > 0;
  }

  /** Whether anybody has listened since the actor woke. */
  get hasBeenOpen(): boolean {
    return this.#hasBeenOpen;
  }

  /** Players with an open stream. */
  get players(): ReadonlySet<string> {
    return new Set(this.#lines.keys());
  }

  has(player: string): boolean {
    return this.#lines.has(player);
  }

  /** Opens the player's stream and sends `first`. It replaces an older stream of the same player. */
  open(player: string, first: readonly Message[]): FarEnd {
    this.end(player, 'replaced');
    const { line, far } = this.#host.lines.open(player);
    this.#lines.set(player, line);
    this.#hasBeenOpen = true;
    first.forEach((each) => line.say(each));
    return far;
  }

  send(player: string, message: Message): void {
    this.#lines.get(player)?.say(message);
  }

  /** Ends a stream with the reason that tells the relay what to do next. */
  end(player: string, why: Farewell): void {
    const line = this.#lines.get(player);
    this.#lines.delete(player);
    line?.end(why);
  }

  /** The player's relay hung up. */
  closed(player: string): void {
    this.#lines.delete(player);
  }
}
