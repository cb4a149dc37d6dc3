// Invariants of the saved state of a queue.

import type { TicketId } from '../../src/common/ids';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { owesRelease, queueOn } from './truth';

/** The mode's revision at each queue's last save. */
const modes = new WeakMap<Saved, number>();

/** Returns the tickets of a proposal. */
export function checkQueue(node: Saved, journal: Journal): ReadonlySet<TicketId> {
  const { tickets, proposals, meta } = queueOn(node.disk);
  if (meta !== null) {
    const before = modes.get(node) ?? meta.modeRevision;
    modes.set(node, meta.modeRevision);
    journal.check(meta.modeRevision >= before, () => `${node.label} went back to an older mode`);
    if (meta.modeRevision > before && tickets.length > 0) {
      journal.count('happened: a mode changed while lobbies were queued');
    }
    if (meta.modeRevision > before && proposals.length > 0) {
      journal.count('happened: a mode changed while a match was being formed');
    }
  }
  if (proposals.some(({ held }) => held === true)) {
    journal.count('happened: a match is held back while launches fail');
  }
  const proposalOf = new Map<TicketId, string>();
  for (const { id: proposalId, tickets: wanted, isGivenUp } of proposals) {
    for (const id of wanted) {
      journal.check(
        isGivenUp !== true || owesRelease(node.disk, proposalId, id),
        () => `ticket ${id} is taken by ${proposalId}, which owes it no release`,
      );
      const other = proposalOf.get(id);
      journal.check(
        other === undefined,
        () => `ticket ${id} is in two proposals, ${other} and ${proposalId}`,
      );
      proposalOf.set(id, proposalId);
    }
  }
  for (const { ticket } of tickets) {
    if (ticket.acceptableRegions.length > 1) {
      journal.count('happened: a lobby that takes several regions is queued');
    }
  }
  return new Set(proposalOf.keys());
}
