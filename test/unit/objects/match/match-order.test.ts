// The order that a match gives for its server: which build, what the game is told (decision 36), and what becomes of a launch
// that cannot be.

import { describe, expect, it } from 'vitest';

import type { PlayerId } from '../../../../src/common/ids';
import { refusal } from '../../../../src/lobby/refusals';
import {
  awaitsAnswer,
  hostsOf,
  launchAny,
  launchMatch,
  launchOrder,
  tellBots,
} from '../../../../src/objects/match/launch';
import type { Match } from '../../../../src/objects/match/state';
import { fakePorts } from '../../../fleet/ports.ts';
import { roleMode } from '../../../match/support/make';
import { duel, serverReport } from '../../../support/duel-match.ts';
import { block } from '../../../support/lobbies';
import { READY } from '../../../support/match-rig.ts';
import { formedOf, MATCH, party } from '../../../support/running-match';

const CHOICE = { build: 'game', computeSize: 'small' };

function hunt(): Match {
  const rules = roleMode({ hunters: { tank: 1 }, prey: { runner: 2 } });
  const parties = [
    { ...party('a', 'ann'), settings: { map: 'x', only: 1 }, requestId: 'r1' },
    { ...party('b', 'ben', 'bob'), settings: { map: 'y', more: 2 } },
  ];
  const nobody = parties.map((each) => ({
    ...each,
    players: each.players.map((who) => ({ ...who, state: who.id === 'ann' ? null : { mmr: 1 } })),
  }));
  const teams = [
    { name: 'hunters', tickets: ['ticket of a'], roles: { ann: 'tank' } },
    {
      name: 'prey',
      tickets: ['ticket of b', 'of nobody'],
      roles: { ben: 'runner', bob: 'runner' },
    },
  ];
  return formedOf({ mode: 'hunt', rules, parties: nobody, teams });
}

describe('the order', () => {
  it('names the match, and tells the game all of it', () => {
    const match = hunt();
    expect(launchOrder(match, MATCH, CHOICE)).toEqual({
      instanceId: 'i',
      project: 'p',
      owner: { kind: 'match', id: 'm' },
      config: 'arena',
      name: 'arena hunt',
      region: 'us-east',
      ...CHOICE,
      ttlSeconds: null,
      matchId: 'm',
      requestId: 'r1',
      customData: {
        match_id: 'm',
        matchmaking_mode: 'hunt',
        all_players: ['ann', 'ben', 'bob'],
        teams: [
          {
            team_id: 0,
            team_name: 'hunters',
            lobbies: [{ lobby_id: 'a', lobby_name: 'a', host: 'ann', player_states: { ann: {} } }],
            roles: { ann: 'tank' },
          },
          {
            team_id: 1,
            team_name: 'prey',
            lobbies: [
              {
                lobby_id: 'b',
                lobby_name: 'b',
                host: 'ben',
                player_states: { ben: { mmr: 1 }, bob: { mmr: 1 } },
              },
            ],
            roles: { ben: 'runner', bob: 'runner' },
          },
        ],
        match_configuration: {
          ...JSON.parse(JSON.stringify(match.roster.rules)),
          players_per_team: 2,
          min_players_per_team: 2,
        },
        lobby_settings: {
          map: 'x',
          more: 2,
          only: 1,
          a: { map: 'x', only: 1 },
          b: { map: 'y', more: 2 },
        },
      },
    });
  });

  it('of nameless teams names none, and bots only where there are some', () => {
    const { customData } = launchOrder(duel(), MATCH, CHOICE);
    expect(customData['teams']).toMatchObject([{ team_id: 0 }, { team_id: 1 }]);
    expect(JSON.stringify(customData['teams'])).not.toMatch(/team_name|roles/);
    expect(customData).not.toHaveProperty('bots');
    const bots = { ...duel(), roster: { ...duel().roster, bots: true as const } };
    expect(launchOrder(bots, MATCH, CHOICE).customData['bots']).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 2 },
    ]);
  });
});

describe('the launch', () => {
  async function launched(document: object, answer: object) {
    const asked: unknown[] = [];
    const logged: unknown[] = [];
    const launch = async (order: unknown) => (asked.push(order), answer);
    const server = (...of: unknown[]) => (asked.push(of), { launch }) as never;
    const fake = fakePorts({
      name: 'm',
      document: { revision: 1, configs: {}, builds: {}, ...document },
      peers: { server },
    });
    const log = (...of: unknown[]): void => void logged.push(of);
    const result = await launchMatch({ ...fake.ports, log }, duel(), MATCH);
    return { asked, logged, result };
  }

  it('asks the server of the match, with the build of its mode', async () => {
    const answer = { ok: true, value: serverReport() };
    const { asked, result } = await launched({ builds: { default: READY } }, answer);
    expect(asked).toMatchObject([['i', 'us-east'], { build: 'default', matchId: 'm' }]);
    expect(result).toEqual(answer);
  });

  it('fails with what the server says, or without a ready build, which is logged', async () => {
    const no = { ok: false, refusal: { code: 'LAUNCH_FAILED', detail: 'full' } };
    const { result } = await launched({ builds: { default: READY } }, no);
    expect(result).toEqual(no);
    const none = await launched({}, no);
    expect([none.asked, none.result.ok]).toEqual([[], false]);
    expect(none.logged).toMatchObject([
      ['launch_failed', { project: 'p', config: 'arena', mode: 'duo' }],
    ]);
  });
});

it('those who may host are the players who have places, of the lobbies that answer', async () => {
  const who = (id: string) => ({ id: id as PlayerId });
  const answers: Record<string, () => Promise<readonly object[]>> = {
    a: async () => [who('ann'), who('stranger'), who('spectator-sue')],
    b: () => Promise.reject(new Error('away')),
  };
  const peers = { lobby: (id: string) => ({ hosts: () => answers[id]?.() }) } as never;
  expect(await hostsOf(peers, duel())).toEqual([who('ann')]);
  answers['b'] = async () => [who('ben')];
  expect(await hostsOf(peers, duel())).toEqual([who('ann'), who('ben')]);
  const {
    participants: [a, b],
  } = duel();
  const left = { ...duel(), participants: [{ ...a, left: true }, b] } as Match;
  expect(await hostsOf(peers, left)).toEqual([who('ben')]);
});

it('the server is told which places bots have, as a part of its data', async () => {
  const told: unknown[] = [];
  const server = (id: unknown) => ({
    update: async (...of: unknown[]) => void told.push([id, ...of]),
  });
  const bots = { ...duel(), roster: { ...duel().roster, bots: true as const } };
  await tellBots({ peers: { server } } as never, { ...bots, offerSeq: 7 });
  await tellBots({ peers: { server } } as never, duel());
  expect(told).toEqual([
    [
      'i',
      'p',
      {
        bots: [
          { team: 0, count: 1 },
          { team: 1, count: 2 },
        ],
      },
      7,
    ],
    ['i', 'p', { bots: [] }, 0],
  ]);
});

it.each([
  ['launches a new one', null],
  ['fails with one that it knows to have waited for room', 'launching'],
] as const)('a match whose warm server does not start %s', async (_, heard) => {
  const document = { revision: 1, configs: {}, builds: { default: READY } };
  const fake = fakePorts({ name: 'm', document });
  const server = heard && serverReport({ block: block(heard, 'i') });
  let match: Match = { ...duel(), phase: 'launching', warm: 'taken', server };
  const asked: string[] = [];
  const peers = {
    server: (instanceId: string) => ({
      launch: async () => {
        asked.push(instanceId);
        return refusal('LAUNCH_FAILED', `${instanceId} has no room`);
      },
    }),
  };
  const launched = await launchAny({
    ports: { ...fake.ports, peers } as never,
    id: MATCH,
    get launching() {
      return match;
    },
    goOn: (next) => (match = next ?? match),
  });
  expect(asked).toEqual(server === null ? ['i', match.instanceId] : ['i']);
  expect(match.instanceId === 'i').toBe(server !== null);
  expect(launched).toEqual(refusal('LAUNCH_FAILED', `${asked.at(-1)} has no room`));
});

it('a match that has begun, or is over, launches nothing when a warm server is told late', async () => {
  const launch = { ...READY.launch, warm: { 'us-east': 1 } };
  const document = { revision: 1, configs: {}, builds: { default: { ...READY, launch } } };
  const fake = fakePorts({ name: 'm', document });
  let match: Match | null = { ...duel(), phase: 'launching' };
  const asked: unknown[] = [];
  const takeWarm = async () => ((match = null), asked.push('warm'), null);
  const peers = { project: () => ({ takeWarm }), server: (id: unknown) => void asked.push(id) };
  const launched = await launchAny({
    ports: { ...fake.ports, peers } as never,
    id: MATCH,
    get launching() {
      return match;
    },
    goOn: () => asked.push('saved'),
  });
  expect(asked).toEqual(['warm']);
  expect(launched.ok).toBe(false);
});

it.each([
  [true, { phase: 'launching', warm: 'taken', server: null }, 'stopped'],
  [false, { phase: 'launching', warm: 'taken', server: serverReport() }, 'stopped'],
  [false, { phase: 'launching', warm: 'taken' }, 'running'],
  [false, { phase: 'launching', warm: 'none' }, 'stopped'],
  [false, { phase: 'launching' }, 'stopped'],
  [false, { phase: 'running', warm: 'taken' }, 'stopped'],
] as const)('waits for the answer of a server: %j, %o, %s', (waits, match, status) => {
  const report = serverReport({ block: block(status, 'i') });
  expect(awaitsAnswer({ ...duel(), ...match }, report)).toBe(waits);
});
