// What Unity's package manager and NuGet ask of packages/unity and packages/csharp, which nothing here can install.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const UNITY = join(ROOT, 'packages/unity');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly samples: readonly { readonly path: string }[];
}

const manifest = JSON.parse(read('packages/unity/package.json')) as Manifest;

/** Folders that end with `~` are hidden from Unity. */
const assets = readdirSync(UNITY, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !path.includes('~') && !path.endsWith('.meta'));

const IMPORTERS: Readonly<Record<string, string>> = {
  cs: 'MonoImporter',
  asmdef: 'AssemblyDefinitionImporter',
  json: 'PackageManifestImporter',
  md: 'TextScriptImporter',
};

/** What Unity writes beside an asset. It ignores an asset of an installed package without it. */
function metaOf(path: string): string {
  const guid = createHash('md5').update(`${manifest.name}/${path}`).digest('hex');
  const isFolder = statSync(join(UNITY, path)).isDirectory();
  const kind = isFolder ? 'DefaultImporter' : IMPORTERS[path.replace(/^.*\./, '')];
  const folder = isFolder ? 'folderAsset: yes\n' : '';
  return `fileFormatVersion: 2\nguid: ${guid}\n${folder}${kind}:\n  externalObjects: {}\n`;
}

describe('the package for Unity', () => {
  it.each(assets)('%s has its .meta', (path) => {
    const meta = `packages/unity/${path}.meta`;
    expect(existsSync(join(ROOT, meta)) ? read(meta) : `missing: ${meta}`).toBe(metaOf(path));
  });

  it('has no .meta without its asset', () => {
    const all = readdirSync(UNITY, { recursive: true, encoding: 'utf8' });
    const metas = all.filter((path) => path.endsWith('.meta'));
    expect(metas).toHaveLength(assets.length);
  });

  it('names the samples that are there, and assemblies that refer to each other', () => {
    const folders = readdirSync(join(UNITY, 'Samples~')).map((name) => `Samples~/${name}`);
    expect(manifest.samples.map(({ path }) => path).toSorted()).toEqual(folders.toSorted());
    type Assembly = { name: string; references: string[]; noEngineReferences: boolean };
    const assembly = (path: string): Assembly =>
      JSON.parse(read(`packages/unity/${path}`)) as Assembly;
    const core = assembly('Core/Muster.Core.asmdef');
    expect(assembly('Runtime/Muster.Unity.asmdef').references).toEqual([core.name]);
    expect(core.noEngineReferences).toBe(true);
    const used = readdirSync(join(UNITY, 'Core')).filter((name) => name.endsWith('.cs'));
    expect(
      used.filter((name) => /\bUnity(?:Engine|Editor)\b/.test(read(`packages/unity/Core/${name}`))),
    ).toEqual([]);
  });

  it('has the version of Muster, as the project for NuGet has', () => {
    const { version } = JSON.parse(read('package.json')) as Manifest;
    expect(manifest.version).toBe(version);
    expect(read('packages/csharp/Muster.csproj')).toContain(`<Version>${version}</Version>`);
  });

  it('has a core of fewer than 1,200 lines that say something, beside what is generated', () => {
    const files = readdirSync(join(UNITY, 'Core')).filter((name) =>
      /^(?!Generated).*\.cs$/.test(name),
    );
    const lines = files.flatMap((name) => read(`packages/unity/Core/${name}`).split('\n'));
    // Neither comments nor lines of a brace alone.
    const saying = lines.filter((line) => !/^\s*(?:\/\/.*|[{}]*;?)$/.test(line));
    expect(saying.length).toBeLessThan(1_200);
  });
});
