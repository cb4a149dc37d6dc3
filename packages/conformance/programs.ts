// Each package's conformance program: where it is, how it is built, and a line of its stream code to break.

import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Program } from './run.ts';

const PACKAGES = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** A line that is changed, and the step that must fail then. */
interface Bug {
  readonly about: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly step: string;
}

export interface Package {
  readonly name: string;
  /** The program that runs or builds it. Absent: Node. */
  readonly tool?: 'python3' | 'go' | 'lua5.1' | 'love' | 'mcs';
  /** Below `packages`, if it is not the name. */
  readonly folder?: string;
  /** What of the package the program is made of. */
  readonly parts: readonly string[];
  readonly build?: readonly string[];
  /** In the folder of the package. */
  readonly command: (tool: string) => readonly string[];
  readonly bug: Bug;
}

export const ALL: readonly Package[] = [
  {
    name: 'js',
    parts: ['src', 'conformance.ts', 'package.json'],
    command: () => [process.execPath, 'conformance.ts'],
    bug: {
      about: 'it resumes after a change that does not fit',
      file: 'src/follow.ts',
      from: 'this.#shown = this.#lastId = null;',
      to: 'this.#shown = null;',
      step: 'lobby waiting 2 e',
    },
  },
  {
    name: 'python',
    tool: 'python3',
    parts: ['muster', 'conformance.py'],
    command: (python) => [python, 'conformance.py'],
    bug: {
      about: 'a stream begins anew after each break',
      file: 'muster/stream.py',
      from: 'resume = {"last-event-id": self._last_id} if self._last_id else {}',
      to: 'resume = {}',
      step: 'lobby waiting 2 b',
    },
  },
  {
    name: 'go',
    tool: 'go',
    parts: ['http.go', 'stream.go', 'client.go', 'server.go', 'api.go', 'go.mod', 'conformance'],
    build: ['build', '-o', 'program', './conformance'],
    command: () => ['./program'],
    bug: {
      about: 'changes are applied to whatever lobby is known',
      file: 'stream.go',
      from: 'before == nil || each.revision != change.From',
      to: 'before == nil',
      step: 'lobby waiting 2 e',
    },
  },
  {
    name: 'lua',
    tool: 'lua5.1',
    parts: ['muster.lua', 'conformance.lua'],
    command: (lua) => [lua, 'conformance.lua'],
    bug: {
      about: 'changes are applied to whatever lobby is known',
      file: 'muster.lua',
      from: 'self.shown and self.shown.revision == data.from',
      to: 'self.shown',
      step: 'lobby waiting 2 e',
    },
  },
  {
    name: 'love',
    tool: 'love',
    folder: 'lua',
    parts: ['muster.lua', 'conformance.lua', 'love'],
    command: (love) => [love, 'love'],
    bug: {
      about: 'a stream begins anew after each break',
      file: 'muster.lua',
      from: 'if self.id and self.shown then headers',
      to: 'if false then headers',
      step: 'lobby waiting 2 b',
    },
  },
  {
    name: 'csharp',
    tool: 'mcs',
    parts: ['../unity/Core', 'Conformance.cs'],
    build: [
      '-langversion:6',
      '-r:System.Net.Http',
      '-out:program.exe',
      'Conformance.cs',
      '-recurse:../unity/Core/*.cs',
    ],
    command: () => ['mono', 'program.exe'],
    bug: {
      about: 'the stream is asked for whole lobbies',
      file: '../unity/Core/Follower.cs',
      from: '/events?changes=1',
      to: '/events?changes=0',
      step: 'lobby waiting 2 a',
    },
  },
];

/** Copies the package into a folder, with its bug if it is `broken`, and builds it there. Throws if it cannot be built. */
export async function prepared(
  one: Package,
  folder: string,
  { tool, broken = false }: { readonly tool: string; readonly broken?: boolean },
): Promise<Program> {
  for (const part of one.parts) {
    await cp(join(PACKAGES, one.folder ?? one.name, part), join(folder, part), { recursive: true });
  }
  if (broken) {
    const { file, from, to } = one.bug;
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    if (!text.includes(from)) {
      throw new Error(`${one.name}/${file} has no line to break: ${from}`);
    }
    await writeFile(path, text.replace(from, to));
  }
  if (one.build !== undefined) {
    await run(tool, [...one.build], { cwd: folder });
  }
  return { name: one.name, command: one.command(tool), folder };
}
