// The bans of a project (record 0045). The list has rows of its own, and the project's document has only its
// revision, so that isolates read it once after each change. Pure.

import { refusal, type Reply } from '../../lobby/refusals';
import { banEnds, type Ban, type BanChange, type BanList } from '../contracts/bans';
import { ok } from '../../common/result';

export const MOST_BANS = 5_000;

/** The list without expired bans. Refuses VALIDATION_ERROR (there are too many) and NOT_FOUND (nothing to lift). */
export function withBan(before: BanList, change: BanChange, now: number): Reply<BanList> {
  const isLift = change.act === 'lift';
  const { playerId, config } = isLift ? change : change.ban;
  const holding = before.bans.filter((ban) => now < banEnds(ban));
  const isMeant = (ban: Ban) => (isLift && config === null) || ban.config === config;
  const kept = holding.filter((ban) => ban.playerId !== playerId || !isMeant(ban));
  if (isLift && kept.length === holding.length) {
    return refusal('NOT_FOUND', 'There is no such ban');
  }
  const bans = isLift ? kept : [...kept, change.ban];
  return bans.length > MOST_BANS
    ? refusal('VALIDATION_ERROR', `A project has at most ${MOST_BANS} bans: lift some first`)
    : ok({ revision: before.revision + 1, bans });
}
