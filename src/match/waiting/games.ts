// Running matches with room: which waiting ticket may join which (docs/internals/design.md A17; decision 30).
// Holds always: places promised to tickets that are still reserved are not promised again.

import type { PlayerId, TicketId } from '../../common/ids';
import type { Entry } from './entry';
import type { Pairs } from './pairs';
import type { Plan } from './plan';
import type { BackfillProposal, OpenMatch } from './proposal';
import type { Queue } from './queue';
import { seatParty } from '../teams/role-teams';
import type { Slices } from '../teams/steps';
import type { Ticket } from '../ticket/ticket';
import { versionOf } from '../ticket/version';

type Roles = Readonly<Record<PlayerId, string>>;

interface Place {
  readonly team: number;
  readonly roles: Roles | null;
}

interface Promised extends BackfillProposal {
  readonly players: number;
  /** The match has told its room since: it may count the ticket as in already. */
  isTold: boolean;
}

interface Game {
  readonly match: OpenMatch;
  readonly place: Pick<Entry, 'partition' | 'value'>;
}

export class Games {
  readonly #plan: Plan;
  readonly #queue: Queue;
  readonly #pairs: Pairs;
  /** Oldest first. */
  #games: Game[] = [];
  /** Places promised to reserved tickets, and to committed ones until the match tells its new room. */
  readonly #promised = new Map<TicketId, Promised>();
  /** Places have come free: all around are to be asked. */
  readonly #unsettled = new Set<Game>();

  constructor(plan: Plan, queue: Queue, pairs: Pairs) {
    this.#plan = plan;
    this.#queue = queue;
    this.#pairs = pairs;
  }

  get isEmpty(): boolean {
    return this.#games.length === 0;
  }

  get isUnsettled(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Replaces what was known of the match. */
  offer(match: OpenMatch): void {
    const { matchId } = match;
    const isKnown = this.#gameOf(matchId) !== undefined;
    this.withdraw(matchId);
    for (const promise of this.#promised.values()) {
      promise.isTold ||= isKnown && promise.matchId === matchId;
    }
    const game = { match, place: this.#queue.placeOf(match.anchor) };
    // A walk over the games goes on over those there were.
    this.#games = [...this.#games, game].sort(
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
    }
    for (const [id, promise] of this.#promised) {
      if (promise.matchId === matchId && this.#queue.find(id) === undefined) {
        this.#promised.delete(id);
      }
    }
  }

  /** The reserved ticket is on its way into the match. */
  promise(proposal: BackfillProposal, players: number): void {
    this.#promised.set(proposal.ticket, { ...proposal, players, isTold: false });
  }

  /** The ticket does not come after all: its place is free again. */
  free(id: TicketId): void {
    const game = this.#gameOf(this.#promised.get(id)?.matchId);
    this.#promised.delete(id);
    if (game !== undefined) {
      this.#unsettled.add(game);
    }
  }

  /** The ticket has come in: where the match has told its room since, that counts it. */
  taken(id: TicketId): void {
    const promise = this.#promised.get(id);
    if (promise?.isTold === true || this.#gameOf(promise?.matchId) === undefined) {
      this.free(id);
    }
  }

  #gameOf(matchId: string | undefined): Game | undefined {
    return this.#games.find((game) => game.match.matchId === matchId);
  }

  /** The waiting tickets that games with new room may take now; of the others `later` is told when they will. */
  *settle(
    now: () => number,
    later: (entry: Entry, at: number) => void,
  ): Slices<ReadonlySet<Entry>> {
    const found = new Set<Entry>();
    for (const game of this.#unsettled) {
      const reach = this.#queue.cells.reach(this.#plan.timeoutMs);
      for (const cell of this.#queue.cells.around(game.place, reach)) {
        for (const group of cell?.groups ?? []) {
          // Tickets of a class stand in for each other: more than there are places are not needed.
          let room = game.match.open.reduce((sum, { slots }) => sum + slots, 0);
          for (const entry of group) {
            if (this.#pairs.steps.left <= 0) {
              yield;
            }
            this.#pairs.look(2);
            if (this.#passes(game, entry, now())) {
              room -= 1;
              if (room >= 0) {
                found.add(entry);
              }
            } else {
              const at = this.#opening(game, entry);
              if (at > now()) {
                later(entry, at);
              }
            }
          }
        }
      }
      this.#unsettled.delete(game);
    }
    return found;
  }

  /** Promises the ticket a place in the oldest game that may take it; null for none. */
  *backfill(entry: Entry, now: () => number): Slices<BackfillProposal | null> {
    for (const game of this.#games) {
      this.#pairs.look(1);
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      const isOpen = entry.state === 'waiting' && this.#games.includes(game);
      if (isOpen && this.#passes(game, entry, now())) {
        const place = this.#placeIn(game, entry);
        if (place !== null) {
          const proposal = { matchId: game.match.matchId, ticket: entry.ticket.id, ...place };
          this.promise(proposal, entry.ticketClass.players);
          return proposal;
        }
      }
    }
    return null;
  }

  /** When after `since` a game will next come into the ticket's reach; Infinity for never. */
  *opensAt(entry: Entry, since: number): Slices<number> {
    let next = Infinity;
    for (const game of this.#games) {
      this.#pairs.look(1);
      if (this.#pairs.steps.left <= 0) {
        yield;
      }
      const at = this.#opening(game, entry);
      next = at > since && at < next ? at : next;
    }
    return next;
  }

  #passes(game: Game, entry: Entry, now: number): boolean {
    return (
      this.#isMeant(game, entry) &&
      this.#pairs.passesAll(anchorFor(game, entry.ticket), entry.ticket, now)
    );
  }

  #opening(game: Game, entry: Entry): number {
    const anchor = anchorFor(game, entry.ticket);
    return this.#isMeant(game, entry) && this.#pairs.passesEverAll(anchor, entry.ticket)
      ? this.#pairs.widensAt(anchor, entry.ticket)
      : Infinity;
  }

  /** Its build, and its region, are the game's. */
  #isMeant({ match, place }: Game, { partition, ticket, ticketClass }: Entry): boolean {
    return (
      partition !== null &&
      partition === place.partition &&
      match.version === versionOf(ticket, this.#plan.mode.useVersionFromState) &&
      (ticketClass.regions?.has(match.region) ?? true)
    );
  }

  /** The team with the most room that can hold the whole party. */
  #placeIn({ match }: Game, { ticket, ticketClass }: Entry): Place | null {
    this.#pairs.look(this.#promised.size);
    const promised = [...this.#promised.values()].filter(
      ({ matchId }) => matchId === match.matchId,
    );
    let best: (Place & { readonly slots: number }) | null = null;
    for (const [team, { slots: offered, roles: wanted }] of match.open.entries()) {
      const taken = promised.filter((each) => each.team === team);
      const slots = offered - taken.reduce((sum, { players }) => sum + players, 0);
      if (slots >= ticketClass.players && slots > (best?.slots ?? 0)) {
        const given = taken.flatMap(({ roles }) => Object.values(roles ?? {}));
        const roles = wanted === null ? null : seatParty(ticket.members, without(wanted, given));
        if (wanted === null || roles !== null) {
          best = { team, roles, slots };
        }
      }
    }
    return best === null ? null : { team: best.team, roles: best.roles };
  }
}

/** The game's anchor no longer waits: only the candidate's own wait widens. */
function anchorFor({ match }: Game, { startedAt }: Ticket): Ticket {
  return { ...match.anchor, startedAt };
}

function without(
  wanted: Readonly<Record<string, number>>,
  given: readonly string[],
): Readonly<Record<string, number>> {
  const open = new Map(Object.entries(wanted));
  for (const role of given) {
    open.set(role, (open.get(role) ?? 0) - 1);
  }
  return Object.fromEntries(open);
}
