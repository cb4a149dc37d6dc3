// Running matches with room: which waiting ticket may join which (docs/internals/design.md A17; decision 30).
// Holds always: places promised to tickets that are still reserved are not promised again.

import type { PlayerId, TicketId } from '../../ids';
import { NONE } from './ages';
import { acceptsRegion } from './kinds';
import type { Plan } from './plan';
import type { Search } from './search';
import type { TicketStore } from './store';
import { Window } from './window';
import type { BackfillProposal, OpenMatch } from '../engine/proposal';
import { seatParty } from '../roles/teams';
import type { Answer } from '../sets/steps';

/** Looked at for one step. */
const GAMES_PER_STEP = 16;
const TICKETS_PER_STEP = 8;

type Roles = Readonly<Record<PlayerId, string>>;

interface Promised {
  readonly team: number;
  readonly players: number;
  readonly roles: Roles | null;
  /** The match has told its room since: it may count the ticket as in already. */
  isTold: boolean;
}

interface Game {
  readonly match: OpenMatch;
  /** Holds the anchor's ticket as it was, outside the queue. */
  readonly slot: number;
}

export class Games {
  readonly #plan: Plan;
  readonly #store: TicketStore;
  readonly #search: Search;
  readonly #window: Window;
  /** Oldest first. */
  #games: Game[] = [];
  /** Places promised to reserved tickets, and to committed ones until the match tells its new room. */
  readonly #promised = new Map<string, Map<TicketId, Promised>>();
  /** Places have come free: all around are to be asked. */
  readonly #unsettled = new Set<Game>();

  constructor(plan: Plan, store: TicketStore, search: Search) {
    this.#plan = plan;
    this.#store = store;
    this.#search = search;
    this.#window = new Window(store.buckets);
  }

  get isEmpty(): boolean {
    return this.#games.length === 0;
  }

  get isUnsettled(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Replaces what was known of the match. */
  offer(match: OpenMatch, now: number): void {
    const { matchId } = match;
    const isKnown = this.#gameOf(matchId) !== undefined;
    this.withdraw(matchId);
    const slot = this.#store.add(match.anchor, now, 'apart');
    if (slot === null) {
      return;
    }
    for (const promise of this.#promised.get(matchId)?.values() ?? []) {
      promise.isTold ||= isKnown;
    }
    const game = { match, slot };
    this.#games.push(game);
    this.#games.sort(
      (a, b) =>
        a.match.startedAt - b.match.startedAt || (a.match.matchId < b.match.matchId ? -1 : 1),
    );
    this.#unsettled.add(game);
  }

  withdraw(matchId: string): void {
    const game = this.#gameOf(matchId);
    if (game !== undefined) {
      this.#games = this.#games.filter((known) => known !== game);
      this.#unsettled.delete(game);
      this.#store.forget(game.slot);
    }
    const promised = this.#promised.get(matchId) ?? new Map<TicketId, Promised>();
    for (const id of promised.keys()) {
      if (this.#store.slotOf(id) === undefined) {
        this.#drop(matchId, id);
      }
    }
  }

  /** The reserved ticket, of that size, is on its way into the match. */
  promise({ matchId, ticket, team, roles }: BackfillProposal, players: number): void {
    const promised = this.#promised.get(matchId) ?? new Map<TicketId, Promised>();
    promised.set(ticket, { team, players, roles, isTold: false });
    this.#promised.set(matchId, promised);
  }

  /** The ticket does not come after all: its place is free again. */
  free(id: TicketId): void {
    for (const [matchId, promised] of this.#promised) {
      if (promised.has(id)) {
        this.#drop(matchId, id);
      }
    }
  }

  /** The ticket has come in: where the match has told its room since, that counts it. */
  taken(id: TicketId): void {
    for (const [matchId, promised] of this.#promised) {
      const promise = promised.get(id);
      if (promise !== undefined && (promise.isTold || this.#gameOf(matchId) === undefined)) {
        this.#drop(matchId, id);
      }
    }
  }

  #drop(matchId: string, id: TicketId): void {
    const promised = this.#promised.get(matchId);
    promised?.delete(id);
    if (promised?.size === 0) {
      this.#promised.delete(matchId);
    }
    const game = this.#gameOf(matchId);
    if (game !== undefined) {
      this.#unsettled.add(game);
    }
  }

  #gameOf(matchId: string): Game | undefined {
    return this.#games.find((game) => game.match.matchId === matchId);
  }

  /**
   * Adds the waiting slots that games with new room may take now; of the others `later` is told
   * when they will. False when the steps do not reach for all games.
   */
  settle(now: number, found: number[], later: (slot: number, at: number) => void): boolean {
    for (const game of this.#unsettled) {
      if (this.#store.steps.left <= 0 || !this.#around(game, now, found, later)) {
        return false;
      }
      this.#unsettled.delete(game);
    }
    return true;
  }

  /** Promises the slot a place in the oldest game that may take it; null for none. */
  backfill(slot: number, now: number): BackfillProposal | null | 'open' {
    for (const game of this.#games) {
      const answer = this.#couldTake(game, slot) ? this.#passes(game, slot, now) : 'no';
      if (answer === 'open') {
        return answer;
      }
      if (answer === 'yes') {
        const place = this.#placeIn(game, slot);
        if (place !== null) {
          const { matchId } = game.match;
          const proposal = { matchId, ticket: this.#store.idOf(slot), ...place };
          this.promise(proposal, this.#store.classOf(slot).players);
          return proposal;
        }
      }
    }
    this.#store.steps.left -= (1 + this.#games.length) / GAMES_PER_STEP;
    return null;
  }

  /** When a game will next come into the slot's reach, after `now`; Infinity for never. */
  opensAt(slot: number, now: number): number | 'open' {
    let next = Infinity;
    for (const game of this.#games) {
      if (this.#couldTake(game, slot)) {
        const at = this.#opening(game, slot);
        if (at === 'open') {
          return at;
        }
        next = at > now && at < next ? at : next;
      }
    }
    return next;
  }

  /** False when the steps do not reach: nothing has been found then. */
  #around(
    game: Game,
    now: number,
    into: number[],
    later: (slot: number, at: number) => void,
  ): boolean {
    const { buckets, steps } = this.#store;
    const reach = this.#store.radius(this.#plan.timeoutMs);
    const { slot: anchor } = game;
    const found: number[] = [];
    let walked = 0;
    this.#window.fetch(this.#store.partitionOf(anchor), this.#store.keyOf(anchor), reach);
    for (let at = 0; at < this.#window.length; at += 1) {
      for (let list = this.#window.firstList(at); list !== NONE; list = buckets.nextList(list)) {
        if (!this.#couldTake(game, buckets.head(list))) {
          continue;
        }
        // Tickets of a class stand in for each other: more than there are places are not needed.
        let room = game.match.open.reduce((sum, { slots }) => sum + slots, 0);
        for (let slot = buckets.head(list); slot !== NONE; slot = buckets.next(slot)) {
          walked += 1;
          const answer = this.#passes(game, slot, now);
          const opening = answer === 'no' ? this.#opening(game, slot) : answer;
          if (opening === 'open') {
            return false;
          }
          if (opening === 'yes') {
            if (room > 0) {
              found.push(slot);
              room -= 1;
            }
          } else if (opening > now && opening < Infinity) {
            later(slot, opening);
          }
        }
      }
    }
    for (const slot of found) {
      into.push(slot);
    }
    steps.left -= (1 + walked) / TICKETS_PER_STEP;
    return true;
  }

  /** What the slot's class and partition settle. */
  #couldTake(game: Game, slot: number): boolean {
    const { kinds } = this.#store;
    const anchor = this.#store.classOf(game.slot);
    const candidate = this.#store.classOf(slot);
    const region = kinds.regionNumber(game.match.region);
    return (
      this.#store.partitionOf(game.slot) === this.#store.partitionOf(slot) &&
      anchor.canAnchor &&
      candidate.canJoin &&
      kinds.version(this.#store.partitionOf(slot)) === game.match.version &&
      (candidate.regions.numbers === null ||
        (region !== undefined && acceptsRegion(candidate.regions, region))) &&
      kinds.areOverlapping(anchor, candidate)
    );
  }

  /** The game's anchor no longer waits: only the candidate's own wait widens. */
  #passes(game: Game, slot: number, now: number): Answer {
    this.#store.columns.pretendStart(game.slot, this.#store.ages.startedAt(slot));
    return this.#search.passes(game.slot, slot, now);
  }

  #opening(game: Game, slot: number): number | 'open' {
    this.#store.columns.pretendStart(game.slot, this.#store.ages.startedAt(slot));
    return this.#store.columns.opensAt(game.slot, slot);
  }

  /** The team with the most room that can hold the whole party. */
  #placeIn(
    game: Game,
    slot: number,
  ): { readonly team: number; readonly roles: Roles | null } | null {
    const members = this.#store.membersOf(slot);
    const { players } = this.#store.classOf(slot);
    const all = [...(this.#promised.get(game.match.matchId)?.values() ?? [])];
    let best: { team: number; roles: Roles | null; slots: number } | null = null;
    for (const [team, { slots: offered, roles: wanted }] of game.match.open.entries()) {
      const promised = all.filter((each) => each.team === team);
      const slots = offered - promised.reduce((sum, each) => sum + each.players, 0);
      if (slots < players || (best !== null && slots <= best.slots)) {
        continue;
      }
      const roles = wanted === null ? null : seatParty(members, unpromised(wanted, promised));
      if (wanted === null || roles !== null) {
        best = { team, roles, slots };
      }
    }
    return best === null ? null : { team: best.team, roles: best.roles };
  }
}

function unpromised(
  wanted: Readonly<Record<string, number>>,
  promised: readonly Promised[],
): Readonly<Record<string, number>> {
  const open = new Map(Object.entries(wanted));
  for (const role of promised.flatMap(({ roles }) => Object.values(roles ?? {}))) {
    open.set(role, (open.get(role) ?? 0) - 1);
  }
  return Object.fromEntries(open);
}
