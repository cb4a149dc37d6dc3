// Players who turn matches down wait before they search again, in modes with `declineCooldown`: the first no within an hour
// costs that many seconds, and each further one twice as many as the one before, up to eight times. Pure.

import type { MatchId, PlayerId } from '../common/ids';

/** A match that the player said no to, or did not answer. */
export interface Decline {
  readonly matchId: MatchId;
  /** Epoch ms. */
  readonly at: number;
}

const FORGET_MS = 60 * 60_000;
const MOST = 4;

export function lately(declines: readonly Decline[], now: number): readonly Decline[] {
  return declines.filter(({ at }) => now - at < FORGET_MS);
}

/** With one more. A match that is known changes nothing. */
export function withDecline(declines: readonly Decline[], no: Decline): readonly Decline[] {
  const isKnown = declines.some(({ matchId }) => matchId === no.matchId);
  return isKnown ? declines : [...lately(declines, no.at), no].slice(-MOST);
}

/** Until when the player waits, epoch ms, by the mode's seconds. Null: the player may search. */
export function coolsUntil(
  declines: readonly Decline[],
  seconds: number,
  now: number,
): number | null {
  const recent = lately(declines, now);
  const until = (recent.at(-1)?.at ?? -Infinity) + seconds * 1000 * 2 ** (recent.length - 1);
  return until > now ? until : null;
}

/** The player of a party who has to wait longest. */
export type Cooling = { readonly player: PlayerId; readonly until: number };
