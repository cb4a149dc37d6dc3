// The oracle's queue: who waits, who is reserved, which games have room, and what an anchor gets.

import type { TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import type {
  BackfillProposal,
  Dropped,
  OpenMatch,
  PoolOutcome,
  Proposal,
} from '../../../src/match/pool';
import { compileRules, evennessOf, type PairRules } from '../../../src/match/rules/rules';
import { type Ticket, versionOf } from '../../../src/match/ticket/ticket';
import {
  accepts,
  byAge,
  choose,
  type Entry,
  gameAnchor,
  sharedRegions,
  tickets,
} from './oracle-choice';
import { apartMs, areFoes, foeTeams, isAnyApart } from './oracle-avoid';
import { allowedGap, leastGap, setsOf } from './oracle-even';
import { electRegion, growsAt, regionsAt } from './oracle-regions';
import {
  endOf,
  isInBurst,
  type Patience,
  startsShort,
  type Terms,
  termsOf,
} from './oracle-patience';
import { relaxedFor, stepsOf } from './oracle-sizes';
import { choosePlainly, type PlainTeams, type Promised } from './oracle-teams';

/** Two ways to compute a gap may differ by this. Chances are in whole millionths of a point. */
function roundingOf({ rules }: Mode): number {
  return rules.some((rule) => rule.type === 'balance' && rule.win !== undefined) ? 1e-9 : 1e-6;
}

/** When the anchor's wait allows that gap, in whole ms; Infinity for never. */
function firstAllowed(mode: Mode, anchor: Ticket, gap: number, end: number): number {
  const isAllowed = (at: number): boolean => gap <= allowedGap(mode, anchor, at) + roundingOf(mode);
  if (!isAllowed(end - 1)) {
    return Infinity;
  }
  let [low, high] = [Math.ceil(anchor.startedAt), end - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    [low, high] = isAllowed(middle) ? [low, middle] : [middle + 1, high];
  }
  return low;
}

/** Whether an event concerns the anchor. */
export type Scope = (anchor: Entry) => boolean;

/** What has come, and whom it concerns. `isTime`: nothing has, but the instant itself. */
export interface Event {
  readonly arrived: readonly Entry[];
  readonly concerns: Scope;
  readonly isTime?: boolean;
}

export const everyone: Scope = () => true;

export class Outcome implements PoolOutcome {
  readonly matches: Proposal[] = [];
  readonly backfills: BackfillProposal[] = [];
  readonly dropped: Dropped[] = [];
}

export class OracleQueue {
  readonly #mode: Mode;
  readonly #rules: PairRules;
  /** Whom a party avoids is asked of those who are in the game, and its anchor may have left. */
  readonly gameRules: PairRules;
  readonly #teams: PlainTeams;
  readonly #terms: Terms;
  readonly startsShort: boolean;
  /** By the steps that have come. */
  readonly #relaxed = new Map<string, PlainTeams>();
  waiting: Entry[] = [];
  readonly reserved = new Map<TicketId, Entry>();
  readonly open = new Map<string, OpenMatch>();
  /** Places promised, by match and ticket. */
  readonly promised = new Map<string, Map<TicketId, Promised>>();

  constructor(mode: Mode, rules: PairRules, teams: PlainTeams) {
    this.#mode = mode;
    this.#rules = rules;
    const others = mode.rules.filter(({ type }) => type !== 'latency' && type !== 'avoid');
    this.gameRules = compileRules(mode, others);
    this.#teams = teams;
    this.#terms = termsOf(mode, teams.players);
    this.startsShort = startsShort(mode, teams.players);
  }

  /** A short match starts at once rather than lose a member to the timeout (docs/internals/design.md A5). */
  startWith(member: Entry, at: number, out: Outcome): boolean {
    for (const anchor of this.waiting) {
      const chosen = anchor.patience === null ? null : this.choose(anchor, at, false);
      if (chosen?.includes(member)) {
        this.propose(anchor, chosen, { full: false, at }, out);
        return true;
      }
    }
    return false;
  }

  patience(at: number, out: Outcome, event: Event): void {
    const here = event.arrived.filter((entry) => this.waiting.includes(entry));
    for (const anchor of this.waiting) {
      if (event.isTime === true && stepsOf(this.#mode, anchor.ticket).includes(at)) {
        if (this.choose(anchor, at, false) !== null) {
          const looked = this.look(anchor, at, at);
          const isHeld = this.teamsFor(anchor, at).bots && isInBurst(looked, at, this.#terms);
          anchor.patience = isHeld ? looked : { ...looked, due: at, isOver: true };
        }
        continue;
      }
      if (anchor.patience === null) {
        if (event.concerns(anchor) && this.choose(anchor, at, false) !== null) {
          this.look(anchor, at, at);
        }
        continue;
      }
      for (const entry of here) {
        if (entry !== anchor && this.isEligible(anchor, entry, at)) {
          const came = { at, players: entry.ticket.members.length };
          const { patience } = anchor;
          this.wait(anchor, { ...patience, arrivals: [...patience.arrivals, came] }, at);
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
      if (anchor.patience.isOver || this.look(anchor, anchor.patience.since, at).due <= at) {
        this.propose(anchor, chosen, { full: false, at }, out);
      }
    }
  }

  /** Its patience with a set that has been possible `since`. */
  look(anchor: Entry, since: number, at: number): Patience {
    const all = [anchor, ...this.eligible(anchor, at)];
    const arrivals = all.map(({ enteredAt, ticket }) => ({
      at: enteredAt,
      players: ticket.members.length,
    }));
    return this.wait(anchor, { since, arrivals, isOver: false }, at);
  }

  /** Bots wait for nobody who may come but does not (docs/internals/design.md A23). */
  wait(anchor: Entry, patience: Omit<Patience, 'due'>, at: number): Patience {
    const rate = this.teamsFor(anchor, at).bots ? 0 : anchor.rate;
    return (anchor.patience = {
      ...patience,
      due: patience.isOver ? at : endOf(patience, rate, this.#terms),
    });
  }

  /** In the order in which they are asked: the eldest first, or with a target wait the nearest. */
  eligible(anchor: Entry, at: number): readonly Entry[] {
    const found = this.waiting.filter(
      (entry) => entry !== anchor && this.isEligible(anchor, entry, at),
    );
    const rule = this.#mode.rules.find(({ type }) => type === 'difference');
    const gap = ({ ticket }: Entry): number =>
      rule?.type === 'difference'
        ? Math.abs(Number(ticket.state[rule.field]) - Number(anchor.ticket.state[rule.field]))
        : 0;
    return this.#mode.targetWait === undefined
      ? found
      : found.toSorted((a, b) => gap(a) - gap(b) || byAge(a, b));
  }

  /** When the most even set of the anchor will be even enough; Infinity for never, or if one is now. */
  evenAt(anchor: Entry, at: number): number {
    if (evennessOf(this.#mode) === null) {
      return Infinity;
    }
    const eligible = this.eligible(anchor, at);
    const goals = this.startsShort ? [true, false] : [true];
    const gaps = goals.flatMap((full) =>
      [...setsOf(anchor, eligible, this.teamsFor(anchor, at), full)].map((set) =>
        leastGap(this.#mode, tickets(set)),
      ),
    );
    const end = this.expiresAt(anchor);
    const soonest = gaps.map((gap) => firstAllowed(this.#mode, anchor.ticket, gap, end));
    return Math.min(Infinity, ...soonest.filter((each) => each > at));
  }

  /** All rules, and a region that both accept (spec: Rule semantics 7). */
  isEligible(anchor: Entry, candidate: Entry, at: number): boolean {
    return (
      this.#rules.passes(anchor.ticket, candidate.ticket, at) &&
      sharedRegions([anchor, candidate], [anchor, candidate]).length > 0
    );
  }

  choose(anchor: Entry, at: number, full: boolean): Entry[] | null {
    const eligible = this.eligible(anchor, at);
    const teams = this.teamsFor(anchor, at);
    if (evennessOf(this.#mode) === null && apartMs(this.#mode) === null) {
      return choose(anchor, eligible, teams, full);
    }
    const allowed = allowedGap(this.#mode, anchor.ticket, at);
    for (const set of setsOf(anchor, eligible, teams, full)) {
      const all = tickets(set);
      const isPlayed =
        !isAnyApart(this.#mode, all, at) && teams.arrange(all, [], full, this.#foes) !== null;
      if (isPlayed && leastGap(this.#mode, all) <= allowed + roundingOf(this.#mode)) {
        return set;
      }
    }
    return null;
  }

  readonly #foes = (one: Ticket, other: Ticket): boolean =>
    apartMs(this.#mode) !== null && areFoes(one, other);

  /** When it meets those in games whom it avoids. */
  meetsInGames({ ticket }: Entry): number {
    const ms = apartMs(this.#mode);
    return ms === null || this.open.size === 0 ? Infinity : Math.ceil(ticket.startedAt + ms);
  }

  /** What makes teams for the anchor at that instant. */
  teamsFor({ ticket }: Entry, at: number): PlainTeams {
    if (this.#mode.steps === undefined) {
      return this.#teams;
    }
    const mode = relaxedFor(this.#mode, ticket, at);
    const key = `${mode.minTeams} ${mode.minPlayersPerTeam} ${mode.minHumans}`;
    const teams = this.#relaxed.get(key) ?? choosePlainly(mode);
    this.#relaxed.set(key, teams);
    return teams;
  }

  propose(
    anchor: Entry,
    chosen: readonly Entry[],
    { full, at }: { readonly full: boolean; readonly at: number },
    out: Outcome,
  ): void {
    const all = tickets(chosen);
    const players = all.reduce((sum, ticket) => sum + ticket.members.length, 0);
    out.matches.push({
      anchor: anchor.ticket.id,
      tickets: all.map((ticket) => ticket.id),
      teams: this.teamsFor(anchor, at).arrange(all, [], full, this.#foes) ?? [],
      region: electRegion(
        anchor.ticket,
        all,
        chosen.map(({ regions }) => regions),
      ),
      version: versionOf(anchor.ticket, this.#mode.useVersionFromState),
      full: players === this.#teams.players,
      ...(this.teamsFor(anchor, at).bots && players < this.#teams.players ? { bots: true } : {}),
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
        this.gameRules.passes(gameAnchor(match, ticket), ticket, at)
      ) {
        const coming = [...taken];
        const ms = apartMs(this.#mode);
        const foes = ms === null ? [] : foeTeams(ticket, match, coming);
        const isKept = foes.includes(true) && at < ticket.startedAt + (ms ?? 0);
        const place = isKept ? null : this.#teams.place(ticket, match, coming, foes);
        if (place !== null) {
          const { matchId, seq } = match;
          const offer = seq === undefined ? {} : { offer: seq };
          const proposal = { matchId, ticket: ticket.id, ...place, ...offer };
          this.promise(proposal, ticket);
          out.backfills.push(proposal);
          this.reserve(entry);
          return;
        }
      }
    }
  }

  promise({ matchId, team, roles, offer }: BackfillProposal, who: Ticket): void {
    const { id, members } = who;
    const promised = this.promised.get(matchId) ?? new Map<TicketId, Promised>();
    this.promised.set(matchId, promised);
    promised.set(id, { team, players: members.length, roles, isTold: false, offer, who });
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

  /** What it accepts by then, and what it will accept. */
  settleRegions(entry: Entry, at: number): void {
    entry.regions = regionsAt(this.#mode, entry.ticket, at);
    entry.growsAt = growsAt(this.#mode, entry.ticket, at);
  }

  insert(entry: Entry): void {
    this.waiting = [...this.waiting, entry].sort(byAge);
  }
}
