// A room of Colyseus with the same players and changes. Its packages are no dependencies of Muster: they are installed
// into a temporary folder, with the two programs that use them.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { freePort } from '../../../agent/ports.ts';
import { cpuMs } from '../cpu.ts';
import { quantiles, type Crowd, type Figures } from './crowd.ts';

const PACKAGES = [
  '@colyseus/core@0.18.17',
  '@colyseus/ws-transport',
  '@colyseus/sdk',
  '@colyseus/schema',
  '@colyseus/better-call',
  '@colyseus/greeting-banner',
  'ws',
  'express',
  'msgpackr',
  'nanoid',
];
const PROGRAMS = ['colyseus-room.mjs', 'colyseus-crowd.mjs'];

interface Told {
  readonly what: 'begins' | 'ends';
  readonly bytes: number;
  readonly heard: readonly number[];
}

export class Colyseus {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async install(): Promise<Colyseus> {
    const folder = await mkdtemp(join(tmpdir(), 'muster-bench-colyseus-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const how = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...how, ...PACKAGES], { cwd: folder, stdio: 'ignore' });
    for (const program of PROGRAMS) {
      await copyFile(join(import.meta.dirname, program), join(folder, program));
    }
    return new Colyseus(folder);
  }

  async run(crowd: Omit<Crowd, 'changes'>): Promise<Partial<Figures>> {
    const port = String(await freePort());
    const start = (args: readonly string[]) =>
      spawn(process.execPath, args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const room = start(['colyseus-room.mjs', port]);
    await once(room.stdout, 'data');
    const numbers = [crowd.players, crowd.rate, crowd.seconds].map(String);
    const clients = start(['colyseus-crowd.mjs', port, ...numbers]);
    try {
      const pid = room.pid ?? 0;
      let [at, cpu] = [0, 0];
      for await (const text of createInterface({ input: clients.stdout })) {
        const told = JSON.parse(text) as Told;
        const now = { at: performance.now(), cpu: (await cpuMs(pid)).all };
        if (told.what === 'ends') {
          const seconds = (now.at - at) / 1_000;
          return {
            bytesASecond: Math.round(told.bytes / seconds),
            cpuMsASecond: Math.round((now.cpu - cpu) / seconds),
            heard: quantiles(told.heard),
          };
        }
        ({ at, cpu } = now);
      }
      throw new Error('the clients of Colyseus ended early');
    } finally {
      clients.kill();
      room.kill();
    }
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
