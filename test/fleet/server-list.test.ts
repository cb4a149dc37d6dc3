// The list of a project's servers, however many there have been.

import { expect, it } from 'vitest';

import { NO_ENDING } from '../../src/fleet/block';
import type { ServerRecord } from '../../src/fleet/port';
import { ProjectActor } from '../../src/objects/project/actor';
import { fakeHost } from './host.ts';

const START = Date.parse('2026-01-01T00:00:00Z');

function block(index: number, status: 'running' | 'stopped', now = START + index): ServerRecord {
  const at = new Date(now).toISOString();
  return {
    ...NO_ENDING,
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

it('keeps every live one and, of very many stopped, the newest', async () => {
  const fake = fakeHost({
    name: 'crowded',
    document: { revision: 0, configs: {}, builds: {} },
  });
  const project = new ProjectActor(fake.host);
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
  expect([...fake.saved.keys()].filter((key) => key.startsWith('server:'))).toHaveLength(total);
});

it('shows every live one before those that stopped, and those that failed by themselves', async () => {
  const fake = fakeHost({ name: 'busy', document: { revision: 0, configs: {}, builds: {} } });
  const project = new ProjectActor(fake.host);
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
  const fake = fakeHost({ name: 'full', document: { revision: 0, configs: {}, builds: {} } });
  const project = new ProjectActor(fake.host);
  let kept: Promise<number | undefined> = Promise.resolve(undefined);
  for (let index = 0; index < count; index += 1) {
    const at = fake.now() - (count - index) * apartMs;
    kept = project.serverChanged({ seq: 1, block: block(index, 'stopped', at) });
  }
  await fake.pass(100);
  expect(Math.round(((await kept) ?? 0) / 60_000)).toBe(minutes);
});
