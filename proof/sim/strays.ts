// No ticket without its lobby, once all is quiet. One exception: a queue tells an old request from a
// new one by clocks that agree within some seconds (src/objects/kit/lately.ts). Where they were set back
// by more, a late entry may bring a ticket back; it must then go by itself, at its time-out.

import { ticketIn } from '../../src/lobby/tickets';
import type { Quiet } from './finally';
import { queueOn } from './truth';

/** The largest clock difference: `SKEW_MS` there. */
const AGREEING_MS = 5_000;
/** Time to notice the timeout. */
const MARGIN_MS = 15_000;

interface Stray {
  readonly id: string;
  readonly text: string;
  /** Milliseconds until its timeout. */
  readonly leftMs: number;
}

function strays({ world, always }: Quiet): readonly Stray[] {
  const found: Stray[] = [];
  for (const node of world.saved) {
    const { tickets, meta } =
      node.kind === 'queue' ? queueOn(node.disk) : { tickets: [], meta: null };
    for (const { ticket } of tickets) {
      const { id, lobbyId, startedAt } = ticket;
      if (ticketIn(always.lobbies.get(lobbyId)?.search ?? null, id) === undefined) {
        const leftMs = startedAt + (meta?.mode.timeout ?? 0) * 1_000 - node.now();
        found.push({ id, leftMs, text: `ticket ${id} of ${lobbyId} is without its lobby` });
      }
    }
  }
  return found;
}

export async function checkStrays(quiet: Quiet, broken: () => boolean): Promise<void> {
  const { loop, journal, setBack, weather } = quiet.world;
  const found = strays(quiet);
  if (found.length > 0 && setBack + weather.worstSkewMs > AGREEING_MS) {
    journal.count('tickets brought back by a clock set back', found.length);
    const left = Math.max(0, ...found.map(({ leftMs }) => leftMs));
    await loop.run(loop.now + left + MARGIN_MS, broken);
  }
  const after = found.length === 0 ? found : strays(quiet);
  journal.check(after.length === 0, () => after.map(({ text }) => text).join('; '));
}
