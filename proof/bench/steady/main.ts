// Pairs come at a steady rate, play and leave, and other players do what players do (traffic.ts). Once warm, the
// service's memory, open files and data folder must not grow any more. JOURNAL_HOURS is so short that what is kept
// for a day is forgotten, and its space reused, well within the run.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { commandLine, number, word } from '../../../scripts/flags.ts';
import { startService } from '../../../scripts/service.ts';
import { cpuMs, folderKiB, memoryMiB } from '../cpu.ts';
import { keep, keepChart, KEEPING } from '../keep.ts';
import { Target } from '../latency/http.ts';
import { offer } from '../latency/trial.ts';
import { lines } from '../lines.ts';
import { keptIn } from './rows.ts';
import type { Kept } from './rows.ts';
import { GAME_SECONDS, playBeside, saveConfigs } from './traffic.ts';
import type { Told } from './traffic.ts';

const { flags } = commandLine({
  command: 'npm run bench:steady --',
  about: "Pairs come, play and leave: the service's memory, files and data folder level off.",
  flags: {
    rate: number(20, 'pairs a second'),
    others: number(4, 'other players a second'),
    minutes: number(30, 'how long'),
    'journal-hours': word('0.2', 'JOURNAL_HOURS of the service'),
    ...KEEPING,
  },
});
const SAMPLE_SECONDS = 15;
/** Rows are counted with every eighth sample, because counting reads all of them. */
const COUNTED = 8;
const MINUTES = flags.minutes;
const NOBODY: Told = { done: {}, failures: [] };
const JOURNAL_HOURS = flags['journal-hours'];

interface Sample {
  readonly minute: number;
  readonly memoryMiB: number;
  readonly openFiles: number;
  readonly dataKiB: number;
  readonly cpuMs: number;
  readonly kept?: Kept;
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-steady-'));
const env = {
  FLEET: 'simulated',
  LIMITS: 'off',
  JOURNAL_HOURS,
  GAME_LIMIT_SECONDS: String(GAME_SECONDS),
};
const service = await startService({ port: 0, dataDir, devKeys: true, env });
try {
  await saveConfigs(service);
  const begun = performance.now();
  const minute = (): number => Math.round((performance.now() - begun) / 600) / 100;
  const samples: Sample[] = [];
  const over = new AbortController();
  const sampling = (async (): Promise<void> => {
    while (!over.signal.aborted) {
      const sample = {
        minute: minute(),
        memoryMiB: await memoryMiB(service.pid),
        openFiles: (await readdir(`/proc/${service.pid}/fd`)).length,
        dataKiB: await folderKiB(join(dataDir, 'storage')),
        cpuMs: (await cpuMs(service.pid)).all,
        ...(samples.length % COUNTED === 0 ? { kept: keptIn(dataDir) } : {}),
      };
      samples.push(sample);
      console.log(JSON.stringify(sample));
      await sleep(SAMPLE_SECONDS * 1_000, undefined, { signal: over.signal }).catch(() => {
        // The last sample has been taken.
      });
    }
  })();
  const target = new Target(service.url, 'client_dev_key');
  const others = flags.others;
  const beside = others === 0 ? NOBODY : playBeside(target, others, over.signal);
  const pairs = { rate: flags.rate, seconds: MINUTES * 60, name: 'steady' };
  const { timings, failures } = await offer(target, pairs);
  over.abort();
  await sampling;
  const { done, failures: spoilt } = await beside;
  const told = {
    ...pairs,
    journalHours: Number(JOURNAL_HOURS),
    matched: timings.length,
    failed: failures.length,
    failure: failures[0] ?? null,
    others: done,
    othersFailed: spoilt.length,
    othersFailure: spoilt[0] ?? null,
  };
  console.log(JSON.stringify(told));
  await keep(flags, 'steady.json', { ...told, samples });
  await keepChart(flags, 'bench-steady.svg', () =>
    lines({
      title: `${flags.rate} pairs a second for ${MINUTES} minutes, and ${flags.others} others a second`,
      xs: samples.map((sample) => sample.minute),
      scale: 'linear',
      nameOf: (x) => `${Math.round(x)} min`,
      panels: [
        { name: 'memory, MiB', values: samples.map((sample) => sample.memoryMiB) },
        { name: 'open files', values: samples.map((sample) => sample.openFiles) },
        {
          name: 'data folder, MiB',
          values: samples.map((sample) => Math.round(sample.dataKiB / 1024)),
        },
      ],
    }),
  );
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
