// Lines: what an actor says reaches the far end only after the output gate, and in order.

import type { Heard } from '../src/line';
import type { FarEnd, Line, Lines } from '../src/objects/kit/host';
import { Handle } from './clone';
import type { Loop } from './loop';

export class SimLine extends Handle implements FarEnd {
  readonly #loop: Loop;
  readonly #hungUp: () => void;
  readonly #early: Heard[] = [];
  #hear: ((heard: Heard) => void) | null = null;
  #broken: () => void = () => {};
  #isBroken = false;
  #isOver = false;
  /** When the last word arrives: they keep their order. */
  #lastAt = 0;

  constructor(loop: Loop, hungUp: () => void) {
    super();
    this.#loop = loop;
    this.#hungUp = hungUp;
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.#hear = hear;
    this.#broken = broken;
    this.#early.forEach(hear);
    if (this.#isBroken) {
      broken();
    }
  }

  #next(): number {
    this.#lastAt = Math.max(this.#lastAt + 0.001, this.#loop.now + 0.1);
    return this.#lastAt;
  }

  /** The actor's, behind the gate of whoever holds it. */
  post(heard: Heard): void {
    this.#loop.at(this.#next(), () => {
      if (this.#isOver) {
        return;
      }
      this.#isOver = typeof heard === 'string';
      if (this.#hear === null) {
        this.#early.push(heard);
      } else {
        this.#hear(heard);
      }
    });
  }

  break(): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#isBroken = true;
      this.#broken();
    }
  }

  /** The actor hears of it later, if it lives then. */
  async hangUp(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#loop.at(this.#next(), this.#hungUp);
    }
  }
}

/** A line that outlives its actor's memory, as the sockets of an object that sleeps. */
export interface SimSocket {
  readonly player: string;
  readonly far: SimLine;
}

export interface SimSockets {
  readonly open: Set<SimSocket>;
  /** Their actor has said farewell, which still waits for its writes. */
  readonly ending: Set<SimSocket>;
}

/** The lines of one incarnation: what it says waits for its own writes. */
export function socketLines(
  { open, ending }: SimSockets,
  gate: (send: () => void) => void,
  connect: (player: string) => SimSocket,
): Lines {
  const lineOf = (socket: SimSocket): Line => ({
    player: socket.player,
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
    open: (player) => {
      const socket = connect(player);
      open.add(socket);
      return { line: lineOf(socket), far: socket.far };
    },
    all: () => Array.from(open, lineOf),
  };
}
