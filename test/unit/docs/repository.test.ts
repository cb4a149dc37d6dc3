// What a stranger sees first: the folders, one version everywhere, and change logs that say only what users notice.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../dashboard/description/openapi';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const versionIn = (path: string): string =>
  (JSON.parse(read(path)) as { readonly version: string }).version;

/** `findings` has programs that show faults of others. */
const FOLDERS = [
  'agent',
  'dashboard',
  'docs',
  'examples',
  'findings',
  'ops',
  'packages',
  'proof',
  'scripts',
  'src',
  'test',
];

/** The folders with tracked files; in an archive, which has no git, all but those that a build or a run makes. */
function topFolders(): readonly string[] {
  if (existsSync(join(ROOT, '.git'))) {
    const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' });
    return [...new Set([...tracked.matchAll(/^([^/\n]+)\//gm)].map(([, name = '']) => name))];
  }
  const made = new Set(read('.gitignore').split(/[/\n]+/));
  return readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !made.has(entry.name))
    .map(({ name }) => name);
}

describe('the folders at the top', () => {
  it('are these: what proves Muster is in proof, clients are in packages', () => {
    const seen = topFolders().filter((name) => !name.startsWith('.'));
    expect(seen.toSorted()).toEqual(FOLDERS);
  });

  it('are on the map of docs/internals/design.md, with a README in proof', () => {
    const map = read('docs/internals/design.md');
    expect(FOLDERS.filter((name) => !new RegExp(`^${name}/`, 'm').test(map))).toEqual([]);
    expect(existsSync(join(ROOT, 'proof/README.md'))).toBe(true);
  });
});

describe('the version', () => {
  const version = versionIn('package.json');

  it('is one in the package, its lock, the packages, the API and the tags', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(versionIn('packages/js/package.json')).toBe(version);
    expect(read('packages/godot/addons/muster/plugin.cfg')).toContain(`version="${version}"`);
    expect(versionIn('packages/create-muster/package.json')).toBe(version);
    expect(read('packages/python/pyproject.toml')).toContain(`\nversion = "${version}"\n`);
    expect(versionIn('package-lock.json')).toBe(version);
    expect(openApi().info.version).toBe(version);
    const tags = [...read('docs/internals/contributing.md').matchAll(/git tag (\S+)/g)];
    expect(tags.map(([, tag]) => tag)).toEqual([`v${version}`, `client-v${version}`]);
    expect(read('README.md')).toContain(`This is ${version}`);
  });

  it.each(['CHANGELOG.md', 'packages/js/CHANGELOG.md'])('is the first release of %s', (log) => {
    const [, first] = /^## (\d[\d.]*\d)/m.exec(read(log)) ?? [];
    expect(first).toBe(version);
  });
});

describe.each(['CHANGELOG.md', 'packages/js/CHANGELOG.md'])('%s', (log) => {
  it('has at most 60 lines a release: what users notice, the rest is in git', () => {
    const [, ...releases] = read(log).split(/^## /m);
    expect(releases.length).toBeGreaterThan(1);
    for (const release of releases) {
      const lines = release.split('\n').filter((line) => line.trim() !== '');
      expect(lines.length, release.split('\n', 1)[0]).toBeLessThanOrEqual(60);
    }
  });
});
