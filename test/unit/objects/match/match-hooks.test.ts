// What a match tells the project's backend: in order, again until it is acknowledged, and never in the way of the rest.

import { describe, expect, it, vi } from 'vitest';
import type { InstanceId, LobbyId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Hook } from '../../../../src/fleet/hook';
import { ok } from '../../../../src/common/result';
import { refusal, type Reply } from '../../../../src/lobby/refusals';
import type { ServerReport } from '../../../../src/objects/contracts/server';
import { MatchActor } from '../../../../src/objects/match/actor';
import { migrate, MIGRATIONS } from '../../../../src/objects/placement/migrations';
import type { Roster } from '../../../../src/objects/contracts/match';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';
import { defaultBuild } from '../../../../src/fleet/build';
import { block } from '../../../support/lobbies';
import { backfill, party } from '../../../support/running-match';

const HOOK: Hook = { url: 'https://studio.test/muster', secret: 's'.repeat(32) };
const INSTANCE = 'i' as InstanceId;
const DAY_MS = 24 * 60 * 60_000;
const RESULT = { teams: [{ team: 0, rank: 1 }] };

function rosterOf(name: string): Roster {
  const ids = { lobbyId: name as LobbyId, ticketId: `ticket of ${name}` as TicketId };
  const players = [{ id: name as PlayerId, state: { secretive: true } }];
  const party = { ...ids, name, host: name as PlayerId, startedAt: 0, settings: {}, players };
  return {
    matchId: 'm' as MatchId,
    project: 'p',
    config: 'arena',
    mode: 'solo',
    rules: mode({ teams: 1, minTeams: 1 }),
    region: 'us-east',
    version: null,
    anchor: ticket('a'),
    parties: [{ ...party, hooks: true }],
    teams: [{ name: null, tickets: [party.ticketId], roles: null }],
  };
}

interface Heard {
  readonly id: string;
  readonly type: string;
  readonly [fact: string]: unknown;
}

class Backend {
  readonly heard: Heard[] = [];
  hook: Hook | null = HOOK;
  /** What it does with an event. */
  answer = async (): Promise<void> => {};
  launched: Reply<ServerReport> = ok({
    instanceId: INSTANCE,
    seq: 1,
    block: block('running', INSTANCE),
  });
  readonly toldLobbies: string[] = [];
  readonly log = vi.fn();
  fake: FakePorts;
  match: MatchActor;

  readonly #random: number;

  constructor(random = 0.5) {
    this.#random = random;
    [this.fake, this.match] = this.#wake();
  }

  #wake(saved?: Map<string, unknown>): [FakePorts, MatchActor] {
    const fake = fakePorts({
      name: 'm',
      document: { revision: 0, configs: {}, builds: { default: defaultBuild() } },
      ...(saved === undefined ? {} : { saved }),
      peers: {
        lobby: (id) =>
          ({ matchUpdate: async () => this.toldLobbies.push(id), result: async () => {} }) as never,
        project: () => ({ hook: async () => this.hook }) as never,
        queue: () => ({ matchFailed: async () => {} }) as never,
        server: () => ({ stop: async () => {}, launch: async () => this.launched }) as never,
      },
    });
    const { log } = this;
    const ports = { ...fake.ports, instanceId: () => INSTANCE, random: () => this.#random, log };
    const tell = async (hook: Hook, body: string): Promise<void> => {
      expect(hook).toEqual(HOOK);
      this.heard.push(JSON.parse(body) as Heard);
      await this.answer();
    };
    // As placement makes it.
    migrate(ports, MIGRATIONS.match);
    return [fake, new MatchActor(ports, tell)];
  }

  /** The match dies, and wakes with its rows alone. */
  crash(): void {
    const before = this.fake.now();
    [this.fake, this.match] = this.#wake(this.fake.saved);
    this.fake.stall(before - this.fake.now());
  }

  /** Lets time pass, and rings the alarm whenever it is due. */
  async pass(ms: number): Promise<void> {
    const end = this.fake.now() + ms;
    for (;;) {
      await this.fake.pass(0);
      const at = this.fake.alarmAt() ?? Infinity;
      if (at > end) {
        await this.fake.pass(end - this.fake.now());
        return;
      }
      await this.fake.pass(Math.max(0, at - this.fake.now()));
      await this.ring();
    }
  }

  ring(): Promise<void> {
    // The platform takes an alarm away before it rings.
    this.fake.ports.store.setAlarm(null);
    return this.match.alarm();
  }

  types(): readonly string[] {
    return this.heard.map(({ type }) => type.replace('match.', ''));
  }

  async play(): Promise<void> {
    await this.match.open(rosterOf('ann'));
    await this.pass(200);
  }

  async end(): Promise<void> {
    await this.match.end('ann' as LobbyId, 'ticket of ann' as TicketId);
  }
}

/** Two players in a match of a mode that compares their numbers. */
function duelOf(...ratings: readonly number[]): Roster {
  const solo = rosterOf('ann');
  const parties = ratings.flatMap((mmr, at) =>
    solo.parties.map((party) => ({
      ...party,
      ticketId: `t${at}` as TicketId,
      lobbyId: `l${at}` as LobbyId,
      players: [{ id: `p${at}` as PlayerId, state: { mmr } }],
    })),
  );
  const rules = mode({ rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] });
  const teams = parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null }));
  return { ...solo, rules, parties, teams };
}

const refuse = async (): Promise<void> => {
  throw new Error('status 503');
};

describe('a match of a project with hooks', () => {
  it('tells how good it was as it formed', async () => {
    const at = new Backend();
    await at.match.open(duelOf(1500, 1440));
    await at.pass(200);
    const waits = { p50: expect.any(Number), max: expect.any(Number) };
    expect(at.heard[0]).toMatchObject({ type: 'match.formed', quality: { gap: 60, waits } });
  });

  it('tells that it formed and ended, with its result, and nothing of what players carry', async () => {
    const at = new Backend();
    await at.play();
    expect(await at.match.result('p', RESULT)).toMatchObject({ ok: true });
    await at.end();
    await at.pass(1_000);
    expect(at.heard).toMatchObject([
      {
        id: 'm.match.formed',
        type: 'match.formed',
        matchId: 'm',
        config: 'arena',
        mode: 'solo',
        teams: [{ lobbies: [{ lobbyId: 'ann', players: [{ id: 'ann' }] }] }],
      },
      { id: 'm.match.ended', outcome: 'ended', result: RESULT },
    ]);
    expect(JSON.stringify(at.heard)).not.toContain('secretive');
    expect(at.fake.saved.has('hooks')).toBe(false);
  });

  it('tells a result that comes after the end', async () => {
    const at = new Backend();
    await at.play();
    await at.end();
    await at.pass(1_000);
    await at.match.result('p', RESULT);
    await at.match.result('p', RESULT);
    await at.pass(1_000);
    expect(at.types()).toEqual(['formed', 'ended', 'result']);
    expect(at.heard[2]).toMatchObject({ result: RESULT });
  });

  it('tells of a match that came to nothing as failed', async () => {
    const at = new Backend();
    at.launched = refusal('LAUNCH_FAILED', 'no room');
    await at.play();
    expect(at.heard[1]).toMatchObject({ type: 'match.failed', reason: 'launch_failed' });
  });

  it('waits with the next event until the one before is acknowledged', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.end();
    await at.pass(60_000);
    expect(new Set(at.types())).toEqual(new Set(['formed']));
    at.answer = async () => {};
    await at.pass(60 * 60_000);
    expect(at.types().slice(-2)).toEqual(['formed', 'ended']);
    expect(new Set(at.heard.map(({ id }) => id)).size).toBe(2);
  });

  it('tells its lobbies although the backend hangs', async () => {
    const at = new Backend();
    at.answer = () => new Promise(() => {});
    await at.play();
    await at.match.endByOperator('p', 'operator:ann');
    await at.pass(5_000);
    expect(at.toldLobbies).toEqual(['ann', 'ann']);
    expect(at.types()).toEqual(['formed']);
  });

  it('asks less and less often, at most once an hour, and gives up after a day', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.pass(60 * 60_000);
    expect(at.heard.length).toBeGreaterThan(8);
    expect(at.heard.length).toBeLessThan(15);
    await at.pass(DAY_MS);
    expect(at.heard.length).toBeGreaterThan(30);
    expect(at.heard.length).toBeLessThan(40);
    const before = at.heard.length;
    at.answer = async () => {};
    await at.end();
    await at.pass(1_000);
    expect(at.types().slice(before)).toEqual(['ended']);
  });

  it('says of each event that it gives up that it does, also of one that waited behind another', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.end();
    await at.pass(DAY_MS + 2 * 60 * 60_000);
    const given = at.log.mock.calls.filter(([event]) => event === 'hook_given_up');
    expect(given).toMatchObject([
      ['hook_given_up', { id: 'm.match.formed' }],
      [
        'hook_given_up',
        { id: 'm.match.ended', attempts: 0, error: expect.stringContaining('503') },
      ],
    ]);
  });

  it('tells that it formed once a lobby comes in that knows of the hooks, before all else', async () => {
    const at = new Backend();
    const [first, second] = ['ann', 'ben'].map((name) => party(name, name));
    const rules = mode({
      matchConfirmation: { enabled: true, timeoutSeconds: 30 },
      onDecline: 'refill',
      refillSeconds: 20,
    });
    const teams = [first, second].map((each) => ({
      name: null,
      tickets: each ? [each.ticketId] : [],
      roles: null,
    }));
    const parties = [first, second].flatMap((each) => each ?? []);
    await at.match.open({ ...rosterOf('ann'), rules, parties, teams });
    await at.match.decline('ben' as LobbyId, 'declined');
    await at.pass(100);
    expect(at.heard).toEqual([]);
    await at.match.admit(backfill({ ...party('cat', 'cat'), hooks: true }, 1));
    await at.match.confirm('ann' as LobbyId);
    await at.pass(60_000);
    expect(at.types()).toEqual(['formed', 'failed']);
    expect(JSON.stringify(at.heard[0]?.['teams'])).toMatch(/"ann".*"cat"/);
  });

  it('tells that it failed also where nobody is left of those who knew of the hooks', async () => {
    const at = new Backend();
    const rules = mode({
      matchConfirmation: { enabled: true, timeoutSeconds: 30 },
      onDecline: 'refill',
      steps: [{ afterSeconds: 1, bots: true }],
    });
    await at.match.open({ ...rosterOf('ann'), rules, bots: true });
    await at.match.decline('ann' as LobbyId, 'declined');
    await at.pass(1_000);
    expect(at.types()).toEqual(['formed', 'failed']);
  });

  it('comes back at another time than matches that failed together with it', async () => {
    const matches = [new Backend(0), new Backend(0.9)];
    for (const at of matches) {
      at.answer = refuse;
      await at.play();
      await at.pass(60_000);
    }
    expect(matches.map(({ heard }) => heard.length)).toEqual([7, 6]);
  });

  it('tells after a crash what it had not told, and goes on waiting as long', async () => {
    const at = new Backend();
    at.answer = () => new Promise(() => {});
    await at.play();
    await at.pass(100);
    at.crash();
    at.answer = refuse;
    await at.ring();
    await at.pass(130_000);
    const tries = at.heard.length;
    at.crash();
    await at.match.record('p');
    await at.pass(100);
    expect(at.heard.length).toBe(tries);
    at.answer = async () => {};
    await at.ring();
    await at.pass(60 * 60_000);
    expect(at.types().at(-1)).toBe('formed');
  });

  it('is remembered until its backend has heard all', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.end();
    await at.pass(DAY_MS - 60_000);
    at.answer = async () => {};
    await at.pass(2 * 60 * 60_000);
    expect(at.types().slice(-2)).toEqual(['formed', 'ended']);
    await at.pass(DAY_MS);
    expect(at.fake.saved.size).toBe(0);
  });

  it('tells an event that comes while the one before is acknowledged', async () => {
    const at = new Backend();
    const formed = Promise.withResolvers<void>();
    at.answer = () => formed.promise;
    await at.play();
    formed.resolve();
    await at.end();
    await at.pass(1_000);
    expect(at.types()).toEqual(['formed', 'ended']);
    expect(at.fake.saved.has('hooks')).toBe(false);
  });

  it('keeps its record alone while its backend is away, and is woken for that alone', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.end();
    await at.pass(200_000);
    expect([...at.fake.saved.keys()].sort()).toEqual(['debts:0', 'hooks', 'past']);
    const [toldLobbies, tries] = [at.toldLobbies.length, at.heard.length];
    at.crash();
    await at.pass(60 * 60_000);
    expect(at.toldLobbies.length).toBe(toldLobbies);
    expect(at.heard.length - tries).toBeLessThan(7);
  });

  it('tells what a release without this debt has saved', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    await at.end();
    await at.pass(10_000);
    at.fake.saved.delete('debts:0');
    at.fake.saved.set('hooks', { ...(at.fake.saved.get('hooks') as object), failures: 3, at: 0 });
    at.crash();
    at.answer = async () => {};
    const before = at.heard.length;
    await at.ring();
    await at.pass(1_000);
    expect(at.types().slice(before)).toEqual(['formed', 'ended']);
  });

  it('tells a chat nothing', async () => {
    const at = new Backend();
    at.hook = { ...HOOK, format: 'discord' };
    await at.play();
    await at.end();
    await at.pass(1_000);
    expect([at.heard, at.fake.saved.has('hooks')]).toEqual([[], false]);
  });

  it('tells of a roster only the newest that its backend has not heard, after all that came before', async () => {
    const at = new Backend();
    at.answer = refuse;
    await at.play();
    for (const player of ['zoe', 'zed', 'zac']) {
      await at.match.steer('p', { kick: player });
    }
    await at.match.steer('p', { kick: 'ann' });
    await at.match.steer('p', { release: 'ann' });
    await at.end();
    at.answer = async () => {};
    await at.pass(60 * 60_000);
    expect([...new Set(at.types())]).toEqual(['formed', 'roster', 'ended']);
    const rosters = at.heard.filter(({ type }) => type === 'match.roster');
    expect(rosters).toMatchObject([{ players: [{ id: 'ann', status: 'kicked' }] }]);
    expect(JSON.stringify(rosters)).not.toContain('secretive');
  });

  it('tells nobody once the hooks are gone', async () => {
    const at = new Backend();
    at.hook = null;
    await at.play();
    await at.end();
    await at.pass(1_000);
    expect([at.heard, at.fake.saved.has('hooks')]).toEqual([[], false]);
  });
});

it('a match of a project without hooks owes nothing', async () => {
  const at = new Backend();
  const { parties, ...roster } = rosterOf('ann');
  const [{ hooks: _, ...party }] = parties as [Roster['parties'][number]];
  await at.match.open({ ...roster, parties: [party] });
  expect(at.fake.saved.has('hooks')).toBe(false);
  await at.pass(1_000);
  expect(at.heard).toEqual([]);
});
