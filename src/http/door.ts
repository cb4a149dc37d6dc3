// The door of a box: so much new work is let in at each turn of its event loop, and the rest waits in
// a line. The loop looks at sockets and timers only when it has nothing else to do, and each request
// is a dozen steps of it, between which it takes a step of all others: what is let in together ends
// together, and until then no other request is seen. The work that a request brings about belongs to
// the turn as well. So short turns keep everybody fast, and how long they take says what a box bears.

/** New work that begins in a turn: some 20 ms of it. */
const PER_TURN = 16;
/** As many may come at once: a lobby of a hundred, or everybody when a stream breaks. */
const BURST = 192;
/** A crowd that lasts longer is no burst. */
const BURST_MS = 1_000;
/** From then on the last of the line waits no longer than this. */
const STANDING_MS = 200;
/** Whoever is patient waits so long for a place in the line. */
const PATIENCE_MS = 2_000;
/** A crowd is over when for so long nobody has met a line. */
const CALM_MS = 500;
/** What a request takes before anything is known of it. */
const FIRST_GUESS_MS = 2;
/** A turn that has not ended by then ended with its object, or says nothing any more. */
const LOST_MS = 2_000;

export interface DoorPorts {
  now(): number;
  /** Runs it once the event loop has nothing else to do. */
  nextTurn(run: () => void): unknown;
}

export class Door {
  readonly #ports: DoorPorts;
  readonly #waiting: (() => void)[] = [];
  /** Who waits for a place in the line, and until when; the first came first. */
  readonly #patient: { readonly until: number; readonly isIn: (isIn: boolean) => void }[] = [];
  /** Null: nothing was let in since the loop last came to its end. */
  #turn: { readonly begunAt: number; begun: number } | null = null;
  /** From when on, and until when, whoever came met a line. */
  #crowd = { from: -Infinity, to: -Infinity };
  #msEach = FIRST_GUESS_MS;

  constructor(ports: DoorPorts) {
    this.#ports = ports;
  }

  /** False: whoever comes is refused, since so many wait. `isPatient`: after two seconds at most. */
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

  /** Once there is a place, and it is one's turn. */
  #place(): Promise<boolean> {
    const until = this.#ports.now() + PATIENCE_MS;
    return new Promise((isIn) => this.#patient.push({ until, isIn }));
  }

  /** Those who are patient get the places that are free before whoever comes next. */
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

  /** Whether `enter` would refuse, as far as that shows without asking the object itself. */
  get isShut(): boolean {
    const begunAt = this.#turn?.begunAt ?? -Infinity;
    const { length } = this.#waiting;
    return length >= PER_TURN && length >= this.#most() && this.#ports.now() - begunAt < LOST_MS;
  }

  /** So many may stand in the line. It is asked for each who comes while there is one. */
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
