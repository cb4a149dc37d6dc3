// Browsing is polled by every client that shows a list (decision 20): half a second of age spares
// the Directory all but two questions a second, page and isolate. A row is not much longer on its way
// (row-pusher.ts), so that together it is a second at most. Who changes a lobby through this
// isolate sees the list without that age.

import { Fresh } from '../../fresh';
import { Lru } from '../../lru';
import type { BrowseQuery } from '../../objects/directory/contract';

// A page may have a megabyte, and players choose how many there are.
const pages = new Fresh<string>({ size: 64, maxAgeMs: 500, refreshAfterMs: 400 });
const generations = new Lru<number>(2_000);
let lastGeneration = 0;

interface Page {
  readonly project: string;
  readonly config: string;
  readonly query: BrowseQuery;
  /** Ids of players are not shown. */
  readonly isHidden: boolean;
}

function keyOf({ project, config, query, isHidden }: Page): string {
  const { region, status, limit, offset } = query;
  const generation = generations.get(`${project}\n${config}`) ?? 0;
  return JSON.stringify([project, config, generation, region, status, limit, offset, isHidden]);
}

/** The page as JSON text, at most half a second old, else as `load` answers. */
export function browsed(page: Page, now: number, load: () => Promise<unknown>): Promise<string> {
  const key = keyOf(page);
  return pages.get(key, now, async () => JSON.stringify(await load()));
}

/** Something of this config's list has changed through this isolate. */
export function forgetBrowsed(project: string, config: string): void {
  lastGeneration += 1;
  generations.set(`${project}\n${config}`, lastGeneration);
}
