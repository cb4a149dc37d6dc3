// A Server object while it runs and to the day it is forgotten: who is asked about it, and what it answers. The object is
// real; those around it are the test's.

import { describe, expect, it } from 'vitest';

import type { MatchId } from '../../../../src/common/ids';
import { matchOrder } from '../../../support/match-order.ts';
import { codeOf, linesOf, runningServer, serverRig } from '../../../support/server-rig.ts';

const PLAIN = { owner: { kind: 'project' }, matchId: null } as const;

describe('a running server', () => {
  it('is looked after by its lease: seldom, and its owner more seldom', async () => {
    const looks: number[] = [];
    const rig = serverRig({
      fleet: {
        inspect: async () => {
          looks.push(rig.now());
          return { state: 'running', ports: [] };
        },
      },
    });
    await rig.launch();
    const begun = rig.saw().startedAt ?? 0;
    const before = looks.length;
    await rig.live(1_200_000 - (rig.now() - begun));
    const late = looks.slice(before).map((at) => Math.round((at - begun) / 30_000));
    const gaps = late.slice(1).map((each, at) => each - (late[at] ?? 0));
    expect(new Set(gaps.slice(1))).toEqual(new Set([4]));
    // The owner hears of it once in five minutes.
    expect(rig.told.length).toBe(1 + 3);
    expect(new Set(rig.told.map(({ block }) => block.status))).toEqual(new Set(['running']));
    expect(rig.saw().seq).toBe(rig.told[0]?.seq);
  });

  it('that its owner does not want any more is stopped, and nobody is told again', async () => {
    const rig = await runningServer();
    const told = rig.told.length;
    rig.is.owned = false;
    await rig.live(400_000);
    expect(rig.saw().status).toBe('stopped');
    expect([rig.told.length, rig.stops]).toEqual([told + 1, ['server-1']]);
    expect(rig.rows.at(-1)?.block.status).toBe('stopped');
    expect(linesOf(rig, 'reason').at(-1)).toEqual(['server_ended', 'stopped']);
  });

  it('that its fleet does not know is asked about again before it counts as ended', async () => {
    const rig = await runningServer();
    rig.simulated.deny('server-1', 1);
    await rig.live(150_000);
    expect(rig.saw()).toMatchObject({ status: 'running', missingAt: null });
    rig.simulated.deny('server-1', 9);
    await rig.live(150_000);
    expect(rig.saw()).toMatchObject({ status: 'stopped', failure: null });
    expect(rig.told.at(-1)).toMatchObject({ failed: false, block: { status: 'stopped' } });
  });

  it('whose fleet is silent lives on, and the silence is logged', async () => {
    let isAway = false;
    const rig = await runningServer({
      fleet: {
        inspect: async () =>
          isAway ? Promise.reject(new Error('away')) : { state: 'running', ports: [] },
      },
    });
    isAway = true;
    await rig.live(300_000);
    expect(rig.saw().status).toBe('running');
    expect(linesOf(rig, 'error')).toContainEqual(['inspect_failed', 'Error: away']);
  });

  it('ends when its time to live is over', async () => {
    const rig = await runningServer({}, { ttlSeconds: 100 });
    const left = rig.saw().createdAt + 100_000 - rig.now();
    await rig.live(left - 1);
    expect(rig.saw().status).toBe('running');
    await rig.live(2);
    expect(rig.saw().status).toBe('stopped');
    expect(rig.told.at(-1)?.block.status).toBe('stopped');
    expect(rig.stops).toEqual(['server-1']);
  });

  it('is forgotten as long after its end as the project says, and not before', async () => {
    const rig = await runningServer();
    rig.is.keptMs = 900_000;
    await rig.actor.stop();
    await rig.live(899_000);
    expect(codeOf(await rig.actor.read('dev'))).toBe('ok');
    await rig.live(2_000);
    expect([...rig.saved.keys()]).toEqual([]);
    expect(codeOf(await rig.actor.read('dev'))).toBe('SERVER_NOT_FOUND');
  });
});

describe('one that waits for room', () => {
  it('asks again when it was told to, whatever wakes it, and gives up in time', async () => {
    let asks = 0;
    const rig = serverRig({
      build: { launch: { capacitySeconds: 60 } },
      project: {
        standInLine: async ({ since }: { readonly since: number | null }) => {
          asks += 1;
          return { position: 2, since: since ?? rig.now(), isTurn: false, againMs: 5_000 };
        },
      },
    });
    const begun = rig.now();
    const launching = rig.actor.launch(matchOrder);
    await rig.pass(0);
    expect(await launching).toMatchObject({
      ok: true,
      value: { waiting: { position: 2, since: begun } },
    });
    await rig.actor.alarm();
    await rig.pass(0);
    expect(asks).toBe(1);
    await rig.live(5_100);
    expect(asks).toBe(2);
    await rig.actor.turn();
    await rig.pass(0);
    expect(asks).toBe(3);
    await rig.live(54_000);
    expect(rig.saw()).toMatchObject({ status: 'launching', waiting: { until: begun + 60_000 } });
    await rig.live(2_000);
    expect(rig.saw()).toMatchObject({ status: 'stopped', waiting: null, blamesBuild: false });
    expect([rig.specs, rig.told.at(-1)?.failed]).toEqual([[], true]);
  });
});

describe('one that was stopped before its launch', () => {
  it('is remembered for a while, and then not at all', async () => {
    const rig = serverRig();
    await rig.actor.stop();
    await rig.live(3_599_000);
    expect(codeOf(await rig.actor.launch(matchOrder))).toBe('LAUNCH_FAILED');
    await rig.live(2_000);
    expect([...rig.saved.keys()]).toEqual([]);
    expect(codeOf(await rig.launch())).toBe('ok');
  });
});

describe('what is asked of a server', () => {
  it('by another project, or before there is one, is not found', async () => {
    const rig = await runningServer();
    const nobody = serverRig();
    for (const [actor, project] of [
      [rig.actor, 'other'],
      [nobody.actor, 'dev'],
    ] as const) {
      const replies = await Promise.all([
        actor.read(project),
        actor.logs(project, 5),
        actor.update(project, {}),
        actor.restart(project, { order: {}, options: {} }),
        actor.matchOf({ project }),
      ]);
      expect(replies.map(codeOf)).toEqual(replies.map(() => 'SERVER_NOT_FOUND'));
    }
    expect(await nobody.actor.hosting({ term: 1, says: 'lost' })).toMatchObject({ ok: false });
    expect(codeOf(await nobody.actor.report('t', { status: 'running' }))).toBe('SERVER_NOT_FOUND');
    expect(codeOf(await nobody.actor.projectOf('t'))).toBe('SERVER_NOT_FOUND');
  });

  it('by its token is its match and its project, also of an ended one; and nothing by an earlier token', async () => {
    const rig = await runningServer();
    const { token } = rig.saw();
    const { actor } = rig;
    const own = { ok: true, value: { project: 'dev', id: 'match-1' as MatchId } };
    expect(await actor.matchOf(token)).toEqual(own);
    expect(await actor.matchOf({ project: 'dev' })).toEqual(own);
    expect(await actor.projectOf(token)).toEqual({ ok: true, value: 'dev' });
    expect([await actor.matchOf('x'), await actor.projectOf('x')].map(codeOf)).toEqual([
      'UNAUTHORIZED',
      'UNAUTHORIZED',
    ]);
    expect(codeOf(await actor.report('x', { status: 'running' }))).toBe('UNAUTHORIZED');
    await actor.restart('dev', { order: {}, options: {} });
    await rig.pass(2_000);
    expect(codeOf(await actor.matchOf(token))).toBe('SERVER_NOT_FOUND');
    expect(codeOf(await actor.projectOf(token))).toBe('SERVER_NOT_FOUND');
    const direct = await runningServer({}, PLAIN);
    expect(codeOf(await direct.actor.matchOf(direct.saw().token))).toBe('INVALID_STATE');
  });

  it('of its log goes to the fleet that has this run', async () => {
    const asked: unknown[] = [];
    const line = { timestamp: 't', message: 'm' };
    let answer: () => Promise<readonly object[] | null> = async () => [line];
    const logs = (...of: unknown[]) => (asked.push(of), answer());
    const rig = await runningServer({ fleet: { logs: logs as never } });
    expect(await rig.actor.logs('dev', 5)).toEqual({
      ok: true,
      value: { lines: [line], runId: 'server-1', fleet: 'fleet', region: 'eu' },
    });
    expect(asked).toEqual([['server-1', 5]]);
    answer = async () => null;
    expect(codeOf(await rig.actor.logs('dev', 5))).toBe('LOGS_NOT_AVAILABLE');
    answer = () => Promise.reject(new Error('away'));
    expect(codeOf(await rig.actor.logs('dev', 5))).toBe('UNAVAILABLE');
    expect(linesOf(rig, 'runId').at(-1)).toEqual(['logs_failed', 'server-1']);
    const none = await runningServer();
    expect(codeOf(await none.actor.logs('dev', 5))).toBe('LOGS_NOT_AVAILABLE');
    const unplaced = serverRig({ build: { status: 'not_ready' } });
    await unplaced.launch();
    expect(codeOf(await unplaced.actor.logs('dev', 5))).toBe('LOGS_NOT_AVAILABLE');
  });

  it('of its data replaces all of it, or a part, and its owner and project hear of it', async () => {
    const rig = await runningServer({}, { customData: { a: 1, b: 2 } });
    const [told, rows] = [rig.told.length, rig.rows.length];
    expect(await rig.actor.update('dev', { b: 3 }, 1)).toMatchObject({
      value: { custom_data: { a: 1, b: 3 } },
    });
    expect(rig.saw().customBytes).toBe(13);
    expect(await rig.actor.update('dev', { c: 4 })).toMatchObject({
      value: { custom_data: { c: 4 } },
    });
    await rig.pass(100);
    expect([rig.told.length > told, rig.rows.length > rows]).toEqual([true, true]);
    expect(rig.told.at(-1)?.block.custom_data).toEqual({ c: 4 });
  });

  it('of a part of its data is undone by no older one that the network repeats', async () => {
    const rig = await runningServer({}, { customData: { a: 1 } });
    await rig.actor.update('dev', { bots: ['first'] }, 4);
    await rig.actor.update('dev', { bots: ['second'] }, 5);
    const { seq } = rig.saw();
    const now = { value: { custom_data: { a: 1, bots: ['second'] } } };
    expect(await rig.actor.update('dev', { bots: ['first'] }, 4)).toMatchObject(now);
    expect(rig.saw().seq).toBe(seq);
    // A match that has not heard the answer says the same again, also after the whole was replaced.
    await rig.actor.update('dev', {});
    expect(await rig.actor.update('dev', { bots: ['second'] }, 5)).toMatchObject({
      value: { custom_data: { bots: ['second'] } },
    });
  });

  it('of its data shows in lists only while it is small', async () => {
    const rig = await runningServer({}, { customData: { a: 'x'.repeat(2_000) } });
    expect(rig.rows.at(-1)?.block.custom_data).toEqual({});
    expect(rig.told.at(-1)?.block.custom_data).not.toEqual({});
  });
});
