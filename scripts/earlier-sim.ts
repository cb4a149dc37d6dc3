// Runs the simulation of an earlier version, cut off in the middle (proof/sim/left.ts), for `npm run sim -- --from-rows VERSION`:
// `node scripts/earlier-sim.ts VERSION PLACEMENT FIRST-SEED SEEDS` prints what each seed leaves behind, on a line of its own.
// The version `now` is this tree.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

import { PROJECT } from './bundle.ts';
import { treeOf } from './earlier.ts';

/** Whoever takes part in runs of today and was unknown to that version does nothing there. */
const ABSENT: Plugin = {
  name: 'absent',
  setup(made) {
    made.onResolve({ filter: /^\.\/(hosts|steward)$/ }, ({ path, importer }) =>
      existsSync(join(dirname(importer), `${path}.ts`)) ? null : { path, namespace: 'absent' },
    );
    made.onLoad({ filter: /./, namespace: 'absent' }, ({ path }) => {
      const name = basename(path) === 'hosts' ? 'hosting' : 'steward';
      return { contents: `export async function ${name}() {}` };
    });
  },
};

const [version = '', ...words] = process.argv.slice(2);
const tree = version === 'now' ? PROJECT : await treeOf(version);
/** Up to 0.3 the simulation was a folder at the top. */
const isAtTop = existsSync(join(tree, 'sim'));
const rooms = join(tree, isAtTop ? 'sim' : 'proof/sim');
const own = join(rooms, 'left.ts');
const program = existsSync(own) ? own : join(PROJECT, 'proof/sim/left.ts');
const folder = await mkdtemp(join(tmpdir(), 'muster-left-'));
try {
  const outfile = join(folder, 'left.mjs');
  const text = await readFile(program, 'utf8');
  const contents = isAtTop && program !== own ? text.replaceAll("'../../", "'../") : text;
  await build({
    stdin: { contents, sourcefile: own, resolveDir: rooms, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    plugins: [ABSENT],
    outfile,
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, [outfile, ...words], { stdio: 'inherit' });
  process.exitCode = await new Promise<number>((done) => {
    child.once('exit', (code) => done(code ?? 1));
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
