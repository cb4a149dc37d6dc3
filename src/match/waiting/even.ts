// The set of an anchor in a mode that judges whole sets: by how even the teams are (docs/internals/design.md A18), or by who
// avoids whom (A22). Sets are tried in the order of age, and the first that will do is taken. The others say when they will.

import { firstMs } from '../rules/reach';
import type { Evenness } from '../rules/rule-type';
import { avoidedAmong, avoidEachOther, looksToAsk } from '../ticket/avoids';
import { type Slices, untilAnswered } from '../teams/steps';
import type { TicketId } from '../../common/ids';
import { must } from '../../common/result';
import { chooseSet, type Choosing, eachSet } from './choice';
import { byAge, type Entry } from './entry';
import type { Found, Propose } from './proposals';
import type { Queue } from './queue';

/** Sets of one anchor. */
const SETS = 500;
/** Sets of one event besides the first of each anchor. */
const SETS_OF_EVENT = 5_000;
/** What judging a set costs besides splitting it, in steps. */
const JUDGE = 16;
/** Candidates of each class beyond what one match can use, so that there are sets to choose from. */
export const SPARE = 12;

/** How many players are searched for sets in which nobody avoids another. It bounds the cost of reading all lists. */
const PLAYERS = 1_000;

export class EvenSets {
  readonly #queue: Queue;
  /** Null: teams may be as uneven as they are. */
  readonly #evenness: Evenness | null;
  readonly #propose: Propose;
  #left = 0;

  constructor(queue: Queue, evenness: Evenness | null, propose: Propose) {
    this.#queue = queue;
    this.#evenness = evenness;
    this.#propose = propose;
  }

  /** An event begins, with sets of its own. */
  begin(): void {
    this.#left = SETS_OF_EVENT;
  }

  /** As `chooseSet`. `at`: when the rules were asked. */
  *choose(
    anchor: Entry,
    candidates: readonly Entry[],
    choosing: Choosing,
    at: number,
  ): Slices<readonly Entry[] | null> {
    const { startedAt } = anchor.ticket;
    const reach = this.#evenness?.reach;
    const bound = reach?.at(Math.max(0, at - startedAt)) ?? 0;
    let least = Infinity;
    const isEven = (gap: number): boolean => {
      least = Math.min(least, gap);
      return gap <= bound;
    };
    const first = yield* chooseSet(anchor, candidates, choosing);
    const isMixed = first !== null && this.#apartIn(first, at).isAny;
    if (first === null || (!isMixed && isEven(yield* this.#gapOf(anchor, first, choosing, at)))) {
      return first;
    }
    let players = PLAYERS;
    const near = candidates.filter(({ ticketClass }) => (players -= ticketClass.players) >= 0);
    const { isAny, until, apart } = this.#apartIn(near, at);
    let found: readonly Entry[] | null = null;
    let sets = 0;
    yield* eachSet(
      anchor,
      isAny ? near : candidates,
      isAny ? { ...choosing, apart } : choosing,
      function* (this: EvenSets, set: readonly Entry[] | null) {
        if (sets > 0 || isAny) {
          this.#left -= 1;
          const isFound = set !== null && isEven(yield* this.#gapOf(anchor, set, choosing, at));
          found = isFound ? [...set] : null;
        }
        sets += 1;
        return found !== null || sets >= SETS || this.#left <= 0;
      }.bind(this),
    );
    if (found === null) {
      const gap = least;
      const guess = startedAt + (reach?.when(gap) ?? Infinity);
      const opens = firstMs(startedAt, guess, (now) => gap <= (reach?.at(now - startedAt) ?? 0));
      this.#again(anchor, Math.min(opens, until));
    }
    return found;
  }

  #again(entry: Entry, at: number): void {
    // What is known may be of its short matches, and this of its full ones.
    const known = entry.evenAt ?? 0;
    entry.evenAt = known > this.#queue.now ? Math.min(known, at) : at;
    this.#queue.opens(entry, entry.evenAt);
  }

  /** True if the two avoid each other and may not meet yet. When they may, the anchor is asked again. */
  keepsApart(anchor: Entry, candidate: Entry): boolean {
    const until = this.#meetAt(anchor, candidate);
    const isKept = until > this.#queue.now && this.isAvoiding(anchor, [candidate]);
    if (isKept) {
      this.#again(anchor, until);
    }
    return isKept;
  }

  /** True if it is in such a pair with one of the others, whether they may meet or not. */
  isAvoiding({ ticket }: Entry, others: readonly Entry[]): boolean {
    if (this.#queue.apartMs === null) {
      return false;
    }
    this.#queue.look(others.reduce((sum, other) => sum + looksToAsk(ticket, other.ticket), 0));
    return others.some((other) => avoidEachOther(ticket, other.ticket));
  }

  #meetAt(one: Entry, other: Entry): number {
    const both = Math.max(one.ticket.startedAt, other.ticket.startedAt);
    return Math.ceil(both + (this.#queue.apartMs ?? -Infinity));
  }

  /** Who of them may not be in one match yet, by their places, and until when at least. */
  #apartIn(entries: readonly Entry[], at: number) {
    let until = Infinity;
    const all = this.#queue.apartMs === null ? [] : entries;
    this.#queue.look(all.reduce((sum, { ticket }) => sum + (ticket.avoids?.length ?? 0), 0));
    const apart = avoidedAmong(all.map(({ ticket }) => ticket)).map((others, index) => {
      const meetAt = (other: number): number =>
        this.#meetAt(must(all[index], 'an entry'), must(all[other], 'another'));
      const kept = [...others].filter((other) => meetAt(other) > at);
      until = Math.min(until, ...kept.map(meetAt));
      return new Set(kept);
    });
    return { isAny: apart.some(({ size }) => size > 0), until, apart };
  }

  *#gapOf(anchor: Entry, set: readonly Entry[], { steps }: Choosing, at: number): Slices<number> {
    const found: Found = { anchor, entries: [anchor, ...set].sort(byAge), at };
    const all = found.entries.map(({ ticket }) => ticket);
    if (this.#evenness === null && avoidedAmong(all).every(({ size }) => size === 0)) {
      return 0;
    }
    const proposal = yield* untilAnswered(() => this.#propose(found));
    steps.left -= JUDGE;
    const tickets = new Map<TicketId, Entry['ticket']>(all.map((ticket) => [ticket.id, ticket]));
    const teams = proposal?.teams.map((team) =>
      team.tickets.flatMap((id) => tickets.get(id) ?? []),
    );
    return teams === undefined ? Infinity : (this.#evenness?.gapOf(teams) ?? 0);
  }
}
