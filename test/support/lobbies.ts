// Lobbies for tests of the pure core: small makers with readable defaults.

import type {
  InstanceId,
  LobbyId,
  MatchId,
  MemberId,
  PlayerId,
  TicketId,
} from '../../src/common/ids';
import type { ServerBlock, ServerStatus } from '../../src/fleet/port';
import type { Change, Command, MatchUpdate } from '../../src/lobby/command';
import { decide, type Given } from '../../src/lobby/decide';
import type { Lobby } from '../../src/lobby/lobby';
import { admit, found } from '../../src/lobby/members';
import type { Reply } from '../../src/lobby/refusals';
import type { Mode } from '../../src/match/rules/mode';

export const player = (name: string): PlayerId => name as PlayerId;
export const T0 = 1_700_000_000_000;

export function mode(patch: Partial<Mode> = {}): Mode {
  return {
    teams: 2,
    playersPerTeam: 2,
    minPlayersPerTeam: 2,
    minTeams: 2,
    timeout: 60,
    maxPartySize: 2,
    allowBackfill: false,
    rules: [],
    matchConfirmation: { enabled: false, timeoutSeconds: 30 },
    teamComposition: null,
    excludedFromQueue: [],
    useVersionFromState: null,
    onDecline: 'return',
    explainsWait: true,
    lateJoin: true,
    ...patch,
  };
}

export function lobbyOf(...names: readonly [string, ...string[]]): Lobby {
  const [host, ...guests] = names;
  let lobby = found(
    {
      id: 'lobby-1' as LobbyId,
      project: 'dev',
      config: 'arena',
      code: 'MEOW-7K2QXD',
      name: 'Test lobby',
      maxPlayers: 4,
      region: 'us-east',
      isPrivate: false,
      allowLateJoin: true,
      settings: {},
    },
    { id: player(host), memberId: `m-${host}` as MemberId, state: null },
    T0,
  );
  for (const name of guests) {
    lobby = after(
      admit(lobby, { id: player(name), memberId: `m-${name}` as MemberId, state: null }, T0),
    );
  }
  return lobby;
}

let ids = 0;

export function given(patch: Partial<Given> = {}): Given {
  ids += 1;
  return {
    now: T0 + 1_000,
    policy: {
      timeoutMs: 300_000,
      hostLeaveBehavior: 'promote',
      heartbeatTimeoutMs: null,
      spectatorTimeoutMs: 60_000,
      queuePresenceMs: null,
      hostGraceMs: 5_000,
      gameLimitMs: 7_200_000,
    },
    trusted: new Map(),
    hasStreamed: false,
    isClosed: false,
    modes: { duel: mode() },
    connected: new Set(),
    ticketId: `ticket-${ids}` as TicketId,
    made: { instanceId: `server-${ids}` as InstanceId },
    ...patch,
  };
}

/** The change of a decision that must not be refused. */
export function changeOf(reply: Reply<Change>): Change {
  if (!reply.ok) {
    throw new Error(`refused: ${reply.refusal.code} ${reply.refusal.detail}`);
  }
  return reply.value;
}

/** The lobby after a decision that must neither be refused nor delete it. */
export function after(reply: Reply<Change>): Lobby {
  const { lobby } = changeOf(reply);
  if (lobby === null) {
    throw new Error('the lobby was deleted');
  }
  return lobby;
}

export function run(lobby: Lobby, command: Command, patch: Partial<Given> = {}): Lobby {
  return after(decide(lobby, command, given(patch)));
}

export function codeOf(reply: Reply<unknown>): string {
  return reply.ok ? 'ok' : reply.refusal.code;
}

export function block(status: ServerStatus, id = 'server-1'): ServerBlock {
  return {
    instance_id: id,
    name: 'server',
    status,
    region: 'us-east',
    network_ports: [],
    startup_args: null,
    service_type: 'match_based',
    compute_size: 'small',
    version_tag: 'default',
    version: 1,
    started_at: null,
    stopped_at: null,
    auto_restart: false,
    custom_data: {},
    ttl: null,
    is_pool_server: false,
    pool_claimed_at: null,
    match_id: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
}

export function matchUpdate(patch: Partial<MatchUpdate> & { ticketId: TicketId }): MatchUpdate {
  return {
    matchId: 'match-1' as MatchId,
    step: 1,
    mode: 'duel',
    phase: 'matched',
    deadline: null,
    confirmed: false,
    instanceId: 'server-1' as InstanceId,
    server: null,
    backfills: false,
    lateJoin: true,
    places: { team: 0, teamName: null, roles: null, members: [], aside: [] },
    reason: null,
    requeue: false,
    ...patch,
  };
}
