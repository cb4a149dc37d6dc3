// Guests in the lobbies of clients: each writes its state again and again, so that the lobby has always
// just changed, and is about to, when its host asks for something.

import { setTimeout as sleep } from 'node:timers/promises';
import { Player } from '../../scripts/player.ts';
import type { SdkClient } from './client.ts';

export interface Guest {
  /** Settled once its last write is answered; rejects with what a write was refused with. */
  stop(): Promise<void>;
}

/** A guest that has joined the lobby, and writes each `everyMs`. */
export async function guestOf(
  {
    url,
    config,
    player,
  }: { readonly url: string; readonly config: string; readonly player: string },
  lobbyId: string,
  everyMs: number,
): Promise<Guest> {
  const guest = new Player(url, player);
  const path = `/lobbies/${config}`;
  await guest.ok('POST', `${path}/join`, { lobbyId });
  const over = new AbortController();
  const writing = (async (): Promise<void> => {
    for (let mark = 0; !over.signal.aborted; mark += 1) {
      const next = sleep(everyMs);
      await guest.ok('PATCH', `${path}/me`, { state: { mark } });
      await next;
    }
  })();
  writing.catch(() => {
    // Whoever stops the guest is told.
  });
  return {
    stop: () => {
      over.abort();
      return writing;
    },
  };
}

/** The client writes its state each `everyMs`, without waiting for answers, until it is told to stop. */
export function writing(client: SdkClient, everyMs: number): () => void {
  let mark = 0;
  const timer = setInterval(() => {
    mark += 1;
    client.patchState({ mark }).catch(() => {
      // It is in no lobby just now, or has ended.
    });
  }, everyMs);
  return () => clearInterval(timer);
}
