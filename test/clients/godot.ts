// Runs the addon of packages/godot in Godot, without a window. packages/godot/test/driver.gd does what the test says, line by
// line, and prints what the addon tells.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../support/eventually.ts';
import { pathOf } from '../support/tools.ts';

const PACKAGE = join(import.meta.dirname, '../../packages/godot');

/** What the addon told: the name of the node, the signal or call, and its values. */
export interface Told {
  readonly id: string;
  readonly what: string;
  readonly values: readonly unknown[];
}

export type Order = Readonly<Record<string, unknown>> & { readonly do: string };

/**
 * A copy of the package as a project. Its list of classes, which the engine needs, is what the editor would write: five seconds of
 * a processor each time. The test of the plugin runs the editor.
 */
export async function godotProject(folder: string): Promise<string> {
  const project = join(folder, 'project');
  await cp(PACKAGE, project, { recursive: true });
  const files = await readdir(project, { recursive: true });
  const classes = await Promise.all(
    files.filter((name) => name.endsWith('.gd')).map((name) => classIn(project, name)),
  );
  await mkdir(join(project, '.godot'), { recursive: true });
  const list = `list=[${classes.flat().join(', ')}]\n`;
  await writeFile(join(project, '.godot/global_script_class_cache.cfg'), list);
  return project;
}

async function classIn(project: string, name: string): Promise<readonly string[]> {
  const source = await readFile(join(project, name), 'utf8');
  const found = /^class_name (\w+)\nextends (\w+)$/m.exec(source);
  const [, own = '', base = ''] = found ?? [];
  const flags = '"icon": "", "is_abstract": false, "is_tool": false, "language": &"GDScript"';
  return found === null
    ? []
    : [`{ "base": &"${base}", "class": &"${own}", ${flags}, "path": "res://${name}" }`];
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
