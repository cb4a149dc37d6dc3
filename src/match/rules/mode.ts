// What a mode of a lobby config says, after validation and with every default filled in
// (spec: Matchmaking mode; decision 27). Pure data: it is saved, and it crosses RPC.

import type { Rule } from './registry';

/** Role name -> how many of it one team wants. */
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
  /** Team name -> roles; null for a symmetric mode. Teams and sizes follow from it. */
  readonly teamComposition: Readonly<Record<string, RoleCounts>> | null;
  readonly excludedFromQueue: readonly string[];
  readonly useVersionFromState: string | null;
  /** What becomes of those who accepted when another declined. */
  readonly onDecline: 'return' | 'requeue';
  /** False: players are not told why they wait. Absent: they are. */
  readonly explainsWait?: boolean;
  /** False: nobody joins a lobby during a game of the mode (decision 45). Absent: they may. */
  readonly lateJoin?: boolean;
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
