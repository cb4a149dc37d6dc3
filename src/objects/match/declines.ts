// Who turned a forming match down, in a mode with `declineCooldown` (src/lobby/cooldown.ts): the player who declined or
// left, or the players of a party who did not answer in time.

import type { PlayerId } from '../../common/ids';
import type { DeclineDebt } from './debts';
import { answerBy, type Match } from './state';
import { yesOf } from './update';

/** A deadline that is noticed later than that passed while the service was away, and perhaps nobody could answer. */
const LATE_MS = 5_000;

export function declinesIn(
  before: Match | null,
  next: Match,
  no: PlayerId | undefined,
  now: number,
): readonly DeclineDebt[] {
  if (before?.phase !== 'confirming' || before.roster.rules.declineCooldown === undefined) {
    return [];
  }
  const isOver = next.phase === 'over' && next.reason === 'confirm_timeout';
  const late = next.participants.filter((who) => isOver || who.out === 'confirm_timeout');
  const out = new Set(late.map(({ ticketId }) => ticketId));
  const silent = before.participants.filter((who) => {
    const lateMs = now - (answerBy(before, who) ?? Infinity);
    return out.has(who.ticketId) && lateMs >= 0 && lateMs <= LATE_MS;
  });
  const players = silent.flatMap((who) => who.members.filter((id) => !yesOf(who).includes(id)));
  const all = no === undefined ? players : [no, ...players];
  return all.map((player) => ({ to: 'no', player, at: now }));
}
