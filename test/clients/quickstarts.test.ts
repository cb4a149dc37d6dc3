// The programs of all quickstarts beside each other, three minutes past their last line: the players of each meet, stay present where
// silent ones are removed after fifteen seconds, and hear of the end. `npm run engines` runs it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileIn } from '../browser/page.ts';
import { eventually } from '../support/eventually.ts';
import { DEBIAN_PYTHON, needs, needsLibrary, pathOf } from '../support/tools.ts';
import { type OwnMuster, ownMuster } from '../wire/own-muster.ts';
import { compile, isMonoThere } from './csharp.ts';
import { godotProject } from './godot.ts';

const ROOT = join(import.meta.dirname, '../..');
const CSHARP = join(ROOT, 'packages/csharp');
const STAYS_SECONDS = 180;
const PATIENCE_MS = 1_000 * (STAYS_SECONDS + 120);
const ADDRESS = /connects? to (\S+:\d+)/i;
const run = promisify(execFile);
const HAS_LUA = needs('lua5.1') && needsLibrary('lua-socket');

interface Quickstart {
  readonly page: string;
  /** The program that is saved, as the page names it. */
  readonly file: string;
  readonly isThere: boolean;
  /** Makes what the page tells to make around it. Returns the command without the player. */
  readonly make: (folder: string) => Promise<readonly string[]>;
}

const QUICKSTARTS: readonly Quickstart[] = [
  {
    page: 'typescript',
    file: 'play.ts',
    isThere: true,
    make: async (folder) => {
      const own = join(folder, 'node_modules/@muster');
      await mkdir(own, { recursive: true });
      await symlink(join(ROOT, 'packages/js'), join(own, 'client'));
      await run('npm', ['run', '--silent', 'build'], { cwd: join(ROOT, 'packages/js') });
      return [process.execPath, 'play.ts'];
    },
  },
  {
    page: 'python',
    file: 'duel.py',
    isThere: needs('python3'),
    make: async (folder) => {
      await symlink(join(ROOT, 'packages/python/muster'), join(folder, 'muster'));
      return [DEBIAN_PYTHON, 'duel.py'];
    },
  },
  {
    page: 'go',
    file: 'duel.go',
    isThere: needs('go'),
    make: async (folder) => {
      const go = (...words: readonly string[]) => run(pathOf('go'), [...words], { cwd: folder });
      const module = 'muster.example/go';
      await go('mod', 'init', 'duel');
      const to = `${module}=${join(ROOT, 'packages/go')}`;
      await go('mod', 'edit', '-require', `${module}@v0.3.0`, '-replace', to);
      await go('build', '-o', 'duel', '.');
      return ['./duel'];
    },
  },
  { page: 'lua', file: 'duel.lua', isThere: HAS_LUA, make: withLua('lua5.1', 'duel.lua') },
  { page: 'lua', file: 'main.lua', isThere: needs('love'), make: withLua('love', '.') },
  {
    page: 'csharp',
    file: 'Player.cs',
    isThere: isMonoThere,
    make: async (folder) => [
      'mono',
      await compile(relative(CSHARP, join(folder, 'Player.cs')), folder),
    ],
  },
  {
    page: 'godot',
    file: 'duel.gd',
    isThere: needs('godot'),
    make: async (folder) => {
      const project = await godotProject(folder);
      await copyFile(join(folder, 'duel.gd'), join(project, 'duel.gd'));
      const scene =
        '[gd_scene load_steps=2 format=3]\n\n[ext_resource type="Script" path="res://duel.gd" id="1"]\n';
      await writeFile(
        join(project, 'duel.tscn'),
        `${scene}\n[node name="Duel" type="Node"]\nscript = ExtResource("1")\n`,
      );
      await appendFile(
        join(project, 'project.godot'),
        `\n[muster]\n\nurl="${muster.running.url}"\n`,
      );
      return [pathOf('godot'), '--headless', '--path', project, 'res://duel.tscn'];
    },
  },
];

function withLua(tool: 'lua5.1' | 'love', what: string): Quickstart['make'] {
  return async (folder) => {
    await copyFile(join(ROOT, 'packages/lua/muster.lua'), join(folder, 'muster.lua'));
    const modules = 't.modules.window, t.modules.graphics, t.modules.audio';
    const noWindow = `function love.conf(t) ${modules} = false, false, false end\n`;
    await writeFile(join(folder, 'conf.lua'), noWindow);
    return [pathOf(tool), what];
  };
}

interface Going {
  readonly child: ChildProcess;
  printed: string;
}

let muster: OwnMuster;
const going: Going[] = [];

/** The quickstart's config, under a name of its own so that its players meet each other alone. */
async function saved({ page, file }: Quickstart): Promise<string> {
  const config = `${page}-${file.replace('.', '-')}`;
  const duel = { teams: 2, playersPerTeam: 1, timeout: 120 };
  await muster.operator.ok('PUT', `/lobby-configs/${config}`, {
    heartbeat: true,
    heartbeatTimeout: 15,
    matchmaking: { modes: { duel } },
  });
  return config;
}

async function startBoth(one: Quickstart): Promise<readonly Going[]> {
  const folder = join(muster.folder, one.file);
  await mkdir(folder);
  const config = await saved(one);
  const text = await readFile(join(ROOT, `docs/quickstarts/${one.page}.md`), 'utf8');
  const program = fileIn(text, one.file)
    .replace('http://127.0.0.1:8787', muster.running.url)
    .replace(/(["'])quickstart\1/, `"${config}"`);
  expect(program).toContain(config);
  await writeFile(join(folder, one.file), program);
  const [tool = '', ...words] = await one.make(folder);
  return ['ann', 'ben'].map((player) => {
    const child = spawn(tool, [...words, `${player}-${one.page}`], { cwd: folder });
    const each: Going = { child, printed: '' };
    child.stdout.on('data', (chunk: Buffer) => (each.printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (each.printed += chunk.toString()));
    going.push(each);
    return each;
  });
}

/** How long the players stayed after they had met, in seconds. Rejects with what they printed if they do not meet. */
async function stayed(one: Quickstart): Promise<number> {
  const both = await startBoth(one);
  const met = both.map((each) =>
    eventually('it has an address', () => ADDRESS.exec(each.printed)?.[1], {
      withinMs: 120_000,
    }).catch((error: unknown) => {
      const printed = both.map((one) => one.printed).join('; ');
      return Promise.reject(new Error(`${String(error)}: ${printed}`));
    }),
  );
  const [address, other] = await Promise.all(met);
  expect(other).toBe(address);
  const begun = performance.now();
  const patience = { everyMs: 500, withinMs: PATIENCE_MS };
  const isOver = both.map((each) =>
    eventually('it is over', () => each.printed.includes('game is over'), patience),
  );
  await Promise.all(isOver);
  return (performance.now() - begun) / 1_000;
}

const THERE = QUICKSTARTS.filter(({ isThere }) => isThere);
let stays: readonly Promise<number>[] = [];

beforeAll(async () => {
  muster = await ownMuster('quickstarts');
  const env = { MUSTER_EMPTY_SECONDS: String(STAYS_SECONDS) };
  await muster.operator.ok('PUT', '/builds/default', { launch: { env } });
  stays = THERE.map(stayed);
  // Each test waits for its own; until then a failure is nobody's.
  stays.forEach((each) => void each.catch(() => undefined));
});

afterAll(async () => {
  for (const { child } of going) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  await muster.stop();
});

it.each(THERE.map(({ page, file }, index) => ({ page, file, index })))(
  '$page, $file: two players meet, stay for three minutes, and hear of the end',
  async ({ page, file, index }) => {
    const seconds = (await stays[index]) ?? 0;
    console.log(`${page}, ${file}: the players stayed for ${seconds.toFixed(0)} s`);
    expect(seconds).toBeGreaterThan(STAYS_SECONDS - 10);
  },
  PATIENCE_MS + 60_000,
);
