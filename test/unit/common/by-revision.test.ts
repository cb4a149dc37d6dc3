// What a project's document names by its revision, as the requests of an isolate share it.

import { expect, it, vi } from 'vitest';
import { ByRevision } from '../../../src/common/fresh';

it('a request that was cancelled while it read does not delay those that come later', async () => {
  vi.useFakeTimers();
  try {
    const known = new ByRevision<{ readonly revision: number }>();
    // The platform ends such a request in the middle, so its read never settles.
    void known.get('p', 1, () => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(3_000);
    const began = Date.now();
    const got = known.get('p', 1, () => Promise.resolve({ revision: 1 }));
    const tookMs = got.then(() => Date.now() - began);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await tookMs).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
