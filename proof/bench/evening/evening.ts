// An evening of a small game, simulated: players come for a while, search, play, rest, and search again. Each mode has a
// pool of its own, the code that a queue runs. Nobody backfills. A lobby that searches several modes is held by one at a
// time, as the service does it (docs/internals/decisions/0065-one-search-several-modes.md).

import type { TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import type { PoolOutcome, Proposal } from '../../../src/match/pool';
import { makePool, type Pool } from '../../../src/match/waiting/make-pool';
import { ticket } from '../../../test/match/support/make';
import { random, type Random } from '../../../test/match/support/random';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

export interface Terms {
  readonly modes: Readonly<Record<string, Mode>>;
  /** How likely a player likes each mode best. */
  readonly shares: Readonly<Record<string, number>>;
  /** After how many seconds the modes that come second and third are searched too. Absent: never. */
  readonly othersAfter?: readonly number[];
  /** After how many seconds of waiting the bell rings. Absent: it does not. */
  readonly bellSeconds?: number;
}

export interface People {
  /** How many are there at once, in the mean. */
  readonly online: number;
  readonly sessionHours: number;
  readonly declines: number;
  /** How many who are not there hear the bell, and how likely one of them comes. */
  readonly hear: number;
  readonly come: number;
}

/** A search that ended: in a game, or because its player had enough. */
export interface Search {
  readonly mode: string | null;
  readonly seconds: number;
  /** People in the game, its player among them, and bots. */
  readonly people: number;
  readonly bots: number;
}

interface Player {
  readonly name: string;
  readonly mmr: number;
  readonly likes: readonly string[];
  leavesAt: number;
  search: { readonly id: TicketId; readonly at: number; heldBy: string | null } | null;
}

/** The bell of a queue rings at most once in so long. */
const BELL_QUIET_MS = 5 * MINUTE;

export class Evening {
  readonly searches: Search[] = [];
  rung = 0;
  #now = 0;
  readonly #random: Random;
  readonly #terms: Terms;
  readonly #people: People;
  readonly #pools: ReadonlyMap<string, Pool>;
  readonly #due: { readonly at: number; readonly does: () => void }[] = [];
  readonly #bySearch = new Map<TicketId, Player>();
  readonly #rungAt = new Map<string, number>();
  #count = 0;

  constructor(terms: Terms, people: People, seed: number) {
    this.#random = random(seed);
    this.#terms = terms;
    this.#people = people;
    this.#pools = new Map(
      Object.entries(terms.modes).map(([name, mode]) => [name, makePool(mode)]),
    );
  }

  /** Two sessions pass before anything is counted: then as many come as go. */
  play(hours: number): this {
    const begins = 2 * this.#people.sessionHours * HOUR;
    const ends = begins + hours * HOUR;
    this.#arrivals(ends);
    for (;;) {
      const event = this.#due.length > 0 ? this.#next() : null;
      const pool = this.#earliest();
      const at = Math.min(event?.at ?? Infinity, pool?.at ?? Infinity);
      if (at > ends || at === Infinity) {
        return this;
      }
      this.#now = Math.max(this.#now, at);
      if (event !== null && event.at <= (pool?.at ?? Infinity)) {
        this.#due.splice(this.#due.indexOf(event), 1);
        event.does();
      } else if (pool !== null) {
        this.#heed(pool.name, pool.of.advance(this.#now));
      }
      if (this.#now < begins) {
        this.searches.length = 0;
        this.rung = 0;
      }
    }
  }

  #next(): { readonly at: number; readonly does: () => void } | null {
    return this.#due.reduce((first, each) => (each.at < first.at ? each : first));
  }

  #earliest(): { readonly at: number; readonly name: string; readonly of: Pool } | null {
    let first = null;
    for (const [name, of] of this.#pools) {
      const at = of.nextAt();
      if (at !== null && (first === null || at < first.at)) {
        first = { at, name, of };
      }
    }
    return first;
  }

  #after(ms: number, then: () => void): void {
    this.#due.push({ at: this.#now + ms, does: then });
  }

  #between(low: number, high: number): number {
    return low + (high - low) * this.#random.unit();
  }

  #arrivals(until: number): void {
    const { online, sessionHours } = this.#people;
    const gap = (sessionHours * HOUR) / online;
    for (let at = 0; at < until; at -= gap * Math.log(1 - this.#random.unit())) {
      this.#due.push({ at, does: () => this.#comes(sessionHours * HOUR) });
    }
  }

  /** `first`: the mode that it comes for. Absent: by the shares. */
  #comes(ms: number, first?: string): void {
    const left = { ...this.#terms.shares };
    const likes = first === undefined ? [] : [first];
    likes.forEach((name) => delete left[name]);
    while (Object.keys(left).length > 0) {
      let draw = this.#random.unit() * Object.values(left).reduce((sum, share) => sum + share, 0);
      const name = Object.keys(left).find((each) => (draw -= left[each] ?? 0) < 0) ?? '';
      likes.push(name);
      delete left[name];
    }
    const mmr = Math.round(1_500 + 300 * this.#random.normal());
    const leavesAt = this.#now + ms;
    this.#searches({ name: `p${(this.#count += 1)}`, mmr, likes, leavesAt, search: null });
  }

  #searches(player: Player): void {
    if (this.#now >= player.leavesAt) {
      return;
    }
    const search = { id: `s${(this.#count += 1)}` as TicketId, at: this.#now, heldBy: null };
    player.search = search;
    this.#bySearch.set(search.id, player);
    player.likes.forEach((mode, index) => {
      const after = index === 0 ? 0 : this.#terms.othersAfter?.[index - 1];
      if (after !== undefined) {
        this.#after(after * SECOND, () => this.#enters(player, search, mode));
      }
    });
    const { bellSeconds } = this.#terms;
    if (bellSeconds !== undefined) {
      this.#after(bellSeconds * SECOND, () => this.#bell(player, search));
    }
  }

  #enters(player: Player, search: NonNullable<Player['search']>, mode: string): void {
    if (player.search !== search || search.heldBy !== null) {
      return;
    }
    const entering = ticket(search.id, { at: search.at, state: { mmr: player.mmr } });
    this.#heed(mode, this.#pools.get(mode)?.enter(entering, this.#now));
  }

  #heed(mode: string, outcome: PoolOutcome | undefined): void {
    for (const proposal of outcome?.matches ?? []) {
      this.#proposed(mode, proposal);
    }
    for (const { ticket: id } of outcome?.dropped ?? []) {
      const player = this.#bySearch.get(id);
      if (player !== undefined && ![...this.#pools.values()].some((pool) => pool.has(id))) {
        this.#gone(player, { mode: null, people: 0, bots: 0 });
        this.#after(this.#between(2 * MINUTE, 5 * MINUTE), () => this.#searches(player));
      }
    }
  }

  /** The others of a hold that is refused wait on. */
  #proposed(mode: string, { tickets, bots }: Proposal): void {
    const players = tickets.flatMap((id) => this.#bySearch.get(id) ?? []);
    const free = players.filter(({ search }) => search?.heldBy === null);
    if (free.length < tickets.length) {
      this.#release(mode, tickets);
      return;
    }
    for (const { search } of players) {
      if (search !== null) {
        search.heldBy = mode;
        this.#others(mode, (pool) => pool.leave(search.id));
      }
    }
    this.#after(this.#between(3, 8) * SECOND, () => this.#asked(mode, players, bots === true));
  }

  #asked(mode: string, players: readonly Player[], withBots: boolean): void {
    const no = players.filter(() => this.#random.chance(this.#people.declines));
    const yes = players.filter((player) => !no.includes(player));
    for (const player of no) {
      this.#pools.get(mode)?.leave(player.search?.id ?? ('' as TicketId));
      this.#bySearch.delete(player.search?.id ?? ('' as TicketId));
      player.search = null;
      this.#after(this.#between(1, 3) * MINUTE, () => this.#searches(player));
    }
    if (no.length > 0) {
      this.#goOn(mode, yes);
      return;
    }
    const its = this.#terms.modes[mode];
    const places = its === undefined ? 0 : its.teams * its.playersPerTeam;
    const bots = withBots ? places - players.length : 0;
    this.#pools.get(mode)?.commit(players.flatMap(({ search }) => search?.id ?? []));
    const lasts = this.#between(6, 12) * MINUTE;
    for (const player of players) {
      this.#gone(player, { mode, people: players.length, bots });
      this.#after(lasts + this.#between(30, 90) * SECOND, () => this.#searches(player));
    }
  }

  /** Who said yes searches all of its modes again, with the wait that it had. */
  #goOn(mode: string, players: readonly Player[]): void {
    for (const { search } of players) {
      if (search !== null) {
        search.heldBy = null;
      }
    }
    this.#release(
      mode,
      players.flatMap(({ search }) => search?.id ?? []),
    );
    const { othersAfter = [] } = this.#terms;
    for (const player of players) {
      const { search } = player;
      player.likes.forEach((each, index) => {
        const after = index === 0 ? 0 : othersAfter[index - 1];
        if (search !== null && after !== undefined && each !== mode) {
          const ms = Math.max(100 * index, search.at + after * SECOND - this.#now);
          this.#after(ms, () => this.#enters(player, search, each));
        }
      });
    }
  }

  #release(mode: string, tickets: readonly TicketId[]): void {
    this.#heed(mode, this.#pools.get(mode)?.release(tickets, this.#now));
  }

  #others(mode: string, then: (pool: Pool) => void): void {
    for (const [name, pool] of this.#pools) {
      if (name !== mode) {
        then(pool);
      }
    }
  }

  #gone(player: Player, ended: Omit<Search, 'seconds'>): void {
    const { search } = player;
    if (search !== null) {
      this.searches.push({ ...ended, seconds: (this.#now - search.at) / SECOND });
      this.#bySearch.delete(search.id);
      this.#others('', (pool) => pool.leave(search.id));
      player.search = null;
    }
  }

  /** The bell of the mode that the player likes best. Who hears it and comes is there in a minute, for that mode. */
  #bell(player: Player, search: NonNullable<Player['search']>): void {
    const [mode = ''] = player.likes;
    const quiet = (this.#rungAt.get(mode) ?? -Infinity) + BELL_QUIET_MS > this.#now;
    if (player.search !== search || search.heldBy !== null || quiet) {
      return;
    }
    this.#rungAt.set(mode, this.#now);
    this.rung += 1;
    for (let each = 0; each < this.#people.hear; each += 1) {
      if (this.#random.chance(this.#people.come)) {
        this.#after(this.#between(20, 60) * SECOND, () => this.#comes(30 * MINUTE, mode));
      }
    }
  }
}
