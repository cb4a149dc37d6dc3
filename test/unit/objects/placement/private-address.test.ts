// What a project's address that a box does not reach is told as.

import { expect, it } from 'vitest';
import { fetcherOf } from '../../../../src/objects/placement/env';

const failing = (message: string) => ({
  PROVIDERS: { fetch: () => Promise.reject(new Error(message)) },
});

it('a private address is told as one, and other errors as they are', async () => {
  const refused = fetcherOf(failing('internal error; reference = x'))('https://intern.test/', {});
  await expect(refused).rejects.toThrow('the address is not public');
  const lost = fetcherOf(failing('Network connection lost.'))('https://down.test/', {});
  await expect(lost).rejects.toThrow('Network connection lost.');
});
