// Ports for our own listeners: many processes pick one at the same time, and programs of all kinds call them.

import { expect, it } from 'vitest';

import { claimPort, freePort } from '../../agent/ports.ts';

it('is told to nobody else before its listener is open', async () => {
  const port = await freePort();
  expect(await claimPort(port)).toBeNull();
});

it('is one that browsers and fetch call', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort));
  expect(new Set(ports).size).toBe(100);
  // 10080 is the highest of the ports that they refuse.
  expect(Math.min(...ports)).toBeGreaterThan(10_080);
});
