// A lobby of a hundred (record 0094): its streams told whole lobbies or changes, in turns with an earlier bundle, and beside
// a room of Colyseus with the same players and changes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, given, number, word } from '../../../scripts/flags.ts';
import { Player } from '../../../scripts/player.ts';
import { startService } from '../../../scripts/service.ts';
import { startAll } from '../../../scripts/start.ts';
import { startFloor } from '../floor/start.ts';
import { keep, KEEPING, PLACEMENT, WORKER } from '../keep.ts';
import { Colyseus } from './colyseus.ts';
import { runComings } from './comings.ts';
import { runCrowd, type Crowd, type Figures } from './crowd.ts';

const { flags } = commandLine({
  command: 'npm run bench:crowd --',
  about: 'What a lobby costs whose many players all listen and change their states.',
  flags: {
    players: word('20,50,100', 'how many, one run each'),
    rates: word('10,40', 'changes a second of all together, one run each'),
    seconds: number(8, 'how long a run takes'),
    turns: number(1, 'how often everything is run'),
    before: word(null, 'an earlier bundle, to compare with'),
    spectators: number(
      0,
      'instead, what so many spectators of the game cost, in turns with nobody who watches',
    ),
    comings: given(
      'instead, what it takes where all come or go at once, and where each is a lobby of one match',
    ),
    floor: given(
      'also a bare worker that takes as many requests and writes as many changes to streams',
    ),
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
  run: (service: {
    readonly url: string;
    readonly pid: number;
    readonly serverKey: string;
  }) => Promise<T>,
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

async function onFloor(crowd: Crowd): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-crowd-'));
  const floor = await startFloor(dataDir);
  try {
    return await runCrowd(floor, crowd);
  } finally {
    await floor.stop();
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

/** As many players as there are names, who come and go; with a real game server. */
async function comings(): Promise<void> {
  for (let turn = 0; turn < flags.turns; turn += 1) {
    for (const players of numbers(flags.players)) {
      for (const name of ['before', 'whole lobbies', 'changes']) {
        const worker = name === 'before' ? flags.before : flags.worker;
        if (name === 'before' && worker === null) {
          continue;
        }
        const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-crowd-'));
        const env = { LIMITS: 'off' };
        const running = await startAll({ port: 0, dataDir, env, ...(worker && { worker }) });
        const operator = new Player(running.url, 'operator', running.serverKey);
        const service = { url: running.url, pid: running.service.pid(), operator };
        const of = await runComings(service, { players, changes: name === 'changes' });
        console.log(
          `${players} players | ${name} | join ${of.join.p50} / ${of.join.p99}, ${of.joinCpuMs} ms of processor, all have heard after ${of.allCameMs} | ` +
            `half leave ${of.left.p50} / ${of.left.p99}, all others have heard after ${of.allLeftMs} | a match of ${players} lobbies ${of.matchMs}`,
        );
        await running.stop();
        await rm(dataDir, { recursive: true, force: true });
      }
    }
  }
}

/** A game with spectators beside the same without: the difference is what they cost. */
async function watched(): Promise<void> {
  const most = flags.spectators;
  for (const players of numbers(flags.players)) {
    for (const rate of numbers(flags.rates)) {
      const costs: number[] = [];
      for (let turn = 0; turn < flags.turns; turn += 1) {
        const [alone = 0, crowded = 0] = await withService(flags.worker, async (service) => {
          const taken: number[] = [];
          for (const spectators of turn % 2 === 0 ? [0, most] : [most, 0]) {
            const crowd = { players, rate, seconds: flags.seconds, changes: true, spectators };
            const figures = await runCrowd(service, crowd);
            console.log(line({ name: `${spectators} spectators`, players, rate, ...figures }));
            taken.push(figures.cpuMsASecond);
          }
          return turn % 2 === 0 ? taken : taken.toReversed();
        });
        costs.push(crowded - alone);
      }
      const median = costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? NaN;
      const each = costs.join(', ');
      console.log(`${most} spectators of ${players} players cost ${median} ms/s (${each})`);
    }
  }
}

async function main(): Promise<void> {
  if (flags.spectators > 0) {
    return watched();
  }
  if (flags.comings) {
    return comings();
  }
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
        if (flags.floor) {
          note({ name: 'floor', players, rate, ...(await onFloor({ ...crowd, changes: true })) });
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
