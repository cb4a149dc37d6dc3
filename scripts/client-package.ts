// Makes packages/js/dist, the content of the client package for `npm pack`: the modules with their types, as ES modules
// and as CommonJS, the `muster` command as one bundled file, and the licences of the bundle. Prints where it wrote
// them, and the size of each entry as a game would ship it.

import { execFile } from 'node:child_process';
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { build, type BuildOptions } from 'esbuild';

import { commandLine, word } from './flags.ts';
import { noticesOf, packagesIn } from './notices.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(PROJECT, 'packages', 'js');
const { flags } = commandLine({
  command: 'npm run build:client --',
  about: 'Makes packages/js/dist, which `npm pack ./packages/js` packs.',
  flags: { out: word('packages/js/dist', 'makes another folder instead') },
});
const DIST = resolve(PROJECT, flags.out);
/** Entries without dependencies. */
const ENTRIES = ['index', 'admin'];

/** Compiles the sources to modules of one kind, each with its types beside it. */
async function compiled(folder: 'esm' | 'cjs', options: readonly string[]): Promise<void> {
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(typescript), 'bin', 'tsc');
  const outDir = join(DIST, folder);
  await promisify(execFile)(process.execPath, [tsc, '-p', CLIENT, '--outDir', outDir, ...options]);
  if (folder === 'cjs') {
    const manifest = { type: 'commonjs', sideEffects: false };
    await writeFile(join(outDir, 'package.json'), `${JSON.stringify(manifest)}\n`);
  }
  // The compiler rewrites the imports of modules, not those of declarations.
  const names = (await readdir(outDir)).filter((name) => name.endsWith('.d.ts'));
  await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(outDir, name), 'utf8');
      await writeFile(join(outDir, name), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
    }),
  );
}

/** Bundles the command for plain Node, with the licences of the bundled packages. */
async function command(): Promise<void> {
  const outfile = join(DIST, 'muster.cjs');
  const { metafile } = await build({
    entryPoints: [join(CLIENT, 'cli', 'muster.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    metafile: true,
    absWorkingDir: PROJECT,
  });
  await chmod(outfile, 0o755);
  await copyFile(join(PROJECT, 'LICENSE'), join(DIST, 'LICENSE'));
  const notices = await noticesOf(PROJECT, packagesIn(Object.keys(metafile.inputs)));
  await writeFile(join(DIST, 'NOTICES.txt'), notices);
}

/** The size of one entry as a game would ship it, in bytes: minified, gzipped, and optionally bundled. */
async function size(name: string, bundle: boolean): Promise<string> {
  const options: BuildOptions = {
    entryPoints: [join(CLIENT, 'src', `${name}.ts`)],
    bundle,
    format: 'esm',
    target: 'es2022',
    minify: true,
  };
  const { outputFiles } = await build({ ...options, write: false });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  const zipped = gzipSync(contents, { level: 9 }).byteLength;
  return `${name}: ${contents.byteLength} bytes minified, ${zipped} gzipped`;
}

await rm(DIST, { recursive: true, force: true });
await Promise.all([
  compiled('esm', []),
  compiled('cjs', ['--module', 'commonjs', '--verbatimModuleSyntax', 'false']),
  command(),
]);
// On standard error, so that `npm pack --json` can be read by programs.
console.error(`wrote ${relative(process.cwd(), DIST) || '.'}`);
for (const name of ENTRIES) {
  console.error(await size(name, true));
}
// The size that the hooks add to a game that already ships the client.
console.error(await size('react', false));
console.error(await size('peers', true));
