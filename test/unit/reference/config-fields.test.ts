// Every field of a config and of its modes is told in the guides and can be set in the dashboard.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openApi } from '../../../dashboard/description/openapi';

const ROOT = new URL('../../../', import.meta.url);
const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(path, ROOT).href), 'utf8');

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

const config = openApi().paths['/lobby-configs/{name}']?.put?.requestBody?.content[
  'application/json'
]?.schema as Schema;
const mode = config.properties?.['matchmaking']?.properties?.['modes']?.additionalProperties;

const guides = { 'a config': read('docs/configuring.md'), 'a mode': read('docs/modes.md') };
const form = readdirSync(fileURLToPath(new URL('dashboard', ROOT).href))
  .filter((name) => name.endsWith('.tsx'))
  .map((name) => read(`dashboard/${name}`))
  .join('\n');

/** What the service sets itself, and the second name of `rules`. */
const NOT_SET = new Set(['name', 'id', 'revision', 'matchmakingRules']);

describe.each([
  ['a config', config.properties ?? {}, 5],
  ['a mode', mode?.properties ?? {}, 12],
] as const)('the fields of %s', (what, fields, atLeast) => {
  const names = Object.keys(fields).filter((name) => !NOT_SET.has(name));

  it('are in the guide', () => {
    expect(names.length).toBeGreaterThanOrEqual(atLeast);
    expect(
      names.filter((name) => !new RegExp(`\`([\\w.]+\\.)?${name}\\b`).test(guides[what])),
    ).toEqual([]);
  });

  it('are in the form of the dashboard', () => {
    expect(names.filter((name) => !form.includes(`'${name}'`))).toEqual([]);
  });
});
