// Draining: the agent takes no launches any more, and ends when its last game has.

import type { Servers } from './servers.ts';

/** The exit code of an agent that has drained. Whoever restarts agents must not restart this one. */
export const DRAINED = 10;

const SAY_MS = 60_000;

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
