// A lobby of a hundred (record 0094): its streams told whole lobbies or changes, in turns with an earlier bundle, and beside
// a room of Colyseus with the same players and changes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, given, number, word } from '../../../scripts/flags.ts';
import { startService } from '../../../scripts/service.ts';
import { keep, KEEPING, PLACEMENT, WORKER } from '../keep.ts';
import { Colyseus } from './colyseus.ts';
import { runCrowd, type Figures } from './crowd.ts';

const { flags } = commandLine({
  command: 'npm run bench:crowd --',
  about: 'What a lobby costs whose many players all listen and change their states.',
  flags: {
    players: word('20,50,100', 'how many, one run each'),
    rates: word('10,40', 'changes a second of all together, one run each'),
    seconds: number(8, 'how long a run takes'),
    turns: number(1, 'how often everything is run'),
    before: word(null, 'an earlier bundle, to compare with'),
    colyseus: given(
      'also a room of Colyseus, whose packages are installed into a temporary folder',
    ),
    placement: PLACEMENT,
    worker: WORKER,
    ...KEEPING,
  },
});

type Named = Partial<Figures> & {
  readonly name: string;
  readonly players: number;
  readonly rate: number;
};

const numbers = (text: string): readonly number[] => text.split(',').map(Number);

async function withService<T>(
  worker: string | null,
  run: (service: { readonly url: string; readonly pid: number }) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-crowd-'));
  const service = await startService({
    port: 0,
    dataDir,
    placement: flags.placement,
    devKeys: true,
    env: { FLEET: 'simulated', LIMITS: 'off' },
    ...(worker === null ? {} : { worker }),
  });
  try {
    return await run(service);
  } finally {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function line({ name, players, rate, ...figures }: Named): string {
  const { bytesASecond = NaN, cpuMsASecond, patch, heard, stranger, strangerAlone } = figures;
  const pair = (of: Figures['patch'] | undefined): string => (of ? `${of.p50} / ${of.p99}` : '-');
  return [
    `${players} players, ${rate}/s`,
    name,
    `${(bytesASecond / 1e6).toFixed(3)} MB/s`,
    `${cpuMsASecond} ms/s`,
    `patch ${pair(patch)}`,
    `heard ${pair(heard)}`,
    `stranger ${pair(stranger)} (alone ${pair(strangerAlone)})`,
    `joins ${figures.joinedMs ?? '-'} ms`,
    ...(figures.refused ? [`${figures.refused} refused`] : []),
  ].join(' | ');
}

async function main(): Promise<void> {
  const results: Named[] = [];
  const colyseus = flags.colyseus ? await Colyseus.install() : null;
  const note = (result: Named): void => {
    results.push(result);
    console.log(line(result));
  };
  for (let turn = 0; turn < flags.turns; turn += 1) {
    for (const players of numbers(flags.players)) {
      for (const rate of numbers(flags.rates)) {
        const crowd = { players, rate, seconds: flags.seconds };
        if (flags.before !== null) {
          const whole = { ...crowd, changes: false };
          const figures = await withService(flags.before, (old) => runCrowd(old, whole));
          note({ name: 'before', players, rate, ...figures });
        }
        for (const changes of [false, true]) {
          const name = changes ? 'changes' : 'whole lobbies';
          const figures = await withService(flags.worker, (service) =>
            runCrowd(service, { ...crowd, changes }),
          );
          note({ name, players, rate, ...figures });
        }
        if (colyseus !== null) {
          note({ name: 'Colyseus', players, rate, ...(await colyseus.run(crowd)) });
        }
      }
    }
  }
  await colyseus?.remove();
  await keep(flags, 'crowd.json', results);
}

await main().catch((error: unknown) => {
  console.error(
    `crowd: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exit(1);
});
process.exit(0);
