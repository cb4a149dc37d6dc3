// One word for one thing: no two files of `src` export the same name, or have a type of the same name, exported or not.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url).href);
/** The table of routes reads them with the name of their room, as `configs.put`. */
const HANDLERS = /^http[/\\](?:operators|players)[/\\]/;
/** The shape of a region in a body, and the rule type `region`: each rule type has its own name in configs. */
const ALLOWED = new Set(['region']);
const EXPORTED = /^export (?:async )?(?:function\*?|const) (\w+)/;
const TYPE = /^(?:export )?(?:abstract )?(?:type|interface|class) (\w+)/;
const NAMED = new RegExp(`${EXPORTED.source}|${TYPE.source}`, 'gm');

it('has no exported name and no type in two files', () => {
  const named = readdirSync(SRC, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.ts') && !HANDLERS.test(path))
    .flatMap((path) => {
      // An overloaded function is exported once for each of its shapes.
      const found = readFileSync(join(SRC, path), 'utf8').matchAll(NAMED);
      const names = new Set(Array.from(found, ([, value, type]) => value ?? type ?? ''));
      return [...names].map((name) => ({ name, path }));
    });
  expect(named.length).toBeGreaterThan(1_000);
  const twice = [...Map.groupBy(named, ({ name }) => name)].filter(
    ([name, { length }]) => length > 1 && !ALLOWED.has(name),
  );
  expect(twice.map(([name, at]) => `${name}: ${at.map(({ path }) => path).join(', ')}`)).toEqual(
    [],
  );
});
