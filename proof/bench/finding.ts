// How long a quick join takes where many lobbies could fit, and a search by eight settings: over HTTP, on a box.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { keep, KEEPING, PLACEMENT } from './keep.ts';
import { Target } from './latency/http.ts';

const { flags } = commandLine({
  command: 'npm run bench:finding --',
  about: 'How long quick joins and searches take where there are many lobbies.',
  flags: {
    join: number(1_000, 'lobbies that quick joins choose from'),
    search: number(10_000, 'lobbies that searches go through'),
    times: number(400, 'quick joins, and searches of each kind'),
    placement: PLACEMENT,
    ...KEEPING,
  },
});

const AT_ONCE = 8;
const KEYS = Array.from({ length: 8 }, (_, at) => `k${at}`);
const VALUES = 5;

const body = (value: object): string => JSON.stringify(value);

/** Every lobby has one of few values in each setting. Other numbers, so that the settings do not go together. */
function settingsOf(index: number): Record<string, number> {
  return Object.fromEntries(
    KEYS.map((key, at) => [key, Math.floor(index / VALUES ** (at % 4)) % VALUES]),
  );
}

async function each(count: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const acting = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await act(next);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, acting));
}

async function lobbies(target: Target, config: string, count: number): Promise<void> {
  await each(count, async (index) => {
    const lobby = { name: 'den', maxPlayers: 4, settings: settingsOf(index) };
    // Another program may have the processor for a while.
    for (let status = 503; status === 503;) {
      ({ status } = await target.ask(
        'POST',
        `/lobbies/${config}`,
        `${config}${index}`,
        body(lobby),
      ));
    }
  });
}

interface Figure {
  readonly name: string;
  readonly p50: number;
  readonly p99: number;
}

async function timed(
  target: Target,
  name: string,
  ask: (index: number) => readonly [method: 'GET' | 'POST', path: string, body?: string],
): Promise<Figure> {
  const took: number[] = [];
  for (let index = 0; index < flags.times; index += 1) {
    const [method, path, sent] = ask(index);
    const from = performance.now();
    const { status, text } = await target.ask(method, path, `${name} ${index}`, sent);
    took.push(performance.now() - from);
    if (status >= 300) {
      throw new Error(`${name} answered ${status} ${text}`);
    }
  }
  took.sort((a, b) => a - b);
  const at = (part: number): number =>
    Number((took[Math.floor(took.length * part)] ?? 0).toFixed(2));
  return { name, p50: at(0.5), p99: at(0.99) };
}

/** Never the same twice, so that no page is one of half a second ago. */
function query(index: number, value: (key: string, at: number) => string): string {
  const where = KEYS.map((key, at) => `settings.${key}=${value(key, at)}`);
  return `/lobbies/many?${where.join('&')}&places=1&limit=${1 + (index % 100)}&sort=newest`;
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-finding-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const { placement } = flags;
const service = await startService({ port: 0, dataDir, devKeys: true, env, placement });
const figures: Figure[] = [];
try {
  const operator = new Target(service.url, service.serverKey);
  for (const config of ['some', 'many']) {
    await operator.ok('PUT', `/lobby-configs/${config}`, 'operator', { browseBy: KEYS });
  }
  const target = new Target(service.url, 'client_dev_key');
  await lobbies(target, 'some', flags.join);
  const create = { name: 'den', maxPlayers: 4 };
  const quick = (where: object): string =>
    body({ where, create: { ...create, settings: settingsOf(1) } });
  figures.push(
    await timed(target, 'quick join', () => ['POST', '/lobbies/some/quick-join', quick({})]),
    await timed(target, 'quick join by one setting', (index) => [
      'POST',
      '/lobbies/some/quick-join',
      body({ where: { k0: index % VALUES }, create }),
    ]),
  );
  await lobbies(target, 'many', flags.search);
  figures.push(
    await timed(target, 'browse', (index) => ['GET', `/lobbies/many?limit=50&offset=${index}`]),
    await timed(target, 'search by eight values', (index) => [
      'GET',
      query(index, (key) => String(settingsOf(index)[key])),
    ]),
    await timed(target, 'search by eight ranges', (index) => [
      'GET',
      query(index, (_, at) => `${(index + at) % 2}..`),
    ]),
  );
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${flags.join} and ${flags.search} lobbies, ${placement}`);
for (const { name, p50, p99 } of figures) {
  console.log(`  ${name.padEnd(26)} p50 ${p50} ms, p99 ${p99} ms`);
}
await keep(flags, `finding-${placement}.json`, { ...flags, figures });
// Open keep-alive connections would keep this process alive.
process.exit(0);
