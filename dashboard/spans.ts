// The time line of a lobby or a match: what it did from when to when, from its history.

import type { Happening } from '../packages/js/src/journal-types.ts';

export interface Span {
  readonly doing: string;
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
}

/** What begins with a happening. Null: nothing any more. Kinds that are not here change nothing. */
const DOING: Readonly<Record<string, string | null>> = {
  created: 'waiting',
  entered: 'in queue',
  left_queue: 'waiting',
  match_found: 'confirming',
  matched: 'matched',
  started: 'starting',
  launched: 'in game',
  returned: 'waiting',
  deleted: null,
  formed: 'confirming',
  launching: 'launching',
  server_running: 'running',
  ended: null,
  failed: null,
};

/** Oldest first, without gaps. `now`: where what is under way ends, epoch ms. */
export function spansOf(
  items: readonly Pick<Happening, 'at' | 'kind'>[],
  now: number,
): readonly Span[] {
  const begun = items
    .flatMap(({ at, kind }) => {
      const doing = Object.hasOwn(DOING, kind) ? DOING[kind] : undefined;
      return doing === undefined ? [] : [{ doing, from: Date.parse(at) }];
    })
    .filter(({ doing }, index, all) => doing !== all[index - 1]?.doing);
  return begun.flatMap(({ doing, from }, index) => {
    const to = begun[index + 1]?.from ?? now;
    return doing === null || to <= from ? [] : [{ doing, from, to }];
  });
}
