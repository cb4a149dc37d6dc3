// What the numbers of a ladder mean (record 0086, docs/ratings.md): whether the chances that Muster says come out, how far
// one game moves a number, whether a mode of unequal teams keeps its mean, which factor moves an Elo ladder best, and
// which rule still lets the players of a small game meet. Everything is simulated, and the same each time.

import type { PlayerId } from '../../../src/common/ids';
import { ratedBy, type RatedTeam } from '../../../src/lobby/rating';
import { chancesOf } from '../../../src/match/rules/plackett-luce';
import { decayed, points, START, type Skill } from '../../../src/match/rules/skill';
import { commandLine, number } from '../../../scripts/flags';
import { Random } from '../../sim/random';

const { flags } = commandLine({
  command: 'npm run bench:chances --',
  about: 'Prints what the numbers of a ladder mean, by simulation.',
  flags: { games: number(60_000, 'games of each population'), seed: number(1, 'the seed') },
});

const LUCK = START.sigma / 2;

interface Shape {
  readonly name: string;
  readonly teams: number;
  readonly size: number;
  /** Of how many others drawn by chance, for each seat, the nearest by rating play. 1: anybody. */
  readonly near: number;
  /** A newcomer takes the place of somebody after so many games. */
  readonly newcomers: number;
  /** Whose luck decides: the team's, as the model has it, or each player's. */
  readonly luck: 'model' | 'player';
}

function normal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return mean + deviation * radius * Math.cos(2 * Math.PI * random.next());
}

function gumbel(random: Random): number {
  return -Math.log(-Math.log(1 - random.next()));
}

function drawn(random: Random, from: number, count: number): readonly number[] {
  const all = new Set<number>();
  while (all.size < count) {
    all.add(random.below(from));
  }
  return [...all];
}

function rated(
  sides: readonly (readonly number[])[],
  ranks: readonly number[],
  skills: Skill[],
  places: readonly number[] = [],
): void {
  const teams = sides.map((side, at): RatedTeam => {
    const players = side.map((who) => ({ id: String(who) as PlayerId, abandoned: false }));
    const own = places[at];
    return { rank: ranks[at] ?? 0, players, ...(own === undefined ? {} : { places: own }) };
  });
  const skillOf = (id: PlayerId): Skill => skills[Number(id)] ?? START;
  ratedBy(teams, skillOf).forEach((skill, id) => (skills[Number(id)] = skill));
}

/** Tenths of chance: said, came out, and of how many. */
class Calibration {
  readonly #tenths = Array.from({ length: 10 }, () => ({ said: 0, won: 0, count: 0 }));

  add(said: number, won: boolean): void {
    const tenth = this.#tenths[Math.min(9, Math.floor(said * 10))];
    if (tenth !== undefined) {
      tenth.said += said;
      tenth.won += won ? 1 : 0;
      tenth.count += 1;
    }
  }

  /** In points: the mean over all, the worst tenth of 1 in 200 at least, and each tenth. */
  get told(): string {
    const all = this.#tenths.reduce((sum, { count }) => sum + count, 0);
    const offs = this.#tenths.map(({ said, won }) => 100 * Math.abs(said - won));
    const mean = offs.reduce((sum, off) => sum + off, 0) / all;
    const common = this.#tenths.map(({ count }, at) =>
      count * 200 >= all ? (offs[at] ?? 0) / count : 0,
    );
    const each = this.#tenths.flatMap(({ said, won, count }) =>
      count * 200 >= all ? `${percent(said / count)} ${percent(won / count)}` : [],
    );
    return `off by ${mean.toFixed(1)} on average, ${Math.max(...common).toFixed(1)} at most; said and won: ${each.join(', ')}`;
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function calibration({ teams, size, near, newcomers, luck }: Shape): string {
  const random = new Random(flags.seed, 1);
  const strengths = Array.from({ length: 1_000 }, () => normal(random, START.mu, START.sigma));
  const skills: Skill[] = strengths.map(() => START);
  const seen = new Calibration();
  for (let game = 0; game < flags.games; game += 1) {
    if (game % newcomers === newcomers - 1) {
      const at = random.below(strengths.length);
      strengths[at] = normal(random, START.mu, START.sigma);
      skills[at] = START;
    }
    const seats = teams * size;
    const [first = 0, ...others] = drawn(random, strengths.length, 1 + (seats - 1) * near);
    const gapOf = (who: number): number =>
      Math.abs((skills[who]?.mu ?? 0) - (skills[first]?.mu ?? 0));
    others.sort((a, b) => gapOf(a) - gapOf(b));
    const seated = drawn(random, seats, seats).map((at) => [first, ...others][at] ?? 0);
    const sides = Array.from({ length: teams }, (_, at) =>
      seated.slice(at * size, (at + 1) * size),
    );
    const shown = sides.map((side) => {
      const own = side.map((who) =>
        luck === 'player' ? normal(random, strengths[who] ?? 0, LUCK) : (strengths[who] ?? 0),
      );
      const sum = own.reduce((all, each) => all + each, 0);
      return luck === 'player' ? sum : sum + Math.sqrt(teams) * LUCK * gumbel(random);
    });
    const ranks = shown.map((own) => 1 + shown.filter((other) => other > own).length);
    const chances = chancesOf(sides.map((side) => side.map((who) => skills[who] ?? START)));
    chances.slice(teams === 2 ? 1 : 0).forEach((chance, at) => {
      seen.add(chance, ranks[at + (teams === 2 ? 1 : 0)] === 1);
    });
    rated(sides, ranks, skills);
  }
  return seen.told;
}

const duel = { teams: 2, size: 1, near: 1, newcomers: 40, luck: 'model' } as const;
const SHAPES: readonly Shape[] = [
  { ...duel, name: 'duels' },
  { ...duel, name: 'duels of near ones', near: 4 },
  { ...duel, name: 'duels, less luck', luck: 'player' },
  { ...duel, name: '2 against 2', size: 2 },
  { ...duel, name: '2 against 2, near', size: 2, near: 4 },
  { ...duel, name: '5 against 5, luck of each', size: 5, luck: 'player' },
  { ...duel, name: '5 against 5, near, luck of each', size: 5, luck: 'player', near: 4 },
  { ...duel, name: 'free for all of 8', teams: 8 },
];
console.log(`chances, ${flags.games} games of 1,000 players each, with newcomers`);
for (const shape of SHAPES) {
  console.log(`  ${shape.name}: ${calibration(shape)}`);
}

const shownAt = (rating: number, uncertainty: number): Skill => {
  const sigma = uncertainty / 48;
  return { mu: (rating - 1000) / 48 + 3 * sigma, sigma };
};
console.log(
  'the stronger of two wins, of a hundred games, by points apart, with an uncertainty of each',
);
for (const uncertainty of [60, 80, 130, 200, 400]) {
  const all = [50, 100, 200, 300, 400, 600].map((apart) => {
    const [chance = 0] = chancesOf([
      [shownAt(1000 + apart, uncertainty)],
      [shownAt(1000, uncertainty)],
    ]);
    return `${apart}: ${percent(chance)}`;
  });
  console.log(`  ${uncertainty}: ${all.join(', ')}`);
}

/** Two who are equal play as often as given before; what the next win and the next loss do to a number. */
console.log('how far one game of two equals moves a number: won, lost, and the uncertainty before');
for (const before of [0, 1, 2, 5, 10, 20, 50, 100, 300]) {
  const skills: Skill[] = [START, START];
  for (let game = 0; game < before; game += 1) {
    rated([[0], [1]], game % 4 === 0 || game % 4 === 3 ? [1, 2] : [2, 1], skills);
  }
  const mean = skills[0] ?? START;
  const next: Skill[] = [mean, mean];
  rated([[0], [1]], [1, 2], next);
  const { rating, uncertainty } = points(mean);
  const [won, lost] = next.map((skill) => points(skill).rating - rating);
  console.log(`  after ${before} games: +${won}, ${lost}, ${uncertainty}`);
}

console.log(
  '1 against 4, 50 players, 20 populations: the mean of all (25 at first), one player above four, in points',
);
for (const isFixed of [false, true]) {
  for (const share of [0.5, 0.6]) {
    for (const by of ['sum', 'share'] as const) {
      const found = Array.from({ length: 20 }, (_, at) => unequal({ isFixed, share, by, at }));
      const mean = found.reduce((sum, each) => sum + each.mean, 0) / found.length;
      const gap = found.reduce((sum, each) => sum + each.gap, 0) / found.length;
      const drift = 100 * (mean / START.mu - 1);
      console.log(
        `  ${isFixed ? 'fixed teams' : 'teams by chance'}, one wins ${percent(share)} %, by ${by}: ` +
          `mean ${mean.toFixed(2)} (${drift.toFixed(1)} %), gap ${gap.toFixed(0)}`,
      );
    }
  }
}

function unequal(of: { isFixed: boolean; share: number; by: 'sum' | 'share'; at: number }) {
  const random = new Random(flags.seed, 100 + of.at);
  const skills: Skill[] = Array.from({ length: 50 }, () => START);
  for (let game = 0; game < 1000; game += 1) {
    const all = drawn(random, 50, 50);
    const one = of.isFixed ? all.find((who) => who < 10) : all[0];
    const four = all.filter((who) => who !== one && (!of.isFixed || who >= 10)).slice(0, 4);
    const wins = (game * of.share) % 1 < of.share - 1e-9;
    const ranks = wins ? [1, 2] : [2, 1];
    rated([[one ?? 0], four], ranks, skills, of.by === 'share' ? [1, 4] : []);
  }
  const meanOf = (those: readonly Skill[]): number =>
    those.reduce((sum, { mu }) => sum + mu, 0) / those.length;
  return {
    mean: meanOf(skills),
    gap: 48 * (meanOf(skills.slice(0, 10)) - meanOf(skills.slice(10))),
  };
}

console.log(
  'an Elo ladder moved here, 1,000 players; chances of the first 10,000 games, and of the next 50,000',
);
for (const sigma of [1.5, 2, 4]) {
  for (const factor of [24, 27, 28, 30, 36, 48]) {
    console.log(`  sigma ${sigma}, 1/${factor}: ${moved(sigma, factor).join(' | ')}`);
  }
}

function moved(sigma: number, factor: number): readonly string[] {
  const random = new Random(flags.seed, 3);
  const elos = Array.from({ length: 1_000 }, () => normal(random, 1500, 200));
  const skills: Skill[] = elos.map((elo) => ({ mu: 25 + (elo - 1500) / factor, sigma }));
  const seen = [new Calibration(), new Calibration()] as const;
  for (let game = 0; game < 60_000; game += 1) {
    const [one = 0, other = 0] = drawn(random, elos.length, 2);
    const [said = 0] = chancesOf([[skills[one] ?? START], [skills[other] ?? START]]);
    const won = random.next() < 1 / (1 + 10 ** (((elos[other] ?? 0) - (elos[one] ?? 0)) / 400));
    seen[game < 10_000 ? 0 : 1].add(said, won);
    rated([[one], [other]], won ? [1, 2] : [2, 1], skills);
  }
  return seen.map(({ told }) => told.slice(0, told.indexOf(';')));
}

console.log('the gap of two of whom one always wins, in points, and their uncertainties');
{
  const skills: Skill[] = [START, START];
  for (let game = 1; game <= 1000; game += 1) {
    rated([[0], [1]], [1, 2], skills);
    if ([1, 3, 6, 20, 100, 1000].includes(game)) {
      const [won, lost] = skills.map((skill) => points(skill));
      const gap = (won?.rating ?? 0) - (lost?.rating ?? 0);
      console.log(`  after ${game}: ${gap} (${won?.rating}, ${lost?.rating}), ${won?.uncertainty}`);
    }
  }
}

/** The difference that a rule allows at the timeout. */
const RULES: readonly (readonly [name: string, allows: (one: Skill, other: Skill) => number])[] = [
  ['100', () => 200],
  ['200', () => 400],
  [
    '100 and uncertainty',
    (one, other) => 2 * (100 + Math.max(points(one).uncertainty, points(other).uncertainty)),
  ],
  ['widenTo 1000', () => 1000],
  ['widenTo 2000', () => 2000],
  ['widenTo 3000', () => 3000],
];
console.log(
  'small games of duels, 200 populations: who has nobody whom a rule ever allows, of a hundred searches',
);
for (const count of [2, 4, 8, 20]) {
  for (const [name, allows] of RULES) {
    console.log(`  ${count} players, ${name}: ${small(count, allows)}`);
  }
}

/** Each has played 10, 30, 100 games on average by then: whoever searches meets the nearest whom the rule allows. */
function small(count: number, allows: (one: Skill, other: Skill) => number): string {
  const alone = [10, 30, 100].map(() => ({ searches: 0, nobody: 0 }));
  for (let at = 0; at < 200; at += 1) {
    const random = new Random(flags.seed, 1_000 + at);
    const strengths = Array.from({ length: count }, () => normal(random, START.mu, START.sigma));
    const skills: Skill[] = strengths.map(() => START);
    for (let search = 0; search < (count * 100) / 2; search += 1) {
      const one = random.below(count);
      const own = skills[one] ?? START;
      const gapTo = (who: number): number =>
        Math.abs(points(own).rating - points(skills[who] ?? START).rating);
      // Half of the others are there.
      const there = drawn(random, count, Math.max(2, Math.ceil(count / 2))).filter(
        (who) => who !== one,
      );
      const [other] = there
        .filter((who) => gapTo(who) <= allows(own, skills[who] ?? START))
        .sort((a, b) => gapTo(a) - gapTo(b));
      const games = (2 * search) / count;
      const part = alone[games < 10 ? 0 : games < 30 ? 1 : 2];
      if (part !== undefined) {
        part.searches += 1;
        part.nobody += other === undefined ? 1 : 0;
      }
      if (other !== undefined) {
        const apart = (strengths[one] ?? 0) - (strengths[other] ?? 0);
        const won = random.next() < 1 / (1 + Math.exp(-apart / (Math.SQRT2 * LUCK)));
        rated([[one], [other]], won ? [1, 2] : [2, 1], skills);
      }
    }
  }
  const [soon, later, last] = alone.map(({ nobody, searches }) => percent(nobody / searches));
  return `${soon} up to 10 games each, ${later} up to 30, ${last} up to 100`;
}

/** Points of one unit of skill. */
const POINT = START.sigma / 400;
const DECAY = { afterDays: 30, sigma: 50 };
const AWAY = [0, 30, 60, 90, 180, 360];

function afterDays(days: number, uncertainty: number): Skill {
  const skill = { mu: START.mu, sigma: uncertainty * POINT, ratedAt: 0 };
  return decayed(skill, days * 86_400_000, DECAY);
}

console.log(`uncertainty of who is away for ${AWAY.join(', ')} days, by ${JSON.stringify(DECAY)}`);
for (const uncertainty of [80, 130, 250]) {
  const grown = AWAY.map((days) => points(afterDays(days, uncertainty)).uncertainty);
  console.log(`  ${uncertainty}: ${grown.join(' ')}`);
}
console.log('who comes back 300 points weaker: how far the mean is off after 0, 10, 20, 50 games');
for (const days of AWAY) {
  console.log(
    `  after ${days} days: ${comesBack(days, 300)}; as strong as before: ${comesBack(days, 0)}`,
  );
}

/** The mean of 1,000 players who meet settled players of their own rating, in points. */
function comesBack(days: number, weaker: number): string {
  const off = [0, 10, 20, 50].map(() => 0);
  const random = new Random(flags.seed, 2_000);
  for (let at = 0; at < 1_000; at += 1) {
    const skills: Skill[] = [afterDays(days, 80)];
    for (let game = 0; game <= 50; game += 1) {
      const mu = skills[0]?.mu ?? START.mu;
      const part = [0, 10, 20, 50].indexOf(game);
      if (part >= 0) {
        off[part] = (off[part] ?? 0) + Math.abs(mu - (START.mu - weaker * POINT)) / POINT / 1_000;
      }
      skills[1] = { mu, sigma: 80 * POINT };
      const apart = START.mu - weaker * POINT - mu;
      const won = random.next() < 1 / (1 + Math.exp(-apart / (Math.SQRT2 * LUCK)));
      rated([[0], [1]], won ? [1, 2] : [2, 1], skills);
    }
  }
  return off.map((each) => each.toFixed(0)).join(' ');
}
