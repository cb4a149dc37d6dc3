import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../dashboard/description/document';
import { openApi } from '../../../dashboard/description/openapi';
import { METRICS } from '../../../src/http/operators/metrics';
import { HEALTH, ROUTES, WELL_KNOWN } from '../../../src/http/serve/routes';
import { OWN_PAGES, PAGES } from '../../../src/http/pages/site';
import { REFUSALS } from '../../../src/lobby/refusals';

const description = openApi();

const operations = linesOf(description);

/** The most that the description says of one endpoint or one schema, as JSON: programs read it whole. */
const USUAL_CHARACTERS = 5_000;
const CHARACTERS: Readonly<Record<string, number>> = {
  'post /projects/settings': 19_000,
  'put /builds/{name}': 6_000,
  'put /lobby-configs/{name}': 19_000,
  Mode: 5_200,
};

describe('the API description', () => {
  it('is valid OpenAPI 3.2, every reference resolved', async () => {
    const validator = new Validator();
    const plain = JSON.parse(JSON.stringify(description)) as Record<string, unknown>;
    expect(await validator.validate(plain)).toEqual({ valid: true });
    expect(validator.version).toBe('3.2');
    const known = new Set(
      Object.entries(description.components).flatMap(([kind, named]) =>
        Object.keys(named).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter(([, target = '']) => !known.has(target))).toEqual([]);
  });

  it('is refused by that validator when it is wrong', async () => {
    const wrong = { ...description, paths: { '/x': { get: { responses: 'none' } } } };
    expect(await new Validator().validate(wrong)).toMatchObject({ valid: false });
  });

  it('tells each line of the route table, and no other', () => {
    const told = operations.map(({ method, path }) => `${method} ${path}`);
    const served = [...ROUTES, HEALTH, METRICS, WELL_KNOWN].map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    );
    expect(told.toSorted()).toEqual(served.toSorted());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('asks for what the server asks for', () => {
    for (const { path, method, operation } of operations) {
      const { operationId, security, parameters = [] } = operation;
      const route = [...ROUTES, HEALTH].find(
        (each) => each.method === method && each.path.replace(/:(\w+)/g, '{$1}') === path,
      );
      const schemes = security.flatMap((each) => Object.keys(each));
      const caller = route?.caller ?? 'open';
      expect(schemes.includes('ServerKey'), operationId).toBe(
        (caller !== 'open' && caller !== 'gameServer') || path === METRICS.path,
      );
      expect(schemes.includes('ClientKey'), operationId).toBe(
        caller === 'player' || caller === 'anyone',
      );
      expect(
        parameters.some((each) => '$ref' in each && each.$ref.endsWith('/x-player-id')),
        operationId,
      ).toBe(caller === 'player');
    }
  });

  it('says of the limits what the schemas hold', () => {
    const { requestBody } = description.paths['/lobbies/{config}']?.post ?? {};
    expect(requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 100 },
        maxPlayers: { type: 'integer', minimum: 1, maximum: 100, default: 2 },
        settings: { type: 'object' },
        state: { type: 'object' },
      },
    });
  });

  it('describes maps by what they hold', () => {
    const { requestBody } = description.paths['/lobby-configs/{name}']?.put ?? {};
    const text = JSON.stringify(requestBody?.content['application/json']?.schema);
    const modes = /"modes":\{"type":"object","additionalProperties":\{"type":"object"/;
    expect(text).toMatch(modes);
    expect(text).toMatch(/"teamComposition":\{"type":"object","additionalProperties"/);
    expect(text).not.toContain('"null"');
  });

  it('shows every refusal, with the words the service uses', () => {
    const { examples } = description.components;
    for (const [code, { status, message }] of Object.entries(REFUSALS)) {
      expect(examples[code]?.value).toEqual({ error: message, detail: message, status, code });
    }
  });

  it('says each endpoint and each schema in few words', () => {
    const paths = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, said]) => [`${method} ${path}`, said] as const),
    );
    const schemas = Object.entries(description.components.schemas);
    const tooLong = [...paths, ...schemas].flatMap(([name, said]) => {
      const { length } = JSON.stringify(said);
      const most = CHARACTERS[name] ?? USUAL_CHARACTERS;
      return length <= most
        ? []
        : `${name} has ${length} characters of ${most}. Shorten its words, or name a part that others have too. If all is needed, give it a line in CHARACTERS here.`;
    });
    expect(tooLong).toEqual([]);
  });
});

describe('the reference page', () => {
  it('stands beside the description, open to anybody', () => {
    const lines = [...PAGES, ...OWN_PAGES].map(
      ({ method, path, caller }) => `${method} ${path} ${caller}`,
    );
    expect(lines.slice(5, 8)).toEqual([
      'GET /openapi.json open',
      'GET /docs open',
      'GET /docs/:file+ open',
    ]);
    expect(lines.slice(2, 5).every((line) => /^GET \/guides.* open$/.test(line))).toBe(true);
  });
});
