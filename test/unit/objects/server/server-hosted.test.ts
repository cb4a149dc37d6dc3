// A game that a player hosts (record 0069): how its host is elected, loses the game and is replaced. The Server object is real;
// those around it are the test's.

import { describe, expect, it } from 'vitest';

import type { PlayerId } from '../../../../src/common/ids';
import type { BuildLaunch } from '../../../../src/fleet/port';
import type { Candidate } from '../../../../src/lobby/hosting';
import { codeOf, linesOf, runningServer, serverRig } from '../../../support/server-rig.ts';

describe('a game that a player hosts', () => {
  const candidate = (id: string, patch: Partial<Candidate> = {}): Candidate => ({
    id: id as PlayerId,
    may: true,
    connected: true,
    since: 1,
    ping: null,
    ...patch,
  });
  const ALL = ['ann', 'ben', 'cid', 'dan'].map((id, since) => candidate(id, { since }));

  async function hosted(members: readonly Candidate[] = ALL) {
    const is = { members, launch: { host: 'players' } as BuildLaunch };
    const rig = serverRig({
      build: { launch: is.launch },
      hosts: async () => is.members,
    });
    await rig.launch();
    const host = (): unknown => [rig.saw().hosting?.id, rig.saw().run];
    const says = (what: 'unreachable' | 'resigned' | 'lost', player?: string, term = 1) =>
      rig.actor.hosting({ term, says: what, ...(player && { player: player as PlayerId }) });
    return { ...rig, is, host, says };
  }

  it('has one, and no fleet; it runs once the host says so', async () => {
    const rig = await hosted();
    expect(rig.specs).toEqual([]);
    expect(rig.saw()).toMatchObject({
      accepted: true,
      version: 7,
      hosting: { id: 'ann', barred: [], votes: [], ran: false },
    });
    const ports = [
      {
        name: 'mine',
        host: 'h',
        external_port: 1,
        internal_port: 1,
        protocol: 'udp',
        tls_enabled: false,
      },
    ] as const;
    await rig.actor.report(rig.saw().token, { status: 'running', network_ports: ports });
    await rig.pass(10);
    expect(rig.told.at(-1)?.block).toMatchObject({
      status: 'running',
      host_player: 'ann',
      term: 1,
      network_ports: ports,
    });
    // No fleet is asked about it, and no lease ends it.
    await rig.live(600_000);
    expect(rig.saw().status).toBe('running');
  });

  it('changes hosts by a vote of more than half of the others who are there', async () => {
    const rig = await hosted();
    expect(codeOf(await rig.says('unreachable', 'ann'))).toBe('INVALID_ACTION');
    expect(codeOf(await rig.says('unreachable', 'zoe'))).toBe('INVALID_ACTION');
    expect(codeOf(await rig.says('unreachable'))).toBe('INVALID_ACTION');
    expect(codeOf(await rig.says('unreachable', 'ben'))).toBe('ok');
    const { seq } = rig.saw();
    await rig.says('unreachable', 'ben');
    expect([rig.host(), rig.saw().seq, rig.saw().hosting?.votes]).toEqual([
      ['ann', 0],
      seq,
      ['ben'],
    ]);
    await rig.says('unreachable', 'cid');
    await rig.pass(100);
    expect(rig.host()).toEqual(['ben', 1]);
    expect(rig.saw().hosting).toMatchObject({ barred: ['ann'], votes: [] });
    expect(linesOf(rig, 'term', 'reason')).toEqual([
      ['host_changed', 1, 'was unreachable for 2 of 3'],
    ]);
    await rig.pass(2_000);
    expect(rig.told.at(-1)?.block).toMatchObject({ host_player: 'ben', term: 2 });
  });

  it('counts no vote of half, and not those who are away and do not vote', async () => {
    const rig = await hosted(ALL.map((each) => ({ ...each, connected: each.id !== 'dan' })));
    await rig.says('unreachable', 'ben');
    expect(rig.host()).toEqual(['ann', 0]);
    await rig.says('unreachable', 'dan');
    await rig.pass(100);
    expect(rig.host()).toEqual(['ben', 1]);
  });

  it('lets the host resign, and nobody else for the host', async () => {
    const rig = await hosted();
    expect(codeOf(await rig.says('resigned', 'ben'))).toBe('NOT_HOST');
    expect(codeOf(await rig.says('resigned', 'ann', 2))).toBe('NOT_HOST_ANY_MORE');
    expect(codeOf(await rig.says('resigned', 'ann'))).toBe('ok');
    await rig.pass(100);
    expect(rig.host()).toEqual(['ben', 1]);
    expect(codeOf(await rig.says('resigned', 'ann'))).toBe('NOT_HOST_ANY_MORE');
    const plain = await runningServer();
    expect(codeOf(await plain.actor.hosting({ term: 1, says: 'lost' }))).toBe('INVALID_STATE');
    await rig.actor.stop();
    expect(codeOf(await rig.says('lost', undefined, 2))).toBe('INVALID_STATE');
  });

  it('refuses what an earlier host says, and who never was one', async () => {
    const rig = await hosted();
    const { token } = rig.saw();
    await rig.says('resigned', 'ann');
    await rig.pass(100);
    for (const each of [token, 'x']) {
      expect(codeOf(await rig.actor.report(each, { status: 'running' }))).toBe('NOT_HOST_ANY_MORE');
      expect(codeOf(await rig.actor.matchOf(each))).toBe('NOT_HOST_ANY_MORE');
    }
    expect(codeOf(await rig.actor.matchOf(rig.saw().token))).toBe('ok');
  });

  it('has another host if one is not ready in time, who never hosts it again', async () => {
    const rig = await hosted();
    const woken = serverRig({ saved: rig.saved, build: { launch: { host: 'players' } } });
    await woken.actor.alarm();
    expect(woken.saw().hosting?.id).toBe('ann');
    const left = rig.saw().launchedAt + 20_000 - rig.now();
    await rig.live(left + 500);
    expect(rig.host()).toEqual(['ben', 1]);
    expect(rig.saw().hosting?.barred).toEqual(['ann']);
    expect(linesOf(rig, 'reason')).toEqual([['host_changed', 'was not ready in time']]);
  });

  it('gives its host the whole time again where the service was away', async () => {
    const rig = await hosted();
    const upSince = rig.saw().launchedAt + 25_000;
    const launch: BuildLaunch = { host: 'players' };
    const back = serverRig({
      saved: rig.saved,
      build: { launch },
      hosts: async () => ALL,
      upSince,
    });
    back.stall(upSince - back.now());
    await back.actor.alarm();
    await back.live(19_000);
    expect(back.saw().hosting).toMatchObject({ id: 'ann', barred: [] });
    await back.live(1_500);
    expect(back.saw().hosting).toMatchObject({ id: 'ben', barred: ['ann'] });
  });

  it('is over if nobody may host, or nobody is there for long; meanwhile the players see that there is none', async () => {
    const never = await hosted(ALL.map((each) => ({ ...each, may: false })));
    expect(never.saw()).toMatchObject({ status: 'stopped', blamesBuild: false });
    const rig = await hosted();
    await rig.actor.report(rig.saw().token, { status: 'running' });
    rig.is.members = ALL.map((each) => ({ ...each, connected: false }));
    await rig.pass(2_000);
    await rig.says('lost');
    await rig.pass(1_500);
    expect(rig.told.at(-1)?.block).toMatchObject({
      status: 'launching',
      host_player: null,
      term: 2,
    });
    expect(rig.saw().hosting).toMatchObject({ ran: true, barred: [] });
    await rig.pass(22_000);
    expect(rig.saw().status).toBe('stopped');
    // It was played: that is no failed launch.
    expect(rig.told.at(-1)).toMatchObject({ failed: false, block: { status: 'stopped' } });
  });

  it('has nobody of whom anything can be said while it has no host', async () => {
    const rig = await hosted();
    rig.is.members = ALL.map((each) => ({ ...each, connected: false }));
    await rig.pass(2_000);
    await rig.says('lost');
    const before = rig.saw();
    for (const what of ['lost', 'resigned', 'unreachable'] as const) {
      expect(codeOf(await rig.says(what, 'ben', 2))).toBe('NOT_HOST_ANY_MORE');
    }
    expect(rig.saw().hosting).toEqual(before.hosting);
  });

  it('stays one although its build says otherwise by now', async () => {
    const rig = await hosted();
    Object.assign(rig.is.launch, { host: undefined });
    await rig.says('resigned', 'ann');
    await rig.pass(100);
    expect([rig.host(), rig.specs]).toEqual([['ben', 1], []]);
  });

  it('is told to its owner from the second host on: the first is the answer to the launch', async () => {
    const rig = await hosted();
    expect(rig.told).toEqual([]);
    expect(rig.rows.at(-1)?.block.host_player).toBe('ann');
    await rig.says('resigned', 'ann');
    await rig.pass(100);
    expect(rig.told.at(-1)?.block).toMatchObject({ host_player: 'ben', term: 2 });
  });

  it.each([
    [30_000, 'elects of those whom it learns of late', 'launching', 'ann'],
    [0, 'elects nobody once it was stopped', 'stopped', undefined],
  ])('whose owner takes its time (%i ms) %s', async (ms, _, status, id) => {
    const answer = Promise.withResolvers<readonly Candidate[]>();
    const rig = serverRig({ build: { launch: { host: 'players' } }, hosts: () => answer.promise });
    const launching = rig.launch();
    await rig.pass(ms);
    if (ms === 0) {
      await rig.actor.stop();
    }
    answer.resolve(ALL);
    await rig.pass(100);
    await launching;
    expect([rig.saw().status, rig.saw().hosting?.id]).toEqual([status, id]);
  });

  it('waits for an owner that does not answer', async () => {
    let asks = 0;
    const rig = serverRig({
      build: { launch: { host: 'players' } },
      hosts: async () => {
        asks += 1;
        return asks < 3 ? Promise.reject(new Error('away')) : ALL;
      },
    });
    await rig.launch();
    expect(rig.saw().hosting?.id).toBe('ann');
  });
});
