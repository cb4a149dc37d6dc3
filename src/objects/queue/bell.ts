// Rings the bell of the project once a party has waited for the mode's `bellSeconds`. Without that field a queue keeps no
// time for it and calls nobody. When it last rang is in memory alone: the project knows better.

import { isPlayground } from '../../lobby/playground';
import { QUIET_MS } from '../contracts/bell';
import type { ActorPorts } from '../contracts/actor-ports';
import type { QueueState } from './state';

type Belled = { readonly ports: ActorPorts; readonly state: QueueState; rungAt: number };

/** When it rings for the first party that is in no proposal. Null: never. */
export function bellAt({ ports, state, rungAt }: Belled): number | null {
  const { bellSeconds } = state.meta?.mode ?? {};
  const since = bellSeconds === undefined ? null : waitingSince(state);
  return bellSeconds === undefined || since === null || isPlayground(ports.name[1] ?? '')
    ? null
    : Math.max(since + bellSeconds * 1000, rungAt + QUIET_MS);
}

/** Since when the first party that is in no proposal has waited. */
function waitingSince({ tickets, takenBy }: QueueState): number | null {
  return Iterator.from(tickets.byWait).find(({ id }) => !takenBy.has(id))?.startedAt ?? null;
}

export function ringBell(core: Belled): void {
  const { ports, state } = core;
  const now = ports.now();
  const [project = '', config = '', mode = ''] = ports.name;
  if ((bellAt(core) ?? Infinity) <= now) {
    core.rungAt = now;
    const { playersSearching: players } = state.tickets.stats(now);
    const waitedSeconds = Math.floor((now - (waitingSince(state) ?? now)) / 1000);
    const wait = players === 1 ? 'player waits' : 'players wait';
    const says = ['', `${players} ${wait} for ${mode}, ${waitedSeconds} s.`] as const;
    const facts = { config, mode, players, waitedSeconds };
    ports.background(ports.peers.project(project).ring({ type: 'queue.waiting', says, facts }));
  }
}
