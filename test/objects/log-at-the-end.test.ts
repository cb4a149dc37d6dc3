// A test file ends while objects still write their log: alarms of games without players do, a second later. The runner's
// own console asks the main process about each line, and the plugin keeps a line of an object until the file's next
// message. A line after the last message is never answered, the file waits for its answer, and the whole run stands still.

import { expect, it } from 'vitest';

it('an object writes to the console of the platform, which answers nobody', () => {
  // The plugin keeps the console of the platform there before the runner replaces it.
  expect(console).toBe((globalThis as unknown as { __console: Console }).__console);
});
