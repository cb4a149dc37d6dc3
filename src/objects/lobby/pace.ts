// When the streams of a lobby are told its newest state: at once in a small lobby; in a large one, with pauses as long as it
// takes to write that state to all of them (decision 74). A status, a match or an address never waits.

import type { Lobby } from '../../lobby/lobby';
import type { ActorPorts } from '../contracts/actor-ports';

/** What one lobby may make its thread write: a quarter of what the thread can (record 0094). */
const BYTES_A_MS = 8_000;
/** A shorter pause is none, so the streams of small lobbies hear each change. */
const LEAST_MS = 10;
const MOST_MS = 250;
/** More streams than this that are told changes are told those of a frame at once. */
const FEW = 20;
const FRAME_MS = 50;

/** Whether nobody may hear of it late. */
export function isUrgent(before: Lobby, after: Lobby): boolean {
  const { config, status, part, game } = before;
  const isPlain = status === after.status && part === after.part && game === after.game;
  return config !== after.config || (!isPlain && landmark(before) !== landmark(after));
}

function landmark({ status, part, game }: Lobby): string {
  const { instance_id, status: runs, network_ports, term } = game?.block ?? {};
  return JSON.stringify([status, part?.matchId, instance_id, runs, network_ports, term]);
}

export class Pace {
  readonly #ports: Pick<ActorPorts, 'now' | 'later'>;
  readonly #tell: (wasDue: boolean) => void;
  /** Whether a state waits to be told. */
  isDue = false;
  #cancel: () => void = () => {};
  #toldAt = -Infinity;
  #pauseMs = 0;
  readonly #pauseOf: (bytes: number) => number;

  /**
   * `tell` tells the streams, and calls `told`. `wasDue`: the state has waited, so a stream may have been opened with it.
   * `pauseAfter`: how long the pause is, ms, after so many bytes were written.
   */
  constructor(
    ports: Pick<ActorPorts, 'now' | 'later'>,
    tell: (wasDue: boolean) => void,
    pauseAfter = pauseOf,
  ) {
    this.#ports = ports;
    this.#tell = tell;
    this.#pauseOf = pauseAfter;
  }

  /** The streams have been told, which wrote so many bytes. */
  told(bytes: number): void {
    this.#toldAt = this.#ports.now();
    this.#pauseMs = this.#pauseOf(bytes);
  }

  /**
   * Tells them now, or when their pause is over. `changing`: so many are told changes, and those of one turn, or of a frame, as
   * one event.
   */
  soon(changing = 0): void {
    if (this.isDue) {
      return;
    }
    const isFree = changing <= FEW && this.#pauseMs === 0;
    // A clock that was set back makes nobody wait for longer.
    const sinceMs = isFree ? 0 : Math.abs(this.#ports.now() - this.#toldAt);
    const least = changing > FEW && sinceMs <= 2 * FRAME_MS ? FRAME_MS : 0;
    const ms = Math.max(least, this.#pauseMs - sinceMs);
    this.isDue = ms > 0 || changing > 0;
    if (ms > 0) {
      this.#cancel = this.#ports.later(ms, () => this.now());
    } else if (changing > 0) {
      queueMicrotask(() => this.isDue && this.now());
    } else {
      this.now();
    }
  }

  now(): void {
    const wasDue = this.isDue;
    this.isDue = false;
    this.#cancel();
    this.#tell(wasDue);
  }
}

/** A state of more than 4 MB for all streams would take more than half of the thread at MOST_MS, so it is paced on. */
function pauseOf(bytes: number): number {
  const ms = bytes / BYTES_A_MS;
  return ms < LEAST_MS ? 0 : Math.max(Math.min(ms, MOST_MS), ms / 2);
}
