// Who listens to one actor: players by streams, and the dashboard pages of operators. Nothing depends on a line: one
// that breaks is forgotten, and its relay reconnects and gets the full state. An actor keeps no timer for its lines and
// calls nobody for them, so it can sleep while nothing happens (record 0020).

import { message, type Farewell, type Message } from '../../common/line';
import { refusal, type Reply } from '../../lobby/refusals';
import type { FarEnd, Lines, RelayLine, Ports } from './ports';

/** The players who listen, one line each. */
export class Streams {
  readonly #ports: Pick<Ports, 'lines'>;
  readonly #lines = new Map<string, RelayLine>();
  #hasBeenOpen: boolean;
  /** The lines that did not ask for changes, and those that did. Null: a line came or went since they were told apart. */
  #apart: readonly [readonly RelayLine[], readonly RelayLine[]] | null = null;

  /** Players who listened before the actor slept are still listening. `isIts`: whose lines these are; all, if absent. */
  constructor(ports: Pick<Ports, 'lines'>, isIts: (player: string) => boolean = () => true) {
    this.#ports = ports;
    const its = ports.lines.all().filter((line) => isIts(line.player));
    its.forEach((line) => this.#lines.set(line.player, line));
    this.#hasBeenOpen = this.#lines.size > 0;
  }

  /** Whether anybody has listened since the actor woke. */
  get hasBeenOpen(): boolean {
    return this.#hasBeenOpen;
  }

  get players(): ReadonlySet<string> {
    return new Set(this.#lines.keys());
  }

  has(player: string): boolean {
    return this.#lines.has(player);
  }

  line(player: string): RelayLine | undefined {
    return this.#lines.get(player);
  }

  get size(): number {
    return this.#lines.size;
  }

  /** Those that asked for changes, or the others. */
  lines(changes: boolean): readonly RelayLine[] {
    if (this.#apart === null) {
      const all = [...this.#lines.values()];
      this.#apart = [all.filter((line) => !line.changes), all.filter((line) => line.changes)];
    }
    return this.#apart[changes ? 1 : 0];
  }

  /** Opens the player's stream. It replaces an older one of the same player. */
  open(player: string, changes = false): ReturnType<Lines['open']> {
    this.end(player, 'replaced');
    const opened = this.#ports.lines.open(player, changes);
    this.#lines.set(player, opened.line);
    this.#apart = null;
    this.#hasBeenOpen = true;
    return opened;
  }

  send(player: string, said: Message): void {
    this.#lines.get(player)?.say(said);
  }

  /** Ends a stream with the reason that tells the relay what to do next. */
  end(player: string, why: Farewell): void {
    const line = this.#lines.get(player);
    this.closed(player);
    line?.end(why);
  }

  /** The player's relay hung up. */
  closed(player: string): void {
    this.#lines.delete(player);
    this.#apart = null;
  }
}

/** An actor that operators can watch. */
export interface Watchable {
  /** Opens a line that says `changed` when the answers for operators may have changed. Only relays call it. */
  changes(): Promise<Reply<FarEnd>>;
}

/** Changes within this time are reported as one. */
const TELL_MS = 500;
/** Watchers of one actor. Each costs memory, and somebody with the key could open pages without end. */
const MAX_WATCHERS = 100;

/** The operators' pages that show the actor. Each hears that something changed, and asks for the new state itself. */
export class Watched {
  readonly #ports: Pick<Ports, 'lines' | 'now' | 'later'>;
  #toldAt = -Infinity;
  #isToTell = false;

  constructor(ports: Pick<Ports, 'lines' | 'now' | 'later'>) {
    this.#ports = ports;
  }

  open(): Reply<FarEnd> {
    const { lines } = this.#ports;
    return lines.watchers().length < MAX_WATCHERS
      ? { ok: true, value: lines.watch() }
      : refusal('UNAVAILABLE', 'Too many dashboard pages show this already');
  }

  /** Call after anything that operators see has changed. */
  changed(): void {
    if (this.#isToTell || this.#ports.lines.watchers().length === 0) {
      return;
    }
    const wait = TELL_MS - Math.abs(this.#ports.now() - this.#toldAt);
    if (wait <= 0) {
      this.#tell();
    } else {
      this.#isToTell = true;
      this.#ports.later(wait, () => this.#tell());
    }
  }

  #tell(): void {
    this.#isToTell = false;
    this.#toldAt = this.#ports.now();
    const said = message('changed', null);
    this.#ports.lines.watchers().forEach((each) => each.say(said));
  }
}
