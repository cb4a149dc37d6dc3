// What must hold for the state of a server, whatever happened to it.

import type { Instance } from './state';

type Numbered = Pick<Instance, 'run' | 'status' | 'seq' | 'order'>;

const ORDER = ['launching', 'running', 'stopped'] as const;

/** The sentences that do not hold. `before`: null for a new server. */
export function brokenInServer(after: Numbered, before: Numbered | null): readonly string[] {
  if (before === null) {
    return [];
  }
  const isSameRun = after.run === before.run;
  const isForward = isSameRun
    ? ORDER.indexOf(after.status) >= ORDER.indexOf(before.status)
    : after.run === before.run + 1 && before.status !== 'stopped';
  const { owner } = before.order;
  const isSame =
    owner === after.order.owner ||
    owner.kind === 'warm' ||
    JSON.stringify(owner) === JSON.stringify(after.order.owner);
  return [
    ...(isSame ? [] : ['a server has one owner']),
    ...(isForward ? [] : ['a server only goes forward within a run']),
    ...(after.seq >= before.seq ? [] : ['the number of a server never goes back']),
  ];
}
