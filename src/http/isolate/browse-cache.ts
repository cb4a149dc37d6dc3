// Caches pages of browsing, which every client that shows a list polls (decision 20). With half a second of age the
// Directory gets at most two calls a second for each page and isolate. A row takes less than half a second to the
// Directory (row-pusher.ts), so together it is a second at most. A change through this isolate is visible in it at once.

import { Fresh } from '../../common/fresh';
import { Lru } from '../../common/lru';
import type { BrowseQuery } from '../../objects/contracts/directory';

// A page may have a megabyte, and players control how many pages there are.
const pages = new Fresh<string>({ size: 64 });
const AGE = { maxAgeMs: 500, refreshAfterMs: 400 };
const generations = new Lru<number>(2_000);
let lastGeneration = 0;

interface BrowsePage {
  readonly project: string;
  readonly config: string;
  readonly query: BrowseQuery;
  /** Whether the ids of players are hidden. */
  readonly isHidden: boolean;
}

/** The page as JSON text: the cached one if it is at most half a second old, or else from `load`. */
export function browsed(
  { project, config, query, isHidden }: BrowsePage,
  now: number,
  load: () => Promise<unknown>,
): Promise<string> {
  const generation = generations.get(`${project}\n${config}`) ?? 0;
  const key = JSON.stringify([project, config, generation, query, isHidden]);
  const read = async (): Promise<string> => JSON.stringify(await load());
  return pages.young(key, { now, age: AGE, read });
}

/** Call when this config's list has changed through this isolate. */
export function forgetBrowsed(project: string, config: string): void {
  lastGeneration += 1;
  generations.set(`${project}\n${config}`, lastGeneration);
}
