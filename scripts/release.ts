// Makes every artefact of a release in dist/release, with their checksums: `npm run release -- --dry-run`. A workflow publishes
// the same (.github/workflows/release.yml).

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { nupkg } from '../packages/csharp/pack.ts';
import { PROJECT } from './bundle.ts';
import { choice, commandLine, given } from './flags.ts';
import { musterPackage } from './muster-package.ts';

const run = promisify(execFile);
const OUT = join(PROJECT, 'dist', 'release');
/** Packages that are published as an archive of their folder, by what holds them. */
const ARCHIVES = [
  // As a proxy of Go serves it.
  { name: 'go', root: 'muster.example/go@v' },
  // The Asset Library takes away the first folder.
  { name: 'godot', root: 'muster-godot-' },
  // As the rockspec says.
  { name: 'lua', root: 'muster-lua-' },
];

/** Packs the npm packages into the folder. */
async function npmTarballs(out: string): Promise<void> {
  const created = join(PROJECT, 'dist', 'npm', 'create-muster');
  await rm(created, { recursive: true, force: true });
  await cp(join(PROJECT, 'packages/create-muster'), created, { recursive: true });
  await cp(join(PROJECT, 'LICENSE'), join(created, 'LICENSE'));
  const socket = 'examples/pong/socket.mjs';
  await cp(join(PROJECT, socket), join(created, 'template/socket.mjs'));
  // Unity's package manager takes what npm packs.
  const packages = ['js', 'unity'].map((name) => join(PROJECT, 'packages', name));
  const folders = [...packages, await musterPackage(), created];
  for (const folder of folders) {
    await run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: folder });
  }
}

async function wheel(out: string): Promise<void> {
  const made = `import wheel_backend; wheel_backend.build_wheel(${JSON.stringify(out)})`;
  await run('python3', ['-c', made], { cwd: join(PROJECT, 'packages/python') });
}

/** The folder of a package as it is committed, as a zip. Nothing if the package is not whole yet: it has no README. */
async function archive({ name, root }: (typeof ARCHIVES)[number], version: string): Promise<void> {
  if (existsSync(join(PROJECT, 'packages', name, 'README.md'))) {
    const file = join(OUT, `muster-${name}-${version}.zip`);
    const words = ['archive', '--format=zip', `--prefix=${root}${version}/`, '-o', file];
    await run('git', [...words, `HEAD:packages/${name}`], { cwd: PROJECT });
  }
}

async function main(): Promise<void> {
  const { flags } = commandLine({
    command: 'npm run release --',
    about: 'Makes every artefact of a release in dist/release, with checksums, and publishes none.',
    flags: {
      'dry-run': given('needed: publishing is done by the workflow on a tag'),
      only: choice(['all', 'npm'], 'all', 'which artefacts'),
    },
  });
  if (!flags['dry-run']) {
    throw new Error(
      'nothing is published from here: add --dry-run, or push a tag (docs/internals/releases.md)',
    );
  }
  const manifest = await readFile(join(PROJECT, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });
  await npmTarballs(OUT);
  if (flags.only === 'all') {
    await wheel(OUT);
    await nupkg(OUT);
    for (const each of ARCHIVES) {
      await archive(each, version);
    }
  }
  const files = (await readdir(OUT)).toSorted();
  const sums = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(join(OUT, file));
      console.log(`${file}: ${content.byteLength} bytes`);
      return `${createHash('sha256').update(content).digest('hex')}  ${file}`;
    }),
  );
  await writeFile(join(OUT, 'SHA256SUMS'), `${sums.join('\n')}\n`);
  const wrong = files.filter((file) => !file.includes(version));
  if (wrong.length > 0) {
    throw new Error(`not of version ${version}: ${wrong.join(', ')}`);
  }
  console.log(`version ${version}; tags: v${version}, client-v${version}, packages/go/v${version}`);
}

await main().catch((error: unknown) => {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
