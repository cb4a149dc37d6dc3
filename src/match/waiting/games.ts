// Running matches with room, and which waiting ticket may join which (docs/internals/design.md A17; decision 30).
// Places promised to tickets that are still reserved are not promised again.

import type { TicketId } from '../../common/ids';
import type { RoleCounts } from '../rules/mode';
import type { Evenness } from '../rules/rule-type';
import { evennessOf } from '../rules/rules';
import { seatParty } from '../teams/role-teams';
import type { Slices } from '../teams/steps';
import { avoidEachOther, type Avoider, looksToAsk } from '../ticket/avoids';
import { type Ticket, versionOf } from '../ticket/ticket';
import { entriesIn, type CellPlace } from './cells';
import { type Entry, isWaiting } from './entry';
import type { BackfillProposal, OpenMatch } from '../pool';
import type { Queue } from './queue';

type TeamSeats = Pick<BackfillProposal, 'team' | 'roles'>;

interface Promised extends BackfillProposal {
  readonly players: number;
  readonly who: Avoider;
  /** The match has told its room since, and may have counted the ticket as in already. */
  isTold: boolean;
}

type OfferedGame = { readonly match: OpenMatch; readonly place: CellPlace };

export class Games {
  readonly #queue: Queue;
  readonly #evenness: Evenness | null;
  /** Oldest first. A new array at every change, so a walk under way continues over the games it began with. */
  #games: readonly OfferedGame[] = [];
  /** Places promised to reserved tickets, and to committed ones until the match tells its new room. */
  readonly #promised = new Map<TicketId, Promised>();
  /** Games with new room: everybody in reach is to be asked. */
  readonly #unsettled = new Set<OfferedGame>();

  constructor(queue: Queue) {
    this.#queue = queue;
    this.#evenness = evennessOf(queue.plan.mode);
  }

  get isEmpty(): boolean {
    return this.#games.length === 0;
  }

  get isUnsettled(): boolean {
    return this.#unsettled.size > 0;
  }

  /** Replaces what was known of the match. */
  offer(match: OpenMatch): void {
    this.withdraw(match.matchId, match.seq);
    const game = { match, place: this.#queue.placeOf(match.anchor) };
    this.#games = [...this.#games, game].sort(
      ({ match: a }, { match: b }) => a.startedAt - b.startedAt || (a.matchId < b.matchId ? -1 : 1),
    );
    this.#unsettled.add(game);
  }

  /**
   * What was known of the match does not hold any more. Places promised in it stay taken while their tickets come; those
   * out of the offer of that number, which is only told again, until the match says that they are.
   */
  withdraw(matchId: string, seq?: number): void {
    const game = this.#gameOf(matchId);
    if (game !== undefined) {
      this.#games = this.#games.filter((known) => known !== game);
      this.#unsettled.delete(game);
    }
    for (const [id, promise] of this.#promised) {
      if (promise.matchId === matchId && (seq === undefined || promise.offer !== seq)) {
        promise.isTold = true;
        if (this.#queue.find(id) === undefined) {
          this.#promised.delete(id);
        }
      }
    }
  }

  /** The reserved ticket is on its way into the match. */
  promise(proposal: BackfillProposal, who: Ticket): void {
    const { length: players } = who.members;
    this.#promised.set(proposal.ticket, { ...proposal, players, who, isTold: false });
  }

  /** The ticket does not come after all, so its place is free again. */
  free(id: TicketId): void {
    const game = this.#gameOf(this.#promised.get(id)?.matchId);
    this.#promised.delete(id);
    if (game !== undefined) {
      this.#unsettled.add(game);
    }
  }

  /** The ticket is in the match. If the match has told its room since, that room counts the ticket. */
  taken(id: TicketId): void {
    const promise = this.#promised.get(id);
    if (promise?.isTold === true || this.#gameOf(promise?.matchId) === undefined) {
      this.free(id);
    }
  }

  #gameOf(matchId: string | undefined): OfferedGame | undefined {
    return this.#games.find((game) => game.match.matchId === matchId);
  }

  /** The waiting tickets that games with new room may take now. For the others, notes when they may. */
  *settle(): Slices<ReadonlySet<Entry>> {
    const found = new Set<Entry>();
    for (const game of this.#unsettled) {
      const reach = this.#queue.cells.reach(this.#queue.plan.timeoutMs);
      for (const entry of entriesIn(this.#queue.cells.around(game.place, reach))) {
        if (this.#queue.look(2)) {
          yield;
        }
        if (this.#passes(game, entry)) {
          found.add(entry);
        } else if (isWaiting(entry)) {
          const at = this.#opening(game, entry);
          this.#queue.opens(entry, at > this.#queue.now ? at : Infinity);
        }
        const meetsAt = this.#meetsAt(entry);
        this.#queue.opens(entry, meetsAt > this.#queue.now ? meetsAt : Infinity);
      }
      this.#unsettled.delete(game);
    }
    return found;
  }

  /** Promises the ticket a place in the oldest game that may take it; null if there is none. */
  *backfill(entry: Entry): Slices<BackfillProposal | null> {
    for (const game of this.#games) {
      if (this.#queue.look(1)) {
        yield;
      }
      // Either may be over since the walk paused (decision 44).
      const isOpen = this.#queue.takesPart(entry, 'full') && this.#games.includes(game);
      const seats = isOpen && this.#passes(game, entry) ? this.#seatsIn(game, entry) : null;
      if (seats !== null) {
        const { matchId, seq, anchor } = game.match;
        const numbered = seq === undefined ? {} : { offer: seq };
        const by = { ticket: entry.ticket.id, against: anchor.id, ...numbered };
        const proposal = { matchId, ...by, ...seats };
        this.promise(proposal, entry.ticket);
        return proposal;
      }
    }
    return null;
  }

  /** When after `since` a game next comes into the ticket's reach; Infinity for never. */
  *opensAt(entry: Entry, since: number): Slices<number> {
    const meetsAt = this.#games.length === 0 ? Infinity : this.#meetsAt(entry);
    let next = meetsAt > since ? meetsAt : Infinity;
    for (const game of this.#games) {
      if (this.#queue.look(1)) {
        yield;
      }
      const at = this.#opening(game, entry);
      next = at > since && at < next ? at : next;
    }
    return next;
  }

  #passes(game: OfferedGame, entry: Entry): boolean {
    const anchor = anchorFor(game, entry.ticket);
    return this.#isMeant(game, entry) && this.#queue.passes(anchor, entry.ticket, this.#queue.now);
  }

  #opening(game: OfferedGame, entry: Entry): number {
    const anchor = anchorFor(game, entry.ticket);
    return this.#isMeant(game, entry) && this.#queue.passesEver(anchor, entry.ticket)
      ? this.#queue.widensAt(anchor, entry.ticket)
      : Infinity;
  }

  /** True if the ticket wants the game's build and accepts its region. */
  #isMeant({ match, place }: OfferedGame, { partition, ticket, ticketClass }: Entry): boolean {
    return (
      partition !== null &&
      partition === place.partition &&
      match.version === versionOf(ticket, this.#queue.plan.mode.useVersionFromState) &&
      !ticket.players.some((id) => match.kicked?.includes(id)) &&
      (ticketClass.regions?.has(match.region) ?? true)
    );
  }

  /** How uneven the teams that have anybody are with the ticket in that one. Infinity: more than allowed; 0: no rule. */
  #gapWith({ forming = [], startedAt, anchor }: OpenMatch, team: number, ticket: Ticket): number {
    const evenness = this.#evenness;
    const teams = forming.map((its, index) => (index === team ? [...its, ticket] : its));
    if (evenness === null || forming.length === 0) {
      return 0;
    }
    const gap = evenness.gapOf(teams);
    return gap <= evenness.reach.at(Math.max(0, startedAt - anchor.startedAt)) ? gap : Infinity;
  }

  /** When it meets in a game whom it avoids, epoch ms. */
  #meetsAt({ ticket }: Entry): number {
    return Math.ceil(ticket.startedAt + (this.#queue.apartMs ?? Infinity));
  }

  /** The teams with somebody whom it avoids, or who avoids it, and with those on their way. */
  #foesIn(
    { match }: OfferedGame,
    promised: readonly Promised[],
    ticket: Ticket,
  ): readonly boolean[] {
    return (this.#queue.apartMs === null ? [] : match.open).map(({ here }, team) => {
      const there = promised.filter((each) => each.team === team).map(({ who }) => who);
      const all = here === undefined ? there : [here, ...there];
      this.#queue.look(all.reduce((sum, each) => sum + looksToAsk(ticket, each), 0));
      return all.some((each) => avoidEachOther(ticket, each));
    });
  }

  /** The team that can hold the whole party: that which makes the teams most even, then that with the most room. */
  #seatsIn(game: OfferedGame, entry: Entry): TeamSeats | null {
    const { match } = game;
    const { ticket, ticketClass } = entry;
    this.#queue.look(this.#promised.size + 2 * (match.forming?.flat().length ?? 0));
    const promised = [...this.#promised.values()].filter((each) => each.matchId === match.matchId);
    const foes = this.#foesIn(game, promised, ticket);
    if (foes.includes(true) && this.#meetsAt(entry) > this.#queue.now) {
      return null;
    }
    const isCompared = match.forming?.some(({ length }) => length > 0) === true;
    if (promised.length > 0 && isCompared) {
      // Each is compared with those who are in the match.
      return null;
    }
    let best: TeamSeats | null = null;
    let most = 0;
    let least = Infinity;
    for (const [team, { slots: offered, roles: wanted }] of match.open.entries()) {
      const taken = promised.filter((each) => each.team === team);
      const slots = offered - taken.reduce((sum, { players }) => sum + players, 0);
      const fits = slots >= ticketClass.players && foes[team] !== true;
      const gap = fits ? this.#gapWith(match, team, ticket) : Infinity;
      if (gap < least || (gap < Infinity && gap === least && slots > most)) {
        const given = taken.flatMap(({ roles }) => Object.values(roles ?? {}));
        const roles = wanted === null ? null : seatParty(ticket.members, without(wanted, given));
        if (wanted === null || roles !== null) {
          best = { team, roles };
          most = slots;
          least = gap;
        }
      }
    }
    return best;
  }
}

/** The game's anchor as if it had begun to wait with the ticket: only the candidate's own wait widens. */
function anchorFor({ match }: OfferedGame, { startedAt }: Ticket): Ticket {
  return { ...match.anchor, startedAt };
}

function without(wanted: RoleCounts, given: readonly string[]): RoleCounts {
  const open = new Map(Object.entries(wanted));
  for (const role of given) {
    open.set(role, (open.get(role) ?? 0) - 1);
  }
  return Object.fromEntries(open);
}
