// Who says what the result of a match is, where most must say the same (decision 71). Pure.

import type { PlayerId } from '../../common/ids';
import type { LeaverTold } from '../../lobby/lobby';
import { cameWith, playersStays, type Match } from './state';

/** Whoever ever had a place, less those who have resigned. */
export function votersIn(match: Match): readonly PlayerId[] {
  const out = new Set(match.resigned);
  const all = playersStays(match).flatMap((who) => {
    const aside = new Set(who.aside);
    return cameWith(match, who).filter((id) => !aside.has(id));
  });
  return [...new Set(all).difference(out)];
}

/**
 * The match after players went so. Who leaves has no vote, unless the voting has begun: clients vote, and leave. Who is put out
 * by the server key never has one, and who is back in a place has it again.
 */
export function resigned(match: Match, gone: readonly LeaverTold[] = []): Match {
  const { resigned: before = [], votes, participants, server } = match;
  if (server !== null && server.block.term === undefined) {
    // A game server is believed.
    return match;
  }
  const here = participants.flatMap(({ left, members, away = [] }) =>
    left ? [] : members.filter((id) => !away.some((each) => each.id === id)),
  );
  const counts = ({ by }: LeaverTold): boolean => by === 'key' || (by === 'self' && !votes);
  const out = new Set([...before, ...gone.filter(counts).map(({ id }) => id)]);
  const next = [...out.difference(new Set(here))];
  const isSame = next.length === before.length && next.every((id) => before.includes(id));
  return isSame ? match : { ...match, resigned: next };
}
