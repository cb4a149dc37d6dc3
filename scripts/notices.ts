// Collects the licences of the packages in our bundles, which those licences require, for the Worker and for each
// page. esbuild reports which packages of node_modules are in a bundle.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Names of the packages in a bundle, from the paths in its metafile. */
export function packagesIn(inputs: readonly string[]): readonly string[] {
  const names = inputs.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** The packages that the entries' bundle contains. Nothing is written. */
export async function packagesOf(
  project: string,
  options: BuildOptions,
): Promise<readonly string[]> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: project,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'unwritten',
    logLevel: 'error',
  });
  return packagesIn(Object.keys(metafile.inputs));
}

/** The text of the notices: each package's name, version and licence. Throws if a package has no licence file. */
export async function noticesOf(project: string, names: readonly string[]): Promise<string> {
  const notices = names.toSorted().map(async (name) => {
    const folder = join(project, 'node_modules', name);
    const manifest = await readFile(join(folder, 'package.json'), 'utf8');
    const { version, license } = JSON.parse(manifest) as { version: string; license: string };
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) {
      throw new Error(`${name} has no licence file, and its licence has to go with it`);
    }
    const text = (await readFile(join(folder, file), 'utf8')).trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  const rule = `\n${'-'.repeat(72)}\n\n`;
  const all = await Promise.all(notices);
  return `Muster holds these works of others.\n${rule}${all.join(rule)}`;
}
