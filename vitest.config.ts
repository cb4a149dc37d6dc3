// The layers of tests: `pure` in Node, without any platform; `workers` inside workerd, with real
// objects; `fleet` with real processes; `wire` over real sockets, with kills and restarts.

import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

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
            miniflare: { bindings: { DEV_KEYS: 'true', FLEET: 'simulated' } },
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
