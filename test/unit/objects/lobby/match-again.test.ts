// A lobby that leaves a running match, searches on and is brought into that same match again: what
// comes late and speaks of its first stay changes nothing of the second.

import { describe, expect, it } from 'vitest';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { MatchUpdate } from '../../../../src/lobby/command';
import type { LobbyRpc } from '../../../../src/objects/contracts/lobby';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import type { MatchRpc, Offer } from '../../../../src/objects/contracts/match';
import { MatchActor } from '../../../../src/objects/match/actor';
import type { Match } from '../../../../src/objects/match/state';
import { fakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';
import { block } from '../../../support/lobbies';

const A = 'a' as LobbyId;
const B = 'b' as LobbyId;
const [FIRST, SECOND] = ['first' as TicketId, 'second' as TicketId];
const BEN = { id: 'ben' as PlayerId, state: {} };
const BOB = { id: 'bob' as PlayerId, state: {} };

function party(lobbyId: LobbyId, ticketId: TicketId, ...players: PartySnapshot['players']) {
  const host = players[0]?.id ?? BEN.id;
  return { lobbyId, ticketId, name: lobbyId, host, startedAt: 0, settings: {}, players };
}

/** B has left a game that it was told of, which has no answer to that yet, and has come in again. */
async function playing() {
  const told: MatchUpdate[] = [];
  const offered: Offer[] = [];
  const answers: ((isPart: boolean) => void)[] = [];
  const server = { instanceId: 'i' as InstanceId, seq: 1, block: block('running', 'i') };
  const matchUpdate = (update: MatchUpdate): Promise<boolean> =>
    new Promise((resolve) => {
      told.push(update);
      answers.push(resolve);
    });
  const fake = fakePorts({
    name: 'm',
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      lobby: (id) => ({ matchUpdate: id === B ? matchUpdate : async () => true }) as LobbyRpc,
      queue: () => ({ offer: async (_: MatchId, offer: Offer) => offered.push(offer) }) as never,
      server: () => ({ stop: async () => {} }) as never,
    },
  });
  const parties = [
    party(A, 'ticket of a' as TicketId, { id: 'ann' as PlayerId, state: {} }),
    party(B, FIRST, BEN),
  ];
  const ports = {
    ...fake.ports,
    instanceId: () => server.instanceId,
    document: () => new Promise<never>(() => {}),
  };
  const match: MatchRpc = new MatchActor(ports, async () => {});
  const rules = mode({ teams: 3, minTeams: 2, playersPerTeam: 2, allowBackfill: true });
  await match.open({
    matchId: 'm' as MatchId,
    project: 'p',
    config: 'arena',
    mode: 'open',
    rules,
    region: 'us-east',
    version: null,
    anchor: ticket('a'),
    parties,
    teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
  });
  await match.serverReport(server);
  await fake.pass(10);
  expect(told).toMatchObject([{ ticketId: FIRST, phase: 'in_game' }]);
  const members = [BEN.id, BOB.id];
  const again = { seq: 9, team: 2, members, roles: null };
  expect(await match.admit({ party: party(B, SECOND, BEN, BOB), ...again })).toBeNull();
  const answered = async (isPart: boolean): Promise<void> => {
    answers.shift()?.(isPart);
    await fake.pass(10);
  };
  const itself = () => (fake.saved.get('match') as Match).participants.find(isB);
  return { match, told, answered, itself };
}

const isB = ({ lobbyId }: { lobbyId: LobbyId }): boolean => lobbyId === B;

describe('a lobby that comes into the same match again', () => {
  it('stays in it though it answers late that it has left its first stay', async () => {
    const { match, told, answered, itself } = await playing();
    await answered(false);
    expect(itself()).toMatchObject({ ticketId: SECOND, left: false });
    await answered(true);
    await match.end(A, 'ticket of a' as TicketId);
    await answered(true);
    expect(told.map(({ ticketId, phase }) => `${ticketId} ${phase}`)).toEqual([
      'first in_game',
      'second in_game',
      'second returned',
    ]);
  });

  it('stays in it though word that it has left its first stay comes late', async () => {
    const { match, itself } = await playing();
    const saved = itself();
    await match.left(B, FIRST);
    expect(itself(), 'nothing was saved for it').toBe(saved);
    expect(saved).toMatchObject({ ticketId: SECOND, left: false });
    await match.left(B, SECOND);
    expect(itself()).toMatchObject({ left: true });
  });

  it('has the players it came with though a roster of its first stay comes late', async () => {
    const { match, itself } = await playing();
    await match.roster(B, 5, [BEN], FIRST);
    expect(itself()?.members).toEqual([BEN.id, BOB.id]);
    await match.roster(B, 6, [BOB], SECOND);
    expect(itself()?.members).toEqual([BOB.id]);
  });
});
