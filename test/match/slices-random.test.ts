// Events between slices, drawn at random: what is found is legal, and when all that was begun is done,
// nothing is left that a pool which looks at everything would find.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TicketId } from '../../src/common/ids';
import { makePool } from '../../src/match/waiting/make-pool';
import type { PoolOutcome } from '../../src/match/pool';
import { evennessOf } from '../../src/match/rules/rules';
import type { Ticket } from '../../src/match/ticket/ticket';
import { judge } from './support/judge';
import { type Kind, KINDS } from './support/kinds';
import { faults } from './support/legality';
import { ticket } from './support/make';
import { makeOracle } from './support/oracle';
import { random } from './support/random';

const RUNS = Number(process.env['MUSTER_SLICED'] ?? 10);
const START = 1_000_000;
/** Acts of one run. Where sets are judged as a whole the oracle tries each of them, and the pool 500 of an anchor. */
const ACTS = 70;
const ACTS_OF_SETS = 26;

type Act = 'enter' | 'refresh' | 'leave' | 'commit' | 'release' | 'slice' | 'wait' | 'sweep';

const STEP = fc.record({
  act: fc.constantFrom<Act>(
    ...(['enter', 'enter', 'enter', 'enter', 'slice', 'slice', 'slice', 'wait'] as const),
    ...(['refresh', 'leave', 'commit', 'release', 'sweep'] as const),
  ),
  draw: fc.nat(1_000_000),
});

class Sliced {
  readonly #kind: Kind;
  readonly pool;
  readonly #known = new Map<TicketId, Ticket>();
  readonly #claims: (readonly TicketId[])[] = [];
  readonly wrong: string[] = [];
  now = START;
  /** The call under way comes after something was due: that still happens in its order (LATE_MS). */
  #isLate = false;

  constructor(kind: Kind, budget: number) {
    this.#kind = kind;
    this.pool = makePool(kind.mode, budget);
  }

  act(act: Act, draw: number): void {
    const chance = random(draw);
    const ids = [...this.#known.keys()];
    const any = ids[draw % Math.max(1, ids.length)];
    const claim = this.#claims[draw % Math.max(1, this.#claims.length)];
    this.#noteLateness();
    if (act === 'wait') {
      this.now += draw % 5000;
    } else if (act === 'slice') {
      this.#note(this.pool.advance(this.now));
    } else if (act === 'sweep') {
      this.#note(this.pool.sweep(this.now));
    } else if (act === 'enter') {
      const fresh = this.#ticket(`t${draw}` as TicketId, draw);
      // Whoever left a match that is still claimed comes back under another id.
      if (![...ids, ...this.#claims.flat()].includes(fresh.id)) {
        this.#known.set(fresh.id, fresh);
        this.#note(this.pool.enter(fresh, this.now));
      }
    } else if (act === 'refresh' && any !== undefined && !this.#claims.flat().includes(any)) {
      const known = this.#known.get(any);
      const fresh = { ...this.#ticket(any, draw), startedAt: known?.startedAt ?? this.now };
      // What is due comes first, under what is known till then.
      this.drain();
      if (this.pool.has(any) && !this.#claims.flat().includes(any)) {
        this.#known.set(any, fresh);
        this.#note(this.pool.refresh(fresh, this.now));
      }
    } else if (act === 'leave' && any !== undefined) {
      this.pool.leave(any);
      this.#forget([any]);
    } else if (act === 'commit' && claim !== undefined) {
      this.#claims.splice(this.#claims.indexOf(claim), 1);
      this.pool.commit(claim);
      this.#forget(claim);
    } else if (act === 'release' && claim !== undefined) {
      this.#claims.splice(this.#claims.indexOf(claim), 1);
      const refused = claim.filter(() => chance.chance(0.3));
      refused.forEach((id) => this.pool.leave(id));
      this.#forget(refused);
      this.#note(this.pool.release(claim, this.now));
    }
  }

  /** Slices until all that is due by now is done. */
  drain(): void {
    for (let slices = 0; (this.pool.nextAt() ?? Infinity) <= this.now; slices += 1) {
      expect(slices).toBeLessThan(200_000);
      this.#noteLateness();
      this.#note(this.pool.advance(this.now));
    }
  }

  #noteLateness(): void {
    this.#isLate = (this.pool.nextAt() ?? Infinity) < this.now;
  }

  /** Full matches that an unlimited pool finds among those that wait. */
  left(): readonly (readonly TicketId[])[] {
    const oracle = makeOracle(this.#kind.mode);
    const taken = this.#claims.flat();
    const waiting = [...this.#known.values()].filter(({ id }) => !taken.includes(id));
    waiting.forEach((each) => oracle.restore(each));
    const { matches } = oracle.sweep(this.now);
    return matches.filter(({ full }) => full).map(({ tickets }) => tickets);
  }

  #note({ matches, dropped }: PoolOutcome): void {
    const look = (id: string): Ticket => {
      const known = this.#known.get(id as TicketId);
      if (known === undefined) {
        throw new Error(`unknown ticket ${id}`);
      }
      return known;
    };
    for (const proposal of matches) {
      const context = { now: this.now, judge, isLate: this.#isLate };
      this.wrong.push(...faults(proposal, this.#kind.mode, look, context));
      const claimed = this.#claims.flat();
      this.wrong.push(...proposal.tickets.filter((id) => claimed.includes(id)));
      this.#claims.push(proposal.tickets);
    }
    this.#forget(dropped.map((each) => each.ticket));
  }

  #forget(ids: readonly TicketId[]): void {
    ids.forEach((id) => this.#known.delete(id));
  }

  #ticket(id: TicketId, draw: number): Ticket {
    const chance = random(draw + 1);
    const { sizes, state, regions, roles } = this.#kind;
    const size = chance.pick(sizes);
    const acceptable = regions?.(chance);
    return ticket(id, {
      size,
      at: this.now,
      state: state(chance),
      region: chance.pick(['us', 'eu']),
      ...(acceptable !== undefined && { regions: acceptable }),
      ...(roles !== undefined && { roles: Array.from({ length: size }, () => roles(chance)) }),
    });
  }
}

describe('events between slices', () => {
  let unfinished = 0;
  it.each(KINDS.filter(({ pollsTime }) => pollsTime !== true))(
    'match legally, and leave nothing: $name',
    { timeout: 600_000 },
    (kind) => {
      const most = evennessOf(kind.mode) === null ? ACTS : ACTS_OF_SETS;
      fc.assert(
        fc.property(
          fc.array(STEP, { minLength: 20, maxLength: most }),
          fc.integer({ min: 0, max: 7 }),
          (steps, size) => {
            const sliced = new Sliced(kind, 2 ** size);
            for (const { act, draw } of steps) {
              sliced.act(act, draw);
              unfinished += sliced.pool.nextAt() === 0 ? 1 : 0;
            }
            sliced.drain();
            expect(sliced.wrong).toEqual([]);
            expect(sliced.left()).toEqual([]);
          },
        ),
        { numRuns: RUNS, seed: 1 },
      );
    },
  );

  it('come while work is left', () => {
    expect(unfinished).toBeGreaterThan(10 * RUNS);
  });
});
