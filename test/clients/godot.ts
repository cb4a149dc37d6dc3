// Runs the addon of packages/godot in Godot, without a window. packages/godot/test/driver.gd does what the test says, line by
// line, and prints what the addon tells.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { pathOf } from '../support/tools.ts';

const PACKAGE = join(import.meta.dirname, '../../packages/godot');
const run = promisify(execFile);

/** What the addon told: the name of the node, the signal or call, and its values. */
export interface Told {
  readonly id: string;
  readonly what: string;
  readonly values: readonly unknown[];
}

export type Order = Readonly<Record<string, unknown>> & { readonly do: string };

/** A copy of the package as a project that Godot has imported once, which its classes need. */
export async function godotProject(folder: string): Promise<string> {
  const project = join(folder, 'project');
  await cp(PACKAGE, project, { recursive: true });
  await run(pathOf('godot'), ['--headless', '--path', project, '--import']);
  return project;
}

export class Engine {
  readonly told: Told[] = [];
  /** What else it printed: its banner, errors, and what scripts print. */
  readonly printed: string[] = [];
  readonly #child: ChildProcess;

  constructor(project: string, args: readonly string[] = ['res://test/driver.tscn'], env = {}) {
    this.#child = spawn(pathOf('godot'), ['--headless', '--path', project, ...args], {
      env: { ...process.env, ...env },
    });
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      if (output !== null) {
        createInterface({ input: output }).on('line', (line) => this.#hear(line));
      }
    }
  }

  #hear(line: string): void {
    if (line.startsWith('{"id":')) {
      this.told.push(JSON.parse(line) as Told);
    } else if (line.trim() !== '') {
      this.printed.push(line);
    }
  }

  order(order: Order): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  call(id: string, method: string, ...args: readonly unknown[]): Promise<Told> {
    const from = this.told.length;
    this.order({ do: 'call', id, method, args });
    return this.until(id, method, () => true, from);
  }

  async get<T>(id: string, property: string): Promise<T> {
    const from = this.told.length;
    this.order({ do: 'get', id, property });
    const { values } = await this.until(id, property, () => true, from);
    return values[0] as T;
  }

  async labels(): Promise<readonly string[]> {
    const from = this.told.length;
    this.order({ do: 'labels', id: 'screen' });
    return (await this.until('screen', 'labels', () => true, from)).values[0] as readonly string[];
  }

  /** The first of its kind after the first `from` that fits. */
  async until(
    id: string,
    what: string,
    fits: (values: readonly unknown[]) => boolean = () => true,
    from = 0,
  ): Promise<Told> {
    try {
      return await eventually(`${id} ${what}`, () =>
        this.told
          .slice(from)
          .find((each) => each.id === id && each.what === what && fits(each.values)),
      );
    } catch (error) {
      const told = this.told.filter((each) => each.id === id).slice(-5);
      const last = `told: ${JSON.stringify(told)}, printed: ${this.printed.slice(-5).join(' | ')}`;
      throw new Error(`${String(error)}; ${last}`, { cause: error });
    }
  }

  /** The reasons or values of all signals of the kind. */
  all(id: string, what: string): readonly unknown[] {
    return this.told
      .filter((each) => each.id === id && each.what === what)
      .map(({ values }) => values[0]);
  }

  /** Its exit code; null if a signal ended it. */
  async exited(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
    return this.#child.exitCode;
  }

  async quit(): Promise<number | null> {
    this.order({ do: 'quit' });
    return this.exited();
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
  }
}

/** A file of the project, such as a script of the test's own. */
export function addFile(project: string, name: string, content: string): Promise<void> {
  return writeFile(join(project, name), content);
}
