// Every field of a lobby, and of what is sent, is told on a page for users.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApi } from '../../../dashboard/description/openapi';

const ROOT = join(import.meta.dirname, '../../..');

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}

const api = openApi() as unknown as {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly requestBody?: {
              readonly content: Readonly<Record<string, { schema: Schema }>>;
            };
          }
        >
      >
    >
  >;
};

/** But for the page that is made of the description itself. */
const guides = readdirSync(join(ROOT, 'docs')).filter(
  (name) => name.endsWith('.md') && name !== 'endpoints.md',
);
/** What the pages set as code. */
const code = ['README.md', 'packages/js/README.md', ...guides.map((name) => `docs/${name}`)]
  .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').match(/```[^]*?```|`[^`\n]+`/g) ?? [])
  .join('\n');

/** What the specification says, or an answer that is sent back: nobody has to be told. */
const KNOWN: ReadonlySet<string> = new Set([
  'Lobby.currentPlayers',
  'Lobby.createdAt',
  'POST /lobbies/{config}/join: inviteCode',
  'POST /servers/start: environment_variables',
  'POST /servers/start: port_configs',
  'POST /servers/{id}/restart: environment_variables',
  'POST /servers/{id}/restart: port_configs',
  'POST /projects/settings: playerAuth',
  'POST /projects/settings: tokenSecrets',
  'PUT /builds/{name}: failingSince',
]);

function untold(fields: Schema | undefined, named: (field: string) => string): readonly string[] {
  return Object.keys(fields?.properties ?? {})
    .filter((field) => !new RegExp(`\\b${field}\\b`).test(code))
    .map(named)
    .filter((each) => !KNOWN.has(each));
}

it('tells of every field of a lobby', () => {
  const lobby = api.components.schemas['Lobby'];
  expect(Object.keys(lobby?.properties ?? {}).length).toBeGreaterThan(15);
  expect(untold(lobby, (field) => `Lobby.${field}`)).toEqual([]);
});

it('tells of every field that can be sent', () => {
  const sent = Object.entries(api.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { requestBody }]) => ({
      line: `${verb.toUpperCase()} ${path}`,
      body: requestBody?.content['application/json']?.schema,
    })),
  );
  expect(sent.filter(({ body }) => body?.properties !== undefined).length).toBeGreaterThan(20);
  expect(sent.flatMap(({ line, body }) => untold(body, (field) => `${line}: ${field}`))).toEqual(
    [],
  );
});
