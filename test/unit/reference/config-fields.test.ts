// The table of fields: every field that a schema reads has a row, its default is what the schema gives, and the reference and
// the guides say the same.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../dashboard/description/document';
import { jsonSchema } from '../../../dashboard/description/json-schema';
import { BUILD_ROWS, CONFIG_ROWS, MODE_ROWS } from '../../../dashboard/description/told-rows';
import { openApi } from '../../../dashboard/description/openapi';
import { told, type FieldRow, type Rows } from '../../../dashboard/field-table/row';
import { buildInput, parseBuild } from '../../../src/fleet/build';
import { configInput, parseConfig } from '../../../src/lobby/config';
import { modeSchema, parseMode } from '../../../src/match/rules/schema';

const DOCS = join(import.meta.dirname, '../../../docs');
const guide = (name: string): string => readFileSync(join(DOCS, `${name}.md`), 'utf8');

interface Told {
  readonly what: string;
  readonly rows: Rows;
  readonly schema: JsonSchema;
  readonly guide: string;
  /** In the guide's table, before which the paths begin. */
  readonly within: string;
  readonly read: (body: object) => { readonly ok: boolean; readonly value?: unknown };
  /** The first leaves out as much as it can: what it becomes is the default, unless that follows from what the other says. */
  readonly bodies: readonly [object, object];
}

const INVITES = { inviteCodeConfig: { type: 'numeric', length: 4 }, closed: { message: 'new' } };
const TOLD: readonly Told[] = [
  {
    what: 'a config',
    rows: CONFIG_ROWS,
    schema: jsonSchema(configInput, 'input'),
    guide: guide('configuring'),
    within: '',
    read: (body) => parseConfig('arena', body),
    bodies: [
      { ...INVITES, invite: { url: 'mygame://join' } },
      { ...INVITES, invite: { web: 'https://example.com' } },
    ],
  },
  {
    what: 'a mode',
    rows: MODE_ROWS,
    schema: jsonSchema(modeSchema, 'input'),
    guide: guide('modes'),
    within: '',
    read: parseMode,
    bodies: [{}, { teams: 3, playersPerTeam: 5 }],
  },
  {
    what: 'a build',
    rows: BUILD_ROWS,
    schema: jsonSchema(buildInput, 'input'),
    guide: guide('configuring'),
    within: 'launch.',
    read: (body) => parseBuild('calm', body),
    bodies: [{}, { launch: {} }],
  },
];

/** What the service sets itself, and the parts and names that have a row elsewhere. */
const NOT_SET = new Set(
  'name id revision warnings version failing failingSince failure matchmaking matchmakingRules'.split(
    ' ',
  ),
);
/** The schema leaves them out, alone or with what they are in, and the code that reads the field has the default. */
const READ_LATER = new Set([
  'maxPlayers',
  'spectators.max',
  'spectators.delaySeconds',
  'serverSettings.hostGraceSeconds',
  'refillSeconds',
  'launch.capacitySeconds',
  'launch.memory',
  'launch.cpus',
]);

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((part, step) => (part as Record<string, unknown> | null)?.[step], value);
}

/** A part that has fields of its own in the table is none itself. */
const hasFields = (path: string, rows: Rows): boolean =>
  Object.keys(rows).some((each) => each.startsWith(`${path}.`));

function schemaAt(schema: JsonSchema, path: string): JsonSchema {
  return path
    .split('.')
    .reduce(
      (part, step) => (at(part, `properties.${step}`) as JsonSchema | undefined) ?? {},
      schema,
    );
}

function fieldsOf(schema: JsonSchema, rows: Rows, outer = ''): readonly string[] {
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>)
    .filter(([name]) => outer !== '' || !NOT_SET.has(name))
    .flatMap(([name, field]) => {
      const path = outer + name;
      return hasFields(path, rows)
        ? [...(rows[path] === undefined ? [] : [path]), ...fieldsOf(field, rows, `${path}.`)]
        : [path];
    });
}

function isNothing(value: unknown): boolean {
  const parts = typeof value === 'object' ? Object.keys(value ?? {}) : null;
  return value === undefined || parts?.length === 0;
}

/** What the guide says of it when it is left out. */
function whenAbsent({ kind, default: value, otherwise, required }: FieldRow): string {
  if (required) {
    return 'required';
  }
  const meant = value ?? (kind === 'flag' && otherwise === undefined ? false : undefined);
  return typeof meant === 'string' ? `\`${meant}\`` : (meant?.toString() ?? otherwise ?? 'none');
}

function allowed({ minimum, maximum, maxItems, ...schema }: JsonSchema): string {
  const values = (schema['enum'] ?? []) as readonly string[];
  if (values.length > 0) {
    return values.map((each) => `\`${each}\``).join(', ');
  }
  const [most, unit] = maxItems === undefined ? [schema.maxLength, ' characters'] : [maxItems, ''];
  return minimum === undefined || maximum === undefined
    ? most === undefined
      ? ''
      : `up to ${most}${unit}`
    : `${minimum} to ${maximum}`;
}

describe.each(TOLD)('the fields of $what', (of) => {
  const { rows, schema, read, bodies, within } = of;

  it('all have a row, and only they', () => {
    const fields = fieldsOf(schema, rows);
    expect(fields.length).toBeGreaterThan(15);
    expect(Object.keys(rows).toSorted()).toEqual(fields.toSorted());
  });

  it('have the defaults that the schema gives', () => {
    const [one, other] = bodies.map((body) => {
      const parsed = read(body);
      expect(parsed).toMatchObject({ ok: true });
      return parsed.value;
    });
    const [least, more] = bodies;
    for (const [path, row] of Object.entries(rows).filter(([each]) => !hasFields(each, rows))) {
      const given = at(one, path);
      const follows =
        at(more, path) === undefined && JSON.stringify(given) !== JSON.stringify(at(other, path));
      const meant = row.default ?? (row.kind === 'flag' ? false : undefined);
      if (at(least, path) !== undefined || follows || isNothing(given)) {
        expect(READ_LATER.has(path) || !meant, path).toBe(true);
      } else {
        expect(meant ?? row.otherwise, path).toEqual(
          row.otherwise === undefined ? given : `\`${String(given)}\``,
        );
      }
    }
  });

  it('have the default first among the values to choose from', () => {
    for (const [path, { options, default: first }] of Object.entries(rows)) {
      if (options !== undefined && first !== undefined) {
        expect(options[0]?.[0], path).toBe(first);
      }
    }
  });

  it('are in the guide, with what they are when left out and what they may be', () => {
    const lines = of.guide.split('\n');
    const missing = Object.entries(rows)
      .filter(([path]) => path.startsWith(within) && !hasFields(path, rows))
      .map(([path, row]) => {
        const name = path.slice(within.length);
        return `| \`${name}\` | ${whenAbsent(row)} | ${allowed(schemaAt(schema, path))} | `.replaceAll(
          '  ',
          ' ',
        );
      })
      .filter((begun) => !lines.some((line) => line.startsWith(begun)));
    expect(missing).toEqual([]);
  });
});

it('have their default in one table of the guides', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md'));
  const said = pages.flatMap((name) =>
    readFileSync(join(DOCS, name), 'utf8')
      .matchAll(/^\| `(?:\w+\.)*(\w+)` \| ([^|]+) \||`(?:\w+\.)*(\w+)` \((\d+)/gm)
      .toArray(),
  );
  for (const [path, { default: value }] of TOLD.flatMap(({ rows }) => Object.entries(rows))) {
    const last = path.split('.').at(-1);
    const again = said.filter(
      ([, row, cell, named, number]) =>
        (row ?? named) === last && (cell ?? number) === String(value),
    );
    expect(again.length, `${path}: ${String(value)}`).toBeLessThanOrEqual(1);
  }
});

it('are described in the reference as in the form', () => {
  const { schemas } = openApi().components;
  for (const [name, rows] of [
    ['LobbyConfig', CONFIG_ROWS],
    ['Mode', MODE_ROWS],
    ['Build', BUILD_ROWS],
  ] as const) {
    const text = JSON.stringify(schemas[name]);
    const missing = Object.values(rows)
      .map(told)
      .filter((words) => !text.includes(JSON.stringify(words)));
    expect(missing, name).toEqual([]);
  }
});
