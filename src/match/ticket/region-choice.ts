// The region of a match's server (spec: Rule semantics 7; docs/internals/design.md A12).

/** What a lobby says about regions. */
export interface RegionWish {
  readonly region: string;
  readonly list: readonly string[];
}

/** The vote for a first choice. All numbers up to 16 divide it, so votes add up the same in any order. */
const VOTE = 720_720;

/**
 * The region that all accept with the most votes: each list gives 1/(index+1). Ties go to the anchor's preference, then
 * to the name. The anchor's own region if every list is open. Null if the lists share no region. `all` has the anchor.
 */
export function chooseRegion(anchor: RegionWish, all: readonly RegionWish[]): string | null {
  const lists = all.map(({ list }) => list).filter(({ length }) => length > 0);
  const [first] = lists;
  if (first === undefined) {
    return anchor.region;
  }
  const accepted = first
    .filter((region) => lists.every((list) => list.includes(region)))
    .map((region) => ({
      region,
      votes: lists.reduce((sum, list) => sum + VOTE / (list.indexOf(region) + 1), 0),
      rank: anchor.list.indexOf(region),
    }))
    .sort((a, b) => b.votes - a.votes || a.rank - b.rank || (a.region < b.region ? -1 : 1));
  return accepted[0]?.region ?? null;
}
