// The policies that others publish, each written anew from its description. Where a project's own code says more than
// its pages, the facts are from there.

import type { Party, Shape } from './population';
import { type Game, unfairness } from './score';

export interface Policy {
  readonly name: string;
  /** Parties by the time of their arrival. */
  readonly play: (parties: readonly Party[], shape: Shape) => readonly Game[];
}

/** Those who wait, and what comes at each of the instants. */
class Room {
  waiting: Party[] = [];
  readonly #parties: readonly Party[];
  #next = 0;

  constructor(parties: readonly Party[]) {
    this.#parties = parties;
  }

  get isOpen(): boolean {
    return this.#next < this.#parties.length;
  }

  /** Lets in whoever has come by then, and answers how many players that were. */
  until(now: number): number {
    let players = 0;
    for (let party = this.#parties[this.#next]; party !== undefined && party.at <= now;) {
      this.waiting.push(party);
      players += party.ratings.length;
      this.#next += 1;
      party = this.#parties[this.#next];
    }
    return players;
  }

  leave(parties: readonly Party[]): void {
    const gone = new Set(parties);
    this.waiting = this.waiting.filter((each) => !gone.has(each));
  }
}

/**
 * lichess (lila, modules/pool): every so many seconds the best pairing of all who wait. The score of a pair is the gap
 * less 12 points for each wave that both have missed, less 30 for two who play fair, and a pair is allowed up to 100 points
 * below 1500 and a fifteenth of the lower rating above. Here the best pairing of neighbours in the order of rating.
 */
export function waves(seconds: number): Policy {
  return {
    name: `lichess, waves of ${seconds} s`,
    play(parties) {
      const room = new Room(parties);
      const misses = new Map<Party, number>();
      const games: Game[] = [];
      const scoreOf = (one: Party, other: Party): number => {
        const missed = Math.min(misses.get(one) ?? 0, misses.get(other) ?? 0);
        const gap = Math.abs(one.mean - other.mean) - Math.min(460, 12 * missed) - 30;
        const low = Math.min(one.mean, other.mean);
        const most = low < 1000 ? 130 : low < 1500 ? 100 : low / 15;
        return gap <= most ? gap : Infinity;
      };
      for (let now = seconds * 1000; room.isOpen; now += seconds * 1000) {
        room.until(now);
        const pairs = bestPairs(
          room.waiting.toSorted((a, b) => a.mean - b.mean),
          scoreOf,
        );
        games.push(...pairs.map((pair) => ({ at: now, teams: pair.map((each) => [each]) })));
        room.leave(pairs.flat());
        room.waiting.forEach((each) => misses.set(each, (misses.get(each) ?? 0) + 1));
      }
      return games;
    },
  };
}

/** As many pairs of neighbours as possible, and of these the ones with the least score. */
function bestPairs(
  line: readonly Party[],
  scoreOf: (one: Party, other: Party) => number,
): readonly (readonly Party[])[] {
  const best: { readonly value: number; readonly isPair: boolean }[] = [
    { value: 0, isPair: false },
  ];
  const valueAt = (index: number): number => best[index]?.value ?? 0;
  for (const [index, party] of line.entries()) {
    const before = line[index - 1];
    const paired =
      before === undefined ? -Infinity : valueAt(index - 1) + 100_000 - scoreOf(before, party);
    const alone = valueAt(index);
    best.push({ value: Math.max(paired, alone), isPair: paired > alone });
  }
  const pairs: (readonly Party[])[] = [];
  for (let index = line.length; index > 0;) {
    const isPair = best[index]?.isPair;
    if (isPair) {
      pairs.push(line.slice(index - 2, index));
    }
    index -= isPair ? 2 : 1;
  }
  return pairs;
}

/**
 * Forged Alliance Forever (server/matchmaker, config.py): the queue pops when some 2.5 games' players have come, at the
 * latest after 90 s. Around each party its neighbours by rating, alternating, make a game; its quality is (1 - difference
 * of the teams' sums / 250) x (1 - deviation / 250), and a hundredth more for each pop that was missed, a fifth at most;
 * games from 0.4 on are begun, the best first. The teams are the most even ones here.
 */
export const faf: Policy = {
  name: 'FAF, team matcher',
  play(parties, shape) {
    const room = new Room(parties);
    const misses = new Map<Party, number>();
    const games: Game[] = [];
    const recent: (readonly [players: number, ms: number])[] = [];
    const full = shape.teams * shape.size;
    for (let [now, last] = [45_000, 0]; room.isOpen;) {
      recent.push([room.until(now) + room.waiting.length / 2, now - last]);
      recent.splice(0, recent.length - 5);
      const line = room.waiting.toSorted((a, b) => a.mean - b.mean);
      const found = line.flatMap((_, index) => {
        const set = neighbours(line, index, full);
        const teams = set === null ? null : evenest(set, shape);
        return teams === null ? [] : [{ teams, quality: qualityOf(teams, misses) }];
      });
      const taken = new Set<Party>();
      for (const { teams } of found
        .filter(({ quality }) => quality >= 0.4)
        .sort((a, b) => b.quality - a.quality)) {
        if (!teams.flat().some((each) => taken.has(each))) {
          games.push({ at: now, teams });
          teams.flat().forEach((each) => taken.add(each));
        }
      }
      room.leave([...taken]);
      room.waiting.forEach((each) => misses.set(each, (misses.get(each) ?? 0) + 1));
      const [players, ms] = recent.reduce((sum, each) => [sum[0] + each[0], sum[1] + each[1]]);
      last = now;
      now += Math.min(90_000, Math.max(1_000, (2.5 * full * ms) / Math.max(1, players)));
    }
    return games;
  },
};

function neighbours(line: readonly Party[], index: number, full: number): Party[] | null {
  const [lower, higher] = [line.slice(0, index).toReversed(), line.slice(index)];
  const set: Party[] = [];
  let players = 0;
  for (let step = 0; step < 2 * line.length && players < full; step += 1) {
    const candidate = (step % 2 === 0 ? higher : lower).shift();
    if (candidate !== undefined && players + candidate.ratings.length <= full) {
      set.push(candidate);
      players += candidate.ratings.length;
    }
  }
  return players === full ? set : null;
}

function qualityOf(
  teams: readonly (readonly Party[])[],
  misses: ReadonlyMap<Party, number>,
): number {
  const sums = teams.map((team) =>
    team.reduce((sum, { mean, ratings }) => sum + mean * ratings.length, 0),
  );
  const all = teams.flat();
  const mean = all.reduce((sum, each) => sum + each.mean, 0) / all.length;
  const deviation = Math.sqrt(
    all.reduce((sum, each) => sum + (each.mean - mean) ** 2, 0) / all.length,
  );
  const missed = Math.min(...all.map((each) => misses.get(each) ?? 0));
  const fairness = Math.max(0, 1 - (Math.max(...sums) - Math.min(...sums)) / 250);
  return fairness * Math.max(0, 1 - deviation / 250) + Math.min(0.2, 0.01 * missed);
}

/** All ways to deal the parties into two teams; the most even one, or null if none has teams of that size. */
function evenest(set: readonly Party[], { size }: Shape): readonly (readonly Party[])[] | null {
  const total = set.reduce((sum, { mean, ratings }) => sum + mean * ratings.length, 0);
  let [best, least] = [-1, Infinity];
  for (let mask = 0; mask < 2 ** (set.length - 1); mask += 1) {
    let [players, sum] = [0, 0];
    for (const [index, { mean, ratings }] of set.entries()) {
      if (((mask >> index) & 1) === 1) {
        players += ratings.length;
        sum += mean * ratings.length;
      }
    }
    const gap = Math.abs(total - 2 * sum);
    [best, least] = players === size && gap < least ? [mask, gap] : [best, least];
  }
  const isIn = (index: number): boolean => ((best >> index) & 1) === 1;
  return best < 0
    ? null
    : [set.filter((_, index) => isIn(index)), set.filter((_, index) => !isIn(index))];
}

/** How many ways are looked at for one game; the project's own search has no bound. */
const MOST_TRIED = 20_000;

/**
 * Beyond All Reason (teiserver, matchmaking/algo/bruteforce_filter): the first way to deal players, in the order of their
 * arrival, in which each team wins with 30 to 70 of 100.
 */
export const bar: Policy = {
  name: 'BAR, filter',
  play(parties, shape) {
    const room = new Room(parties);
    const games: Game[] = [];
    for (let now = 5_000; room.isOpen; now += 5_000) {
      room.until(now);
      for (let teams = firstFit(room.waiting, shape); teams !== null;) {
        games.push({ at: now, teams });
        room.leave(teams.flat());
        teams = firstFit(room.waiting, shape);
      }
    }
    return games;
  },
};

function firstFit(waiting: readonly Party[], shape: Shape): readonly (readonly Party[])[] | null {
  let tried = 0;
  const { size } = shape;
  function* teamsOf(from: readonly Party[], at: number, left: number): Generator<Party[]> {
    for (const [index, party] of from.entries()) {
      if (tried >= MOST_TRIED) {
        return;
      }
      if (index >= at && party.ratings.length <= left) {
        const rest = left - party.ratings.length;
        if (rest === 0) {
          yield [party];
        }
        for (const others of teamsOf(from, index + 1, rest)) {
          yield [party, ...others];
        }
      }
    }
  }
  for (const one of teamsOf(waiting, 0, size)) {
    const others = waiting.filter((each) => !one.includes(each));
    for (const other of teamsOf(others, 0, size)) {
      tried += 1;
      if (unfairness([one, other], shape) <= 20) {
        return [one, other];
      }
      if (tried >= MOST_TRIED) {
        return null;
      }
    }
  }
  return null;
}

/**
 * Colyseus (QueueRoom): each second all who wait, in the order of rating, are put into a group while they are within a
 * window of its average, and after ten cycles wherever they come. A full group begins. The window here is 150 points: the
 * default (three times the average) takes everybody.
 */
export const colyseus: Policy = {
  name: 'Colyseus, window of 150',
  play(parties, { teams }) {
    const room = new Room(parties);
    const cycles = new Map<Party, number>();
    const games: Game[] = [];
    for (let now = 1_000; room.isOpen; now += 1_000) {
      room.until(now);
      let group: Party[] = [];
      for (const party of room.waiting.toSorted((a, b) => a.mean - b.mean)) {
        const cycle = cycles.get(party) ?? 0;
        cycles.set(party, cycle + 1);
        const average = group.reduce((sum, each) => sum + each.mean, 0) / group.length;
        if (group.length > 0 && cycle < 10 && Math.abs(party.mean - average) > 150) {
          group = [];
        }
        group.push(party);
        if (group.length === teams) {
          games.push({ at: now, teams: group.map((each) => [each]) });
          room.leave(group);
          group = [];
        }
      }
    }
    return games;
  },
};

/** The nearest who wait, as soon as there are enough. */
export const nearest: Policy = {
  name: 'naive, nearest at once',
  play(parties, { teams }) {
    const room = new Room(parties);
    const games: Game[] = [];
    for (const { at } of parties) {
      room.until(at);
      const newest = room.waiting.at(-1);
      if (newest !== undefined && room.waiting.length >= teams) {
        const set = room.waiting
          .toSorted((a, b) => Math.abs(a.mean - newest.mean) - Math.abs(b.mean - newest.mean))
          .slice(0, teams);
        games.push({ at, teams: set.map((each) => [each]) });
        room.leave(set);
      }
    }
    return games;
  },
};
