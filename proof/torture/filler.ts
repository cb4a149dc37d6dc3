// Fills the disk that holds the service's data, to the last byte, and empties it again.

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The time between two fillings, and how long the disk stays full. */
const CYCLE_MS = 20_000;
const FULL_MS = 10_000;
const DISK_MIB = 256;

/**
 * Turns the folder into a disk of its own, which needs root on Linux. Returns a function that
 * removes it.
 */
export function mountSmallDisk(folder: string): () => void {
  const options = ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder];
  execFileSync('mount', options, { stdio: 'inherit' });
  return () => execFileSync('umount', ['-l', folder], { stdio: 'inherit' });
}

export class Filler {
  readonly #path: string;
  readonly #tell: (what: string) => void;
  #over = new AbortController();
  #cycles: Promise<void> = Promise.resolve();
  times = 0;

  constructor(folder: string, tell: (what: string) => void) {
    this.#path = join(folder, 'filler');
    this.#tell = tell;
  }

  start(): void {
    this.#over = new AbortController();
    this.#cycles = this.#cycle(this.#over.signal);
  }

  /** Resolves when the disk is empty again. */
  async stop(): Promise<void> {
    this.#over.abort();
    await this.#cycles;
  }

  async #cycle(signal: AbortSignal): Promise<void> {
    const pause = (ms: number): Promise<unknown> =>
      sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted) {
      await pause(CYCLE_MS - FULL_MS);
      if (!signal.aborted) {
        this.#fill();
        await pause(FULL_MS);
        rmSync(this.#path, { force: true });
        this.#tell('--- the disk is empty');
      }
    }
  }

  #fill(): void {
    const file = openSync(this.#path, 'w');
    for (const bytes of [2 ** 20, 4_096]) {
      try {
        for (;;) {
          writeSync(file, Buffer.alloc(bytes));
        }
      } catch {
        // Full, as far as pieces of that size go.
      }
    }
    closeSync(file);
    this.times += 1;
    this.#tell('--- the disk is full');
  }
}
