// The stream of a dashboard's page: an object is asked again when it says that it has changed, and
// what shows how long somebody waits each ten seconds; nobody is asked anything else.

import { later } from '../../../src/common/later';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeyedCall } from '../../../src/http/wire/call';
import type { View } from '../../../src/http/operators/views';
import { adminEvents } from '../../../src/http/stream/dashboard';
import { message } from '../../../src/common/line';
import { Watched } from '../../../src/objects/kit/listeners';
import { Spoken } from '../../support/relayed';

const CHANGED = message('changed', null);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Page {
  readonly asked: Record<string, number>;
  /** The newest line to each object. */
  readonly lines: Record<string, Spoken>;
  readonly census: { byStatus: Record<string, number>; privates: number };
  readonly stats: { lobbiesInQueue: number };
  snapshots: number;
  readonly leave: () => Promise<void>;
}

/** `hasLines` false: as objects of a release that opens none. */
async function page(view: Partial<View>, hasLines = true): Promise<Page> {
  const it: Page = {
    asked: {},
    lines: {},
    census: { byStatus: {}, privates: 0 },
    stats: { lobbiesInQueue: 0 },
    snapshots: 0,
    leave: () => reader.cancel(),
  };
  const object = (name: string, answers: Record<string, () => unknown>): object => {
    const methods = Object.entries(answers).map(([method, answer]) => [
      method,
      async () => {
        it.asked[`${name}.${method}`] = (it.asked[`${name}.${method}`] ?? 0) + 1;
        return structuredClone(answer());
      },
    ]);
    const changes = async (): Promise<object> => {
      if (!hasLines) {
        throw new Error('there is no such method');
      }
      const line = new Spoken();
      it.lines[name] = line;
      return { ok: true, value: line };
    };
    return { ...Object.fromEntries(methods), changes };
  };
  const modes = { duel: {} };
  const configs = { arena: { name: 'arena', enabled: true, matchmaking: { modes } } };
  const peers = {
    project: () =>
      object('project', {
        document: () => ({ revision: 1, configs, builds: {} }),
        serverGroups: () => [],
      }),
    directory: () => object('directory', { census: () => it.census }),
    queue: () => object('queue', { stats: () => it.stats }),
  };
  const call = { peers, project: 'feed', query: view, background: () => {}, later };
  const response = await adminEvents(call as unknown as KeyedCall<undefined, View>);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      it.snapshots += new TextDecoder().decode(value).split('event: snapshot').length - 1;
    }
  };
  void read();
  await vi.advanceTimersByTimeAsync(0);
  return it;
}

const overview = { view: 'overview' } as const;
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const FIRST = { 'project.document': 1, 'project.serverGroups': 1, 'directory.census': 1 };

describe('the stream of a page', () => {
  it('asks each object once while nothing changes, for an hour', async () => {
    const { asked, leave } = await page(overview);
    await pass(3_600_000);
    expect(asked).toEqual(FIRST);
    await leave();
  });

  it('asks an object again that has changed, no other, and each second at most', async () => {
    const shown = await page(overview);
    expect(shown.snapshots).toBe(1);
    shown.census.privates = 1;
    for (let told = 0; told < 30; told += 1) {
      shown.lines['directory']?.say(CHANGED);
      await pass(100);
    }
    await pass(2_000);
    const { 'directory.census': census = 0, ...others } = shown.asked;
    expect(census).toBeGreaterThanOrEqual(3);
    expect(census).toBeLessThanOrEqual(5);
    // Somebody may wait in a queue now, and nobody does.
    expect(others).toEqual({ 'project.document': 1, 'project.serverGroups': 1, 'queue.stats': 1 });
    expect(shown.snapshots).toBe(2);
    await shown.leave();
  });

  it('asks a queue in which somebody waits each ten seconds', async () => {
    const shown = await page(overview);
    shown.census.byStatus['in_queue'] = 1;
    shown.stats.lobbiesInQueue = 1;
    shown.lines['directory']?.say(CHANGED);
    await pass(61_000);
    expect(shown.asked['queue.stats']).toBeGreaterThanOrEqual(6);
    expect(shown.asked['queue.stats']).toBeLessThanOrEqual(8);
    expect(shown.asked['directory.census']).toBe(2);
    await shown.leave();
  });

  it('opens a line anew that broke, and asks again', async () => {
    const shown = await page(overview);
    const before = shown.lines['directory'];
    before?.break();
    await pass(2_000);
    expect(shown.asked['directory.census']).toBe(2);
    expect(shown.lines['directory']).not.toBe(before);
    await shown.leave();
  });

  it('hangs up when the page is closed', async () => {
    const shown = await page(overview);
    await shown.leave();
    await pass(2_000);
    expect(Object.values(shown.lines).map(({ hungUp }) => hungUp)).toEqual([true, true]);
  });

  it('asks objects that open no lines each ten seconds', async () => {
    const { asked, leave } = await page(overview, false);
    await pass(61_000);
    expect(asked['directory.census']).toBe(7);
    await leave();
  });
});

describe('an actor that is looked at', () => {
  it('tells changes in a row once, and does nothing while nobody looks', () => {
    const timers: { readonly at: number; readonly run: () => void }[] = [];
    let now = 0;
    let lines = 1;
    const told: number[] = [];
    const watched = new Watched({
      now: () => now,
      later: (ms, run) => {
        timers.push({ at: now + ms, run });
        return () => {};
      },
      lines: {
        watchers: () => Array.from({ length: lines }, () => ({ say: () => told.push(now) })),
      } as never,
    });
    for (; now < 1_000; now += 100) {
      watched.changed();
      timers.filter(({ at }) => at === now + 100).forEach(({ run }) => run());
    }
    expect(told).toHaveLength(3);
    lines = 0;
    now = 5_000;
    watched.changed();
    expect(told).toHaveLength(3);
    lines = 100;
    expect(watched.open()).toMatchObject({ ok: false });
  });
});
