// The door of a box admits a limited number of requests for new work in each turn of the event loop. The others
// wait in a line. The loop reads sockets and timers only when it has nothing else to do. A request takes a dozen
// steps, and the loop runs a step of every other admitted request in between, so requests that are admitted
// together end together, and until then the loop sees no other request. The work that a request causes is part of
// the turn too. So short turns keep all requests fast, and the length of a turn shows how much load a box can
// take.

/** Requests admitted in a turn: some 20 ms of work. */
const PER_TURN = 16;
/** How many may wait at once in a burst: a lobby of a hundred players, or everybody when streams break. */
const BURST = 192;
/** A crowd that lasts longer than this is no burst. */
const BURST_MS = 1_000;
/** After a burst the line is kept so short that its last request waits no longer than this. */
const STANDING_MS = 200;
/** How long a patient request waits for a place in the line. */
const PATIENCE_MS = 2_000;
/** A crowd is over after this long without a line. */
const CALM_MS = 500;
/** The first estimate of how long a request takes. */
const FIRST_GUESS_MS = 2;
/** A turn that takes longer was lost with its object, or means nothing any more. */
const LOST_MS = 2_000;

export interface DoorPorts {
  now(): number;
  /** Runs a function once the event loop has nothing else to do. */
  nextTurn(run: () => void): unknown;
}

export class Door {
  readonly #ports: DoorPorts;
  readonly #waiting: (() => void)[] = [];
  /** Requests that wait for a place in the line, and until when, in the order of their arrival. */
  readonly #patient: { readonly until: number; readonly isIn: (isIn: boolean) => void }[] = [];
  /** The current turn. Null: nothing was admitted since the loop was last idle. */
  #turn: { readonly begunAt: number; begun: number } | null = null;
  /** When the current crowd began, and when a request last met a line. */
  #crowd = { from: -Infinity, to: -Infinity };
  #msEach = FIRST_GUESS_MS;

  constructor(ports: DoorPorts) {
    this.#ports = ports;
  }

  /**
   * Waits for admission. False: refused, because the line is full. A patient request waits up to PATIENCE_MS
   * first.
   */
  async enter(isPatient = false): Promise<boolean> {
    this.#turn ??= this.#begin();
    if (this.#waiting.length === 0 && this.#turn.begun < PER_TURN) {
      this.#turn.begun += 1;
      return true;
    }
    if (this.#waiting.length >= this.#most()) {
      return isPatient && this.#patient.length < PATIENCE_MS / this.#msEach && this.#place();
    }
    await new Promise<void>((letIn) => this.#waiting.push(letIn));
    return true;
  }

  /** Waits for a place in the line, and then for its turn. */
  #place(): Promise<boolean> {
    const until = this.#ports.now() + PATIENCE_MS;
    return new Promise((isIn) => this.#patient.push({ until, isIn }));
  }

  /** Gives free places in the line to patient requests, before new requests. */
  #fill(): void {
    if (this.#patient.length === 0) {
      return;
    }
    const now = this.#ports.now();
    while (this.#patient[0] !== undefined && this.#patient[0].until <= now) {
      this.#patient.shift()?.isIn(false);
    }
    const free = Math.max(0, Math.floor(this.#most()) - this.#waiting.length);
    for (const { isIn } of this.#patient.splice(0, free)) {
      this.#waiting.push(() => isIn(true));
    }
  }

  /** Whether `enter` would refuse, as far as that is known without calling the object. */
  get isShut(): boolean {
    const begunAt = this.#turn?.begunAt ?? -Infinity;
    const { length } = this.#waiting;
    return length >= PER_TURN && length >= this.#most() && this.#ports.now() - begunAt < LOST_MS;
  }

  /** How many may stand in the line. Call for each request that meets a line, because it also tracks the crowd. */
  #most(): number {
    const now = this.#ports.now();
    if (this.#waiting.length >= PER_TURN) {
      this.#crowd = { from: now - this.#crowd.to > CALM_MS ? now : this.#crowd.from, to: now };
    }
    const { from, to } = this.#crowd;
    const isBurst = now - from < BURST_MS || now - to > CALM_MS;
    return isBurst ? BURST : Math.max(PER_TURN, STANDING_MS / this.#msEach);
  }

  #begin(): { readonly begunAt: number; begun: number } {
    this.#ports.nextTurn(() => this.#over());
    return { begunAt: this.#ports.now(), begun: 0 };
  }

  #over(): void {
    const { begunAt, begun } = this.#turn ?? { begunAt: 0, begun: 0 };
    this.#turn = null;
    if (this.#waiting.length === 0) {
      return;
    }
    this.#msEach += ((this.#ports.now() - begunAt) / Math.max(1, begun) - this.#msEach) / 8;
    const next = this.#waiting.splice(0, PER_TURN);
    this.#turn = this.#begin();
    this.#turn.begun = next.length;
    next.forEach((letIn) => letIn());
    this.#fill();
  }
}
