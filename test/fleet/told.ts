// What game servers are told, one launch for each kind of mode: the examples of docs/game-servers.md.

import type { LaunchSpec } from '../../src/fleet/port';
import { musterJson } from '../../src/fleet/muster-json';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { parseConfig } from '../../src/lobby/config';
import type { Mode } from '../../src/match/rules/mode';
import type { ProposedTeam } from '../../src/match/pool';
import type { LaunchOrder } from '../../src/objects/contracts/server';
import type { PartySnapshot } from '../../src/objects/contracts/party';
import type { Roster } from '../../src/objects/contracts/match';
import { launchOrder } from '../../src/objects/match/launch';
import { formed } from '../../src/objects/match/state';
import { portsOf } from '../../agent/watch.ts';

const MATCH = 'b1c7' as MatchId;
const INSTANCE = '5e2f' as InstanceId;
const PORT = 20_017;

type States = Readonly<Record<string, JsonObject | null>>;

function party(name: string, states: States, settings: JsonObject = {}): PartySnapshot {
  const players = Object.entries(states).map(([id, state]) => ({ id: id as PlayerId, state }));
  return {
    lobbyId: `lobby-${name}` as LobbyId,
    ticketId: `ticket-${name}` as TicketId,
    name,
    host: players[0]?.id ?? ('' as PlayerId),
    startedAt: 0,
    settings,
    players,
  };
}

function team(
  names: readonly string[],
  name: string | null = null,
  roles: ProposedTeam['roles'] = null,
): ProposedTeam {
  return { name, tickets: names.map((each) => `ticket-${each}` as TicketId), roles };
}

function modeOf(input: object): Mode {
  const parsed = parseConfig('arena', { matchmaking: { modes: { mode: input } } });
  const mode = parsed.ok ? parsed.value.matchmaking.modes['mode'] : undefined;
  if (mode === undefined) {
    throw new Error(`no mode: ${JSON.stringify(parsed)}`);
  }
  return mode;
}

interface Formed {
  readonly mode: string;
  readonly rules: Mode;
  readonly parties: readonly PartySnapshot[];
  readonly teams: readonly ProposedTeam[];
}

function matched({ mode, rules, parties, teams }: Formed): LaunchOrder {
  const roster = {
    matchId: MATCH,
    project: 'dev',
    config: 'arena',
    mode,
    rules,
    region: 'eu-west',
    version: null,
    parties,
    teams,
  };
  // Nothing here looks at the anchor.
  const match = formed(roster as unknown as Roster, INSTANCE, 0);
  return launchOrder(match, MATCH, { build: 'default', computeSize: 'small' });
}

function started(): LaunchOrder {
  return {
    instanceId: INSTANCE,
    project: 'dev',
    owner: { kind: 'lobby', id: 'lobby-den' as LobbyId },
    name: 'den',
    region: 'eu-west',
    build: 'default',
    computeSize: 'small',
    customData: { map: 'dunes', rounds: 3 },
    ttlSeconds: null,
    matchId: null,
  };
}

const ORDERS: Readonly<Record<string, LaunchOrder>> = {
  'direct start': started(),
  'teams of parties': matched({
    mode: 'duos',
    rules: modeOf({ teams: 2, playersPerTeam: 2 }),
    parties: [
      party('red', { ann: { mmr: 1200 }, ben: { mmr: 1260 } }, { map: 'dunes' }),
      party('blue', { cat: { mmr: 1190 } }),
      party('teal', { dan: null }),
    ],
    teams: [team(['red']), team(['blue', 'teal'])],
  }),
  'free for all': matched({
    mode: 'brawl',
    rules: modeOf({ teams: 1, playersPerTeam: 8, minPlayersPerTeam: 3 }),
    parties: [party('one', { ann: {} }), party('two', { ben: {} }), party('three', { cat: {} })],
    teams: [team(['one', 'two', 'three'])],
  }),
  'roles in unequal teams': matched({
    mode: 'hunt',
    rules: modeOf({
      teamComposition: { hunters: { hunter: 1 }, prey: { scout: 1, medic: 1 } },
      excludedFromQueue: ['spectator'],
    }),
    parties: [
      party('night', { ann: { role: 'hunter' } }),
      party('camp', { ben: { role: ['medic', 'scout'] }, eve: { role: 'spectator' } }),
      party('fire', { cat: { role: 'fill' } }),
    ],
    teams: [
      team(['night'], 'hunters', { ['ann' as PlayerId]: 'hunter' }),
      team(['camp', 'fire'], 'prey', {
        ['ben' as PlayerId]: 'medic',
        ['cat' as PlayerId]: 'scout',
      }),
    ],
  }),
};

function specOf(order: LaunchOrder): LaunchSpec {
  const { instanceId, project, name, region, computeSize, customData, ttlSeconds } = order;
  return {
    instanceId,
    serverId: instanceId,
    project,
    name,
    region,
    build: { name: order.build, version: 1, label: null, launch: {}, ports: [] },
    computeSize,
    matchId: order.matchId,
    startupArgs: null,
    customData,
    ttlSeconds,
    token: '9d0c',
    reportUrl: `https://muster.example/v3/servers/${instanceId}/status`,
  };
}

/** `muster.json` as the agent writes it, by the kind of what is launched. */
export const TOLD: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(ORDERS).map(([kind, order]) => [
    kind,
    {
      ...musterJson(specOf(order)),
      port: PORT,
      network_ports: portsOf('203.0.113.7', PORT, ['udp']),
    },
  ]),
);
