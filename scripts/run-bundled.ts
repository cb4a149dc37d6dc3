// Bundles a program that imports the service's source, whose imports have no extensions, and runs it in Node:
// `node scripts/run-bundled.ts proof/sim/main.ts --seeds 100`. Further arguments are passed to the program.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const [entry, ...words] = process.argv.slice(2);
if (entry === undefined) {
  throw new Error('name the program to run');
}
const folder = await mkdtemp(join(tmpdir(), 'muster-run-'));
try {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [resolve(entry)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // esbuild keeps the `require` calls for Node's modules in CommonJS libraries such as yaml.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    sourcemap: 'inline',
    outfile,
    logLevel: 'warning',
  });
  const flags = ['--enable-source-maps', '--expose-gc'];
  const child = spawn(process.execPath, [...flags, outfile, ...words], { stdio: 'inherit' });
  process.exitCode = await new Promise<number>((done) => {
    child.once('exit', (code) => done(code ?? 1));
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
