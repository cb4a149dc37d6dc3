// The fleet of one machine: speaks to the agent (fleet/), which starts a process a server.
// The agent answers by instance id, so every call here may be repeated.

import type { Fleet } from './port';
import { restFleet, type TimeLimits } from './rest';

export interface LocalFleetOptions {
  /** Address of the agent. */
  readonly url: string;
  /** Bearer secret the agent was started with. */
  readonly secret: string;
  readonly timeLimits?: TimeLimits | undefined;
}

/** decision 37; docs/internals/design.md: A game server. Which answer means what is told at the top of rest.ts. */
export function localFleet({ url, secret, timeLimits }: LocalFleetOptions): Fleet {
  const headers = { authorization: `Bearer ${secret}` };
  return restFleet({ url, who: 'agent', timeLimits, credentials: async () => headers });
}
