// Makes dist/worker.js from src/ exactly as a deployment would, with wrangler's own dry run. Does nothing if no
// source is newer than the bundle.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { commandLine } from './flags.ts';
import { readWorkerConfig } from './wrangler-config.ts';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));

export interface BundleOptions {
  /** Folder with wrangler.toml and src/. */
  readonly root?: string;
  readonly outDir?: string;
}

/** Returns the path of the bundle. Throws with wrangler's output if it cannot be made. */
export async function bundle(options: BundleOptions = {}): Promise<string> {
  const { root = PROJECT, outDir = join(root, 'dist') } = options;
  const config = join(root, 'wrangler.toml');
  const { main: entry, assets } = await readWorkerConfig(config);
  const name = basename(entry).replace(/\.[jt]s$/, '.js');
  const target = join(outDir, name);
  // An image has the bundle without the sources. Its times say when it was copied.
  if (existsSync(target) && !existsSync(join(root, entry))) {
    return target;
  }
  const makers = [
    'scripts/site.ts',
    'scripts/guides.ts',
    'scripts/reference.ts',
    'scripts/notices.ts',
  ];
  const beside = [
    'dashboard',
    'docs',
    'examples',
    'packages/js/src',
    'package-lock.json',
    ...makers,
  ];
  const sources = [dirname(join(root, entry)), config, ...beside.map((path) => join(root, path))];
  const changed = Math.max(...(await Promise.all(sources.map(newest))));
  const hasAssets = assets === undefined || (await newest(join(root, assets.directory))) > 0;
  if (hasAssets && (await newest(target)) > changed) {
    return target;
  }
  const begun = new Date();
  // Made in another folder and moved in at once, because another start may be reading the old bundle.
  const aside = await folderIn(outDir);
  try {
    await runWrangler(root, aside);
    // A file that is saved while wrangler reads may not be in the bundle, so it must count as newer.
    await utimes(join(aside, name), begun, begun);
    await rename(join(aside, `${name}.map`), `${target}.map`);
    await rename(join(aside, name), target);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return target;
}

async function folderIn(outDir: string): Promise<string> {
  try {
    await mkdir(outDir, { recursive: true });
    return await mkdtemp(join(outDir, '.new-'));
  } catch (error) {
    // Root owns the code of a service, and the service runs as another user.
    if (['EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw new Error(
        `${outDir} is missing or older than its sources, and this user cannot write it: run \`npm run build\` as the owner`,
        { cause: error },
      );
    }
    throw error;
  }
}

async function runWrangler(root: string, outDir: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('wrangler/package.json');
  const wrangler = join(dirname(manifest), 'bin', 'wrangler.js');
  const words = [wrangler, 'deploy', '--dry-run', '--outdir', outDir];
  try {
    await promisify(execFile)(process.execPath, words, {
      cwd: root,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' },
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the bundle could not be made\n${stdout}${stderr}`, { cause: error });
  }
}

/** The time of the newest change below a path. 0 if there is none. */
async function newest(path: string): Promise<number> {
  try {
    const { mtimeMs } = await stat(path);
    const names = await readdir(path).catch(() => []);
    const inside = await Promise.all(names.map((name) => newest(join(path, name))));
    return Math.max(mtimeMs, ...inside);
  } catch {
    return 0;
  }
}

async function printBundle(): Promise<void> {
  commandLine({
    command: 'npm run build --',
    about: 'Makes dist/worker.js from src/ as a deployment would.',
    flags: {},
  });
  const begun = performance.now();
  const path = await bundle();
  const ms = Math.round(performance.now() - begun);
  console.log(`${path}: ${(await stat(path)).size} bytes, ${ms} ms`);
}

if (import.meta.main) {
  await printBundle().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
}
