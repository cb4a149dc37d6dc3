// The programs of docs/stream-clients.md, and what it takes to run each.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { fileIn } from '../browser/page.ts';
import { DEBIAN_PYTHON, needs, needsLibrary, pathOf, type ToolName } from '../support/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const JARS = '/usr/share/java/okhttp.jar:/usr/share/java/okio.jar';
const LUA =
  "require('events')(arg[1], arg[2], arg[3], function(event) print(event) io.stdout:flush() end)";

const run = promisify(execFile);

/** Where a program finds the service. */
interface Told {
  readonly url: string;
  readonly player: string;
}

export interface Program {
  readonly name: string;
  /** The block of the page. */
  readonly file: string;
  readonly isThere: boolean;
  /** What it is built with, in its folder. */
  readonly build?: readonly string[];
  /** Its command in its folder, before its address, key and player. Absent: a page of a browser runs it. */
  readonly command?: readonly string[];
}

const isWebThere = needs('chromium');
const isJavaThere = needs('javac') && needs('java');

export const PROGRAMS: readonly Program[] = [
  {
    name: 'eventsource',
    file: 'eventsource.mjs',
    isThere: true,
    command: [process.execPath, 'eventsource.mjs'],
  },
  { name: 'fetch-event-source', file: 'fetch-event-source.js', isThere: isWebThere },
  { name: 'react-native-sse', file: 'react-native-sse.js', isThere: isWebThere },
  {
    name: 'httpx',
    file: 'httpx_events.py',
    isThere: needsLibrary('python3-httpx'),
    command: [DEBIAN_PYTHON, 'httpx_events.py'],
  },
  {
    name: 'requests',
    file: 'requests_events.py',
    isThere: needsLibrary('python3-requests'),
    command: [DEBIAN_PYTHON, 'requests_events.py'],
  },
  {
    name: 'OkHttp',
    file: 'OkHttpEvents.java',
    isThere: isJavaThere && needsLibrary('libokhttp-java'),
    build: ['javac', '-cp', JARS, 'OkHttpEvents.java'],
    command: ['java', '-cp', `${JARS}:.`, 'OkHttpEvents'],
  },
  {
    name: 'java.net.http',
    file: 'NetHttpEvents.java',
    isThere: isJavaThere,
    build: ['javac', 'NetHttpEvents.java'],
    command: ['java', '-cp', '.', 'NetHttpEvents'],
  },
  {
    name: 'Mono',
    file: 'Events.cs',
    isThere: needs('mcs') && needs('mono'),
    build: ['mcs', 'Events.cs'],
    command: ['mono', 'Events.exe'],
  },
  {
    name: 'Go',
    file: 'events.go',
    isThere: needs('go'),
    build: ['go', 'build', '-o', 'events', 'events.go'],
    command: ['./events'],
  },
  { name: 'curl', file: 'events.sh', isThere: needs('curl'), command: ['/bin/sh', 'events.sh'] },
  {
    name: 'LuaSocket',
    file: 'events.lua',
    isThere: needs('lua5.1') && needsLibrary('lua-socket'),
    command: ['lua5.1', 'run.lua'],
  },
  { name: 'LÖVE', file: 'main.lua', isThere: needs('love'), command: ['love', '.'] },
  {
    name: 'Godot 3',
    file: 'events3.gd',
    isThere: needs('godot3-server'),
    command: ['godot3-server', '-s', 'events3.gd'],
  },
];

/** LÖVE without a window. */
const NO_WINDOW = `function love.conf(t)
  t.modules.window, t.modules.graphics, t.modules.audio = false, false, false
end`;

/** Writes the program into a folder of its own, and builds it. */
export async function prepare(program: Program, folder: string): Promise<void> {
  const page = await readFile(join(ROOT, 'docs/stream-clients.md'), 'utf8');
  const { file } = program;
  await mkdir(folder, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const files = {
    [file]: fileIn(page, file),
    'events.lua': fileIn(page, 'events.lua'),
    'run.lua': LUA,
    'conf.lua': NO_WINDOW,
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content);
  }
  const [tool, ...args] = program.build ?? [];
  if (tool !== undefined) {
    await run(pathOf(tool as ToolName), args, { cwd: folder });
  }
}

/** A program under way. */
export interface Going {
  /** The names of the events that it has printed. */
  readonly heard: () => Promise<readonly string[]>;
  /** Whether it has ended by itself, and well. */
  readonly isOver: () => Promise<boolean>;
  readonly end: () => Promise<void>;
}

export async function start(
  { command, file, name }: Program,
  folder: string,
  { url, player }: Told,
  browser: Browser | null,
): Promise<Going> {
  if (command === undefined) {
    return startInPage(join(folder, file), { url, player }, browser as Browser);
  }
  const { hostname, port } = new URL(url);
  const where = name === 'Godot 3' ? [hostname, port] : [url];
  const [tool = '', ...args] = command;
  const path = /^[./]/.test(tool) ? tool : pathOf(tool as ToolName);
  const child = spawn(path, [...args, ...where, 'client_dev_key', player], { cwd: folder });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr.on('data', () => undefined);
  const names = () => [...printed.matchAll(/^(connected|replaced)\b/gm)].map(([each]) => each);
  return {
    heard: () => Promise.resolve(names()),
    isOver: () => Promise.resolve(child.exitCode === 0),
    end: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}

async function startInPage(path: string, { url, player }: Told, browser: Browser): Promise<Going> {
  const bundled = await build({
    stdin: {
      contents: `import { follow } from ${JSON.stringify(path)};
        globalThis.heard = [];
        follow(location.origin, 'client_dev_key', '${player}', (event) => heard.push(event));`,
      resolveDir: dirname(path),
    },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'silent',
  });
  const page = await browser.newPage();
  await page.goto(`${url}/health`);
  await page.evaluate(bundled.outputFiles[0]?.text ?? '');
  const heard = async (): Promise<readonly string[]> =>
    (await page.evaluate<string[]>('heard')).filter((name) => /^(connected|replaced)$/.test(name));
  return {
    heard,
    isOver: async () => (await heard()).includes('replaced'),
    end: () => page.close(),
  };
}
