// wrangler.toml, src/objects/placement/env.ts and the object classes say the same.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '').toSorted();

const toml = read('wrangler.toml');
/** What counts: without comments. */
const settings = toml.replace(/^#.*$/gm, '');

describe('wrangler.toml', () => {
  const classes = all(
    read('src/objects/placement/objects.ts'),
    /export class (\w+) extends objectOf/g,
  );

  it('binds every object class, and migrates it', () => {
    expect(classes).toHaveLength(9);
    expect(all(settings, /class_name = "(\w+)"/g)).toEqual(classes);
    const migrated = all(settings, /new_sqlite_classes = \[([^\]]*)\]/g).join(',');
    expect(all(migrated, /"(\w+)"/g)).toEqual(classes);
    // The one object of a box is no part of a deployment (scripts/service.ts binds it).
    const exported = all(read('src/worker.ts'), /\b(\w+Object)\b/g);
    expect(exported).toEqual([...classes, 'BoxObject'].toSorted());
  });

  it('names the bindings as the code does', () => {
    const bindings = all(
      read('src/objects/placement/env.ts'),
      /readonly (\w+): DurableObjectNamespace/g,
    );
    expect(all(settings, /^name = "([A-Z]+)"/gm)).toEqual(bindings);
  });

  // shows: D8d
  it('can never carry the development keys, or any other, into a deployment', () => {
    expect(settings).not.toMatch(/DEV_KEY|API_KEYS|\[vars\]/);
  });

  // shows: D7b
  it('keeps request URLs, which may hold a key, out of the logs', () => {
    expect(settings).toMatch(/^invocation_logs = false$/m);
  });
});
