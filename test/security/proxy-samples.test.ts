// The proxy samples of ops/ hold what the route table says. test/wire/proxy.test.ts runs them.

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { proxySamples } from '../../scripts/proxy-samples.ts';

it('the proxy samples let in what the route table has for players and game servers', async () => {
  for (const [path, text] of await proxySamples()) {
    expect(await readFile(path, 'utf8'), 'run `npm run proxy-samples`').toBe(text);
  }
});
