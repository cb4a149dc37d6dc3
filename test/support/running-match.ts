// A Match object that runs, with what it tells others in the test's hand.

import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { MatchUpdate } from '../../src/lobby/command';
import type { Mode } from '../../src/match/rules/mode';
import type { LobbyRpc } from '../../src/objects/contracts/lobby';
import type { Backfill, Offer, Roster } from '../../src/objects/contracts/match';
import type { PartySnapshot } from '../../src/objects/contracts/party';
import { MatchActor } from '../../src/objects/match/actor';
import { formed, type Match } from '../../src/objects/match/state';
import { fakePorts } from '../fleet/ports.ts';
import { mode, ticket } from '../match/support/make';
import { block } from './lobbies';

export const MATCH = 'm' as MatchId;
export const OPEN = { teams: 2, playersPerTeam: 3, minPlayersPerTeam: 1, allowBackfill: true };

/** A player named `spectator…` takes no place. */
export function party(lobby: string, ...players: readonly string[]): PartySnapshot {
  return {
    lobbyId: lobby as LobbyId,
    ticketId: `ticket of ${lobby}` as TicketId,
    name: lobby,
    host: players[0] as PlayerId,
    startedAt: 0,
    settings: {},
    players: players.map((id) => ({
      id: id as PlayerId,
      state: id.startsWith('spectator') ? { role: 'spectator' } : {},
    })),
  };
}

/** A match of these parties that has just formed. */
export function formedOf(
  roster: Pick<Roster, 'rules' | 'parties'> &
    Partial<Pick<Roster, 'mode' | 'seen' | 'bots'>> & { readonly teams: object },
): Match {
  const place = { matchId: MATCH, project: 'p', config: 'arena', mode: 'duo', region: 'us-east' };
  const whole = { ...place, version: null, anchor: ticket('ticket of a'), ...roster };
  return formed(whole as unknown as Roster, 'i' as InstanceId, 0);
}

export function backfill(came: PartySnapshot, team: number, seq = 9): Backfill {
  const members = came.players.flatMap(({ id, state }) => (state?.['role'] ? [] : [id]));
  return { party: came, seq, team, members, roles: null };
}

/** A match of one lobby a team, whose server runs. */
export async function running(rules: Partial<Mode>, ...parties: readonly PartySnapshot[]) {
  const told: MatchUpdate[] = [];
  const offers: Offer[] = [];
  const rated: unknown[] = [];
  const fake = fakePorts({
    name: MATCH,
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      lobby: () =>
        ({
          matchUpdate: async (update: MatchUpdate) => {
            told.push(update);
            return true;
          },
          result: async () => {},
        }) as unknown as LobbyRpc,
      queue: () =>
        ({
          offer: async (_: MatchId, offer: Offer) => void offers.push(offer),
          matchFailed: async () => {},
        }) as never,
      server: () => ({ stop: async () => {}, launch: () => new Promise(() => {}) }) as never,
      ratings: () => ({ rate: async (match: unknown) => void rated.push(match) }) as never,
    },
  });
  const ports = { ...fake.ports, instanceId: () => 'i' as InstanceId };
  const match = new MatchActor(ports, async () => {});
  await match.open({
    matchId: MATCH,
    project: 'p',
    config: 'arena',
    mode: 'open',
    rules: mode({ ...OPEN, excludedFromQueue: ['spectator'], ...rules }),
    modeRevision: 1,
    region: 'us-east',
    version: null,
    anchor: ticket('ticket of a'),
    parties,
    teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
  });
  let seq = 0;
  /** Its server reports. */
  const reports = async (patch: object = {}): Promise<void> => {
    seq += 1;
    const server = { ...block('running', 'i'), version_tag: 'v1', version: 1, ...patch };
    await match.serverReport({ instanceId: 'i' as InstanceId, seq, block: server });
    await fake.pass(10);
  };
  await reports();
  let revision = 0;
  /** Those are the players of the lobby now. */
  const stays = async (of: PartySnapshot, ...players: readonly string[]): Promise<void> => {
    revision += 1;
    const left = party(of.lobbyId, ...players).players;
    await match.roster(of.lobbyId, revision, left, of.ticketId);
  };
  const state = (): Match | undefined => fake.saved.get('match') as Match | undefined;
  return { match, told, offers, rated, reports, stays, state, fake };
}
