// Whether ratings find out who is how strong. Simulated players of a known strength play, each as often as the others,
// in three ladders: duels, two against two, and eight each for itself. After so many games each, the order by rating is
// compared with the order by strength (Spearman). Everything is played twice, and must give the same numbers.

import { createHash } from 'node:crypto';
import type { PlayerId } from '../../../src/common/ids';
import { ratedBy, type RatedTeam } from '../../../src/lobby/rating';
import { ratedSkills } from '../../../src/match/rules/plackett-luce';
import { cautious, START, type Skill } from '../../../src/match/rules/skill';
import { commandLine, number } from '../../../scripts/flags';
import { Random } from '../../sim/random';

const { flags } = commandLine({
  command: 'npm run bench:ratings --',
  about:
    'Rates the matches of simulated players, and compares the ladder with their true strength.',
  flags: {
    matches: number(1_000_000, 'rated matches, over all ladders'),
    games: number(30, 'games of each player'),
    seed: number(1, 'the seed'),
  },
});

/** `share`: of all matches. */
const LADDERS = [
  { name: 'duels', teams: 2, size: 1, share: 0.4 },
  { name: '2 against 2', teams: 2, size: 2, share: 0.3 },
  { name: 'free for all of 8', teams: 8, size: 1, share: 0.3 },
] as const;
/** How much a player's performance differs from game to game, and how often one leaves early. */
const LUCK = START.sigma / 2;
const ABANDONS = 0.01;

interface Played {
  readonly matches: number;
  readonly strengths: readonly number[];
  readonly skills: readonly Skill[];
}

/** Normally distributed. */
function normal(random: Random, mean: number, deviation: number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return mean + deviation * radius * Math.cos(2 * Math.PI * random.next());
}

function play({ teams, size, share }: (typeof LADDERS)[number], stream: number): Played {
  const random = new Random(flags.seed, stream);
  const seats = teams * size;
  const count = Math.max(1, Math.ceil((flags.matches * share) / flags.games)) * seats;
  const strengths = Array.from({ length: count }, () => normal(random, START.mu, START.sigma));
  const skills: Skill[] = strengths.map(() => START);
  const order = strengths.map((_, index) => index);
  let matches = 0;
  for (let round = 0; round < flags.games; round += 1) {
    for (let last = count - 1; last > 0; last -= 1) {
      const other = random.below(last + 1);
      [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
    }
    for (let from = 0; from < count; from += seats) {
      const sides = Array.from({ length: teams }, (_, team) => {
        const members = order.slice(from + team * size, from + (team + 1) * size);
        const shown = members.map((one) => normal(random, strengths[one] ?? 0, LUCK));
        return { members, strength: shown.reduce((sum, each) => sum + each, 0) };
      });
      const ranked = sides.map(({ members, strength }): RatedTeam => {
        const players = members.map((one) => {
          return { id: String(one) as PlayerId, abandoned: random.chance(ABANDONS) };
        });
        return { rank: 1 + sides.filter((side) => side.strength > strength).length, players };
      });
      for (const [id, skill] of ratedBy(ranked, (who) => skills[Number(who)] ?? START)) {
        skills[Number(id)] = skill;
      }
      matches += 1;
    }
  }
  return { matches, strengths, skills };
}

function ranks(values: readonly number[]): readonly number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const places: number[] = [];
  order.forEach((index, place) => (places[index] = place));
  return places;
}

/** Spearman's correlation of two lists without ties. */
function spearman(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [ranks(one), ranks(other)];
  const squares = a.reduce((sum, place, index) => sum + (place - (b[index] ?? 0)) ** 2, 0);
  return 1 - (6 * squares) / (a.length * (a.length ** 2 - 1));
}

function hashOf(skills: readonly Skill[]): string {
  const hash = createHash('sha256');
  skills.forEach(({ mu, sigma }) => hash.update(`${mu} ${sigma}\n`));
  return hash.digest('hex').slice(0, 16);
}

let total = 0;
let isSame = true;
const startedAt = Date.now();
for (const [index, ladder] of LADDERS.entries()) {
  const [first, again] = [play(ladder, index), play(ladder, index)];
  const [hash, hashAgain] = [hashOf(first.skills), hashOf(again.skills)];
  total += first.matches;
  isSame &&= hash === hashAgain;
  const order = spearman(first.skills.map(cautious), first.strengths);
  console.log(
    `${ladder.name}: ${first.skills.length} players, ${first.matches} matches, ` +
      `Spearman ${order.toFixed(4)}, hash ${hash}, again ${hashAgain}`,
  );
}
const seconds = (Date.now() - startedAt) / 1000;
// The dearest result: a match of a hundred who all tie.
const hundred = Array.from({ length: 100 }, () => [START]);
const tiedAt = performance.now();
ratedSkills(
  hundred,
  hundred.map(() => 1),
);
console.log(`a hundred who all tie: ${(performance.now() - tiedAt).toFixed(1)} ms`);
console.log(`${total} matches, each rated twice, in ${seconds.toFixed(1)} s`);
console.log(isSame ? 'the same numbers, to the last digit' : 'OTHER NUMBERS the second time');
process.exitCode = isSame ? 0 : 1;
