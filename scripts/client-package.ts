// Makes client/dist: the two entries of the client package as modules for browsers and Node, and
// their types; prints the size of each as a game would ship it.

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const CLIENT = fileURLToPath(new URL('../client/', import.meta.url));
const ENTRIES = ['index', 'admin'];

interface Bundler {
  build(options: object): Promise<{ readonly outputFiles?: readonly { contents: Uint8Array }[] }>;
}

/** The bundler that wrangler makes the Worker with. */
function bundler(): Bundler {
  const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json');
  return createRequire(wrangler)('esbuild') as Bundler;
}

function bundled(entries: readonly string[]): object {
  return {
    entryPoints: entries.map((name) => join(CLIENT, 'src', `${name}.ts`)),
    outdir: join(CLIENT, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
  };
}

async function types(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(manifest), 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', CLIENT]);
}

/** Bytes of one entry as a game would ship it: with all it needs, minified, gzipped. */
async function size(name: string): Promise<string> {
  const options = { ...bundled([name]), splitting: false, minify: true, write: false };
  const { outputFiles } = await bundler().build(options);
  const contents = outputFiles?.[0]?.contents ?? new Uint8Array();
  const zipped = gzipSync(contents, { level: 9 }).byteLength;
  return `${name}: ${contents.byteLength} bytes minified, ${zipped} gzipped`;
}

await rm(join(CLIENT, 'dist'), { recursive: true, force: true });
await Promise.all([bundler().build({ ...bundled(ENTRIES), sourcemap: true }), types()]);
for (const name of ENTRIES) {
  console.log(await size(name));
}
