// How long a page's main thread was busy at a stretch, as the browser itself reports it.

import type { Page } from 'playwright-core';

/** In the page: the types of Node know no such entries. */
const WATCH = `
  globalThis.longest = 0;
  new PerformanceObserver((list) => {
    globalThis.longest = Math.max(longest, ...list.getEntries().map((it) => it.duration));
  }).observe({ type: 'longtask' });
`;

/** From now on. The browser reports what takes 50 ms or more. */
export async function watchTasks(page: Page): Promise<void> {
  await page.evaluate(WATCH);
}

/** Milliseconds; 0: none took 50. */
export function longestTask(page: Page): Promise<number> {
  return page.evaluate<number>('globalThis.longest');
}
