// What rows look like: their fields and types, without values. `test/upgrade/rows.txt` lists them by version.

import { PACK, type Pack } from '../../src/objects/kit/rows';
import type { Left } from './left';

/** Anything may be in them. */
const FREE: ReadonlySet<string> = new Set(
  (
    'settings state states attributes customProperties metadata view ' +
    'custom_data customData teamComposition roles values facts'
  ).split(' '),
);
/** Names that somebody chose, and numbers, stand in their keys. */
const MAPS: ReadonlySet<string> = new Set(
  'modes configs builds ends matched gaveUp rated'.split(' '),
);
/** They stand in rows of several kinds, and look the same in each. */
const SHARED: Readonly<Record<string, string>> = {
  mode: 'mode',
  'modes.*': 'mode',
  rules: 'mode',
  config: 'config',
  'configs.*': 'config',
  'builds.*': 'build',
  build: 'build',
  block: 'block',
  'participants[]': 'participant',
  'earlier[]': 'participant',
  'parties[]': 'party',
  party: 'party',
};

/** An id of the simulation, a player of it, or a number. */
const IDS = /^(?:p\d+|[0-9a-z]{3}\.\d+|\d+)$/;

class Shapes {
  readonly lines = new Set<string>();

  row(kind: string, key: string, value: unknown): void {
    const [name = '', ...rest] = key.split(':');
    if (!FREE.has(name)) {
      this.#walk(value, `${kind} ${name}${rest.length === 0 ? '' : ':*'}`, name);
    }
  }

  #walk(value: unknown, path: string, name: string): void {
    if (typeof value !== 'object' || value === null) {
      this.lines.add(`${path} ${value === null ? 'null' : typeof value}`);
    } else if (FREE.has(name)) {
      this.lines.add(`${path} anything`);
    } else if (Array.isArray(value)) {
      this.lines.add(`${path} list`);
      value.forEach((each) => this.#walk(each, `${path}[]`, `${name}[]`));
    } else {
      // A build's revision keeps it where a config's keeps the config.
      const root = SHARED[path.includes(' of build') && name === 'config' ? 'build' : name];
      if (root !== undefined) {
        this.lines.add(`${path} ${root}`);
      }
      for (const [key, part] of Object.entries(value)) {
        const field = MAPS.has(name) || IDS.test(key) ? '*' : key;
        const at = field === '*' ? `${name}.*` : field;
        this.#walk(part, root === undefined ? `${path}.${field}` : `${root} .${field}`, at);
      }
    }
  }
}

/** The lines of all rows, in order. */
export function shapesOf(all: Iterable<Left>): readonly string[] {
  const shapes = new Shapes();
  for (const { kind, rows } of [...all].flatMap(({ nodes }) => nodes)) {
    for (const [key, value] of rows) {
      const packed = key === PACK ? (value as Pack) : [[key, JSON.stringify(value)] as const];
      packed.forEach(([each, json]) => shapes.row(kind, each, JSON.parse(json)));
    }
  }
  return [...shapes.lines].toSorted();
}
