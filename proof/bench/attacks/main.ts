// What players with a client key can do to a box with little memory: under each attack, how much memory the box
// takes, and how long /health and another project's requests take. The aims are in docs/internals/performance.md.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { bundle } from '../../../scripts/bundle.ts';
import { choice, commandLine, number } from '../../../scripts/flags.ts';
import { spread } from '../latency/trial.ts';
import { call, type From } from '../limits/caller.ts';
import { startBox, watch, type Memory } from './box.ts';

const KINDS = [
  'compressed',
  'long',
  'flood',
  'tickets',
  'fat-streams',
  'fat-sockets',
  'opens',
  'names',
] as const;
const { flags } = commandLine({
  command: 'npm run bench:attack --',
  about: 'Attacks of players on a box with little memory: its memory, and what others wait for.',
  flags: {
    seconds: number(20, 'how long each attack lasts'),
    memory: number(512, 'MB that the box may take, where the kernel lets us bound it'),
    only: choice(KINDS, null, 'only one attack'),
  },
});

const keys = ['greedy', 'modest'].flatMap((project) =>
  (['client', 'server'] as const).map((kind) => {
    const sha256 = createHash('sha256').update(`${project}-${kind}`).digest('hex');
    return { project, kind, sha256 };
  }),
);

function attacking(url: string, kind: string): Promise<string> {
  const script = fileURLToPath(new URL('attacker.ts', import.meta.url));
  const args = [script, url, 'greedy-client', kind, String(flags.seconds)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (told += part));
  return new Promise((resolve) => {
    child.on('exit', () => resolve(told.trim()));
  });
}

async function under(kind: (typeof KINDS)[number] | null): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-attack-'));
  const env = { API_KEYS: JSON.stringify(keys), FLEET: 'simulated' };
  const box = await startBox(env, { memoryMb: flags.memory, dataDir });
  const operator: From = { url: box.url, key: 'greedy-server', address: null };
  const other: From = { url: box.url, key: 'modest-client', address: null };
  try {
    const open = { teams: 2, playersPerTeam: 3, timeout: 3_600 };
    await call(operator, 'PUT /lobby-configs/names', 'op', { matchmaking: { modes: { open } } });
    for (let index = 0; index < 20; index += 1) {
      const create = (): ReturnType<typeof call> =>
        call(other, 'POST /lobbies/quiet', `quiet-${index}`, { name: 'Den' });
      // On a busy machine the box may refuse requests.
      while ((await create()).status >= 500) {
        await sleep(500);
      }
    }
    const over = new AbortController();
    const own = monitorEventLoopDelay();
    own.enable();
    const [begun, used] = [performance.now(), await box.processorMs()];
    const watching = watch(box, other, over.signal);
    const told =
      kind === null ? await sleep(flags.seconds * 1_000, '') : await attacking(box.url, kind);
    over.abort();
    const share = ((await box.processorMs()) - used) / (performance.now() - begun);
    const { healthMs, otherMs, statuses, memory } = await watching;
    own.disable();
    const most = (of: (each: Memory) => number): number => Math.max(...memory.map(of));
    const [health, others] = [spread(healthMs), spread(otherMs)];
    console.log(`${kind ?? 'nothing'}: ${told}${box.isAlive() ? '' : ' THE BOX HAS ENDED'}`);
    console.log(
      `  memory at most ${most(({ rss }) => rss)} MiB, shared pages once ${most(({ pss }) => pss)} MiB${box.isBounded ? ` of ${flags.memory}` : ', not bounded'}; /health p50 ${health.p50}, p99 ${health.p99}, at most ${Math.max(...healthMs).toFixed(0)} ms; others p50 ${others.p50}, p99 ${others.p99} ms, by status ${JSON.stringify(statuses)}; the box used ${(share * 100).toFixed(0)} % of a core; the bench itself p99 ${(own.percentile(99) / 1e6).toFixed(0)} ms late; load ${loadavg()[0]?.toFixed(1)}`,
    );
  } finally {
    await box.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await bundle();
const all = flags.only === null ? [null, ...KINDS] : [flags.only];
for (const kind of all) {
  await under(kind);
}
process.exit(0);
