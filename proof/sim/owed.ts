// At the end of a run nobody owes anything: what was paid and is still saved is paid once more, and forgotten.

import type { Quiet } from './finally';
import type { Node } from './parts';
import { owedOn } from './truth';

/** Less than the lease of a server. */
const AGAIN_MS = 12_000;

/** The saved debts of all objects. */
function owedNow({ world }: Quiet): ReadonlyMap<string, Node> {
  const saved = [...world.saved].flatMap((node) =>
    owedOn(node.disk).map((key) => [`${node.label} still owes ${key}`, node] as const),
  );
  return new Map(saved);
}

/** Waking may change an object, which then owes something anew. */
const ROUNDS = 3;

/**
 * What was paid may be saved still, until the next save. So those objects crash and are woken: they pay it once more,
 * and forget it. Call after `checkQuiet`, which sees what was never paid.
 */
export async function checkOwed(quiet: Quiet, broken: () => boolean): Promise<void> {
  const { loop, journal } = quiet.world;
  let owed = owedNow(quiet);
  for (let round = 0; round < ROUNDS && owed.size > 0; round += 1) {
    const nodes = new Set(owed.values());
    nodes.forEach((node) => node.crash('at the end'));
    for (const node of nodes) {
      const nobody = { from: quiet.world.client('admin'), answered: () => {}, failed: () => {} };
      node.deliver({ id: 0, method: 'alarm', args: [], ...nobody }, false);
    }
    await loop.run(loop.now + AGAIN_MS, broken);
    const after = owedNow(quiet);
    owed = new Map([...owed].filter(([text]) => after.has(text)));
  }
  owed.forEach((_, text) => journal.violation(text));
}
