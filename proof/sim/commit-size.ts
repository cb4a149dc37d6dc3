// No commit of a box is so large that a cluster would lose it (docs/internals/design.md: Several machines).

import { MAX_COMMIT_BYTES } from '../../src/common/limits';
import type { Op } from './disk';
import type { Journal } from './journal';

/** Rows of one kind: `lobby|den>packed` is of `lobby packed`. */
function kindOf(key: string): string {
  return key.replace(/\|[^>]*>/, ' ').replace(/:.*/, '');
}

/** Checks what one commit of a box writes, in UTF-16 units of JSON, as its rows are measured in production. */
export function weigh(ops: readonly Op[], journal: Journal): void {
  const puts = ops.filter((op) => op.kind === 'put');
  const sizes = puts.map(({ key, value }) => key.length + JSON.stringify(value).length);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  journal.largestCommit = Math.max(journal.largestCommit, all);
  journal.check(all <= MAX_COMMIT_BYTES, () => {
    const kinds = new Map<string, number>();
    puts.forEach(({ key }, at) => {
      kinds.set(kindOf(key), (kinds.get(kindOf(key)) ?? 0) + (sizes[at] ?? 0));
    });
    const parts = [...kinds].toSorted(([, a], [, b]) => b - a).map((part) => part.join(' '));
    return `a commit of ${all} bytes: ${parts.join(', ')}`;
  });
}
