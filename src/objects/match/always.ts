// What must hold for the saved state of a match, whatever happened to it.

import { lean, MOST_REFUSED, MOST_STAYS } from './newcomers';
import { allPlaces, thereIn, wholeTeams } from './room';
import { placesIn, staysOf, type Match, type Participant } from './state';

type Invariant = readonly [holds: boolean, sentence: string];

const PHASES = ['confirming', 'launching', 'running', 'over'] as const;

/** The sentences that do not hold. `before`: null for a match that opens. */
export function brokenInMatch(after: Match, before: Match | null): readonly string[] {
  const begins = before === null || before.phase === 'confirming';
  const launches = begins && (after.phase === 'launching' || after.phase === 'running');
  const asks = launches && after.roster.rules.matchConfirmation.enabled;
  const was = before ?? after;
  const mayTakeWarm = was.phase === 'launching' && was.server === null && after.warm !== undefined;
  const hasOneServer = was.instanceId === after.instanceId || mayTakeWarm;
  const haveAllConfirmed = after.participants.every((who) => who.confirmed || who.left);
  const rules: readonly Invariant[] = [
    [PHASES.indexOf(after.phase) >= PHASES.indexOf(was.phase), 'a match only goes forward'],
    [hasOneServer, 'a match has one server'],
    [!asks || haveAllConfirmed, 'a match launches once all have confirmed'],
    [staysOf(after).length <= MOST_STAYS, 'a match keeps a bounded number of stays'],
    [after.refused.length <= MOST_REFUSED, 'a match keeps a bounded number of refusals'],
    [lean(after) === after, 'a match keeps nothing of parties that have left'],
    ...thoseIn(after, before),
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** Nobody is in it twice, and no team is filled beyond its places. */
function thoseIn(after: Match, before: Match | null): readonly Invariant[] {
  const { participants } = after;
  const known = new Set(before?.participants.map(({ ticketId }) => ticketId));
  if (participants.every(({ ticketId }) => known.has(ticketId))) {
    return [];
  }
  const there = participants.filter(({ left }) => !left);
  const lobbies = new Set(there.map(({ lobbyId }) => lobbyId));
  // Later, the match may not know yet that a player moved from one of its lobbies to another.
  const players = before === null ? there.flatMap(({ members }) => members) : [];
  // A lobby that accepts late joins makes its own team larger (spec: Join).
  const newcomers = there.filter(({ ticketId }) => !known.has(ticketId));
  const teams = before === null ? wholeTeams(after) : allPlaces(after);
  const hasRoom = ({ team }: Participant): boolean =>
    placesIn(thereIn(after, team)) <= (teams[team]?.slots ?? -1);
  return [
    [lobbies.size === there.length, 'a match has no lobby twice'],
    [new Set(players).size === players.length, 'a match opens with no player twice'],
    [newcomers.every(hasRoom), 'a match fills no team beyond its places'],
  ];
}
