// The warm servers of a project (record 0073): how many are started, and what becomes of them. The Project object is real; its
// servers do as the test says.

import { beforeEach, describe, expect, it } from 'vitest';
import type { InstanceId } from '../../../../src/common/ids';
import type { BuildLaunch, ServerRecord } from '../../../../src/fleet/port';
import { defaultConfig } from '../../../../src/lobby/config';
import { refusal } from '../../../../src/lobby/refusals';
import type { LaunchOrder } from '../../../../src/objects/contracts/server';
import { ProjectActor } from '../../../../src/objects/project/actor';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';

const REGION = 'us-east';
const NO_DOCUMENT = { revision: 0, configs: {}, builds: {} };

interface Told {
  readonly build?: string;
  readonly version?: number;
  readonly claimed?: boolean;
  readonly launch?: 'failed';
}

/** A project, and what it said to its servers. */
class Rig {
  readonly launched: LaunchOrder[] = [];
  readonly stopped: string[] = [];
  /** Whether a launch is refused. */
  isFull = false;
  readonly fake: FakePorts;
  readonly actor: ProjectActor;
  #seq = 0;
  readonly #startedAt = new Map<string, number>();

  constructor(before?: FakePorts) {
    const server = (id: InstanceId) => ({
      launch: async (order: LaunchOrder) => {
        this.launched.push(order);
        return this.isFull ? refusal('LAUNCH_FAILED', 'no room') : { ok: true };
      },
      stop: async (by: unknown) => void this.stopped.push(`${id} ${String(by)}`),
      turn: async () => {},
    });
    this.fake = fakePorts({
      name: 'dev',
      document: NO_DOCUMENT,
      peers: { server: server as never },
      ...(before === undefined ? {} : { saved: before.saved }),
    });
    this.actor = new ProjectActor(this.fake.ports);
  }

  get ids(): readonly InstanceId[] {
    return this.launched.map(({ instanceId }) => instanceId);
  }

  async keep(count: number | undefined, more: BuildLaunch = {}, name = 'game'): Promise<void> {
    const launch = { ...more, ...(count !== undefined && { warm: { [REGION]: count } }) };
    const build = { name, label: null, status: 'ready', ports: [], launch } as const;
    await this.actor.saveBuild(build);
    // Longer than a document is believed.
    await this.pass(5_000);
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left >= 0; left -= 1_000) {
      await this.fake.pass(Math.min(left, 1_000));
      if ((this.fake.alarmAt() ?? Infinity) <= this.fake.now()) {
        await this.actor.alarm();
        await this.fake.pass(0);
      }
    }
  }

  /** News of the server. */
  async tell(id: string, status: 'launching' | 'running' | 'stopped', told: Told = {}) {
    const { build = 'game', version = 1, claimed = false, launch } = told;
    this.#seq += 1;
    const now = this.fake.now();
    if (status === 'running') {
      this.#startedAt.set(id, this.#startedAt.get(id) ?? now);
    }
    const at = (ms: number | undefined): string | null =>
      ms === undefined ? null : new Date(ms).toISOString();
    const block = {
      instance_id: id,
      status,
      region: REGION,
      version_tag: build,
      version,
      compute_size: 'small',
      created_at: at(now),
      started_at: at(this.#startedAt.get(id)),
      stopped_at: status === 'stopped' ? at(now) : null,
      is_pool_server: id !== 'm' && id !== 'other',
      pool_claimed_at: claimed ? at(now) : null,
      detail: null,
    } as unknown as ServerRecord;
    void this.actor.serverChanged({ block, seq: this.#seq, fleet: 'box', launch: launch ?? null });
    await this.pass(0);
  }

  take(version = 1): Promise<InstanceId | null> {
    return this.actor.takeWarm({ build: 'game', version, region: REGION, computeSize: 'small' });
  }
}

let rig: Rig;
beforeEach(() => {
  rig = new Rig();
});

/** Two warm servers run, and a match of another build waits for room. */
async function twoAndALine() {
  await rig.keep(2);
  const [first = '', second = ''] = rig.ids;
  await rig.tell(first, 'running');
  await rig.tell(second, 'running');
  const asked = { id: 'm' as InstanceId, build: 'other', region: REGION, patienceMs: 60_000 };
  await rig.actor.standInLine({ ...asked, since: null }, true);
  return { first, second, asked };
}

it('costs a build that keeps none no row, no call and no alarm', async () => {
  await rig.keep(undefined);
  await rig.keep(0);
  await rig.tell('other', 'running');
  await rig.tell('other', 'stopped');
  await rig.pass(60_000);
  expect(rig.launched).toEqual([]);
  expect([...rig.fake.saved.keys()].filter((key) => /^(warm|debts):/.test(key))).toEqual([]);
  expect(rig.fake.alarmAt()).toBeNull();
});

it("starts as many as the build says, each once, with nobody's order", async () => {
  await rig.keep(2);
  expect(rig.launched).toMatchObject([
    { project: 'dev', owner: { kind: 'warm' }, region: REGION, build: 'game', matchId: null },
    { owner: { kind: 'warm' } },
  ]);
  expect(new Set(rig.ids).size).toBe(2);
  await rig.pass(60_000);
  expect(rig.launched).toHaveLength(2);
});

it('starts ten at a time', async () => {
  await rig.keep(12);
  expect(rig.launched).toHaveLength(10);
  await rig.tell(rig.ids[0] ?? '', 'running');
  expect(rig.launched).toHaveLength(11);
});

it('orders them again after a crash, under the same ids', async () => {
  await rig.keep(2);
  const next = new Rig(rig.fake);
  await next.pass(2_000);
  expect([...next.ids].toSorted()).toEqual([...rig.ids].toSorted());
});

describe('a match', () => {
  it('is given one that runs, and not one that another match was given a moment ago', async () => {
    await rig.keep(2);
    const [first, second] = rig.ids;
    expect(await rig.take()).toBeNull();
    await rig.tell(first ?? '', 'running');
    expect(await rig.take()).toBe(first);
    expect(await rig.take()).toBeNull();
    await rig.tell(second ?? '', 'running');
    expect(await rig.take()).toBe(second);
    await rig.pass(30_000);
    expect(await rig.take()).toBe(first);
  });

  it('is given none of another version, region or size', async () => {
    await rig.keep(1);
    await rig.tell(rig.ids[0] ?? '', 'running');
    const wanted = { build: 'game', version: 1, region: REGION, computeSize: 'small' };
    for (const other of [{ version: 2 }, { region: 'eu' }, { computeSize: 'large' }]) {
      expect(await rig.actor.takeWarm({ ...wanted, ...other })).toBeNull();
    }
    expect(await rig.take()).toBe(rig.ids[0]);
  });

  it('that has taken one is followed by another', async () => {
    await rig.keep(1);
    const [id = ''] = rig.ids;
    await rig.tell(id, 'running');
    await rig.tell(id, 'running', { claimed: true });
    expect(rig.launched).toHaveLength(2);
    await rig.tell(id, 'stopped', { claimed: true });
    expect(rig.launched).toHaveLength(2);
  });

  it('waits behind those that wait for room, of whom one has the place of a warm server', async () => {
    const { first, second, asked } = await twoAndALine();
    await rig.actor.standInLine({ ...asked, since: rig.fake.now() }, true);
    await rig.pass(0);
    expect(rig.stopped).toEqual([`${second} warm`]);
    expect(await rig.take()).toBeNull();
    await rig.tell(second, 'stopped');
    expect(rig.launched).toHaveLength(2);
    await rig.tell('m', 'running', { build: 'other' });
    await rig.pass(5_000);
    expect(rig.launched).toHaveLength(3);
    expect(await rig.take()).toBe(first);
  });
});

describe('a server that ends by itself', () => {
  it('soon after its start is followed later and later, and is logged', async () => {
    await rig.keep(1);
    const gaps: number[] = [];
    for (let at = rig.fake.now(), count = 1; count < 6; count += 1) {
      await rig.tell(rig.ids.at(-1) ?? '', 'stopped', { launch: 'failed' });
      while (rig.launched.length === count) {
        await rig.pass(1_000);
      }
      gaps.push(Math.round((rig.fake.now() - at) / 1_000));
      at = rig.fake.now();
    }
    expect(gaps).toEqual([...gaps].toSorted((a, b) => a - b));
    expect(gaps[0]).toBeGreaterThanOrEqual(4);
    expect(gaps[4]).toBeGreaterThanOrEqual(60);
    const group = (await rig.actor.serverGroups()).find(({ state }) => state === 'warm');
    expect(group).toMatchObject({ count: 0, warm: { wanted: 1, starting: 1, failed: 5 } });
  });

  it('after a minute is followed at once', async () => {
    await rig.keep(1);
    await rig.tell(rig.ids[0] ?? '', 'running');
    await rig.pass(61_000);
    await rig.tell(rig.ids[0] ?? '', 'stopped');
    expect(rig.launched).toHaveLength(2);
  });

  it('has a successor that waits as long after a crash of the project', async () => {
    await rig.keep(1);
    for (let count = 1; count < 5; count += 1) {
      await rig.tell(rig.ids.at(-1) ?? '', 'stopped', { launch: 'failed' });
      await rig.pass(40_000);
    }
    const next = new Rig(rig.fake);
    await next.tell(rig.ids.at(-1) ?? '', 'stopped', { launch: 'failed' });
    await next.pass(30_000);
    expect(next.launched).toEqual([]);
    // Its clock begins anew.
    await next.pass(100_000);
    expect(next.launched).toHaveLength(1);
  });
});

it('starts those of each build when their time comes, whatever other builds wait for', async () => {
  await rig.keep(1, {}, 'broken');
  for (let count = 0; count < 4; count += 1) {
    await rig.tell(rig.ids.at(-1) ?? '', 'stopped', { build: 'broken', launch: 'failed' });
    await rig.pass(40_000);
  }
  await rig.tell(rig.ids.at(-1) ?? '', 'stopped', { build: 'broken', launch: 'failed' });
  const before = rig.launched.length;
  await rig.keep(1);
  await rig.tell(rig.ids.at(-1) ?? '', 'stopped', { launch: 'failed' });
  await rig.pass(5_000);
  expect(rig.launched.slice(before).map(({ build }) => build)).toEqual(['game', 'game']);
});

it('counts one that fails while a match waits for room', async () => {
  const { first } = await twoAndALine();
  await rig.tell(first, 'stopped', { launch: 'failed' });
  const group = (await rig.actor.serverGroups()).find(({ state }) => state === 'warm');
  expect(group?.warm?.failed).toBe(1);
});

it('counts those that failed together once', async () => {
  await rig.keep(3);
  for (const id of rig.ids) {
    await rig.tell(id, 'stopped', { launch: 'failed' });
  }
  await rig.pass(5_000);
  expect(rig.launched).toHaveLength(6);
});

it('waits after a launch that was refused, and counts it once', async () => {
  rig.isFull = true;
  await rig.keep(1);
  await rig.tell(rig.ids[0] ?? '', 'stopped');
  expect(rig.launched).toHaveLength(1);
  rig.isFull = false;
  await rig.pass(5_000);
  expect(rig.launched).toHaveLength(2);
  await rig.tell(rig.ids[1] ?? '', 'running');
  expect(await rig.take()).toBe(rig.ids[1]);
});

describe('a build that is saved again', () => {
  it('drains those of the version before, and starts others', async () => {
    await rig.keep(2);
    const before = [...rig.ids];
    await rig.keep(1);
    expect(rig.stopped.toSorted()).toEqual(before.map((id) => `${id} warm`).toSorted());
    expect(rig.launched).toHaveLength(3);
  });

  it('without any, is deleted, or is not ready: drains all', async () => {
    await rig.keep(1);
    await rig.actor.removeBuild('game');
    await rig.pass(0);
    expect(rig.stopped).toEqual([`${rig.ids[0]} warm`]);
    await rig.keep(1);
    await rig.keep(0);
    expect(rig.stopped).toHaveLength(2);
    expect([...rig.fake.saved.keys()].filter((key) => key.startsWith('warm:'))).toEqual([]);
  });

  it('drains one whose object launched it by the document before', async () => {
    await rig.keep(1);
    await rig.keep(1);
    const last = rig.ids.at(-1) ?? '';
    // Until it runs, nobody knows which it is.
    await rig.tell(last, 'launching', { version: 1 });
    expect(rig.stopped).not.toContain(`${last} warm`);
    await rig.tell(last, 'running', { version: 1 });
    expect(rig.stopped).toContain(`${last} warm`);
    await rig.pass(5_000);
    expect(rig.launched).toHaveLength(3);
  });
});

it('has the size that the first config says whose games run on the build', async () => {
  const config = (name: string, gameBuild: string | null, serverSize: string) => ({
    ...defaultConfig(name),
    serverSettings: { gameBuild, serverSize },
  });
  await rig.actor.saveConfigs(
    [config('a', null, 'tiny'), config('b', 'game', 'large'), config('c', 'game', 'huge')],
    null,
  );
  await rig.keep(1);
  await rig.keep(1, {}, 'default');
  await rig.keep(1, {}, 'other');
  const sizes = rig.launched.map(({ build, computeSize }) => `${build} ${computeSize}`);
  expect(sizes).toEqual(['game large', 'default tiny', 'other small']);
});

it('leaves a server alone that somebody launched', async () => {
  await rig.keep(1);
  await rig.tell('other', 'running');
  await rig.tell('m', 'running', { build: 'other', version: 3 });
  expect([rig.stopped, rig.launched.length]).toEqual([[], 1]);
});

it('makes room by one of a build that has any, once in five seconds, and only for a match that finds none', async () => {
  await rig.keep(1, {}, 'first');
  await rig.tell(rig.ids[0] ?? '', 'stopped', { build: 'first', launch: 'failed' });
  await rig.keep(2);
  const before = rig.launched.length;
  const asked = { id: 'm' as InstanceId, build: 'none', region: REGION, patienceMs: 60_000 };
  const since = rig.fake.now();
  await rig.actor.standInLine({ ...asked, since: null }, false);
  expect(rig.stopped).toEqual([]);
  await rig.actor.standInLine({ ...asked, region: 'eu', since: null }, true);
  expect(rig.stopped).toEqual([]);
  await rig.actor.standInLine({ ...asked, since }, true);
  await rig.pass(4_999);
  await rig.actor.standInLine({ ...asked, since }, true);
  expect(rig.stopped).toHaveLength(1);
  await rig.pass(1);
  await rig.actor.standInLine({ ...asked, since }, true);
  await rig.pass(0);
  expect([rig.stopped.length, rig.launched.length]).toEqual([2, before]);
});

it('stops one that it does not know', async () => {
  await rig.keep(1);
  await rig.tell('stray', 'running');
  expect(rig.stopped).toEqual(['stray warm']);
  expect(rig.launched).toHaveLength(1);
});
