// Muster as an earlier version had it: the tree of its commit, run by its own scripts. Tests and the simulation begin on
// what it leaves behind.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** Tests of the simulation know no other script. */
const PROJECT = join(import.meta.dirname, '..');

/** The commit of each version whose data must be read. A tag may be missing in a clone, so it is a second name at most. */
export const VERSIONS = JSON.parse(
  readFileSync(join(PROJECT, 'test/upgrade/versions.json'), 'utf8'),
) as Readonly<Record<string, string>>;

export interface Earlier {
  readonly url: string;
  readonly serverKey: string;
  /** Kills the service, as a power cut would. */
  kill(): Promise<void>;
}

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', ['-C', PROJECT, ...args], { maxBuffer: 2 ** 28, stdio: 'pipe' });
}

export function commitOf(version: string): string {
  const commit = VERSIONS[version];
  if (commit === undefined) {
    throw new Error(`there is no ${version} in versions.json: ${Object.keys(VERSIONS).join(', ')}`);
  }
  return commit;
}

/** What the tag of that name points at. Null: this clone has no such tag. */
export function taggedAs(version: string): string | null {
  try {
    return git('rev-parse', '--verify', '--quiet', `refs/tags/${version}^{commit}`)
      .toString()
      .trim();
  } catch {
    return null;
  }
}

/** Whether this clone has the commit of the version. A shallow one has not. */
export function isCloned(version: string): boolean {
  try {
    git('cat-file', '-e', `${commitOf(version)}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

interface Lock {
  version: string;
  readonly packages: { readonly '': { version: string } };
}

/** A lock file without the version of Muster itself. */
async function locked(root: string): Promise<string> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock;
  [lock.version, lock.packages[''].version] = ['', ''];
  return JSON.stringify(lock);
}

/**
 * The folder with the tree of that version and the modules of its own lock file, which are this tree's where both lock
 * files say the same. It is made once, and stays in `dist`.
 */
export async function treeOf(version: string): Promise<string> {
  const commit = commitOf(version);
  const kept = join(PROJECT, 'dist/earlier');
  const tree = join(kept, commit);
  if (existsSync(tree)) {
    return tree;
  }
  await mkdir(kept, { recursive: true });
  const half = await mkdtemp(join(kept, 'half-'));
  try {
    execFileSync('tar', ['-x', '-C', half], { input: git('archive', '--format=tar', commit) });
    if ((await locked(half)) === (await locked(PROJECT))) {
      await symlink(join(PROJECT, 'node_modules'), join(half, 'node_modules'));
    } else {
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: half, stdio: 'ignore' });
    }
    await rename(half, tree);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(tree)) {
      throw error;
    }
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return tree;
}

/** Runs in the earlier tree. Its service ends with this process. */
const RUN = `
  const [options] = process.argv.slice(1).map((text) => JSON.parse(text));
  const { startService } = await import(new URL('scripts/service.ts', options.tree));
  const service = await startService(options);
  process.stdin.once('data', async () => { await service.kill(); process.exit(0); });
  console.log(JSON.stringify({ url: service.url, serverKey: service.serverKey }));
`;

/** Starts the service of that version on the data. */
export async function startEarlier(
  version: string,
  service: {
    readonly dataDir: string;
    readonly placement: 'box' | 'objects';
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<Earlier> {
  const tree = await treeOf(version);
  const options = { ...service, tree: pathToFileURL(`${tree}/`).href, port: 0, devKeys: true };
  const run = ['--input-type=module', '-e', RUN, JSON.stringify(options)];
  const child = spawn(process.execPath, run, { cwd: tree, stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    return {
      ...(JSON.parse(line) as { url: string; serverKey: string }),
      kill: async () => {
        child.stdin.write('now\n');
        await gone;
      },
    };
  }
  throw new Error(`the service of ${version} did not start`);
}

/** Backs up the folder by the command of that version, and names the file. */
export async function backedUpBy(version: string, dataDir: string): Promise<string> {
  const folder = join(dataDir, 'backups');
  execFileSync(process.execPath, ['scripts/backup.ts', folder], {
    cwd: await treeOf(version),
    env: { ...process.env, MUSTER_DATA: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [file = 'nothing'] = await readdir(folder);
  return join(folder, file);
}
