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
import type { Host } from '../contracts/host';
import type { Roster } from '../contracts/match';

/** What a start makes by that config. The Match chooses the server. */
export function madeByStart(host: Host, { serverSettings }: LobbyConfig): Made {
  return startsMatch(serverSettings)
    ? { matchId: host.uuid() as MatchId, ticketId: host.uuid() as TicketId }
    : { instanceId: host.instanceId() };
}

/** The match of this lobby alone. */
export function rosterAlone(lobby: Lobby, part: Part, party: PartySnapshot): Roster {
  const { matchId, ticketId, startedAt } = part;
  const { project, config, mode, region } = { ...lobby, mode: part.mode };
  const named = teamsNamed(lobby);
  const whole = { name: null, roles: null, tickets: [ticketId] };
  const teams = named.length > 0 ? named.map((team) => ({ ...whole, ...team })) : [whole];
  const sizes = named.map(({ players }) => players.length);
  const usual = parseMode({});
  const size = Math.max(1, ...(named.length > 0 ? sizes : [party.players.length]));
  return {
    ...{ matchId, project, config, mode, region, version: null, madeBy: 'host' },
    rules: {
      ...must(usual.ok ? usual.value : null, 'a mode of defaults'),
      ...{ teams: teams.length, minTeams: 1, playersPerTeam: size, minPlayersPerTeam: 1 },
    },
    anchor: {
      ...{ id: ticketId, lobbyId: lobby.id, startedAt, members: [], region },
      ...{ players: party.players.map(({ id }) => id), acceptableRegions: [] },
      ...{ state: {}, metadata: {} },
    },
    parties: [party],
    teams,
  };
}
