// Two lobbies play together if rules pass with either as the anchor: a pool tries both (docs/internals/design.md A1).

import type { PairAt } from '../rules/rule-type';
import type { PairRules } from '../rules/rules';

/** The two lobbies with one of them as the anchor. */
export interface Way {
  readonly pair: PairAt;
  /** Indices in the mode's rules of those that reject now. */
  readonly rejecting: readonly number[];
}

/** The one way that passes, or else both ways, that of `pair` first. Only expressions tell the two ways apart. */
export function waysOf(rules: PairRules, pair: PairAt): readonly Way[] {
  const given = wayOf(rules, pair);
  if (given.rejecting.length === 0 || !rules.evaluates) {
    return [given];
  }
  const other = wayOf(rules, { ...pair, anchor: pair.candidate, candidate: pair.anchor });
  return other.rejecting.length === 0 ? [other] : [given, other];
}

function wayOf(rules: PairRules, pair: PairAt): Way {
  return { pair, rejecting: rules.rejections(pair.anchor, pair.candidate, pair.now) };
}

/** When the rules that reject now let the two through, epoch ms. Null: not in time, or an expression reads waitSeconds. */
export function openingOf(rules: PairRules, { pair }: Way): number | null {
  const { anchor, candidate, now } = pair;
  const at = rules.opensAt(anchor, candidate);
  if (at === null || !rules.pollsTime) {
    return at;
  }
  // A rule that widens rejects until it opens. If all pass at that instant, it is the first one.
  return at > now && rules.passes(anchor, candidate, at) ? at : null;
}

export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
