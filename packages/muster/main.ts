// `npx muster`: what `npm start` does in a clone, from the packed package; and `npx muster configs`, as in the client's package.

import { fileURLToPath } from 'node:url';

import { startHere } from '../../scripts/start.ts';

if (process.argv[2] === 'configs') {
  await import('../js/cli/main.ts');
} else {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const worker = fileURLToPath(new URL('../dist/worker.js', import.meta.url));
  await startHere({ root, worker }, 'muster').catch((error: unknown) => {
    console.error(`muster: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
