// Lines: what an actor says reaches the far end only after the output gate, and in order.

import type { Heard } from '../../src/common/line';
import type { FarEnd, RelayLine, Lines } from '../../src/objects/kit/ports';
import { Mailbox } from '../../src/objects/placement/box/lines';
import { Handle } from './clone';
import type { Loop } from './loop';
import type { Caller } from './parts';

/** A mailbox: messages and hang-ups arrive after a delay. */
export class SimLine extends Handle implements FarEnd {
  readonly #loop: Loop;
  readonly #mailbox: Mailbox;
  /** When the last message arrives, because messages keep their order. */
  #lastAt = 0;

  /** `hungUp`: the actor hears of it later, if it is alive then. */
  constructor(loop: Loop, hungUp: () => void) {
    super();
    this.#loop = loop;
    this.#mailbox = new Mailbox(() => loop.at(this.#next(), hungUp));
  }

  #next(): number {
    this.#lastAt = Math.max(this.#lastAt + 0.001, this.#loop.now + 0.1);
    return this.#lastAt;
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.#mailbox.listen(hear, broken);
  }

  /** The actor's end, behind the output gate of its host. */
  post(heard: Heard): void {
    this.#loop.at(this.#next(), () => this.#mailbox.post(heard));
  }

  break(): void {
    this.#mailbox.break();
  }

  hangUp(): Promise<void> {
    return this.#mailbox.hangUp();
  }
}

/** A line that outlives its actor's memory, as the sockets of an object that sleeps. */
export interface SimSocket {
  /** Null: an operator watches. */
  readonly player: string | null;
  readonly changes: boolean;
  readonly far: SimLine;
}

export interface SimSockets {
  readonly open: Set<SimSocket>;
  /** The actor has said farewell, which waits for its writes. */
  readonly ending: Set<SimSocket>;
}

/**
 * The lines of one incarnation: what it says waits for its own writes. Work of one that is gone may go on after an await, and
 * changes no line of the next.
 */
export function socketLines(
  sockets: SimSockets,
  life: Pick<Caller, 'gone' | 'gate'>,
  connect: (player: string | null, changes: boolean) => SimSocket,
): Lines {
  const nowhere: SimSockets = { open: new Set(), ending: new Set() };
  const now = (): SimSockets => (life.gone ? nowhere : sockets);
  const lineOf = (socket: SimSocket): RelayLine => ({
    player: socket.player ?? '',
    changes: socket.changes,
    say: (message) => life.gate(() => socket.far.post(message)),
    end: (why) => {
      now().open.delete(socket);
      now().ending.add(socket);
      life.gate(() => {
        now().ending.delete(socket);
        socket.far.post(why);
      });
    },
  });
  const opened = (player: string | null, changes: boolean): SimSocket => {
    const socket = connect(player, changes);
    now().open.add(socket);
    return socket;
  };
  const all = (): readonly SimSocket[] => [...now().open];
  return {
    open: (player, changes) => {
      const socket = opened(player, changes);
      return { line: lineOf(socket), far: socket.far };
    },
    all: () =>
      all()
        .filter(({ player }) => player !== null)
        .map(lineOf),
    watch: () => opened(null, false).far,
    watchers: () =>
      all()
        .filter(({ player }) => player === null)
        .map(lineOf),
  };
}
