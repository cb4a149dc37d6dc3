// A call to the pool as a value. A queue makes it, the journal keeps it, and a replay makes it again.

import type { Pool } from '../waiting/make-pool';
import { LATE_MS, type PoolOutcome } from '../pool';
import type { PoolCall, PoolLine } from './lines';

const NOTHING: PoolOutcome = { matches: [], backfills: [], dropped: [] };

/** A line of a kind that this release does not know does nothing. */
export function tell(pool: Pool, call: PoolCall): PoolOutcome {
  switch (call.k) {
    case 'enter':
      return pool.enter(call.ticket, call.t);
    case 'refresh':
      return pool.refresh(call.ticket, call.t);
    case 'release':
      return pool.release(call.ids, call.t);
    case 'advance':
      return pool.advance(call.t);
    case 'sweep':
      return pool.sweep(call.t);
    case 'offer':
      return pool.offer(call.match, call.t);
    case 'leave':
      pool.leave(call.id);
      break;
    case 'commit':
      pool.commit(call.ids);
      break;
    case 'withdraw':
      pool.withdraw(call.matchId);
      break;
    default:
  }
  return NOTHING;
}

/** Makes one call, and notes the call and its outcome: replayed on a fresh pool, these lines give the same matches. */
export function observed(pool: Pool, call: PoolCall, note: (line: PoolLine) => void): PoolOutcome {
  const { k, t } = call;
  // Whatever is due happens at its own instant, however late the call. So a call about time is only noted if it
  // interrupts or continues a search, or has an outcome.
  const isOfTime = k === 'advance' || k === 'sweep';
  const isAlwaysTold = !isOfTime || isBusy(pool);
  const next = k === 'leave' || k === 'commit' || k === 'withdraw' ? null : pool.nextAt();
  const isLate = next !== null && next > 0 && next <= t - LATE_MS;
  const outcome = tell(pool, call);
  const lines = answers(t, outcome);
  if (isAlwaysTold || lines.length > 0 || isBusy(pool)) {
    note(isLate ? { ...call, late: true } : call);
    lines.forEach(note);
  }
  return outcome;
}

function isBusy(pool: Pool): boolean {
  const { searches, toArm } = pool.work();
  return searches + toArm > 0;
}

function answers(t: number, { matches, backfills, dropped }: PoolOutcome): readonly PoolLine[] {
  return [
    ...matches.map(
      ({ tickets, full, region }) => ({ k: 'match', t, tickets, full, region }) as const,
    ),
    ...backfills.map((fill) => ({ k: 'fill', t, ...fill }) as const),
    ...dropped.map(({ ticket, reason }) => ({ k: 'drop', t, id: ticket, reason }) as const),
  ];
}
