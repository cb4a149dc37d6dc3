// Muster as an earlier commit had it: its own tree, run by its own scripts.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { PROJECT } from '../../scripts/bundle.ts';
import type { Placement } from '../../scripts/service.ts';
import { noteMissing } from '../support/tools.ts';

export interface Earlier {
  readonly url: string;
  readonly serverKey: string;
  /** Kills the service, as a power cut would. */
  kill(): Promise<void>;
}

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', ['-C', PROJECT, ...args], { maxBuffer: 2 ** 28, stdio: 'pipe' });
}

/** Whether this clone has the commit. Where it has not, tests that need it are skipped, and `npm test` says so. */
export function isHere(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    noteMissing('the commit of an earlier version', 'git fetch --unshallow');
    return false;
  }
}

/** Puts the commit's tree into the folder, with the modules of its own lock file. */
export async function unpack(commit: string, folder: string): Promise<void> {
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', '--format=tar', commit) });
  const [before, now] = await Promise.all(
    [folder, PROJECT].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')),
  );
  if (before === now) {
    await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
  }
}

/** Runs in the earlier tree. Its service ends with this process. */
const RUN = `
  const [options] = process.argv.slice(1).map((text) => JSON.parse(text));
  const { startService } = await import(new URL('scripts/service.ts', options.tree));
  const service = await startService(options);
  process.stdin.once('data', async () => { await service.kill(); process.exit(0); });
  console.log(JSON.stringify({ url: service.url, serverKey: service.serverKey }));
`;

/** Starts the service of an unpacked tree on the data. */
export async function startEarlier(
  tree: string,
  { dataDir, placement }: { readonly dataDir: string; readonly placement: Placement },
): Promise<Earlier> {
  const env = { FLEET: 'simulated' };
  const options = { tree: pathToFileURL(`${tree}/`).href, port: 0, dataDir, placement, env };
  const run = ['--input-type=module', '-e', RUN, JSON.stringify({ ...options, devKeys: true })];
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
  throw new Error('the earlier service did not start');
}
