// How many players a queue sees arrive around a lobby: what a target wait is aimed by (docs/internals/design.md A19). It
// knows the newest arrivals and the waits that came out, from the journal's lines, and is there again after a restart.

import { numberField, type Ticket } from '../ticket/ticket';
import type { Mode } from '../rules/mode';
import { targetField } from '../rules/target';
import type { Line } from './lines';

/** How many arrivals are remembered. */
const REMEMBERED = 200;
/** With fewer arrivals the density is not known. */
const FEWEST = 10;
/** The arrivals nearest to a lobby that count: this share of all, and at least so many. */
const SHARE = 0.15;
const LEAST = 3;
/** How far one wait moves the correction: much at first, then this. Both as logarithms. */
const FIRST_STEP = 0.25;
const STEP = 0.02;
/** A correction is at most this, up or down, as a logarithm. */
const MOST = 3;

type ValuedArrival = { readonly at: number; readonly value: number; readonly players: number };

export class Pacing {
  readonly #mode: () => Mode | null;
  /** The field that the arrivals are of. */
  #field: string | null = null;
  /** Oldest first. */
  #arrivals: ValuedArrival[] = [];
  #waits = 0;
  /** What the density is multiplied by, as a logarithm, so that half of the waits are above the target. */
  #correction = 0;

  /** `mode`: as it is saved now. Nothing is remembered while it has no target wait. */
  constructor(mode: () => Mode | null) {
    this.#mode = mode;
  }

  told(line: Line): void {
    if (line.k === 'enter') {
      this.arrived(line.ticket, line.t);
    } else if (line.k === 'formed' && line.kind === 'new') {
      line.parties.forEach(({ startedAt }) => this.waited(line.t - startedAt));
    }
  }

  arrived(ticket: Ticket, now: number): void {
    const value = this.#valueOf(ticket);
    if (value !== null) {
      this.#arrivals.push({ at: now, value, players: ticket.members.length });
      this.#arrivals.splice(0, this.#arrivals.length - REMEMBERED);
    }
  }

  /** A lobby was matched after so many ms. */
  waited(ms: number): void {
    const { targetWait } = this.#mode() ?? {};
    if (targetWait !== undefined) {
      this.#waits += 1;
      const step = Math.max(STEP, FIRST_STEP / this.#waits);
      const moved = this.#correction + (ms > targetWait * 1000 ? -step : step);
      this.#correction = Math.min(MOST, Math.max(-MOST, moved));
    }
  }

  /** Players who arrive around the ticket, a second and unit of the field. Undefined: not known, or no target. */
  of(ticket: Ticket, now: number): number | undefined {
    const value = this.#valueOf(ticket);
    const oldest = this.#arrivals[0];
    if (value === null || oldest === undefined || this.#arrivals.length < FEWEST) {
      return undefined;
    }
    const near = this.#arrivals
      .map((each) => ({ gap: Math.abs(each.value - value), players: each.players }))
      .sort((one, other) => one.gap - other.gap);
    const nearest = Math.max(LEAST, Math.ceil(SHARE * near.length));
    // Many may have the very same number: then as far as the next other one.
    const at = near.findIndex(({ gap }, index) => index >= nearest - 1 && gap > 0);
    const reach = near[at]?.gap ?? 0;
    const players = near.slice(0, at + 1).reduce((sum, each) => sum + each.players, 0);
    const density = (players * 1000) / (2 * reach * (now - oldest.at));
    return density > 0 && density < Infinity ? density * Math.exp(this.#correction) : undefined;
  }

  /** The ticket with the present pace around it, in place of an earlier one. */
  paced(ticket: Ticket, now: number): Ticket {
    const { pace: _, ...own } = ticket;
    const pace = this.of(ticket, now);
    return pace === undefined ? own : { ...own, pace };
  }

  /** Null if the mode has no target wait, or the ticket no number there. */
  #valueOf(ticket: Ticket): number | null {
    const mode = this.#mode();
    const field = mode === null ? null : targetField(mode);
    if (field !== this.#field) {
      this.#field = field;
      this.#arrivals = [];
    }
    return field === null ? null : numberField(ticket, field);
  }
}
