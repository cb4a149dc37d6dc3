// A real Prometheus scrapes the service, and its alert rules are such as it takes.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { FAMILIES } from '../../src/common/metrics.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';

const KEY = 'the-key-of-the-scraper';

describe.runIf(needs('prometheus'))('Prometheus', () => {
  let folder: string;
  let service: Service;
  let prometheus: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-prometheus-'));
    const env = { FLEET: 'simulated', METRICS_KEY: KEY };
    service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
    const [port, target] = [await freePort(), new URL(service.url).host];
    const config = `
global: { scrape_interval: 1s }
rule_files: ['${join(PROJECT, 'ops/alerts.yml')}']
scrape_configs:
  - job_name: muster
    authorization: { credentials: '${KEY}' }
    static_configs: [{ targets: ['${target}'] }]
`;
    const path = join(folder, 'prometheus.yml');
    await writeFile(path, config);
    url = `http://127.0.0.1:${port}`;
    const words = [
      `--config.file=${path}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    prometheus = spawn(pathOf('prometheus'), words, { stdio: 'ignore' });
  });

  afterAll(async () => {
    prometheus.kill();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function query(expr: string): Promise<readonly { readonly value: [number, string] }[]> {
    const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
    const { data } = (await answer.json()) as {
      readonly data: { readonly result: readonly { readonly value: [number, string] }[] };
    };
    return data.result;
  }

  it('scrapes it, and answers what was matched', async () => {
    const operator = new Player(service.url, 'operator', service.serverKey);
    await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { duel: {} } } });
    for (const name of ['ann', 'bob']) {
      const player = new Player(service.url, name, 'client_dev_key');
      await player.ok('POST', '/lobbies/arena', { name: 'Den' });
      await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    }
    const formed = 'sum(muster_matches_formed_total{config="arena",mode="duel"})';
    const value = await eventually(
      'the match is counted',
      async () => (await query(formed))[0]?.value[1] === '1' && query(formed),
      { everyMs: 250 },
    );
    expect(value[0]?.value[1]).toBe('1');
    const targets = (await (await fetch(`${url}/api/v1/targets`)).json()) as {
      readonly data: { readonly activeTargets: readonly { health: string; lastError: string }[] };
    };
    expect(targets.data.activeTargets).toMatchObject([{ health: 'up', lastError: '' }]);
    console.log(
      `${targets.data.activeTargets.length} target up; ${formed} = ${value[0]?.value[1]}`,
    );
  });

  it('takes the rules', () => {
    const rules = join(PROJECT, 'ops/alerts.yml');
    const said = execFileSync(pathOf('promtool'), ['check', 'rules', rules], { encoding: 'utf8' });
    expect(said).toContain('SUCCESS: 10 rules found');
  });

  it('fires each alert on what it is for', () => {
    const tests = join(PROJECT, 'ops/alerts.test.yml');
    const said = execFileSync(pathOf('promtool'), ['test', 'rules', tests], { encoding: 'utf8' });
    expect(said).toContain('SUCCESS');
  });

  it('finds its own text in order', async () => {
    const text = await (
      await fetch(`${service.url}/metrics`, { headers: { 'api-key': service.serverKey } })
    ).text();
    // An increase of what was not there before is none to Prometheus, and the alert would miss it.
    expect(text).toContain('muster_sweep_found_total 0\n');
    expect(text).toContain(
      'muster_launches_total{project="dev",build="default",result="failed"} 0\n',
    );
    const promtool = pathOf('promtool');
    expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe(
      '',
    );
  });
});

it('the page on monitoring lists every metric', async () => {
  const page = await readFile(join(PROJECT, 'docs/monitoring.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `muster_'));
  const listed = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)]);
  expect(new Set(listed.map(([, name]) => name))).toEqual(new Set(Object.keys(FAMILIES)));
});

it('the dashboard and the alerts ask for metrics that there are', async () => {
  for (const path of ['ops/alerts.yml', 'ops/grafana/muster.json']) {
    const text = await readFile(join(PROJECT, path), 'utf8');
    const asked = [...text.matchAll(/\bmuster_[a-z_]+/g)].map(([name]) => name);
    const bare = asked.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    expect(asked.length).toBeGreaterThan(5);
    expect(bare.filter((name) => !Object.hasOwn(FAMILIES, name))).toEqual([]);
  }
});
