// What must hold for the saved state of a match, whatever happened to it.

import { allPlaces, thereIn, wholeTeams } from './room';
import { placesIn, type Match, type Participant } from './state';

type Rule = readonly [holds: boolean, sentence: string];

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
  const rules: readonly Rule[] = [
    [PHASES.indexOf(after.phase) >= PHASES.indexOf(was.phase), 'a match only goes forward'],
    [hasOneServer, 'a match has one server'],
    [!asks || haveAllConfirmed, 'a match launches once all have confirmed'],
    ...thoseIn(after, before),
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** Nobody is in it twice, and no team is filled beyond its places. */
function thoseIn(after: Match, before: Match | null): readonly Rule[] {
  const { participants } = after;
  if (participants.length === before?.participants.length) {
    return [];
  }
  const there = participants.filter(({ left }) => !left);
  const lobbies = new Set(there.map(({ lobbyId }) => lobbyId));
  // Later, the match may not know yet that a player moved from one of its lobbies to another.
  const players = before === null ? there.flatMap(({ members }) => members) : [];
  // A lobby that accepts late joins makes its own team larger (spec: Join).
  const known = new Set(before?.participants.map(({ ticketId }) => ticketId));
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
