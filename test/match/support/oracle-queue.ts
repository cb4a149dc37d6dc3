// The oracle's queue: who waits, who is reserved, which games have room, and what an anchor gets.

import type { TicketId } from '../../../src/common/ids';
import type { Patience } from '../../../src/match/waiting/entry';
import { patientUntil } from '../../../src/match/waiting/patience';
import type { Mode } from '../../../src/match/rules/mode';
import type {
  BackfillProposal,
  Dropped,
  OpenMatch,
  PoolOutcome,
  Proposal,
} from '../../../src/match/pool';
import type { PairRules } from '../../../src/match/rules/rules';
import { type Ticket, versionOf } from '../../../src/match/ticket/ticket';
import {
  accepts,
  byAge,
  choose,
  electRegion,
  type Entry,
  gameAnchor,
  sharedRegions,
  tickets,
} from './oracle-choice';
import type { PlainTeams, Promised } from './oracle-teams';

/** Whether an event concerns the anchor. */
export type Scope = (anchor: Entry) => boolean;

export const everyone: Scope = () => true;

export class Outcome implements PoolOutcome {
  readonly matches: Proposal[] = [];
  readonly backfills: BackfillProposal[] = [];
  readonly dropped: Dropped[] = [];
}

export class OracleQueue {
  readonly #mode: Mode;
  readonly #rules: PairRules;
  readonly #teams: PlainTeams;
  waiting: Entry[] = [];
  readonly reserved = new Map<TicketId, Entry>();
  readonly open = new Map<string, OpenMatch>();
  /** Places promised, by match and ticket. */
  readonly promised = new Map<string, Map<TicketId, Promised>>();

  constructor(mode: Mode, rules: PairRules, teams: PlainTeams) {
    this.#mode = mode;
    this.#rules = rules;
    this.#teams = teams;
  }

  /** A short match starts at once rather than lose a member to the timeout (docs/internals/design.md A5). */
  startWith(member: Entry, at: number, out: Outcome): boolean {
    for (const anchor of this.waiting) {
      const chosen = anchor.patience === null ? null : this.choose(anchor, at, false);
      if (chosen?.includes(member)) {
        this.propose(anchor, chosen, false, out);
        return true;
      }
    }
    return false;
  }

  patience(
    at: number,
    out: Outcome,
    event: { readonly arrived: readonly Entry[]; readonly concerns: Scope },
  ): void {
    const here = event.arrived.filter((entry) => this.waiting.includes(entry));
    for (const anchor of this.waiting) {
      const { patience } = anchor;
      if (patience === null) {
        if (event.concerns(anchor) && this.choose(anchor, at, false) !== null) {
          const begun = { since: at, missing: 0, lastArrivalAt: at, due: at };
          anchor.patience = begun;
          this.look(anchor, begun, at);
        }
        continue;
      }
      for (const entry of here) {
        if (entry !== anchor && this.isEligible(anchor, entry, at)) {
          patience.missing = Math.max(0, patience.missing - entry.ticket.members.length);
          patience.lastArrivalAt = at;
          patience.due = patientUntil(patience, anchor.rate, this.#mode);
        }
      }
    }
    const due = this.waiting.filter((entry) => (entry.patience?.due ?? Infinity) <= at);
    due.sort((a, b) => (a.patience?.due ?? 0) - (b.patience?.due ?? 0) || byAge(a, b));
    for (const anchor of due) {
      if (!this.waiting.includes(anchor) || anchor.patience === null) {
        continue;
      }
      const chosen = this.choose(anchor, at, false);
      if (chosen === null) {
        anchor.patience = null;
        continue;
      }
      this.look(anchor, anchor.patience, at);
      if (anchor.patience.due <= at) {
        this.propose(anchor, chosen, false, out);
      }
    }
  }

  look(anchor: Entry, patience: Patience, at: number): void {
    const eligible = this.eligible(anchor, at);
    const players = [anchor, ...eligible].reduce((sum, e) => sum + e.ticket.members.length, 0);
    patience.missing = Math.max(0, this.#mode.teams * this.#mode.playersPerTeam - players);
    patience.lastArrivalAt = Math.max(
      anchor.enteredAt,
      ...eligible.map((entry) => entry.enteredAt),
    );
    patience.due = patientUntil(patience, anchor.rate, this.#mode);
  }

  eligible(anchor: Entry, at: number): readonly Entry[] {
    return this.waiting.filter((entry) => entry !== anchor && this.isEligible(anchor, entry, at));
  }

  /** All rules, and a region that both accept (spec: Rule semantics 7). */
  isEligible(anchor: Entry, candidate: Entry, at: number): boolean {
    return (
      this.#rules.passes(anchor.ticket, candidate.ticket, at) &&
      sharedRegions([anchor, candidate], [anchor, candidate]).length > 0
    );
  }

  choose(anchor: Entry, at: number, full: boolean): Entry[] | null {
    return choose(anchor, this.eligible(anchor, at), this.#teams, full);
  }

  propose(anchor: Entry, chosen: readonly Entry[], full: boolean, out: Outcome): void {
    const all = tickets(chosen);
    const players = all.reduce((sum, ticket) => sum + ticket.members.length, 0);
    out.matches.push({
      anchor: anchor.ticket.id,
      tickets: all.map((ticket) => ticket.id),
      teams: this.#teams.arrange(all, [], full) ?? [],
      region: electRegion(anchor.ticket, all),
      version: versionOf(anchor.ticket, this.#mode.useVersionFromState),
      full: players === this.#teams.players,
    });
    chosen.forEach((entry) => this.reserve(entry));
  }

  backfill(entry: Entry, at: number, out: Outcome): void {
    const byStart = [...this.open.values()].sort(
      (a, b) => a.startedAt - b.startedAt || (a.matchId < b.matchId ? -1 : 1),
    );
    for (const match of byStart) {
      const { ticket } = entry;
      const taken = this.promised.get(match.matchId)?.values() ?? [];
      if (
        accepts(entry, match.region) &&
        match.version === versionOf(ticket, this.#mode.useVersionFromState) &&
        this.#rules.passes(gameAnchor(match, ticket), ticket, at)
      ) {
        const place = this.#teams.place(ticket, match, [...taken]);
        if (place !== null) {
          const proposal = { matchId: match.matchId, ticket: ticket.id, ...place };
          this.promise(proposal, ticket);
          out.backfills.push(proposal);
          this.reserve(entry);
          return;
        }
      }
    }
  }

  promise({ matchId, team, roles }: BackfillProposal, { id, members }: Ticket): void {
    const promised = this.promised.get(matchId) ?? new Map<TicketId, Promised>();
    this.promised.set(matchId, promised);
    promised.set(id, { team, players: members.length, roles, isTold: false });
  }

  expiresAt(entry: Entry): number {
    const { timeout } = this.#mode;
    return timeout > 0 ? entry.ticket.startedAt + timeout * 1000 : Infinity;
  }

  reserve(entry: Entry): void {
    this.remove(entry);
    this.reserved.set(entry.ticket.id, entry);
  }

  remove(entry: Entry): void {
    this.waiting = this.waiting.filter((known) => known !== entry);
  }

  insert(entry: Entry): void {
    this.waiting = [...this.waiting, entry].sort(byAge);
  }
}
