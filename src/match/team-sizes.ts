// How party sizes can be put together into teams, all of them used: the question of counts that
// comes before that of who plays with whom. Exact: the largest party left has to go somewhere, and
// teams are alike, so it always opens the next team.

/** How many teams, and how many players each may hold. */
export interface TeamBounds {
  readonly teams: number;
  readonly least: number;
  readonly most: number;
}

const STEP_LIMIT = 100_000;

/**
 * Sizes of the parties of each team, largest first, so that every party is used and every team is
 * within the bounds; null when there is no such way, or none is found within the step limit.
 */
export function teamSizes(
  parties: readonly number[],
  { teams, least, most }: TeamBounds,
): readonly (readonly number[])[] | null {
  const left = Array.from({ length: most + 1 }, () => 0);
  let players = 0;
  for (const size of parties) {
    if (size > most) {
      return null;
    }
    left[size] = (left[size] ?? 0) + 1;
    players += size;
  }
  const made: number[][] = [];
  const failed = new Set<string>();
  let steps = 0;

  const nextTeam = (): boolean => {
    const open = teams - made.length;
    if (players < open * least || players > open * most) {
      return false;
    }
    if (players === 0) {
      return true;
    }
    const state = left.join();
    if (failed.has(state)) {
      return false;
    }
    const team: number[] = [];
    made.push(team);
    const found = add(team, 0, largest(most));
    if (!found) {
      made.pop();
      failed.add(state);
    }
    return found;
  };

  /** Adds a party of at most `size`; the first of a team must be of that size. */
  const add = (team: number[], held: number, size: number): boolean => {
    for (let party = Math.min(size, most - held); party > 0; party -= 1) {
      steps += 1;
      if ((left[party] ?? 0) === 0 || steps > STEP_LIMIT) {
        continue;
      }
      left[party] = (left[party] ?? 0) - 1;
      players -= party;
      team.push(party);
      if (add(team, held + party, party)) {
        return true;
      }
      team.pop();
      players += party;
      left[party] = (left[party] ?? 0) + 1;
      if (held === 0) {
        return false;
      }
    }
    return held >= least && held > 0 && nextTeam();
  };

  const largest = (from: number): number => {
    let size = from;
    while (size > 0 && (left[size] ?? 0) === 0) {
      size -= 1;
    }
    return size;
  };

  return nextTeam() ? made : null;
}
