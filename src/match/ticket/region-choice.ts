// The region of a match's server (spec: Rule semantics 7; docs/internals/design.md A12).

/** What a lobby says about regions. */
export interface RegionWish {
  readonly region: string;
  readonly list: readonly string[];
}

/** Votes are sums of fractions, so sums this close are equal. */
const TIE = 1e-9;

/**
 * The region that all accept with the most votes: each list gives 1/(index+1). Ties go to the anchor's preference, then
 * to the name. The anchor's own region if every list is open. Null if the lists share no region.
 */
export function chooseRegion(anchor: RegionWish, all: readonly RegionWish[]): string | null {
  if (all.every(({ list }) => list === anchor.list)) {
    return anchor.list[0] ?? anchor.region;
  }
  const votes = new Map<string, { count: number; weight: number }>();
  let voters = 0;
  for (const { list } of all) {
    voters += list.length > 0 ? 1 : 0;
    for (const [index, region] of list.entries()) {
      const known = votes.get(region) ?? { count: 0, weight: 0 };
      votes.set(region, { count: known.count + 1, weight: known.weight + 1 / (index + 1) });
    }
  }
  if (voters === 0) {
    return anchor.region;
  }
  const rank = (region: string): number => {
    const index = anchor.list.indexOf(region);
    return index < 0 ? anchor.list.length : index;
  };
  let best: string | null = null;
  let bestWeight = 0;
  for (const [region, { count, weight }] of votes) {
    if (count < voters) {
      continue;
    }
    const lead = weight - bestWeight;
    const isBetter =
      best === null ||
      lead > TIE ||
      (lead >= -TIE &&
        (rank(region) < rank(best) || (rank(region) === rank(best) && region < best)));
    if (isBetter) {
      best = region;
      bestWeight = weight;
    }
  }
  return best;
}
