// A game that a host starts where it has a match (decision 81): a match of this lobby alone, which no queue makes. The Match
// is told of it once, launches, and tells the lobby as it does any other. crash-table.md says what a crash leaves.

import type { MatchId, TicketId } from '../../common/ids';
import { must } from '../../common/result';
import { startsMatch, type LobbyConfig } from '../../lobby/config';
import type { Made } from '../../lobby/game';
import type { Lobby, Part } from '../../lobby/lobby';
import { teamsNamed } from '../../lobby/teams';
import { parseMode } from '../../match/rules/schema';
import type { PartySnapshot } from '../contracts/party';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Roster } from '../contracts/match';

/** What a start makes by that config. The Match chooses the server. */
export function madeByStart(ports: ActorPorts, { serverSettings }: LobbyConfig): Made {
  return startsMatch(serverSettings)
    ? { matchId: ports.uuid() as MatchId, ticketId: ports.uuid() as TicketId }
    : { instanceId: ports.instanceId() };
}

/** The match of this lobby alone. Its anchor is for a pool, which it has none of. */
export function rosterAlone(lobby: Lobby, part: Part, party: PartySnapshot): Roster {
  const { matchId, ticketId, startedAt, mode } = part;
  const { project, config, region, id: lobbyId } = lobby;
  const players = party.players.map(({ id }) => id);
  const whole = { name: null, roles: null, tickets: [ticketId] };
  const named = teamsNamed(lobby).map((team) => ({ ...whole, ...team }));
  const teams = named.length > 0 ? named : [whole];
  const sizes = named.map((team) => team.players.length);
  const playersPerTeam = Math.max(...(named.length > 0 ? sizes : [players.length]));
  const usual = parseMode({});
  const rules = {
    ...must(usual.ok ? usual.value : null, 'a mode of defaults'),
    teams: teams.length,
    minTeams: 1,
    playersPerTeam,
    minPlayersPerTeam: 1,
  };
  const free = { members: [], acceptableRegions: [], state: {}, metadata: {} };
  const anchor = { id: ticketId, lobbyId, startedAt, players, region, ...free };
  const made = { matchId, project, config, mode, region, version: null } as const;
  return { ...made, madeBy: 'host', rules, anchor, parties: [party], teams };
}
