// What evenings of a small game tell, by what the game uses: the table of docs/small-games.md.

import type { Mode } from '../../../src/match/rules/mode';
import { mode } from '../../../test/match/support/make';
import { Evening, type People, type Search, type Terms } from './evening';

const EVENINGS = 20;
const HOURS = 4;
const PEOPLE: People = { online: 40, sessionHours: 2, declines: 0.05, hear: 100, come: 0.004 };
const WITHIN_SECONDS = 60;

/** What each of the three modes says besides its size: a rule of skill that widens, and two minutes of patience. */
function modes(over: Partial<Mode>): Readonly<Record<string, Mode>> {
  const of = (teams: number, playersPerTeam: number): Mode =>
    mode({
      teams,
      playersPerTeam,
      timeout: 120,
      rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }],
      ...over,
    });
  return { duel: of(2, 1), squads: of(2, 3), brawl: of(6, 1) };
}

const shares = { duel: 0.4, squads: 0.35, brawl: 0.25 };
const today: Terms = { modes: modes({}), shares };
const bots = modes({ steps: [{ afterSeconds: 40, bots: true, minHumans: 1 }] });
const othersAfter = [10, 20];
const bellSeconds = 30;

export const VARIANTS: Readonly<Record<string, Terms>> = {
  'one mode a search': today,
  '1: several modes': { ...today, othersAfter },
  '2: bots after 40 s': { ...today, modes: bots },
  '6: a bell after 30 s': { ...today, bellSeconds },
  '1 and 6': { ...today, othersAfter, bellSeconds },
  '1 and 2': { ...today, modes: bots, othersAfter },
  '1, 2 and 6': { modes: bots, shares, othersAfter, bellSeconds },
};

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

function median(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? NaN).toFixed(0);
}

export function row(name: string, terms: Terms): string {
  const searches: Search[] = [];
  let rung = 0;
  for (let seed = 1; seed <= EVENINGS; seed += 1) {
    const evening = new Evening(terms, PEOPLE, seed).play(HOURS);
    searches.push(...evening.searches);
    rung += evening.rung;
  }
  const played = searches.filter((search) => search.mode !== null);
  const soon = played.filter(({ seconds }) => seconds <= WITHIN_SECONDS);
  const withBots = played.filter((search) => search.bots > 0);
  const alone = played.filter(({ people }) => people === 1);
  const cells = [
    name,
    searches.length,
    percent(soon.length, searches.length),
    `${median(played.map(({ seconds }) => seconds))} s`,
    percent(searches.length - played.length, searches.length),
    percent(withBots.length, played.length),
    percent(alone.length, played.length),
    (rung / EVENINGS / HOURS).toFixed(1),
  ].join(' | ');
  return `| ${cells} |`;
}

export const HEAD = `| A search may use | searches | in a game within 60 s | median wait | no game | with bots | alone with bots | bells an hour |
|---|--:|--:|--:|--:|--:|--:|--:|`;
