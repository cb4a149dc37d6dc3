// Counts at the edge go to Analytics Engine. The platform's own takes what it is given and answers nothing, so
// a stand-in dataset keeps the points, and refuses what the platform would
// (developers.cloudflare.com/analytics/analytics-engine/limits).

import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { controlled } from '../support/simulated';
import { serve } from '../../src/http/serve/serve';
import { logEvent } from '../../src/common/log';
import {
  FAMILIES,
  metrics,
  Metrics,
  type Dataset,
  type MetricName,
} from '../../src/common/metrics';
import type { Env } from '../../src/objects/placement/env';
import { report } from '../objects/servers';
import { placeUnder } from '../support/peers';
import {
  ask,
  askUnder,
  createLobby,
  freshConfig,
  mine,
  requestOf,
  saveConfig,
  SERVER,
  until,
} from './support';
import { listen } from './stream';

type Point = Parameters<Dataset['writeDataPoint']>[0];

const bytes = (text: string): number => new TextEncoder().encode(text).length;

class StandInDataset implements Dataset {
  readonly points: Point[] = [];

  writeDataPoint(point: Point): void {
    const { indexes, blobs, doubles } = point;
    const size = blobs.reduce((sum, blob) => sum + bytes(blob), 0);
    const [index = ''] = indexes;
    if (indexes.length !== 1 || bytes(index) > 96 || blobs.length > 20 || size > 5_120) {
      throw new Error(`the platform would not take ${JSON.stringify(point)}`);
    }
    if (doubles.length > 20 || !doubles.every(Number.isFinite)) {
      throw new Error(`the platform would not take ${JSON.stringify(point)}`);
    }
    this.points.push(point);
  }

  of(name: MetricName): readonly Point[] {
    return this.points.filter(({ indexes: [index] }) => index === name);
  }
}

const dataset = new StandInDataset();

/** As at the edge, where no box is bound. */
async function metricsAtTheEdge(settings: Partial<Env>): Promise<string> {
  const place = placeUnder(settings, createExecutionContext());
  const { BOX: _, ...env } = place.env;
  return (await serve(requestOf('GET /metrics', { key: SERVER }), { ...place, env })).text();
}

describe('counts at the edge', () => {
  it('are written nowhere without METRICS, and GET /metrics says so', async () => {
    await ask('GET /health', { key: null });
    expect(await metricsAtTheEdge({})).toContain('METRICS is not bound: counts are not kept');
    expect(dataset.points).toEqual([]);
  });

  it('are written for every metric that counts, of real games and refusals', async () => {
    await askUnder({ METRICS: dataset }, 'GET /health', { key: null });
    const config = freshConfig();
    const rules = [{ type: 'latency', field: 'ping', maxMs: 60 }];
    const duel = { rules, rating: { field: 'mmr', system: 'openskill' } };
    await saveConfig(config, { matchmaking: { modes: { duel } } });
    const fleet = controlled;
    for (const [names, status] of [
      [['ann', 'bob'], 'in_game'],
      [['cat', 'dan'], 'waiting'],
    ] as const) {
      if (status === 'waiting') {
        fleet.failNext('refused');
      }
      for (const player of names) {
        await createLobby(config, player, { state: { ping: { 'us-east': 30 } } });
        await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
      }
      await until(
        () => mine(config, names[0]),
        (lobby) => lobby.status === status,
      );
    }
    expect((await ask(`GET lobbies/${config}/me`, { player: 'nobody' })).status).toBe(404);
    const stream = await listen(config, 'ann');
    await stream.leave();
    const { server } = await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.server?.status === 'running',
    );
    await report(server?.instance_id ?? '', { status: 'stopped', exit_code: 3 });
    logEvent('sweep_found', { found: 0, total: 0 });
    metrics.count('muster_sweep_found_total', {}, 2);
    metrics.count('muster_invariant_failed_total', {
      actor: 'match',
      which: 'a match has one server',
    });
    metrics.count('muster_hooks_total', { project: 'dev', outcome: 'told' });
    metrics.count('muster_traces_total', { project: 'dev', outcome: 'told' });
    const set = ['muster_rate_limited_total'];
    const counted = Object.entries(FAMILIES).flatMap(([name, { type }]) =>
      type === 'gauge' || set.includes(name) ? [] : [name],
    );
    const written = (): string[] => [...new Set(dataset.points.flatMap(({ indexes }) => indexes))];
    await until(
      async () => counted.filter((name) => !written().includes(name)),
      (missing) => missing.length === 0,
    );
    expect(written().filter((name) => !counted.includes(name))).toEqual(['muster_streams']);

    expect(dataset.of('muster_matches_formed_total')).toHaveLength(2);
    const where = ['project=dev', `config=${config}`, 'mode=duel'];
    for (const { blobs, doubles } of dataset.of('muster_match_wait_seconds')) {
      expect(blobs).toEqual([...where, 'matched=true']);
      expect([doubles.length, doubles[1]]).toEqual([2, 1]);
    }
    const rated = { match_uneven_ratio: 0, match_ping_seconds: 0.03 };
    for (const [name, value] of Object.entries(rated)) {
      const points = dataset.of(`muster_${name as keyof typeof rated}`);
      expect(points.map(({ blobs, doubles }) => [...blobs, ...doubles])).toEqual(
        [0, 0].map(() => [...where, value, 1]),
      );
    }
    expect(dataset.of('muster_matches_failed_total')[0]?.blobs).toEqual([
      ...where,
      'reason=launch_failed',
    ]);
    expect(dataset.of('muster_sweep_found_total')).toEqual([
      { indexes: ['muster_sweep_found_total'], blobs: [], doubles: [2] },
    ]);
    const requests = dataset.of('muster_http_requests_total').map(({ blobs }) => blobs);
    expect(requests).toContainEqual(['method=GET', 'route=/health', 'status=200']);
    const text = await metricsAtTheEdge({ METRICS: dataset });
    expect(text).toContain('The counts are in Analytics Engine, in the dataset bound as METRICS');
    expect(text).toContain(`muster_queue_lobbies{project="dev",config="${config}",mode="duel"} 0`);
    expect(text).not.toContain('muster_http_requests_total');
  });

  it('fit into one invocation however many lobbies a match has: points stand for several', () => {
    const [own, kept] = [new Metrics(), new StandInDataset()];
    own.send(kept);
    const waits = Array.from({ length: 1_000 }, (_, at) => at);
    own.histogram('muster_match_wait_seconds', { config: 'x'.repeat(500) })(waits);
    expect(kept.points).toHaveLength(20);
    expect(kept.points[0]?.doubles).toEqual([24.5, 50]);
    const all = kept.points.map(({ doubles: [mean = 0, times = 0] }) => mean * times);
    expect(all.reduce((sum, each) => sum + each, 0)).toBe(waits.reduce((sum, each) => sum + each));
    expect(own.text()).toContain('muster_match_wait_seconds_count');
  });

  it('stop no work where the platform takes no more of an invocation', () => {
    const own = new Metrics();
    own.send({
      writeDataPoint: () => {
        throw new Error('too many');
      },
    });
    own.count('muster_sweep_found_total');
    expect(own.text()).toContain('muster_sweep_found_total 1');
  });
});
