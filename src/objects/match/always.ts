// What must hold for the saved state of a match, whatever happened to it.

import { thereIn, wholeTeams } from './room';
import { placesIn, type Match } from './state';

const PHASES = ['confirming', 'launching', 'running', 'over'] as const;

/** The sentences that do not hold. `before`: null for a match that opens. */
export function brokenInMatch(after: Match, before: Match | null): readonly string[] {
  const begins = before === null || before.phase === 'confirming';
  const launches = begins && (after.phase === 'launching' || after.phase === 'running');
  const asks = launches && after.roster.rules.matchConfirmation.enabled;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      before === null || PHASES.indexOf(after.phase) >= PHASES.indexOf(before.phase),
      'a match only goes forward',
    ],
    [
      before === null ||
        before.instanceId === after.instanceId ||
        (before.phase === 'launching' && before.server === null && after.warm !== undefined),
      'a match has one server',
    ],
    [
      !asks || after.participants.every((who) => who.confirmed || who.left),
      'a match launches once all have confirmed',
    ],
    ...placesOf(after, before),
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}

/** Nobody is in it twice, and no team is filled beyond its places. */
function placesOf(after: Match, before: Match | null): readonly (readonly [boolean, string])[] {
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
  const filled = new Set(
    there.filter(({ ticketId }) => !known.has(ticketId)).map(({ team }) => team),
  );
  const teams = wholeTeams(after);
  return [
    [lobbies.size === there.length, 'a match has no lobby twice'],
    [new Set(players).size === players.length, 'a match opens with no player twice'],
    [
      [...filled].every((team) => placesIn(thereIn(after, team)) <= (teams[team]?.slots ?? -1)),
      'a match fills no team beyond its places',
    ],
  ];
}
