// Whether what a client applies goes forward, and who is to blame where it does not. An event is to be
// handled as it arrives, an answer so much later, and answers in the order in which they arrive. The service is to blame
// when the newer state had arrived by the time at which the older one was to be handled; a client that falls back otherwise
// was late itself, or read two connections in another order than they had spoken in.

import type { Lobby } from '../../scripts/player.ts';
import type { Arrival } from './arrivals.ts';

export interface Handling {
  /** The request that is answered, or the event's name. */
  readonly from: string;
  readonly arrival: Arrival;
  /** How much later than it arrived it was to be handled: 0 for an event. */
  readonly lateMs: number;
}

interface Applied extends Handling {
  readonly id: string;
  readonly revision: number;
  readonly status: string;
}

/** More than a client is behind by in any run. */
const KEPT = 32;

function isAnswer({ from }: Applied): boolean {
  return from.includes('/');
}

/** The newer state had surely arrived before the older one was to be handled. */
function isTooEarly(newer: Applied, older: Applied): boolean {
  const { earliest } = older.arrival;
  return newer.arrival.latest < (isAnswer(newer) ? earliest : earliest + older.lateMs);
}

function textOf({ from, revision, status, arrival, lateMs }: Applied): string {
  const width = Math.ceil(arrival.latest - arrival.earliest);
  return `${Math.round(arrival.latest) % 1e6}-${width} (+${Math.round(lateMs)}) ${from}: ${revision} ${status}`;
}

export class Order {
  /** Each time an older state took the place of a newer one, which the client itself cannot tell. */
  readonly fellBack: string[] = [];
  /** The same where the harness was held up, so that it may be its own doing. */
  readonly stalled: string[] = [];
  /** From an answer to the next newer event, if the one came as early and the other as late as can be. */
  shortestSilenceMs = Infinity;
  #applied: readonly Applied[] = [];

  /** What was applied last, for people to read. */
  get last(): string {
    return this.#applied.slice(-8).map(textOf).join(', ');
  }

  add({ id, revision, status }: Lobby, handling: Handling): void {
    const one = { ...handling, id, revision, status };
    const newer = this.#applied.filter((each) => each.id === id && each.revision > revision);
    this.#applied = [...this.#applied, one].slice(-KEPT);
    if (newer.length > 0) {
      const isServices = newer.some((each) => isTooEarly(each, one));
      const trace = this.#applied.slice(-6).map(textOf).join(', ');
      (isServices ? this.fellBack : this.stalled).push(trace);
    }
    this.#measure(isAnswer(one) ? [one] : this.#applied.filter(isAnswer), one);
  }

  #measure(answers: readonly Applied[], last: Applied): void {
    const events = isAnswer(last) ? this.#applied.filter((each) => !isAnswer(each)) : [last];
    for (const answer of answers) {
      for (const event of events) {
        const silence = event.arrival.latest - answer.arrival.earliest;
        if (event.id === answer.id && event.revision > answer.revision && silence > 0) {
          this.shortestSilenceMs = Math.min(this.shortestSilenceMs, silence);
        }
      }
    }
  }
}
