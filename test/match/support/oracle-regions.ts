// Which regions a ticket accepts by when, and the region of a match, written from docs/internals/design.md (A12, A21) with
// no code of the rules.

import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { drawn } from './oracle-sizes';

type Lists = readonly (readonly string[] | null)[];

/** How many ms the mode's latency rule allows the ticket by then; null without such a rule. */
export function allowedPing(mode: Mode, ticket: Ticket, at: number): number | null {
  const rule = mode.rules.find(({ type }) => type === 'latency');
  if (rule?.type !== 'latency') {
    return null;
  }
  const { maxMs, widenTo = maxMs, curve } = rule;
  if (curve !== undefined) {
    return drawn(curve, Math.max(0, at - ticket.startedAt) / 1000);
  }
  const waited = Math.min(1, Math.max(0, at - ticket.startedAt) / (mode.timeout * 1000));
  return maxMs + (widenTo - maxMs) * waited;
}

/** Null for any. */
export function regionsAt(mode: Mode, ticket: Ticket, at: number): readonly string[] | null {
  const allowed = allowedPing(mode, ticket, at);
  const { pings, acceptableRegions: list } = ticket;
  if (allowed === null || pings === undefined) {
    return list.length === 0 ? null : list;
  }
  // Two ways to compute it may differ by a rounding.
  return pings.filter(({ worst }) => worst <= allowed + 1e-9).map(({ region }) => region);
}

/** When after `at` the ticket accepts more, in whole ms; Infinity for never. */
export function growsAt(mode: Mode, ticket: Ticket, at: number): number {
  const count = (now: number): number => regionsAt(mode, ticket, now)?.length ?? 0;
  const end = Math.ceil(ticket.startedAt) + mode.timeout * 1000;
  const known = count(at);
  if (count(end) === known) {
    return Infinity;
  }
  let [low, high] = [Math.max(at, Math.ceil(ticket.startedAt)), end];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    [low, high] = count(middle) > known ? [low, middle] : [middle, high];
  }
  return high;
}

/** spec: Rule semantics 7; docs/internals/design.md A12 and A21. `lists`: what each accepts. */
export function electRegion(anchor: Ticket, all: readonly Ticket[], lists: Lists): string {
  const [alone] = all;
  if (all.length === 1 && alone?.pings !== undefined) {
    return nearest(
      all,
      alone.pings.map(({ region }) => region),
    );
  }
  const closed = lists.filter((list) => list !== null);
  const shared = (closed[0] ?? []).filter((region) =>
    closed.every((list) => list.includes(region)),
  );
  if (all.some(({ pings }) => pings !== undefined)) {
    return nearest(all, shared);
  }
  const votes = (region: string): number =>
    closed.reduce((sum, list) => sum + 1 / (list.indexOf(region) + 1), 0);
  const rank = (region: string): number => {
    const index = anchor.acceptableRegions.indexOf(region);
    return index < 0 ? Infinity : index;
  };
  const order = (a: string, b: string): number => {
    const lead = votes(b) - votes(a);
    if (Math.abs(lead) > 1e-9) {
      return lead;
    }
    return rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b);
  };
  return [...shared].sort(order)[0] ?? anchor.region;
}

/** What is worst in the region, then the sum, for those who measured. */
export function farIn(all: readonly Ticket[], region: string): readonly [number, number] {
  const pings = all.flatMap((each) => each.pings?.filter((ping) => ping.region === region) ?? []);
  return [
    Math.max(0, ...pings.map(({ worst }) => worst)),
    pings.reduce((total, { sum }) => total + sum, 0),
  ];
}

function nearest(all: readonly Ticket[], regions: readonly string[]): string {
  const far = (region: string): readonly [number, number] => farIn(all, region);
  const order = (a: string, b: string): number =>
    far(a)[0] - far(b)[0] || far(a)[1] - far(b)[1] || (a < b ? -1 : 1);
  return regions.toSorted(order)[0] ?? 'nowhere';
}
