// Browsing is polled by every client that shows a list (decision 20): one second of age spares
// the Directory all but one question a second, page and isolate. Who changes a lobby through this
// isolate sees the list without that age.

import { Lru } from '../lru';
import type { BrowseQuery } from '../objects/contracts';

const MAX_AGE_MS = 1_000;

interface Page {
  readonly text: string;
  readonly at: number;
}

const pages = new Lru<Page>(500);
const generations = new Lru<number>(2_000);
let lastGeneration = 0;

function keyOf(project: string, config: string, query: BrowseQuery): string {
  const { region, status, limit, offset } = query;
  const generation = generations.get(`${project}\n${config}`) ?? 0;
  return JSON.stringify([project, config, generation, region, status, limit, offset]);
}

/** The page as JSON text: from this isolate when young enough, else as `load` answers. */
export async function browsed(
  { project, config, query }: { project: string; config: string; query: BrowseQuery },
  now: number,
  load: () => Promise<unknown>,
): Promise<string> {
  const key = keyOf(project, config, query);
  const cached = pages.get(key);
  if (cached !== undefined && Math.abs(now - cached.at) < MAX_AGE_MS) {
    return cached.text;
  }
  const text = JSON.stringify(await load());
  pages.set(key, { text, at: now });
  return text;
}

/** Something of this config's list has changed through this isolate. */
export function forgetBrowsed(project: string, config: string): void {
  lastGeneration += 1;
  generations.set(`${project}\n${config}`, lastGeneration);
}
