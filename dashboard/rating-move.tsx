// What a match did to a player's rating: before, after, and the difference.

import type { JSX } from 'preact';

export function RatingMove({
  of,
}: {
  readonly of: { readonly before: number; readonly rating: number } | undefined;
}): JSX.Element | null {
  if (of === undefined) {
    return null;
  }
  const [before, after] = [Math.round(of.before), Math.round(of.rating)];
  const move = after - before;
  return (
    <>
      {before} → {after} <span class="dim">({move > 0 ? `+${move}` : move})</span>
    </>
  );
}
