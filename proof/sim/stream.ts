// Lines: what an actor says reaches the far end only after the output gate, and in order.

import type { Heard } from '../../src/common/line';
import type { FarEnd, RelayLine, Lines } from '../../src/objects/kit/ports';
import { Mailbox } from '../../src/objects/placement/box/lines';
import { Handle } from './clone';
import type { Loop } from './loop';

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

/** The lines of one incarnation: what it says waits for its own writes. */
export function socketLines(
  { open, ending }: SimSockets,
  gate: (send: () => void) => void,
  connect: (player: string | null, changes: boolean) => SimSocket,
): Lines {
  const lineOf = (socket: SimSocket): RelayLine => ({
    player: socket.player ?? '',
    changes: socket.changes,
    say: (message) => gate(() => socket.far.post(message)),
    end: (why) => {
      open.delete(socket);
      ending.add(socket);
      gate(() => {
        ending.delete(socket);
        socket.far.post(why);
      });
    },
  });
  return {
    open: (player, changes) => {
      const socket = connect(player, changes);
      open.add(socket);
      return { line: lineOf(socket), far: socket.far };
    },
    all: () => [...open].filter(({ player }) => player !== null).map(lineOf),
    watch: () => {
      const socket = connect(null, false);
      open.add(socket);
      return socket.far;
    },
    watchers: () => [...open].filter(({ player }) => player === null).map(lineOf),
  };
}
