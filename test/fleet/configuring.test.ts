// docs/configuring.md prints the refusals of configs as the service does.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { parseConfig } from '../../src/lobby/config';

const path = fileURLToPath(new URL('../../docs/configuring.md', import.meta.url));
const table = (await readFile(path, 'utf8')).split('<!-- refusals -->')[1] ?? '';
const rows = [...table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(
  ([, body = '', detail = '']) => [body, detail] as const,
);

it('there are some', () => {
  expect(rows.length).toBeGreaterThan(40);
});

it.each(rows)('%s', (body, detail) => {
  const parsed = parseConfig('arena', JSON.parse(body), { id: 'this-one', revision: 1 });
  const issues = parsed.ok ? [] : parsed.refusal;
  const told = issues.map(({ path: where, message }) =>
    where === '' ? message : `${where}: ${message}`,
  );
  expect(told.join('; ')).toBe(detail);
});
