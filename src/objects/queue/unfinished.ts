// Describes the work that a queue has begun and not finished. Until it is finished, waiting lobbies may still match.

import type { Work } from '../../match/waiting/work';
import type { Reading } from '../reports';

function number(count: number): string {
  return count.toLocaleString('en-US');
}

/** The progress of a restore. Until it is done, no match forms. */
export function readingInWords({ step, done, of }: Reading): string {
  const all = of === null ? 'so far' : `of ${number(Math.max(done, of))}`;
  return `still ${step} its saved lobbies: ${number(done)} ${all}`;
}

/** Null if nothing is left to do. */
export function unfinished(reading: Reading | null, work: Work | null): string | null {
  if (reading !== null) {
    return readingInWords(reading);
  }
  const { searches = 0, anchors = { tried: 0, of: 0 }, toArm = 0 } = work ?? {};
  const parts = [
    searches > 0 &&
      `still looking: ${number(anchors.tried)} of ${number(anchors.of)} lobbies tried`,
    toArm > 0 && `still noting when rules widen: ${number(toArm)} lobbies to go`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
