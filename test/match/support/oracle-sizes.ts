// Sizes that relax, written from docs/internals/design.md A20 and A23: what a mode asks of a match after the wait of its
// anchor.

import type { SizedMode } from '../../../src/match/rules/sizes';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';

/** What a curve says after so many seconds (decision 55). */
export function drawn(curve: readonly (readonly [number, number])[], seconds: number): number {
  const after = curve.findIndex(([from]) => from > seconds);
  const [from, low] = curve.at(after < 0 ? -1 : after - 1) ?? [0, 0];
  const [to, high] = curve[after] ?? [from + 1, low];
  return low + ((high - low) * (seconds - from)) / (to - from);
}

/** The mode with the minima that hold for the anchor at that instant. */
export function relaxedFor(
  mode: Mode,
  { startedAt }: Pick<Ticket, 'startedAt'>,
  at: number,
): SizedMode {
  const past = (mode.steps ?? []).filter((step) => stepAt(startedAt, step.afterSeconds) <= at);
  return past.reduce<SizedMode>((all, step) => {
    const { minTeams = all.minTeams, minPlayersPerTeam = all.minPlayersPerTeam } = step;
    const isBots = step.bots === true;
    return isBots
      ? { ...all, minHumans: step.minHumans ?? 1, sameSize: false }
      : { ...all, minTeams, minPlayersPerTeam };
  }, mode);
}

/** The mode with the minima that hold after its last step. */
export function loosest(mode: Mode): SizedMode {
  return relaxedFor(mode, { startedAt: 0 }, Infinity);
}

/** The fewest players of a match by the minima of the mode itself: the smallest teams, of which a role that is there once is never missing. */
export function fewestPlayers({ teamComposition, minHumans, ...mode }: SizedMode): number {
  if (minHumans !== undefined) {
    return minHumans;
  }
  const { teams, minTeams, minPlayersPerTeam: least, playersPerTeam } = mode;
  const wholes = Array.from({ length: teams }, () => [playersPerTeam]);
  const roles =
    teamComposition === null ? wholes : Object.values(teamComposition).map(Object.values);
  const sizes = (roles as number[][]).map((team) => {
    const size = team.reduce((sum, count) => sum + count, 0);
    const needed = teamComposition === null ? 0 : team.filter((count) => count === 1).length;
    return Math.max(Math.min(size, least), needed);
  });
  return sizes
    .toSorted((a, b) => a - b)
    .slice(0, minTeams)
    .reduce((sum, size) => sum + size, 0);
}

/** The mode with the minima that hold without bots. */
export function withoutBots(mode: Mode): Mode {
  return { ...mode, steps: mode.steps?.filter(({ bots }) => bots !== true) ?? [] };
}

/** The instants at which the minima fall for the anchor. */
export function stepsOf(mode: Mode, { startedAt }: Ticket): readonly number[] {
  return (mode.steps ?? []).map(({ afterSeconds }) => stepAt(startedAt, afterSeconds));
}

function stepAt(startedAt: number, seconds: number): number {
  return Math.ceil(startedAt + seconds * 1000);
}
