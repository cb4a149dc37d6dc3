// wrangler.toml, src/objects/env.ts and the object classes say the same.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '').toSorted();

const toml = read('wrangler.toml');
/** What counts: without comments. */
const settings = toml.replace(/^#.*$/gm, '');

describe('wrangler.toml', () => {
  const classes = readdirSync(join(root, 'src/objects'))
    .filter((file) => file.endsWith('-object.ts'))
    .flatMap((file) =>
      all(read(`src/objects/${file}`), /export class (\w+) extends DurableObject/g),
    )
    .toSorted();

  it('binds every object class, and migrates it', () => {
    expect(classes).toHaveLength(7);
    expect(all(settings, /class_name = "(\w+)"/g)).toEqual(classes);
    const migrated = all(settings, /new_sqlite_classes = \[([^\]]*)\]/g).join(',');
    expect(all(migrated, /"(\w+)"/g)).toEqual(classes);
    expect(all(read('src/worker.ts'), /export \{ (\w+) \}/g)).toEqual(classes);
  });

  it('names the bindings as the code does', () => {
    const bindings = all(read('src/objects/env.ts'), /readonly (\w+): DurableObjectNamespace/g);
    expect(all(settings, /^name = "([A-Z]+)"/gm)).toEqual(bindings);
  });

  it('can never carry the development keys, or any other, into a deployment', () => {
    expect(settings).not.toMatch(/DEV_KEYS|API_KEYS|\[vars\]/);
  });

  it('keeps request URLs, which may hold a key, out of the logs', () => {
    expect(settings).toMatch(/^invocation_logs = false$/m);
  });
});
