// What rings the bell of a project (docs/webhooks.md): somebody waits for others.

import type { JsonObject } from '../../common/json';

/** How long each queue, and the lobbies of each config, are quiet once they have rung. */
export const QUIET_MS = 5 * 60_000;

export interface Bell {
  readonly type: 'queue.waiting' | 'lobby.open';
  /** For a chat: a name that a player gave, and the rest of the sentence. */
  readonly says: readonly [name: string, rest: string];
  /** For a backend. */
  readonly facts: JsonObject & { readonly config: string };
}
