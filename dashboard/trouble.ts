// Whether the searches of a mode end without a match more than they should.

import type { AttentionView } from '../packages/js/src/attention-types';
import type { Ended } from '../packages/js/src/dashboard-types';

export type ModeLately = AttentionView['modes'][number];

/** Of fewer searches nothing can be said. */
const LEAST = 5;
/** By how much the share must have risen, and how large it, or that of matches without a game, must be at least. */
const RISE = 0.2;

function shareOf({ ended, unmatched }: Ended): number {
  return ended === 0 ? 0 : unmatched / ended;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** That many of its matches never got a game, as the end of a sentence that begins with the mode's name. Null: few did. */
export function gamelessOf({ hour: { ended, noGame } }: ModeLately): string | null {
  return noGame === 0 || noGame < RISE * ended
    ? null
    : `often gets no game for its matches: ${noGame} of ${Math.max(noGame, ended)} searches that ended in the last hour never got one.`;
}

/** What is wrong with the mode, as the end of a sentence that begins with its name. Null: nothing. */
export function troubleOf({ hour, before }: ModeLately): string | null {
  if (hour.ended < LEAST) {
    return null;
  }
  const share = shareOf(hour);
  if (share === 1) {
    return `matched nobody in the last hour: ${hour.ended} searches ended without a match.`;
  }
  const was = shareOf(before);
  return before.ended >= LEAST && share >= was + RISE
    ? `matches fewer: ${percent(share)} of its searches ended without a match in the last hour, and ${percent(was)} in the day before.`
    : null;
}
