// The door of a box admits a limited number of requests for new work in each turn of the event loop. The others wait in a
// line. The loop reads sockets and timers only when idle, and runs a step of every admitted request in between, so requests
// that are admitted together end together, and until then the loop sees no other request. The work that a request causes is
// part of the turn too. So short turns keep all requests fast, and the length of a turn shows how much load a box can take.

import { type Clock, later } from '../../common/later';
import { overloaded, type Refusal } from '../../lobby/refusals';
import type { Call, Route } from '../wire/call';
import { isPatient, PATIENCE_MS, rungOf } from './ladder';

/** Requests admitted in a turn: some 20 ms of work. */
const PER_TURN = 16;
/** How many may wait at once in a burst: a lobby of a hundred players, or everybody when streams break. */
const BURST = 192;
/** A crowd that lasts longer than this is no burst. */
const BURST_MS = 1_000;
/** After a burst the line is kept so short that its last request waits no longer than this. */
const STANDING_MS = 200;
/** A crowd is over after this long without a line. */
const CALM_MS = 500;
const FIRST_GUESS_MS = 2;
/** A turn that takes longer was lost with its object, or means nothing any more. */
const LOST_MS = 2_000;
/** Requests are not handled in the order in which they came, so one may show a slightly earlier time than the one before. */
const SET_BACK_MS = 100;

export class Door {
  readonly #clock: Clock;
  /** The line, in the order of arrival. A request whose turn comes later than `until` is refused. */
  readonly #waiting: { readonly until: number; readonly isIn: (isIn: boolean) => void }[] = [];
  /** The current turn. Null: nothing was admitted since the loop was last idle. */
  #turn: { readonly begunAt: number; begun: number } | null = null;
  /** When the current crowd began, and when a request last met a line. */
  #crowd = { from: -Infinity, to: -Infinity };
  #msEach = FIRST_GUESS_MS;

  /** A timer of 0 ms must fire once the event loop has nothing else to do. */
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lets everybody in who waits, and ends the turn. */
  open(): void {
    this.#turn = null;
    this.#waiting.splice(0).forEach(({ isIn }) => isIn(true));
  }

  /** False: the line is full. A patient request may join a line that is full for others, for PATIENCE_MS at most. */
  async enter(waits = false): Promise<boolean> {
    this.#turn ??= this.#begin();
    const { length } = this.#waiting;
    if (length === 0 && this.#turn.begun < PER_TURN) {
      this.#turn.begun += 1;
      return true;
    }
    const most = this.#most();
    if (length >= (waits ? Math.max(most, PATIENCE_MS / this.#msEach) : most)) {
      return false;
    }
    const until = waits ? this.#clock.now() + PATIENCE_MS : Infinity;
    return new Promise((isIn) => this.#waiting.push({ until, isIn }));
  }

  /** Whether `enter` would refuse, as far as that is known without calling the object. */
  get isShut(): boolean {
    const begunAt = this.#turn?.begunAt ?? -Infinity;
    const { length } = this.#waiting;
    const age = Math.abs(this.#clock.now() - begunAt);
    return length >= PER_TURN && length >= this.#most() && age < LOST_MS;
  }

  /** How many may stand in the line. Call for each request that meets a line, because it also tracks the crowd. */
  #most(): number {
    const now = this.#clock.now();
    if (this.#waiting.length >= PER_TURN) {
      this.#crowd = { from: now - this.#crowd.to > CALM_MS ? now : this.#crowd.from, to: now };
    }
    const { from, to } = this.#crowd;
    const isBurst = now - from < BURST_MS || now - to > CALM_MS;
    return isBurst ? BURST : Math.max(PER_TURN, STANDING_MS / this.#msEach);
  }

  #begin(): { readonly begunAt: number; begun: number } {
    this.#clock.later(0, () => this.#over());
    return { begunAt: this.#clock.now(), begun: 0 };
  }

  #over(): void {
    const { begunAt, begun } = this.#turn ?? { begunAt: 0, begun: 0 };
    this.#turn = null;
    if (this.#waiting.length === 0) {
      return;
    }
    const now = this.#clock.now();
    this.#msEach += ((now - begunAt) / Math.max(1, begun) - this.#msEach) / 8;
    this.#turn = this.#begin();
    while (this.#turn.begun < PER_TURN) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        return;
      }
      const isIn = next.until > now;
      this.#turn.begun += isIn ? 1 : 0;
      next.isIn(isIn);
    }
  }
}

const doors = new WeakMap<object, Door>();
let latest: Door | null = null;
/** The latest time of the wall clock that the Worker saw. */
let latestAt = -Infinity;
let isSetBack = false;

/**
 * Tells the time of the wall clock at which the Worker gets a request. The object's own clock never goes back. While the
 * wall clock is behind what it showed before, the timers of the object stand still, and turns would not end. So the
 * door stays open then, until the starter restarts the service (scripts/watches.ts).
 */
export function noteClock(now: number): void {
  latestAt = Math.max(latestAt, now);
  isSetBack = latestAt - now > SET_BACK_MS;
}

/** Then no timer of the object fires. */
export function isClockBehind(): boolean {
  return isSetBack;
}

export function isDoorShut(): boolean {
  return !isSetBack && latest?.isShut === true;
}

/** Returns OVERLOADED if too many wait. Only for valid requests within their limits, so that others take no place. */
export async function atDoor(
  route: Route,
  { env, isSdk, peers }: Pick<Call, 'env' | 'isSdk' | 'peers'>,
  chance: number,
): Promise<Refusal | null> {
  if (env.BOX === undefined || rungOf(route) !== 'first') {
    return null;
  }
  // A restarted object has new peers, and so gets a new door with an empty line.
  const door = doors.get(peers) ?? new Door({ now: () => Date.now(), later });
  doors.set(peers, door);
  latest = door;
  if (isSetBack) {
    door.open();
    return null;
  }
  return (await door.enter(isPatient(route, isSdk))) ? null : overloaded(chance);
}
