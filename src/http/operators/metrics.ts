// GET /metrics: Prometheus text. Counters are of this isolate, gauges are read from the objects. A server or viewer key
// reads its project. METRICS_KEY, or such a key if there is only one project, reads all.

import { Metrics, metrics } from '../../common/metrics';
import { disk } from '../../objects/kit/disk';
import { lag } from '../../objects/kit/lag';
import { configOf } from '../../objects/caches/project';
import { bearerOf, isSecret, projectsOf } from '../wire/access';
import { type Call, open, type Route } from '../wire/call';
import { slowDown } from '../gate/checks';
import { refusedByLimit } from '../gate/rates';
import { sharing } from '../gate/turns';
import { isForeign } from '../wire/origin';
import { refuseWith, retrying } from '../wire/answer';
import { configNames } from '../isolate/seen-configs';
import { grantIn } from '../identity/secrets';

const MOST_CONFIGS = 50;
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const AT_THE_EDGE = '# At the edge each isolate counts for itself, and here are only gauges.';

export const METRICS: Route = open('GET /metrics', metricsText);

async function metricsText(call: Call): Promise<Response> {
  const { request, url, env } = call;
  const key = request.headers.get('api-key') ?? bearerOf(request);
  if (isForeign(request, url, env)) {
    return refuseWith('FORBIDDEN', 'Origin: pages from other origins cannot read this');
  }
  const reads = await readsOf(call, key);
  const gauges = new Metrics();
  const read = (project: string) => sharing(call, project, () => gauge(call, project, gauges));
  await Promise.all(reads.projects.map(read));
  const isBox = env.BOX !== undefined;
  if (isBox && reads.isAll) {
    gauges.set('muster_longest_pause_seconds', lag.longest(Date.now()) / 1000);
    if (disk.seen !== null) {
      gauges.set('muster_disk_used_ratio', disk.usedShare ?? 0);
      gauges.set('muster_disk_free_bytes', disk.seen.free);
      gauges.set('muster_database_bytes', disk.seen.database);
    }
    for (const [limit, count] of Object.entries(refusedByLimit())) {
      gauges.set('muster_rate_limited_total', count, { limit });
    }
  }
  const shown = ({ project }: Readonly<Record<string, string>>): boolean =>
    reads.isAll || (project !== undefined && reads.projects.includes(project));
  const where = env.METRICS
    ? 'The counts are in Analytics Engine, in the dataset bound as METRICS.'
    : 'METRICS is not bound: counts are not kept.';
  const counts = isBox ? metrics.text(shown) : `${AT_THE_EDGE} ${where}\n`;
  const headers = { 'content-type': TEXT, 'cache-control': 'no-store' };
  return new Response(counts + gauges.text(), { headers });
}

/** The projects whose metrics the caller may read. `isAll`: also those that belong to no project. */
async function readsOf(call: Call, key: string | null) {
  const all = await projectsOf(call.env);
  if (key !== null && (await isSecret(call.env.METRICS_KEY ?? '', key))) {
    return { projects: all, isAll: true };
  }
  const grant = await grantIn(call, key);
  if (!grant.ok || grant.value.kind === 'client') {
    const needed = 'This needs a server or viewer key, or METRICS_KEY, as api-key or bearer token';
    return refuseWith(grant.ok ? 'FORBIDDEN' : 'UNAUTHORIZED', needed);
  }
  const { project } = grant.value;
  await slowDown(METRICS, call, { key, project });
  return { projects: [project], isAll: all.length === 1 };
}

async function gauge({ peers }: Call, project: string, gauges: Metrics): Promise<void> {
  const [document, groups] = await Promise.all([
    retrying(() => peers.project(project).document()),
    retrying(() => peers.project(project).serverGroups()),
  ]);
  for (const { name, failing } of Object.values(document.builds)) {
    gauges.set('muster_build_failing', failing === true ? 1 : 0, { project, build: name });
    // Prometheus sees no increase in a series that did not exist, so an alert would miss the first failures.
    metrics.counter('muster_launches_total', { project, build: name, result: 'failed' });
  }
  for (const { build, region, count } of groups.filter(({ state }) => state === 'waiting')) {
    gauges.set('muster_matches_without_room', count, { project, build: build ?? '', region });
  }
  for (const region of new Set(groups.map((group) => group.region))) {
    for (const status of ['launching', 'running', 'stopped'] as const) {
      const servers = groups
        .filter((group) => group.region === region)
        .filter(({ state }) => (state === 'failed' ? 'stopped' : state) === status)
        .reduce((sum, { count }) => sum + count, 0);
      gauges.set('muster_servers', servers, { project, region, status });
    }
  }
  await Promise.all(
    configNames(project, document)
      .slice(0, MOST_CONFIGS)
      .map(async (config) => {
        const census = await retrying(() => peers.directory(project, config).census());
        for (const [status, count] of Object.entries(census.byStatus)) {
          gauges.set('muster_lobbies', count, { project, config, status });
        }
        gauges.set('muster_lobbies', census.privates, { project, config, status: 'private' });
        for (const mode of Object.keys(configOf(document, config).matchmaking.modes)) {
          const stats = await retrying(() => peers.queue(project, config, mode).stats());
          const labels = { project, config, mode };
          gauges.set('muster_queue_lobbies', stats.lobbiesInQueue, labels);
          gauges.set('muster_queue_players', stats.playersSearching, labels);
          gauges.set('muster_queue_wait_seconds', stats.avgWaitSeconds, labels);
        }
      }),
  );
}
