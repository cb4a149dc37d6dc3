// What a restart and a report change of a Server object, and who hears of it. The object is real; those around it are the
// test's.

import { describe, expect, it } from 'vitest';

import { codeOf, linesOf, runningServer, serverRig } from '../../../support/server-rig.ts';

const SLOWLY = { simulated: { startMs: 60_000 } } as const;

describe('a restart', () => {
  it('has what it changes, keeps the rest, and begins the time to live anew', async () => {
    const rig = await runningServer(
      {},
      {
        customData: { a: 1 },
        ttlSeconds: 500,
        options: { env: { A: '1' }, startupArgs: '-x' },
      },
    );
    const before = rig.saw();
    const order = { name: 'other', customData: { b: 22 } };
    const reply = await rig.actor.restart('dev', { order, options: { startupArgs: '-y' } });
    expect(reply).toMatchObject({ value: { name: 'other', status: 'launching' } });
    expect(rig.saw()).toMatchObject({
      order: {
        ...before.order,
        name: 'other',
        options: { env: { A: '1' }, startupArgs: '-y' },
      },
      customBytes: 8,
      ttlFrom: rig.now(),
      failures: 0,
      run: 1,
    });
    await rig.pass(2_000);
    expect(rig.specs.at(-1)).toMatchObject({
      instanceId: 'server-1.1',
      customData: { b: 22 },
      startupArgs: '-y',
      ttlSeconds: 500,
    });
    expect(rig.stops).toEqual(['server-1']);
    const again = await rig.actor.restart('dev', { order: {}, options: {} });
    expect(again).toMatchObject({ value: { custom_data: { b: 22 } } });
  });

  it('of a launching server is that launch, and of a stopped one refused', async () => {
    const rig = serverRig(SLOWLY);
    await rig.launch();
    expect(await rig.actor.restart('dev', { order: {}, options: {} })).toMatchObject({
      value: { status: 'launching' },
    });
    expect(rig.saw().run).toBe(0);
    await rig.actor.stop();
    expect(codeOf(await rig.actor.restart('dev', { order: {}, options: {} }))).toBe(
      'INVALID_STATE',
    );
  });

  it('waits for the end of the run before it, and gives up after a while', async () => {
    const states = ['running', 'running', 'stopped'];
    const inspect = async () => ({ state: states[0], ports: [] }) as never;
    const rig = await runningServer({ fleet: { inspect } });
    await rig.actor.restart('dev', { order: {}, options: {} });
    await rig.pass(3_000);
    expect(rig.specs.length).toBe(1);
    expect(new Set(rig.stops)).toEqual(new Set(['server-1']));
    expect(rig.stops.length).toBeGreaterThan(3);
    states.splice(0, 2);
    await rig.pass(1_000);
    expect(rig.specs.length).toBe(2);
    const stuck = await runningServer({
      fleet: { inspect: async () => ({ state: 'running', ports: [] }) },
    });
    await stuck.actor.restart('dev', { order: {}, options: {} });
    await stuck.pass(25_000);
    expect(stuck.saw()).toMatchObject({ status: 'stopped', blamesBuild: false });
    expect(stuck.told.at(-1)).toMatchObject({ failed: false, block: { status: 'stopped' } });
    expect(stuck.specs.length).toBe(1);
  });
});

describe('a report', () => {
  it('of a warning goes to the log once and to the project, and not to the owner', async () => {
    const rig = serverRig(SLOWLY);
    await rig.launch();
    const report = { status: 'launching', detail: 'no port', output: 'hello' } as const;
    await rig.actor.report(rig.saw().token, report);
    await rig.actor.report(rig.saw().token, { ...report, detail: 'still none' });
    await rig.pass(2_000);
    expect(rig.told).toEqual([]);
    expect(rig.rows.at(-1)?.block).toMatchObject({ detail: 'still none', output: null });
    expect(await rig.actor.read('dev')).toMatchObject({
      value: { detail: 'still none', output: 'hello' },
    });
    expect(linesOf(rig, 'reason')).toEqual([['launch_late', 'no port']]);
  });

  it('of a port that it closed is shown while it runs, and is news of it alone', async () => {
    const rig = await runningServer();
    const before = rig.told.length;
    const closed = { status: 'running', detail: 'closed' } as const;
    await rig.actor.report(rig.saw().token, closed);
    await rig.actor.report(rig.saw().token, { status: 'launching', detail: 'late' });
    await rig.actor.report(rig.saw().token, { status: 'running' });
    await rig.pass(10);
    expect(rig.rows.at(-1)?.block).toMatchObject(closed);
    await rig.actor.report(rig.saw().token, { ...closed, detail: 'open again' });
    await rig.pass(10);
    expect(rig.rows.at(-1)?.block).toMatchObject({ detail: 'open again' });
    expect(rig.told).toHaveLength(before);
    expect(linesOf(rig, 'reason')).toContainEqual(['server_closed', 'closed']);
    await rig.actor.report(rig.saw().token, { status: 'stopped', exit_code: 0 });
    expect(await rig.actor.read('dev')).toMatchObject({ value: { detail: null } });
  });

  it('of how it ended may come after its end was known, once', async () => {
    const rig = await runningServer();
    const { token } = rig.saw();
    await rig.actor.stop();
    await rig.pass(10);
    const rows = rig.rows.length;
    const report = { status: 'stopped', exit_code: 3, output: 'bye' } as const;
    expect(await rig.actor.report('x', report)).toMatchObject({ ok: false });
    expect(await rig.actor.report(token, { status: 'running' })).toMatchObject({ ok: false });
    expect(rig.saw().ending).toBeNull();
    expect(await rig.actor.report(token, { status: 'stopped' })).toMatchObject({ ok: true });
    expect(await rig.actor.report(token, report)).toMatchObject({
      value: { status: 'stopped', instance_id: 'server-1' },
    });
    expect(await rig.actor.report(token, { ...report, exit_code: 4 })).toMatchObject({ ok: true });
    expect(rig.saw().ending).toEqual({ exit_code: 3, signal: null, output: 'bye', detail: null });
    await rig.pass(10);
    expect(rig.rows.length).toBe(rows + 1);
    expect(rig.rows.at(-1)?.block).toMatchObject({ exit_code: 3 });
  });

  it('says why only where something is known', async () => {
    const rig = await runningServer();
    expect(rig.told.at(-1)).not.toHaveProperty('detail');
    expect(rig.told.at(-1)).not.toHaveProperty('waiting');
    const early = serverRig(SLOWLY);
    await early.launch();
    await early.actor.report(early.saw().token, { status: 'stopped', detail: '' });
    await early.pass(10);
    expect(early.told.at(-1)).toMatchObject({ failed: true });
    expect(early.told.at(-1)).not.toHaveProperty('detail');
  });

  it('that it has ended stops it in its fleet, for good', async () => {
    const rig = await runningServer();
    await rig.actor.report(rig.saw().token, { status: 'stopped', signal: 'SIGKILL' });
    await rig.pass(10);
    expect(rig.stops).toEqual(['server-1']);
    expect(linesOf(rig, 'reason').at(-1)).toEqual(['server_ended', 'The server crashed (SIGKILL)']);
    expect(rig.told.at(-1)).toMatchObject({ block: { status: 'stopped' } });
    const early = serverRig(SLOWLY);
    await early.launch();
    await early.actor.report(early.saw().token, { status: 'stopped', exit_code: 9 });
    await early.pass(10);
    expect(linesOf(early, 'reason')).toEqual([
      ['launch_failed', 'The server ended before it ran: exit code 9'],
    ]);
    expect(early.told.at(-1)).toMatchObject({
      failed: true,
      detail: 'The server ended before it ran: exit code 9',
    });
  });
});
