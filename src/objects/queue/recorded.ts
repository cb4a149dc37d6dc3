// The pool with a witness: every call that can change it is noted with its instant and with what came
// of it, in the order in which the pool saw them. Played again on a fresh pool they give the same
// matches (src/match/replay).

import { LATE_MS, type Pool, type PoolOutcome } from '../../match/pool';
import type { TicketId } from '../../ids';
import type { PoolCall, PoolLine } from '../../match/replay/lines';

/** `note` takes a line; `now`: for calls that have no instant of their own. */
export function recorded(pool: Pool, note: (line: PoolLine) => void, now: () => number): Pool {
  const came = (t: number, { matches, backfills, dropped }: PoolOutcome): void => {
    for (const { tickets, full, region } of matches) {
      note({ k: 'match', t, tickets, full, region });
    }
    for (const { matchId, ticket, team, roles } of backfills) {
      note({ k: 'fill', t, matchId, ticket, team, roles });
    }
    for (const { ticket, reason } of dropped) {
      note({ k: 'drop', t, id: ticket, reason });
    }
  };
  const isLate = (t: number): boolean => {
    const next = pool.nextAt();
    return next !== null && next > 0 && next <= t - LATE_MS;
  };
  const passed = (
    line: PoolCall,
    call: () => PoolOutcome,
    counts: (outcome: PoolOutcome) => boolean = () => true,
  ): PoolOutcome => {
    const told = isLate(line.t) ? ({ ...line, late: true } as const) : line;
    const outcome = call();
    if (counts(outcome)) {
      note(told);
      came(line.t, outcome);
    }
    return outcome;
  };
  const isIdle = ({ matches, backfills, dropped }: PoolOutcome): boolean =>
    matches.length + backfills.length + dropped.length === 0;
  const isBusy = (): boolean => {
    const { searches, toArm } = pool.work();
    return searches + toArm > 0;
  };
  // What is due happens at its own instant, whenever it is asked for: only calls that cut or go on
  // with a search, and those that something came of, have to be made again.
  const ifItCounts = (line: PoolCall, call: () => PoolOutcome): PoolOutcome => {
    const wasBusy = isBusy();
    return passed(line, call, (outcome) => wasBusy || !isIdle(outcome) || isBusy());
  };
  return {
    enter: (ticket, t) => passed({ k: 'enter', t, ticket }, () => pool.enter(ticket, t)),
    refresh: (ticket, t) => passed({ k: 'refresh', t, ticket }, () => pool.refresh(ticket, t)),
    leave: (id: TicketId) => {
      note({ k: 'leave', t: now(), id });
      pool.leave(id);
    },
    commit: (ids) => {
      note({ k: 'commit', t: now(), ids });
      pool.commit(ids);
    },
    release: (ids, t) => passed({ k: 'release', t, ids }, () => pool.release(ids, t)),
    advance: (t) => ifItCounts({ k: 'advance', t }, () => pool.advance(t)),
    sweep: (t) => ifItCounts({ k: 'sweep', t }, () => pool.sweep(t)),
    offer: (match, t) => passed({ k: 'offer', t, match }, () => pool.offer(match, t)),
    withdraw: (matchId) => {
      note({ k: 'withdraw', t: now(), matchId });
      pool.withdraw(matchId);
    },
    nextAt: () => pool.nextAt(),
    work: () => pool.work(),
    isLookedFor: (ticket) => pool.isLookedFor(ticket),
    has: (ticket) => pool.has(ticket),
    stats: (t) => pool.stats(t),
    overruns: () => pool.overruns(),
    restore: (ticket) => pool.restore(ticket),
    restoreReserved: (ticket, backfill) => pool.restoreReserved(ticket, backfill),
  };
}
