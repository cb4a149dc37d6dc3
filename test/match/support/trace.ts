// Random lives of a queue, given to two pools at once: enters, leaves, refreshes, refused and
// accepted claims, games with room, and time, often to the very instant at which something is due.

import type { PlayerId, TicketId } from '../../../src/common/ids';
import type { Pool } from '../../../src/match/waiting/make-pool';
import type { BackfillProposal, OpenMatch, PoolOutcome, Proposal } from '../../../src/match/pool';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { judge } from './judge';
import type { Kind } from './kinds';
import { backfillFaults, faults } from './legality';
import { ticket } from './make';
import { random, type Random } from './random';

/** Events told with a failure: the last ones, or all with MUSTER_TOLD=9999. */
const TOLD = Number(process.env['MUSTER_TOLD'] ?? 12);

/** More than any event of these small queues takes, a step at a time. */
const MOST_SLICES = 100_000;

export interface Tally {
  events: number;
  matches: number;
  /** Formed without an arrival: by widening, ended patience, or time otherwise. */
  byTime: number;
  /** Of these, formed as a difference rule widened. */
  byWidening: number;
  short: number;
  /** Of these, with bots. */
  bots: number;
  backfills: number;
  dropped: number;
}

export function newTally(): Tally {
  return {
    events: 0,
    matches: 0,
    byTime: 0,
    byWidening: 0,
    short: 0,
    bots: 0,
    backfills: 0,
    dropped: 0,
  };
}

/** What the oracle answers too. */
export type PlainPool = Omit<Pool, 'counters' | 'size'>;

interface Pair {
  readonly measured: Pool;
  readonly oracle: PlainPool;
  /** The measured pool has few steps a call: time reaches it instant by instant. */
  readonly isSliced?: boolean;
}

/** Runs one trace; throws a message that names seed and event at the first difference or fault. */
export function runTrace(kind: Kind, seed: number, pools: Pair, tally: Tally): void {
  new Trace(kind, seed, pools, tally).run();
}

class Trace {
  readonly #kind: Kind;
  readonly #chance: Random;
  readonly #pools: Pair;
  readonly #tally: Tally;
  readonly #label: string;
  readonly #known = new Map<string, Ticket>();
  readonly #claims: (readonly TicketId[])[] = [];
  readonly #games = new Map<string, OpenMatch>();
  #now = 1_000_000;
  #count = 0;
  #offers = 0;

  constructor(kind: Kind, seed: number, pools: Pair, tally: Tally) {
    this.#kind = kind;
    this.#chance = random(seed);
    this.#pools = pools;
    this.#tally = tally;
    this.#label = `${kind.name}, seed ${seed}`;
  }

  run(): void {
    const events = 12 + this.#chance.below(40);
    for (let event = 0; event < events; event += 1) {
      this.#pass();
      this.#act();
      this.#tally.events += 1;
    }
    const end = this.#now + this.#kind.mode.timeout * 2000;
    if (this.#pools.isSliced === true) {
      this.#stepTo(end);
    }
    this.#now = end;
    this.#both('end', (pool) => pool.advance(this.#now));
  }

  /** Time goes on: by chance, or in steps to every instant at which the oracle is due. */
  #pass(): void {
    const pace = this.#kind.paceMs ?? 1000;
    let until = this.#now + Math.floor(-Math.log(1 - this.#chance.unit()) * pace);
    if (this.#chance.chance(0.1)) {
      until = this.#now;
    }
    // A pool that is taken from instant to instant is never late.
    if (this.#chance.chance(0.6) || this.#pools.isSliced === true) {
      this.#stepTo(until);
    }
    this.#now = until;
  }

  #stepTo(until: number): void {
    const { oracle } = this.#pools;
    for (let due = oracle.nextAt(); due !== null && due <= until; due = oracle.nextAt()) {
      this.#now = Math.max(this.#now, due);
      this.#both(`advance to ${this.#now}`, (pool) => pool.advance(this.#now));
    }
  }

  #act(): void {
    const draw = this.#chance.unit();
    const ids = [...this.#known.keys()];
    if (draw < 0.1 && this.#claims.length > 0) {
      this.#settleClaim();
    } else if (draw < 0.16 && ids.length > 0) {
      const id = this.#chance.pick(ids) as TicketId;
      this.#say(`leave ${id}`);
      if (this.#pools.isSliced === true) {
        this.#both('advance before leave', (pool) => pool.advance(this.#now));
      }
      this.#pools.measured.leave(id);
      this.#pools.oracle.leave(id);
      this.#known.delete(id);
    } else if (draw < 0.24 && ids.length > 0) {
      const id = this.#chance.pick(ids);
      const fresh = this.#ticket(id);
      const { startedAt } = this.#known.get(id) ?? fresh;
      this.#refresh({ ...fresh, startedAt });
    } else if (draw < 0.27) {
      this.#both('sweep', (pool) => pool.sweep(this.#now));
    } else if (draw < 0.4 && this.#kind.offers === true) {
      this.#offer();
    } else {
      this.#count += 1;
      const fresh = this.#ticket(`t${this.#count}`);
      this.#known.set(fresh.id, fresh);
      this.#both(`enter ${JSON.stringify(fresh)}`, (pool) => pool.enter(fresh, this.#now));
    }
  }

  /** A reserved ticket is not changed by a refresh, nor is a longer wait taken from it. */
  #refresh(fresh: Ticket): void {
    this.#both('advance before refresh', (pool) => pool.advance(this.#now));
    const isReserved = this.#claims.some((claim) => claim.includes(fresh.id));
    if (!isReserved) {
      this.#known.set(fresh.id, fresh);
    }
    this.#both(`refresh ${JSON.stringify(fresh)}`, (pool) => pool.refresh(fresh, this.#now));
  }

  #settleClaim(): void {
    const claim = this.#claims.splice(this.#chance.below(this.#claims.length), 1)[0] ?? [];
    const refused = this.#chance.chance(0.5) ? claim.filter(() => this.#chance.chance(0.3)) : null;
    if (refused === null) {
      this.#say(`commit ${claim.join()}`);
      this.#pools.measured.commit(claim);
      this.#pools.oracle.commit(claim);
      claim.forEach((id) => this.#known.delete(id));
      return;
    }
    for (const id of refused) {
      this.#pools.measured.leave(id);
      this.#pools.oracle.leave(id);
      this.#known.delete(id);
    }
    this.#both(`release ${claim.join()} but ${refused.join()}`, (pool) =>
      pool.release(claim, this.#now),
    );
  }

  #offer(): void {
    this.#both('advance before offer', (pool) => pool.advance(this.#now));
    const names = [...this.#games.keys()];
    if (names.length > 0 && this.#chance.chance(0.25)) {
      const name = this.#chance.pick(names);
      this.#say(`withdraw ${name}`);
      this.#games.delete(name);
      this.#pools.measured.withdraw(name);
      this.#pools.oracle.withdraw(name);
      return;
    }
    const [again] = this.#chance.chance(0.2) ? this.#games.values() : [];
    if (again !== undefined) {
      this.#both(`offer ${again.matchId} again`, (pool) => pool.offer(again, this.#now));
      return;
    }
    const isKnown = names.length > 0 && this.#chance.chance(0.4);
    const name = isKnown ? this.#chance.pick(names) : `g${names.length}`;
    const drawn = this.#ticket(`anchor-${name}`);
    // It has played in the match: whatever its size, a team could hold it.
    const anchor = { ...drawn, members: drawn.members.map(({ id }) => ({ id, roles: [] })) };
    const { mode } = this.#kind;
    const composition = Object.entries(mode.teamComposition ?? {});
    const open =
      mode.teamComposition === null
        ? Array.from({ length: mode.teams }, () => ({
            name: null,
            slots: this.#chance.below(mode.playersPerTeam + 1),
            roles: null,
          })).map((team, at) => ({ ...team, ...this.#here(`${name}.${at}`) }))
        : composition.map(([team, wanted]) => {
            const roles = Object.fromEntries(
              Object.entries(wanted).map(([role, most]) => [role, this.#chance.below(most + 1)]),
            );
            const slots = Object.values(roles).reduce((sum, count) => sum + count, 0);
            return { name: team, slots, roles };
          });
    const field = mode.useVersionFromState;
    const version = field === null ? undefined : anchor.state[field];
    this.#offers += 1;
    const match: OpenMatch = {
      matchId: name,
      seq: this.#offers,
      startedAt: this.#now - this.#chance.below(100_000),
      anchor: { ...anchor, startedAt: this.#now - 200_000 },
      region: this.#chance.pick(['us', 'eu']),
      version: version === undefined ? null : String(version),
      open,
    };
    this.#games.set(name, match);
    this.#both(`offer ${JSON.stringify(match)}`, (pool) => pool.offer(match, this.#now));
  }

  #here(player: string): Pick<OpenMatch['open'][number], 'here'> {
    const avoids = this.#avoided() as PlayerId[];
    return this.#kind.avoids === undefined
      ? {}
      : { here: { players: [player as PlayerId], avoids } };
  }

  #ticket(id: string): Ticket {
    const { sizes, state, regions, roles } = this.#kind;
    const pace = this.#kind.pace?.(this.#chance);
    const size = this.#chance.pick(sizes);
    const acceptable = regions?.(this.#chance);
    const pings = this.#kind.pings?.(this.#chance, size);
    const avoids = this.#avoided();
    return ticket(id, {
      size,
      at: this.#now - (this.#chance.chance(0.1) ? this.#chance.below(3000) : 0),
      state: state(this.#chance),
      region: this.#chance.pick(['us', 'eu']),
      ...(acceptable === undefined ? {} : { regions: acceptable }),
      ...(pace === undefined ? {} : { pace }),
      ...(pings === undefined ? {} : { pings }),
      ...(avoids.length === 0 ? {} : { avoids }),
      ...(roles === undefined
        ? {}
        : { roles: Array.from({ length: size }, () => roles(this.#chance)) }),
    });
  }

  /** Some of those who came last or come next, and of those in games. */
  #avoided(): readonly string[] {
    const share = this.#kind.avoids ?? 0;
    const near = Array.from({ length: share > 0 ? 9 : 0 }, (_, at) => this.#count - 5 + at);
    const names = [...near.map((each) => `t${each}.0`), ...(share > 0 ? ['g0.0', 'g0.1'] : [])];
    return names.filter(() => this.#chance.chance(share));
  }

  #both(what: string, act: (pool: PlainPool) => PoolOutcome): void {
    this.#say(what);
    // Past what was due in between, matches may have formed at earlier instants than now.
    const due = this.#pools.oracle.nextAt();
    const isLate = due !== null && due < this.#now;
    const nothing: PoolOutcome = { matches: [], backfills: [], dropped: [] };
    const before = this.#pools.isSliced === true ? this.#drain(nothing, true) : nothing;
    const measured = this.#drain(together(before, act(this.#pools.measured)), false);
    const oracle = act(this.#pools.oracle);
    const [mine, theirs] = [shown(measured), shown(oracle)];
    if (mine !== theirs) {
      throw new Error(
        `${this.#label}\n  pool   ${mine}\n  oracle ${theirs}\n${this.#told.slice(-TOLD).join('\n')}`,
      );
    }
    this.#check(measured, what, isLate);
    for (const { ticket: id } of measured.dropped) {
      this.#known.delete(id);
    }
  }

  /**
   * What a pool with few steps leaves is done at once, and time reaches it instant by instant: then
   * it has to do what the oracle does.
   */
  #drain(first: PoolOutcome, isTime: boolean): PoolOutcome {
    const { measured } = this.#pools;
    let all = first;
    for (let slices = 0; ; slices += 1) {
      const due = measured.nextAt();
      if (due === null || due > (isTime ? this.#now : 0)) {
        return all;
      }
      if (slices > MOST_SLICES) {
        throw new Error(`${this.#label}: never done\n${this.#told.slice(-TOLD).join('\n')}`);
      }
      this.#reached = Math.max(this.#reached, due);
      all = together(all, measured.advance(isTime ? this.#reached : this.#now));
    }
  }

  /** The instant up to which the measured pool has been taken. */
  #reached = 1_000_000;
  readonly #told: string[] = [];

  #say(what: string): void {
    this.#told.push(`${this.#now} ${what}`);
  }

  #check(out: PoolOutcome, what: string, isLate: boolean): void {
    const look = (id: string): Ticket => {
      const known = this.#known.get(id);
      if (known === undefined) {
        throw new Error(
          `${this.#label}: unknown ticket ${id}\n${this.#told.slice(-TOLD).join('\n')}`,
        );
      }
      return known;
    };
    const byTime = what.startsWith('advance') || what === 'end';
    // Time makes no full match but by widening, unless an expression reads it.
    const widens =
      this.#kind.pollsTime !== true &&
      this.#kind.mode.rules.some((rule) => rule.type === 'difference');
    for (const proposal of out.matches) {
      const wrong = faults(proposal, this.#kind.mode, look, { now: this.#now, judge, isLate });
      this.#refuse(wrong, proposal);
      this.#claims.push(proposal.tickets);
      this.#tally.matches += 1;
      this.#tally.byTime += byTime ? 1 : 0;
      this.#tally.byWidening += byTime && widens && proposal.full ? 1 : 0;
      this.#tally.short += proposal.full ? 0 : 1;
      this.#tally.bots += proposal.bots === true ? 1 : 0;
    }
    for (const proposal of out.backfills) {
      const game = this.#games.get(proposal.matchId);
      const context = { look, now: this.#now, judge };
      this.#refuse(
        game === undefined ? ['no game'] : backfillFaults(proposal, game, this.#kind.mode, context),
        proposal,
      );
      this.#claims.push([proposal.ticket]);
      this.#tally.backfills += 1;
    }
    const claimed = this.#claims.flat();
    this.#refuse(new Set(claimed).size === claimed.length ? [] : ['claimed twice'], out.matches);
    this.#tally.dropped += out.dropped.length;
  }

  #refuse(wrong: readonly string[], what: Proposal | BackfillProposal | readonly Proposal[]): void {
    if (wrong.length > 0) {
      throw new Error(
        `${this.#label}: ${wrong.join('; ')}\n${JSON.stringify(what)}\n${this.#told.slice(-TOLD).join('\n')}`,
      );
    }
  }
}

function together(a: PoolOutcome, b: PoolOutcome): PoolOutcome {
  return {
    matches: [...a.matches, ...b.matches],
    backfills: [...a.backfills, ...b.backfills],
    dropped: [...a.dropped, ...b.dropped],
  };
}

/** What two pools must agree on: everything but which legal teams were made. */
function shown(out: PoolOutcome): string {
  return JSON.stringify({
    matches: out.matches.map(({ anchor, tickets, region, version, full, bots }) => ({
      anchor,
      tickets,
      region,
      version,
      full,
      bots,
    })),
    backfills: out.backfills.map(({ matchId, ticket: id, team }) => ({ matchId, id, team })),
    dropped: out.dropped,
  });
}
