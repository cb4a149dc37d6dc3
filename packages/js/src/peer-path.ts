// Tells the operators of a game which way two of its players are connected, and when that changes. One of the two does.

import type { MusterPlayer } from './player.ts';
import type { AnyLobby } from './types.ts';

/** How often is looked which way a connection takes. */
const LOOK_MS = 15_000;

interface Peer {
  readonly id: string;
  path(): Promise<{ readonly isRelayed: boolean; readonly ms: number } | null>;
}

export async function tellPath(
  muster: MusterPlayer<object, object>,
  lobby: AnyLobby | null,
  peer: Peer,
  isConnected: () => boolean,
): Promise<void> {
  const match = lobby?.matchId ?? null;
  if (match === null || muster.player > peer.id) {
    return;
  }
  let told: boolean | null = null;
  while (isConnected()) {
    const path = await peer.path().catch(() => null);
    if (path !== null && path.isRelayed !== told) {
      told = path.isRelayed;
      await muster.reportLink(match, { to: peer.id, ...path }).catch(() => {});
    }
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}
