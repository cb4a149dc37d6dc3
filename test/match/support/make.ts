// Modes and tickets for tests: only what a test is about is spelled out.

import type { LobbyId, PlayerId, TicketId } from '../../../src/common/ids';
import type { JsonObject } from '../../../src/common/json';
import type { Mode } from '../../../src/match/rules/mode';
import type { StateValue, Ticket } from '../../../src/match/ticket/ticket';

export function mode(over: Partial<Mode> = {}): Mode {
  const playersPerTeam = over.playersPerTeam ?? 1;
  const teams = over.teams ?? 2;
  return {
    teams,
    playersPerTeam,
    minPlayersPerTeam: playersPerTeam,
    minTeams: teams,
    timeout: 60,
    maxPartySize: playersPerTeam,
    allowBackfill: false,
    rules: [],
    matchConfirmation: { enabled: false, timeoutSeconds: 30 },
    teamComposition: null,
    excludedFromQueue: [],
    useVersionFromState: null,
    onDecline: 'return',
    explainsWait: true,
    lateJoin: true,
    ...over,
  };
}

/** A mode of named teams with roles; sizes follow from the composition. */
export function roleMode(
  teamComposition: Readonly<Record<string, Readonly<Record<string, number>>>>,
  over: Partial<Mode> = {},
): Mode {
  const sizes = Object.values(teamComposition).map((roles) =>
    Object.values(roles).reduce((sum, wanted) => sum + wanted, 0),
  );
  const largest = Math.max(...sizes);
  return mode({ teams: sizes.length, playersPerTeam: largest, teamComposition, ...over });
}

export interface TicketShape {
  readonly size?: number;
  readonly at?: number;
  readonly state?: Readonly<Record<string, StateValue>>;
  readonly regions?: readonly string[];
  readonly region?: string;
  /** Acceptable roles of each member; sets the size. */
  readonly roles?: readonly (readonly string[])[];
  readonly metadata?: JsonObject;
  readonly pace?: number;
  /** Players whom it avoids. */
  readonly avoids?: readonly string[];
  /** By region: what the worst of its players measured, and all of them together. */
  readonly pings?: Readonly<Record<string, readonly [worst: number, sum: number]>>;
}

export function ticket(id: string, shape: TicketShape = {}): Ticket {
  const size = shape.roles?.length ?? shape.size ?? 1;
  const players = Array.from({ length: size }, (_, index) => `${id}.${index}` as PlayerId);
  return {
    id: id as TicketId,
    lobbyId: `lobby-${id}` as LobbyId,
    startedAt: shape.at ?? 0,
    members: players.map((player, index) => ({ id: player, roles: shape.roles?.[index] ?? [] })),
    players,
    region: shape.region ?? 'us-east',
    acceptableRegions: shape.regions ?? [],
    state: shape.state ?? {},
    metadata: shape.metadata ?? {},
    ...(shape.pace === undefined ? {} : { pace: shape.pace }),
    ...(shape.avoids === undefined ? {} : { avoids: shape.avoids as PlayerId[] }),
    ...(shape.pings === undefined
      ? {}
      : {
          pings: Object.entries(shape.pings).map(([region, [worst, sum]]) => ({
            region,
            worst,
            sum,
          })),
        }),
  };
}

export function ids(...names: readonly string[]): readonly TicketId[] {
  return names.map((name) => name as TicketId);
}
