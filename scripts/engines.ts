// `npm run engines`: runs the tests of packages/godot in Godot itself, and the programs of all quickstarts for three minutes. It
// fetches Godot first, from Debian's suite forky, without root: by an apt with folders of its own, unpacked, and run by its own loader.
//   npm run engines -- --fetch   only fetches it
//   MUSTER_ENGINES               where to keep it: half a GB (by default in the folder for temporary files)

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_ROOT, ENGINES, GODOT, LOADED, LOADER } from './engine-places.ts';
import { PROJECT } from './bundle.ts';

const SUITE = 'forky';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** The engine, and what runs games exported for release. */
const PACKAGES = ['godot', 'godot-template-release'];

function configuration(folder: string): string {
  const at = (name: string): string => JSON.stringify(join(folder, name));
  return `Dir::State::Lists ${at('lists')};
Dir::State::status ${at('status')};
Dir::Cache ${at('.')};
Dir::Cache::archives ${at('archives')};
Dir::Etc::sourcelist ${at('sources.list')};
Dir::Etc::sourceparts ${at('parts')};
Dir::Etc::main "/dev/null";
Dir::Etc::parts ${at('parts')};
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Install-Recommends "false";
Acquire::Languages "none";
// A mirror may lag behind. The signature is checked all the same.
Acquire::Check-Valid-Until "false";
`;
}

const WRAPPER = `#!/bin/sh
exec ${LOADER} ${LOADED.join(' ')} ${ENGINE_ROOT}/usr/bin/godot "$@"
`;

/** Where this system's own packages come from. */
function mirror(): string {
  const asked = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const uris = execFileSync('apt-get', asked, { encoding: 'utf8' }).split('\n');
  const found = uris.find((uri) => uri.endsWith('/debian/'));
  if (found === undefined) {
    throw new Error('Godot is fetched by apt on Debian: elsewhere, set GODOT_PATH to a Godot 4.6');
  }
  return found;
}

function fetchGodot(): void {
  const folder = `${ENGINES}.new`;
  rmSync(folder, { recursive: true, force: true });
  for (const part of ['lists/partial', 'archives/partial', 'parts', 'root']) {
    mkdirSync(join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(join(folder, 'apt.conf'), configuration(folder));
  writeFileSync(
    join(folder, 'sources.list'),
    `deb [signed-by=${KEYRING}] ${mirror()} ${SUITE} main\n`,
  );
  const env = { ...process.env, APT_CONFIG: join(folder, 'apt.conf') };
  const apt = (...args: string[]): void => {
    execFileSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  };
  apt('update');
  apt('install', '--yes', '--download-only', ...PACKAGES);
  const archives = join(folder, 'archives');
  for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb'))) {
    execFileSync('dpkg-deb', ['-x', join(archives, name), join(folder, 'root')]);
  }
  rmSync(archives, { recursive: true });
  rmSync(ENGINES, { recursive: true, force: true });
  renameSync(folder, ENGINES);
  writeFileSync(GODOT, WRAPPER, { mode: 0o755 });
}

const begun = performance.now();
if (!existsSync(GODOT)) {
  fetchGodot();
}
const version = execFileSync(GODOT, ['--headless', '--version'], { encoding: 'utf8' });
console.log(
  `Godot ${version.trim()}, there after ${Math.round((performance.now() - begun) / 1000)} s`,
);
if (!process.argv.includes('--fetch')) {
  const tests = [
    'vitest',
    'run',
    '--project',
    'wire',
    'test/clients/godot',
    'test/clients/quickstarts',
  ];
  const { status } = spawnSync('npx', tests, { cwd: PROJECT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}
