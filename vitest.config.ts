// The layers of tests: `pure` in Node, without any platform; `workers` inside workerd, with real
// objects; `fleet` with real processes; `security` as strangers do, by browsers and raw sockets; `wire`
// over real sockets, with kills and restarts.

import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** All actors in one object: `PLACEMENT=box npm test -- --project workers`. */
const BOX = { className: 'BoxObject', useSQLite: true };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'pure',
          include: ['test/{lobby,match,sim,unit}/**/*.test.ts'],
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
                DEV_KEYS: 'true',
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
          name: 'workers',
          include: ['test/{objects,http}/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'fleet',
          include: ['test/fleet/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          // Each file starts servers of its own, and some count what the whole process holds.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'sdk',
          include: ['test/sdk/**/*.test.ts'],
          // Real sockets as in `wire`, and clients that handle answers late.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'wire',
          include: ['test/wire/**/*.test.ts'],
          // Each file starts servers of its own, and measures time.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
