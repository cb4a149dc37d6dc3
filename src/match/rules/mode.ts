// A mode of a lobby config, validated and with every default filled in (spec: Matchmaking mode; decision 27). It is plain
// data, because it is saved and sent between objects.

import type { Rule } from './registry';

/** Role name to how many of it a team wants. */
export type RoleCounts = Readonly<Record<string, number>>;

export interface Mode {
  readonly teams: number;
  readonly playersPerTeam: number;
  readonly minPlayersPerTeam: number;
  readonly minTeams: number;
  /** Longest wait in the queue, in seconds. */
  readonly timeout: number;
  readonly maxPartySize: number;
  readonly allowBackfill: boolean;
  readonly rules: readonly Rule[];
  readonly matchConfirmation: { readonly enabled: boolean; readonly timeoutSeconds: number };
  /** Team name to its roles. Null for a symmetric mode. The number of teams and their sizes follow from it. */
  readonly teamComposition: Readonly<Record<string, RoleCounts>> | null;
  readonly excludedFromQueue: readonly string[];
  readonly useVersionFromState: string | null;
  /** What happens to lobbies that accepted a match that another declined. */
  readonly onDecline: 'return' | 'requeue';
  /** False: players are not told why they wait. Absent: they are. */
  readonly explainsWait?: boolean;
  /** False: nobody joins a lobby during a game of the mode (decision 45). Absent: they may. */
  readonly lateJoin?: boolean;
  /** Results move the ratings of the players (record 0047). Absent: they do not. */
  readonly rating?: { readonly field: string; readonly system: 'openskill' };
}

/** Players of a full match. */
export function playersOf({ teamComposition, teams, playersPerTeam }: Mode): number {
  return teamComposition === null
    ? teams * playersPerTeam
    : Object.values(teamComposition).reduce((sum, roles) => sum + sizeOf(roles), 0);
}

/** Players of a team with these roles. */
export function sizeOf(roles: RoleCounts): number {
  return Object.values(roles).reduce((sum, count) => sum + count, 0);
}
