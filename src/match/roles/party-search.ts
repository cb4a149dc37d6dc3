// Can these parties fill the teams of an asymmetric mode, every role exactly? Parties are given to
// teams by search; what is left to single players is a flow (all places can be filled, and all who
// must play can be placed, so both at once: Mendelsohn and Dulmage). The flow
// of all members who are not seated yet, each for itself, dismisses most of the states.
// Holds always: between two steps the search may stop and go on later.

import type { Answer } from '../sets/steps';
import { Chance } from './chance';
import type { Crowd, Party } from './crowd';
import { Fillings } from './fillings';
import { RoleFlow } from './flow';
import { RoomCheck } from './rooms';
import { TeamStates } from './team-states';
import type { RoleBook } from './wishes';

/** A state on the way to the one searched. */
interface Level {
  readonly key: string;
  readonly party: number;
  /** Team states in which the party is tried; each stands for all teams in it. */
  readonly options: readonly number[];
  readonly saved: Int16Array;
  /** The next option; one past the last leaves such parties out, where that is allowed. */
  at: number;
  undo: (() => void) | null;
}

/** States remembered by one search: a bound on memory, not on what is found. */
const REMEMBERED = 50_000;
/** Steps in which the flow of a whole crowd is begun at a time. */
const BEGINNING = 500;
/** A first descent may fail so often before another is begun in another order. */
const FIRST_PATIENCE = 12;
const PATIENCE_GROWTH = 1.3;

export class PartySearch {
  readonly #players: number;
  readonly #flow: RoleFlow;
  readonly #states: TeamStates;
  readonly #parties: readonly Party[];
  /** Single players there are. */
  readonly #solos: number;
  readonly #teams: number[];
  readonly #seated: { readonly party: number; readonly team: number }[] = [];
  readonly #largest: number;
  readonly #rooms: RoomCheck;
  readonly #fillings: Fillings;
  readonly #failed = new Set<string>();
  readonly #levels: Level[] = [];
  /** Players of all units less those that a match takes. */
  #slack: number;
  #answer: Answer = 'open';
  #isNew = true;
  /** All who must play have once been placed, and every place filled. */
  #isBegun = false;
  #failures = 0;
  #patience = FIRST_PATIENCE;
  readonly #chance = new Chance(2);
  #restarts = 0;

  constructor(book: RoleBook, { classes, parties, singles }: Crowd) {
    this.#largest = Math.max(...book.teamSizes);
    this.#players = book.players;
    this.#flow = new RoleFlow(book, classes);
    let all = 0;
    let needed = 0;
    for (const { members, must, may } of [...parties, ...singles]) {
      all += members.length * (must + may);
      needed += members.length * must;
      for (const member of members) {
        this.#flow.add(member, must, may);
      }
    }
    this.#parties = parties;
    this.#solos = singles.reduce((sum, { must, may }) => sum + must + may, 0);
    this.#slack = all - this.#players;
    this.#states = new TeamStates(
      book,
      classes,
      parties.map(({ members }) => members),
    );
    this.#fillings = new Fillings(this.#states, parties);
    this.#rooms = new RoomCheck(this.#largest);
    this.#teams = [...this.#states.empty];
    if (needed > this.#players || this.#slack < 0) {
      this.#answer = 'no';
      return;
    }
    this.#promote();
  }

  /** Where the search stands: open until it is settled. */
  get answer(): Answer {
    return this.#answer;
  }

  /** How often it has begun anew. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Of an answer of yes: the unit and the team of each party seated. */
  get seats(): readonly { readonly unit: number; readonly team: number }[] {
    return this.#seated.map(({ party, team }) => ({
      unit: this.#parties[party]?.unit ?? 0,
      team,
    }));
  }

  /** Of an answer of yes: how many single players of the class play. */
  placed(group: number): number {
    return this.#flow.placed(group);
  }

  /** One step, unless the search is settled; what it cost. */
  step(): number {
    if (this.#answer === 'open') {
      if (this.#isBegun) {
        this.#advance();
      } else {
        this.#begin();
      }
    }
    let cost = 1;
    for (const worker of [this.#flow, this.#states, this.#rooms, this.#fillings]) {
      cost += worker.cost;
      worker.cost = 0;
    }
    return cost;
  }

  #begin(): void {
    const settled = this.#flow.settle(BEGINNING);
    this.#isBegun = settled === 'yes';
    this.#answer = settled === 'no' ? 'no' : 'open';
  }

  #advance(): void {
    if (this.#isNew) {
      this.#isNew = false;
      this.#enter();
      return;
    }
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.#answer = 'no';
      return;
    }
    this.#undo(level);
    if (this.#failures > this.#patience) {
      this.#restart();
      return;
    }
    const party = this.#parties[level.party];
    const option = level.options[level.at];
    level.at += 1;
    if (party !== undefined && option !== undefined) {
      this.#seat(level, party, option);
    } else if (party !== undefined && level.at === level.options.length + 1 && party.must === 0) {
      this.#leaveOut(level, party);
    } else {
      this.#remember(level.key);
      this.#levels.pop();
      this.#failures += 1;
    }
  }

  /** A state not looked at yet: it is the answer, or known to fail, or searched further. */
  #enter(): void {
    const key = `${[...this.#teams].sort((a, b) => a - b).join()}|${this.#parties
      .map(({ must, may }) => must * 128 + may)
      .join()}`;
    this.#flow.cost += 2 + this.#teams.length + (this.#parties.length >> 1);
    if (this.#failed.has(key)) {
      return;
    }
    if (this.#parties.every(({ must }) => must === 0) && this.#isFilledBySolos()) {
      this.#answer = 'yes';
      return;
    }
    const isDead =
      this.#rooms.isOut(
        this.#parties,
        this.#solos,
        this.#teams.map((state) => this.#states.room(state)),
      ) || this.#fillings.hasDead(this.#teams, this.#solos);
    const choice = isDead ? null : this.#choose();
    if (choice === null) {
      this.#remember(key);
      this.#failures += 1;
      return;
    }
    this.#levels.push({ key, ...choice, saved: this.#flow.save(), at: 0, undo: null });
  }

  /** The party with the fewest teams open to it; the most needed, while all may be left out. */
  #choose(): { readonly party: number; readonly options: readonly number[] } | null {
    const distinct = [...new Set(this.#teams)];
    const isForced = this.#parties.some(({ must }) => must > 0);
    let best: { readonly party: number; readonly options: readonly number[] } | null = null;
    let bestScore = Infinity;
    for (const [at, party] of this.#parties.entries()) {
      if (isForced ? party.must === 0 : party.may === 0) {
        continue;
      }
      this.#flow.cost += 1 + (distinct.length >> 2);
      const options = distinct.filter((state) => this.#states.with(state, at) !== null);
      if (options.length === 0 && isForced) {
        return null;
      }
      const urgency = isForced
        ? options.length * 100 - party.members.length
        : options.length - party.members.length * 10 - party.scarcity * 1000;
      const score = options.length === 0 ? -Infinity : urgency + this.#noise(isForced ? 150 : 30);
      if (score < bestScore) {
        bestScore = score;
        best = { party: at, options };
      }
    }
    if (best === null) {
      return null;
    }
    // The fullest team first: what is left of the others stays open to more parties.
    const order = new Map(
      best.options.map((state) => [state, this.#states.room(state) + this.#noise(6)]),
    );
    const options = [...best.options].sort(
      (a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || a - b,
    );
    return { party: best.party, options };
  }

  #seat(level: Level, party: Party, option: number): void {
    const team = this.#teams.indexOf(option);
    const next = this.#states.with(option, level.party);
    if (next === null || team < 0) {
      return;
    }
    const isMust = party.must > 0;
    const [must, may] = isMust ? [1, 0] : [0, 1];
    party.must -= must;
    party.may -= may;
    this.#teams[team] = next;
    this.#seated.push({ party: level.party, team });
    level.undo = () => {
      party.must += must;
      party.may += may;
      this.#teams[team] = option;
      this.#seated.pop();
      this.#flow.restore(level.saved);
    };
    for (const member of party.members) {
      this.#flow.remove(member, must, may);
    }
    this.#isNew =
      party.members.every((member) => this.#flow.bind(member, team)) &&
      this.#flow.settle() === 'yes';
  }

  #leaveOut(level: Level, party: Party): void {
    const counts = this.#parties.map(({ must, may }) => ({ must, may }));
    const slack = this.#slack;
    level.undo = () => {
      for (const [at, each] of this.#parties.entries()) {
        Object.assign(each, counts[at]);
      }
      this.#slack = slack;
      this.#flow.restore(level.saved);
    };
    this.#slack -= party.may * party.members.length;
    for (const member of party.members) {
      this.#flow.remove(member, 0, party.may);
    }
    party.may = 0;
    if (this.#slack >= 0) {
      this.#promote();
      this.#isNew = this.#flow.settle() === 'yes';
    }
  }

  /** Whom there are not players enough to leave out must play. */
  #promote(): void {
    for (const party of this.#parties) {
      const excess = party.may - Math.floor(this.#slack / party.members.length);
      if (excess > 0) {
        party.may -= excess;
        party.must += excess;
        for (const member of party.members) {
          this.#flow.promote(member, excess);
        }
      }
    }
  }

  /** With nobody but single players left to come. */
  #isFilledBySolos(): boolean {
    if (this.#parties.every(({ may }) => may === 0)) {
      return true;
    }
    const saved = this.#flow.save();
    for (const { may, members } of this.#parties) {
      for (const member of members) {
        this.#flow.remove(member, 0, may);
      }
    }
    if (this.#flow.settle() === 'yes') {
      return true;
    }
    this.#flow.restore(saved);
    return false;
  }

  #remember(key: string): void {
    if (this.#failed.size < REMEMBERED) {
      this.#failed.add(key);
    }
  }

  #undo(level: Level): void {
    level.undo?.();
    level.undo = null;
  }

  /** Back to the start, in another order. What has failed is remembered: nothing is searched twice. */
  #restart(): void {
    for (let level = this.#levels.pop(); level !== undefined; level = this.#levels.pop()) {
      this.#undo(level);
    }
    this.#failures = 0;
    this.#patience = Math.ceil(this.#patience * PATIENCE_GROWTH);
    this.#isNew = true;
    this.#restarts += 1;
  }

  /** The first descent follows the rule alone; those after it depart from it, each in its own way. */
  #noise(width: number): number {
    return this.#restarts === 0 ? 0 : this.#chance.unit() * width;
  }
}
