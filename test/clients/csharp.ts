// Programs of packages/csharp under Mono: compiled once, and driven line by line.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { needs, needsLibrary, pathOf } from '../support/tools.ts';

const ROOT = join(import.meta.dirname, '../..');
const UNITY = join(ROOT, 'packages/unity');
const CORE = join(UNITY, 'Core');
export const COMPILING = ['-langversion:6', '-warnaserror', '-r:System.Net.Http'];

export const isCompilerThere = needs('mcs') && needsLibrary('libmono-system-net-http4.0-cil');
export const isMonoThere = isCompilerThere && needs('mono');

async function sourcesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.cs'));
  return names.map((name) => join(folder, name));
}

/** All of packages/unity, samples too. */
export function unitySources(): Promise<readonly string[]> {
  return sourcesIn(UNITY);
}

/** Compiles a program with the core, and answers where it is. `instead`: files of the core by others of the same name. */
export async function compile(
  program: string,
  folder: string,
  instead: Readonly<Record<string, string>> = {},
): Promise<string> {
  const core = (await sourcesIn(CORE)).map((path) => instead[path.slice(CORE.length + 1)] ?? path);
  const to = join(folder, program.replace(/^.*\//, '').replace(/\.cs$/, '.exe'));
  const source = join(ROOT, 'packages/csharp', program);
  await promisify(execFile)(pathOf('mcs'), [...COMPILING, `-out:${to}`, ...core, source]);
  return to;
}

/** A program under way. */
export class Driven {
  readonly said: string[] = [];
  readonly #child;
  readonly #ended: Promise<unknown>;
  readonly #awaited = new Set<number>();

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(pathOf('mono'), [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = once(this.#child, 'exit');
    createInterface(this.#child.stdout).on('line', (line) => this.said.push(line));
  }

  do(...commands: readonly string[]): this {
    commands.forEach((command) => this.#child.stdin.write(`${command}\n`));
    return this;
  }

  /** Waits for a line that fits, and was not waited for before. */
  async says(line: RegExp | string): Promise<string> {
    const fits = (each: string): boolean =>
      typeof line === 'string' ? each === line : line.test(each);
    const find = (): number =>
      this.said.findIndex((each, index) => !this.#awaited.has(index) && fits(each));
    await eventually(`it says ${line}`, () => find() >= 0 || Promise.reject(this.said.join(' | ')));
    const at = find();
    this.#awaited.add(at);
    return this.said[at] ?? '';
  }

  /** Ends its input. It gives up what is under way and must end by itself: answers its exit code. */
  async end(): Promise<number | null> {
    this.#child.stdin.end();
    const patience = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    await this.#ended;
    clearTimeout(patience);
    return this.#child.exitCode;
  }
}
