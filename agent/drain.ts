// Draining: the agent takes no launches any more, and ends when its last game has. A file in its folder makes the
// next agent drain on if this one is killed.

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { logError } from './log.ts';

import type { Servers } from './servers.ts';

/** The exit code of an agent that has drained. Whoever restarts agents must not restart this one. */
export const DRAINED = 10;

const SAY_MS = 60_000;

/** Whether an earlier agent in that folder was told to drain, and was killed before it had. */
export function isDraining(dataDir: string): boolean {
  return existsSync(fileIn(dataDir));
}

/** Remembers that the agent drains, or that it does no longer. */
export function noteDrain(dataDir: string, drains: boolean): void {
  try {
    if (drains) {
      writeFileSync(fileIn(dataDir), '', { mode: 0o600 });
    } else {
      rmSync(fileIn(dataDir), { force: true });
    }
  } catch (error) {
    logError('a drain could not be noted', error);
  }
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'draining');
}

/** Resolves when the last game has ended. Until then it says at once, and then once a minute, how many are left. */
export async function drained(
  servers: Pick<Servers, 'drain' | 'alive'>,
  say: (text: string) => void,
): Promise<void> {
  const tell = (): void => {
    const left = servers.alive();
    say(`takes no launches any more, ${left === 1 ? '1 game is' : `${left} games are`} left`);
  };
  tell();
  const timer = setInterval(tell, SAY_MS);
  await servers.drain();
  clearInterval(timer);
}
