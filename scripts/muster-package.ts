// Makes dist/npm/muster, the content of the package `muster` for `npm pack`: the bundle of the service with its pages, and the
// programs around it as plain JavaScript. It needs workerd and nothing else.

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build, type Plugin } from 'esbuild';

import { bundle, PROJECT } from './bundle.ts';
import { commandLine } from './flags.ts';
import { noticesOf, packagesIn } from './notices.ts';

const TARGET = join(PROJECT, 'dist', 'npm', 'muster');

/** The programs, by where they are in the package: each finds the others beside it, as in a clone. */
const PROGRAMS = {
  'scripts/muster': 'packages/muster/main.ts',
  'agent/agent': 'agent/agent.ts',
  'agent/game-server': 'agent/game-server.ts',
};

/** Programs that are started by their path are JavaScript in the package. */
const asJavaScript: Plugin = {
  name: 'paths of programs',
  setup: (made) => {
    made.onLoad({ filter: /(?:local-agent|command)\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return {
        loader: 'ts',
        contents: text.replace(/(agent|game-server)\.ts', import\.meta/, "$1.mjs', import.meta"),
      };
    });
  },
};

/** Makes the package's folder anew, and returns it. Throws if the bundle cannot be made. */
export async function musterPackage(): Promise<string> {
  await bundle();
  await rm(TARGET, { recursive: true, force: true });
  await mkdir(join(TARGET, 'dist'), { recursive: true });
  const { metafile } = await build({
    entryPoints: PROGRAMS,
    outdir: TARGET,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    // Only the program that is started is the main one.
    define: { 'import.meta.main': 'false' },
    external: ['workerd', 'wrangler', 'esbuild'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [asJavaScript],
    metafile: true,
    absWorkingDir: PROJECT,
    logLevel: 'warning',
  });
  for (const path of ['dist/worker.js', 'dist/site', 'wrangler.toml', 'LICENSE']) {
    await cp(join(PROJECT, path), join(TARGET, path), { recursive: true });
  }
  await cp(join(PROJECT, 'packages/muster/README.md'), join(TARGET, 'README.md'));
  await cp(join(PROJECT, 'packages/muster/muster.cjs'), join(TARGET, 'muster.cjs'));
  const notices = await noticesOf(PROJECT, packagesIn(Object.keys(metafile.inputs)));
  await writeFile(join(TARGET, 'NOTICES.txt'), notices);
  const read = async (path: string): Promise<{ version: string; description: string }> =>
    JSON.parse(await readFile(path, 'utf8')) as { version: string; description: string };
  const { version, description } = await read(join(PROJECT, 'package.json'));
  const workerd = await read(createRequire(import.meta.url).resolve('workerd/package.json'));
  const manifest = {
    name: 'muster',
    version,
    description,
    license: 'Apache-2.0',
    type: 'module',
    engines: { node: '>=22.13' },
    bin: { muster: 'muster.cjs' },
    dependencies: { workerd: workerd.version },
  };
  await writeFile(join(TARGET, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return TARGET;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  commandLine({
    command: 'npm run build:muster --',
    about: 'Makes dist/npm/muster, which `npm pack` packs: the whole service, built.',
    flags: {},
  });
  console.log(relative(process.cwd(), await musterPackage()));
}
