// What the limits achieve: how many guessed invite codes got in, how long the requests of a project take alone and
// beside a project whose key, or whose players who host, are at full speed, and whether two hundred players of one
// address are slowed down.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { choice, commandLine, given, number, word } from '../../../scripts/flags.ts';
import { startService } from '../../../scripts/service.ts';
import { cpuMs } from '../cpu.ts';
import { WORKER } from '../keep.ts';
import { spread } from '../latency/trial.ts';
import { call, type From } from './caller.ts';
import { guessCodes } from './guesses.ts';
import { household } from './household.ts';

const { flags } = commandLine({
  command: 'npm run bench:limits --',
  about: 'What limits are for: guessed codes, a greedy project beside a modest one, a household.',
  flags: {
    seconds: number(60, 'how long the flood lasts'),
    guesses: number(6_400, 'guesses of invite codes, each trial'),
    only: choice(['guesses', 'flood', 'tokens', 'household'], null, 'only one part'),
    limits: word(null, 'LIMITS of the service; `off` is how it would be without'),
    unseen: given('the flood comes from no known address'),
    connections: number(24, 'how many use tokens of game servers'),
    hosts: number(1, 'how many game servers they have tokens of'),
    before: word(null, 'a bundle to compare with: the flood by tokens meets both in turns'),
    worker: WORKER,
  },
});
const SECONDS = flags.seconds;
const LOBBIES = 200;
/** Requests a second of the measured project. */
const RATE = 100;

const PROJECTS = ['greedy', 'modest'] as const;
const keys = PROJECTS.flatMap((project) =>
  (['client', 'server'] as const).map((kind) => {
    const sha256 = createHash('sha256').update(`${project} ${kind}`).digest('hex');
    return { project, kind, sha256 };
  }),
);

const dataDir = await mkdtemp(join(tmpdir(), 'muster-limits-'));
const started = (worker: string | null) =>
  startService({
    port: 0,
    dataDir,
    env: {
      API_KEYS: JSON.stringify(keys),
      FLEET: 'simulated',
      CLIENT_ADDRESS_HEADER: 'x-real-ip',
      ...(flags.limits === null ? {} : { LIMITS: flags.limits }),
    },
    ...(worker === null ? {} : { worker }),
  });
let service = await started(flags.worker);

function from(project: (typeof PROJECTS)[number], address: string | null): From {
  return { url: service.url, key: `${project} client`, address };
}

async function guesses(): Promise<void> {
  const count = flags.guesses;
  const operator = { url: service.url, key: 'modest server', address: null };
  const inviteCodeConfig = { type: 'numeric', length: 4 };
  await call(operator, 'PUT /lobby-configs/digits', 'op', { inviteCodeConfig });
  await call(operator, 'PUT /lobby-configs/digits-2', 'op', { inviteCodeConfig });
  const trials = [
    ['codes as they are by default, one address', 'plain', '203.0.113.7'],
    ['codes as they are by default, no address known', 'plain-2', null],
    ['codes of four digits, one address', 'digits', '203.0.113.8'],
    ['codes of four digits, no address known', 'digits-2', null],
  ] as const;
  for (const [what, config, address] of trials) {
    const eve = from('modest', address);
    const hosts = from('modest', null);
    const told = await guessCodes({ hosts, eve, config, lobbies: LOBBIES, guesses: count });
    console.log(
      `${what}: ${count} guesses entered ${told.entered} of ${LOBBIES} private lobbies; ${told.wrong} wrong, ${told.refused} refused, ${(told.ms / 1000).toFixed(1)} s`,
    );
  }
}

/** Sends requests of the modest project at a steady rate, whether or not the last one has been answered. */
async function modest(seconds: number): Promise<{ ms: readonly number[]; failed: number }> {
  const me = from('modest', '198.51.100.4');
  const ms: number[] = [];
  let failed = 0;
  const path = '/lobbies/quiet';
  const lines = [`GET ${path}/me`, `PATCH ${path}/me`, `POST ${path}/me/heartbeat`, `GET ${path}`];
  const under: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index < RATE * seconds; index += 1) {
    const wait = begun + (index * 1_000) / RATE - performance.now();
    if (wait > 0) {
      await sleep(wait);
    }
    const line = lines[index % lines.length] ?? '';
    const body = line.startsWith('PATCH') ? { state: { index } } : undefined;
    under.push(
      call(me, line, `quiet-${index % 50}`, body).then((answered) => {
        ms.push(answered.ms);
        failed += answered.status === 200 ? 0 : 1;
      }),
    );
  }
  await Promise.all(under);
  return { ms, failed };
}

function flooding(program: string, ...rest: readonly string[]): Promise<string> {
  const script = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, [script, service.url, ...rest], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (told += part));
  return new Promise((resolve) => {
    child.on('exit', () => resolve(told));
  });
}

async function flood(address: string): Promise<void> {
  const quiet = await modest(Math.min(SECONDS, 20));
  const before = (await cpuMs(service.pid)).all;
  const [told, beside] = await Promise.all([
    flooding('flood.ts', 'greedy client', String(SECONDS), address),
    modest(SECONDS),
  ]);
  const used = (await cpuMs(service.pid)).all - before;
  const [alone, then] = [spread(quiet.ms), spread(beside.ms)];
  console.log(
    `a key at full speed for ${SECONDS} s, its address ${address === '' ? 'unknown' : 'known'}: ${told} by status`,
  );
  console.log(
    `the other project, ${RATE} a second: p50 ${alone.p50}, p99 ${alone.p99} ms alone; p50 ${then.p50}, p99 ${then.p99} ms beside it, ${(then.p99 / alone.p99).toFixed(1)} times; ${beside.failed} refused; the service used ${(used / SECONDS / 10).toFixed(0)} % of a core`,
  );
}

interface Own {
  readonly id: string;
  readonly token: string;
}

const streams: Response[] = [];

/** What a player who hosts a game knows of its server. */
async function hosted(player: string): Promise<Own> {
  const me = from('greedy', null);
  const path = '/lobbies/hosted';
  const headers = { 'api-key': me.key, 'x-player-id': player };
  await call(me, `POST ${path}`, player, { name: 'Den' });
  const stream = await fetch(`${service.url}/v3${path}/me/events`, { headers });
  await call(me, `POST ${path}/me/start`, player);
  for (;;) {
    const { text } = await call(me, `GET ${path}/me`, player);
    const { server } = JSON.parse(text) as {
      readonly server: { readonly instance_id: string; readonly host_token?: string } | null;
    };
    if (server?.host_token !== undefined) {
      // Without its stream the host would be replaced.
      streams.push(stream);
      return { id: server.instance_id, token: server.host_token };
    }
    await sleep(50);
  }
}

async function tokens(what: string): Promise<void> {
  const operator = { url: service.url, key: 'greedy server', address: null };
  const serverSettings = { hosting: 'players' };
  await call(operator, 'PUT /lobby-configs/hosted', 'op', { serverSettings });
  const servers: Own[] = [];
  for (let at = 0; at < flags.hosts; at += 1) {
    servers.push(await hosted(`host-${at}`));
  }
  const quiet = await modest(Math.min(SECONDS, 20));
  const own = JSON.stringify(servers);
  const [told, beside] = await Promise.all([
    flooding('tokens.ts', String(SECONDS), String(flags.connections), own),
    modest(SECONDS),
  ]);
  const [alone, then] = [spread(quiet.ms), spread(beside.ms)];
  console.log(
    `${what}, ${flags.connections} connections with tokens of ${flags.hosts} game servers for ${SECONDS} s: ${told} by status; the other project p50 ${alone.p50}, p99 ${alone.p99} ms alone; p50 ${then.p50}, p99 ${then.p99} ms beside it, ${(then.p99 / alone.p99).toFixed(1)} times; ${beside.failed} refused`,
  );
}

async function warm(): Promise<void> {
  for (let index = 0; index < 50; index += 1) {
    await call(from('modest', null), 'POST /lobbies/quiet', `quiet-${index}`, { name: 'Den' });
  }
  await modest(5);
}

try {
  const { only } = flags;
  if (only === null || only === 'guesses') {
    await guesses();
  }
  if (only === null || only === 'flood') {
    await warm();
    await flood(flags.unseen ? '' : '203.0.113.66');
  }
  if (only === null || only === 'tokens') {
    const turns = flags.before === null ? [flags.worker] : [flags.before, flags.worker];
    for (const worker of [...turns, ...(flags.before === null ? [] : turns)]) {
      await service.stop();
      service = await started(worker);
      await warm();
      await tokens(worker === flags.worker ? 'now' : 'before');
    }
  }
  if (only === null || only === 'household') {
    const living = { config: 'home', players: 200, storms: 5, seconds: 10 };
    const told = await household({ from: from('modest', '192.0.2.1'), ...living });
    console.log(
      `a household of ${told.players} players, ${living.storms} storms: ${told.requests} requests, by status ${JSON.stringify(told.statuses)}`,
    );
  }
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
