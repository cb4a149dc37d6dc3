// `npm start` as a child, for tests of what it prints and does.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { eventually } from '../support/eventually.ts';

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  /** All that it has printed so far. */
  readonly printed: () => string;
  /** Tells it to stop; settled when it is gone. */
  readonly stop: () => Promise<void>;
}

/** A start in that data folder, on a free port; `env` is added to its environment. Resolves when it is ready or has ended. */
export async function npmStart(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
): Promise<Started> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(PROJECT, 'scripts/start.ts'), ...flags], {
    cwd: PROJECT,
    env: { ...process.env, MUSTER_DATA: dataDir, PORT: String(port), ...env },
  });
  let printed = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await eventually('it is ready, or has ended', () => printed.includes('me/start') || isOver());
  return {
    child,
    port,
    printed: () => printed,
    stop: async () => {
      if (!isOver()) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}
