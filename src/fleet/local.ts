// The fleet of one machine. It talks to the agent (`agent/`), which starts a process for each server. The agent is
// idempotent by instance id, so every call may be repeated.

import type { Fleet } from './port';
import { restFleet, type TimeLimits } from './rest';

export interface LocalFleetOptions {
  /** Address of the agent. */
  readonly url: string;
  /** The bearer secret that the agent was started with. */
  readonly secret: string;
  readonly timeLimits?: TimeLimits | undefined;
}

/** decision 37; docs/internals/design.md: A game server. The top of rest.ts explains the answers. */
export function localFleet({ url, secret, timeLimits }: LocalFleetOptions): Fleet {
  const headers = { authorization: `Bearer ${secret}` };
  return restFleet({ url, who: 'agent', timeLimits, credentials: async () => headers });
}
