// The way of a page, with the samples of ops/ and the real programs: a build fails, Prometheus sees it, Alertmanager
// posts to a webhook, and the link in what it posts opens the page that says why.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { needs, pathOf } from '../support/tools.ts';
import { openSite, pageIn, signedIn, type Site } from './browser.ts';

interface Alert {
  readonly status: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const hasAll = [needs('chromium'), needs('prometheus'), needs('alertmanager')].every(Boolean);

describe.runIf(hasAll)('an operator is paged', () => {
  const programs: ChildProcess[] = [];
  const told = Promise.withResolvers<Alert>();
  const receiver = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { alerts } = JSON.parse(Buffer.concat(parts).toString()) as { alerts: Alert[] };
      alerts
        .filter(({ labels }) => labels['alertname'] === 'MusterLaunchesFail')
        .forEach((alert) => told.resolve(alert));
      response.end();
    });
  });
  let folder: string;
  let site: Site;

  /** A sample of ops/ with these words in the place of others, each of which it must have. */
  async function sample(name: string, changes: Readonly<Record<string, string>>): Promise<string> {
    let text = await readFile(join(PROJECT, 'ops', name), 'utf8');
    for (const [from, to] of Object.entries(changes)) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  function start(program: 'prometheus' | 'alertmanager', words: readonly string[]): void {
    programs.push(spawn(pathOf(program), words, { stdio: 'ignore' }));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-paged-'));
    site = await openSite('paged');
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    const address = receiver.address();
    const hook = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const [prometheus, alertmanager] = [await freePort(), await freePort()];
    const { url, serverKey } = site.running;
    await writeFile(join(folder, 'key'), serverKey);
    await writeFile(join(folder, 'alerts.yml'), await readFile(join(PROJECT, 'ops/alerts.yml')));
    const scrape = await sample('prometheus.yml', {
      'scrape_interval: 15s': 'scrape_interval: 1s\n  evaluation_interval: 1s',
      'http://127.0.0.1:8787': url,
      'alertmanager:9093': `127.0.0.1:${alertmanager}`,
      '/run/secrets/metrics-key': join(folder, 'key'),
      'muster:8787': new URL(url).host,
    });
    // `url_file` is newer than Debian's Alertmanager.
    const route = await sample('alertmanager.yml', {
      'url_file: /run/secrets/alert-webhook': `url: ${hook}`,
      'receiver: webhook\n': 'receiver: webhook\n  group_wait: 1s\n',
    });
    start('alertmanager', [
      `--config.file=${route}`,
      `--storage.path=${join(folder, 'alerts')}`,
      `--web.listen-address=127.0.0.1:${alertmanager}`,
      '--cluster.listen-address=',
    ]);
    start('prometheus', [
      `--config.file=${scrape}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${prometheus}`,
    ]);
  });

  afterAll(async () => {
    programs.forEach((program) => program.kill());
    receiver.close();
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('of a failing build, and one click opens the page that says why', async () => {
    const launch = { command: '/bin/sh', args: ['-c', 'echo no such map; exit 3'] };
    await site.operator.ok('PUT', '/builds/game', { launch });
    for (let launches = 0; launches < 3; launches += 1) {
      await site.operator.call('POST', '/servers/start', { version_tag: 'game' });
    }
    const { status, labels, annotations } = await told.promise;
    expect({ status, ...labels, ...annotations }).toMatchObject({
      status: 'firing',
      severity: 'page',
      build: 'game',
      summary: 'Launches of the build game fail',
      page: `${site.running.url}/dashboard/#/servers/build/game/failed`,
    });
    const page = await pageIn(site, await site.browser.newContext());
    await signedIn(site, page);
    await page.goto(annotations['page'] ?? '');
    await page.getByText('exit code 3').first().waitFor();
    console.log('task Be paged of a failing build: 1 steps');
    expect(site.complaints).toEqual([]);
  });
});
