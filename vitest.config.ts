// The layers of tests: `pure` in Node, without any platform; `workers` inside workerd, with real objects; `fleet` with
// real processes; `sdk` as the hosted service's own client does; `wire` over real sockets, with kills and restarts;
// `security` as strangers do, by browsers and raw sockets; `browser` as people see it.

import { createHash } from 'node:crypto';
import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/support/eventually.ts';
import { LongestFirst } from './test/support/order.ts';
import { filesOf, IS_WHOLE } from './test/support/parts.ts';
import { SERVER_KEY } from './test/support/server-key.ts';

/** All actors in one object: `PLACEMENT=box npm test -- --project workers`. */
const BOX = { className: 'BoxObject', useSQLite: true };

/**
 * Three times what the longest took on a machine with eight times as much to do as it has cores. So only a fault makes
 * a test wait so long, and hardly any test needs a limit of its own.
 */
const PATIENCE = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/**
 * Layers of which most files wait most of their time, and those with browsers, which need a third of a core each. None may
 * depend on how fast this machine is.
 */
const WAITS = { ...PATIENCE, maxWorkers: 4, sequence: { groupOrder: 1 } };

/**
 * The layer that computes: as many files at once as a small machine has cores. The few of `npm run test:all` run beside what
 * waits.
 */
const COMPUTES = IS_WHOLE ? WAITS : { ...PATIENCE, maxWorkers: 2, sequence: { groupOrder: 0 } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...COMPUTES,
          name: 'pure',
          // Files share a process and its modules. A file of its own for each took a third of this layer's time.
          isolate: false,
          ...filesOf('lobby', 'match', 'sim', 'unit'),
        },
      },
      {
        plugins: [
          cloudflareTest({
            // Errors thrown over RPC and streams cut by a test would be printed as noise.
            verbose: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                DEV_KEY_SHA256: createHash('sha256').update(SERVER_KEY).digest('hex'),
                LISTENS_ON: '127.0.0.1',
                ALLOWED_HOSTS: 'muster.test',
                FLEET: 'simulated',
                ID_KEY: 'the key of the tests',
              },
              durableObjects: {
                BOX_UNDER_TEST: BOX,
                ...(process.env['PLACEMENT'] === 'box' ? { BOX } : {}),
              },
            },
          }),
        ],
        test: {
          ...WAITS,
          name: 'workers',
          // Otherwise a run stands still if an object logs after the last test (test/objects/log-at-the-end.test.ts).
          disableConsoleIntercept: true,
          ...filesOf('objects', 'http'),
        },
      },
      {
        test: {
          ...WAITS,
          name: 'fleet',
          ...filesOf('fleet'),
        },
      },
      {
        test: {
          ...WAITS,
          name: 'sdk',
          ...filesOf('sdk'),
        },
      },
      {
        test: {
          ...WAITS,
          name: 'wire',
          ...filesOf('clients', 'upgrade', 'wire'),
        },
      },
      {
        test: {
          ...WAITS,
          name: 'security',
          ...filesOf('security'),
        },
      },
      {
        test: {
          ...WAITS,
          name: 'browser',
          ...filesOf('browser'),
        },
      },
    ],
  },
});
