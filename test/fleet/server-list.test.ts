// The list of a project's servers, however many there have been.

import { expect, it } from 'vitest';

import type { ServerRecord } from '../../src/fleet/port';
import { ProjectActor } from '../../src/objects/project/actor';
import { fakePorts } from './ports.ts';

/** As in the host's clock: what stopped longer ago than an hour is not listed. */
const START = 1_800_000_000_000;

function block(index: number, status: 'running' | 'stopped', now = START + index): ServerRecord {
  const at = new Date(now).toISOString();
  return {
    exit_code: null,
    signal: null,
    output: null,
    detail: null,
    instance_id: `${status}-${index}`,
    name: 'server',
    status,
    region: 'us-east',
    network_ports: [],
    startup_args: null,
    service_type: 'match_based',
    compute_size: null,
    version_tag: null,
    version: null,
    started_at: null,
    stopped_at: status === 'stopped' ? at : null,
    auto_restart: false,
    custom_data: {},
    ttl: null,
    is_pool_server: false,
    pool_claimed_at: null,
    match_id: null,
    created_at: at,
    updated_at: at,
  };
}

function rowsOf({ saved }: ReturnType<typeof fakePorts>): readonly string[] {
  return [...saved.keys()].filter((key) => key.startsWith('server:'));
}

it('keeps every live one and, of very many stopped, the newest', async () => {
  const fake = fakePorts({
    name: 'crowded',
    document: { revision: 0, configs: {}, builds: {} },
  });
  const project = new ProjectActor(fake.ports);
  const changed: Promise<unknown>[] = [];
  for (let index = 0; index < 10; index += 1) {
    changed.push(project.serverChanged({ seq: 1, block: block(index, 'running') }));
  }
  for (let index = 0; index < 5_000; index += 1) {
    changed.push(project.serverChanged({ seq: 1, block: block(index, 'stopped') }));
  }
  await fake.pass(100);
  await Promise.all(changed);
  const { total, servers } = await project.servers(10_000, 0);
  expect(total).toBeGreaterThanOrEqual(2_000);
  expect(total).toBeLessThan(2_200);
  const newest = Array.from({ length: total - 10 }, (_, back) => `stopped-${4_999 - back}`);
  const running = Array.from({ length: 10 }, (_, index) => `running-${index}`);
  const ids = new Set(servers.map(({ instance_id: id }) => id));
  expect([...newest, ...running].filter((id) => !ids.has(id))).toEqual([]);
  expect(rowsOf(fake).length).toBeLessThanOrEqual(2_210);
});

it('overwrites the rows of those that left it an hour ago, and sets no alarm', async () => {
  const fake = fakePorts({ name: 'calm', document: { revision: 0, configs: {}, builds: {} } });
  const listed = async (project: ProjectActor): Promise<readonly string[]> =>
    (await project.servers(100, 0)).servers.map(({ instance_id: id }) => id).toSorted();
  const put = async (project: ProjectActor, ...blocks: ServerRecord[]): Promise<void> => {
    blocks.forEach((each) => void project.serverChanged({ seq: 1, block: each }));
    await fake.pass(100);
  };
  const first = new ProjectActor(fake.ports);
  await put(first, block(1, 'running'), block(2, 'stopped', fake.now()));
  const before = rowsOf(fake);
  await fake.pass(60 * 60_000);
  expect(await listed(first)).toEqual(['running-1']);
  expect(fake.alarmAt()).toBeNull();
  await put(first, block(3, 'running'));
  expect(rowsOf(fake)).toEqual(before);
  expect(await listed(first)).toEqual(['running-1', 'running-3']);
  // What ended long ago is not listed after a restart either, and its row is free.
  await put(first, block(4, 'stopped', fake.now()));
  await fake.pass(60 * 60_000);
  const second = new ProjectActor(fake.ports);
  expect(await listed(second)).toEqual(['running-1', 'running-3']);
  await put(second, block(5, 'running'), block(6, 'running'));
  expect(rowsOf(fake)).toHaveLength(4);
  const third = new ProjectActor(fake.ports);
  expect(await listed(third)).toEqual([1, 3, 5, 6].map((index) => `running-${index}`));
});

it('lists a server apart from the one whose row has its name', async () => {
  const fake = fakePorts({ name: 'old', document: { revision: 0, configs: {}, builds: {} } });
  // As an earlier release saved it.
  fake.saved.set('server:stopped-1', { seq: 1, block: block(1, 'stopped', fake.now()) });
  const project = new ProjectActor(fake.ports);
  await fake.pass(60 * 60_000);
  const late = { ...block(1, 'stopped', fake.now()), detail: 'exit code 3' };
  void project.serverChanged({ seq: 1, block: block(2, 'running') });
  void project.serverChanged({ seq: 2, block: late });
  await fake.pass(100);
  const ids = (await new ProjectActor(fake.ports).servers(9, 0)).servers.map(
    (each) => each.instance_id,
  );
  expect(ids.toSorted()).toEqual(['running-2', 'stopped-1']);
  expect(rowsOf(fake)).toHaveLength(2);
});

it('shows every live one before those that stopped, and those that failed by themselves', async () => {
  const fake = fakePorts({ name: 'busy', document: { revision: 0, configs: {}, builds: {} } });
  const project = new ProjectActor(fake.ports);
  const blocks = Array.from({ length: 120 }, (_, index) => block(index, 'stopped'));
  for (const each of [block(-1, 'running'), ...blocks]) {
    const detail = each.instance_id === 'stopped-7' ? 'exit code 3' : null;
    const row = { seq: 1, block: { ...each, detail }, fleet: 'local' };
    void project.serverChanged(row);
  }
  await fake.pass(100);
  expect((await project.servers(100, 0)).servers[0]?.instance_id).toBe('running--1');
  const failed = await project.servers(100, 0, ['failed']);
  expect(failed.servers.map(({ instance_id: id }) => id)).toEqual(['stopped-7']);
  expect((await project.servers(1, 0, ['stopped'], { fleet: 'local' })).total).toBe(120);
  expect((await project.servers(1, 0, undefined, { fleet: 'other' })).total).toBe(0);
  const counts = (await project.serverGroups()).map(({ state, count }) => `${state} ${count}`);
  expect(counts.toSorted()).toEqual(['failed 1', 'running 1', 'stopped 119']);
});

it.each([
  ['an hour while they are few', 1_999, 0, 60],
  ['as long as the list reaches back', 3_000, 800, 27],
  ['ten minutes at least', 5_000, 1, 10],
])('tells a server to be remembered %s', async (_, count, apartMs, minutes) => {
  const fake = fakePorts({ name: 'full', document: { revision: 0, configs: {}, builds: {} } });
  const project = new ProjectActor(fake.ports);
  let kept: Promise<number | undefined> = Promise.resolve(undefined);
  for (let index = 0; index < count; index += 1) {
    const at = fake.now() - (count - index) * apartMs;
    kept = project.serverChanged({ seq: 1, block: block(index, 'stopped', at) });
  }
  await fake.pass(100);
  expect(Math.round(((await kept) ?? 0) / 60_000)).toBe(minutes);
});
