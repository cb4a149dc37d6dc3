import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/http/document';
import { html, prose } from '../../src/http/markup';
import { openApi } from '../../src/http/openapi';
import { referenceFiles } from '../../src/http/reference';
import { referencePage } from '../../src/http/reference-page';
import { HEALTH, ROUTES } from '../../src/http/routes';
import { SITE } from '../../src/http/site';
import { REFUSALS } from '../../src/lobby/refusals';

const description = openApi();

const operations = linesOf(description);

describe('the API description', () => {
  it('is valid OpenAPI 3.1, every reference resolved', async () => {
    const validator = new Validator();
    const plain = JSON.parse(JSON.stringify(description)) as Record<string, unknown>;
    expect(await validator.validate(plain)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
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
    const served = [...ROUTES, HEALTH].map(
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
      expect(schemes.includes('ServerKey'), operationId).toBe(caller !== 'open');
      expect(schemes.includes('ClientKey'), operationId).toBe(
        caller === 'player' || caller === 'anyone',
      );
      expect(
        parameters.some(({ name }) => name === 'x-player-id'),
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

  it('is small enough to be read by programs at once', () => {
    expect(JSON.stringify(description).length).toBeLessThan(150_000);
  });
});

describe('the reference page', () => {
  const style = '/docs/reference-0123ABCD.css';
  const script = '/docs/reference-4567EF89.js';
  const page = referencePage(description, { style, script });

  it('has each endpoint and each schema, and every link leads somewhere', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const { operation } of operations) {
      expect(ids).toContain(operation.operationId);
    }
    for (const name of Object.keys(description.components.schemas)) {
      expect(ids).toContain(`schema-${name}`);
    }
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.length).toBeGreaterThan(60);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
    expect([...page.matchAll(/ id="/g)].length).toBe(ids.size);
  });

  it('loads its style and its script, and has nothing inline', () => {
    expect(page.match(/<script[^]*?<\/script>/g)).toEqual([
      `<script type="module" src="${script}"></script>`,
    ]);
    expect(page).not.toMatch(/<style| (style|on\w+)=/);
    expect(page.match(/ src="[^"]*"/g)).toEqual([` src="${script}"`]);
    expect(page.match(/href="(?!#)[^"]*"/g)).toEqual([
      'href="data:,"',
      `href="${style}"`,
      'href="/openapi.json"',
    ]);
  });

  it('never takes text for markup', () => {
    expect(html`<b title="${`"'<&`}">${'<i>'}</b>`.text).toBe(
      '<b title="&quot;&#39;&lt;&amp;">&lt;i&gt;</b>',
    );
    expect(html`${[html`<i></i>`, html`${'<'}`]}${null}${0}`.text).toBe('<i></i>&lt;0');
    expect(prose('a `<b>` & c').text).toBe('a <code>&lt;b&gt;</code> &amp; c');
    const { info } = description;
    const hostile = { ...description, info: { ...info, title: '</title><script>' } };
    expect(referencePage(hostile, { style: '', script: '' })).not.toContain('</title><script>');
  });

  it('stands beside the description, open to anybody', () => {
    const lines = SITE.map(({ method, path, caller }) => `${method} ${path} ${caller}`);
    expect(lines.slice(0, 3)).toEqual([
      'GET /openapi.json open',
      'GET /docs open',
      'GET /docs/:file open',
    ]);
  });
});

describe('the files of the reference', () => {
  it('are the description, the page, and what the page loads, named by its content', async () => {
    const files = await referenceFiles();
    const [json, page, style, script] = files;
    expect(files.map(({ path }) => path)).toEqual([
      'openapi.json',
      'docs/index.html',
      expect.stringMatching(/^docs\/reference-[0-9A-F]{8}\.css$/),
      expect.stringMatching(/^docs\/reference-[0-9A-F]{8}\.js$/),
    ]);
    expect(JSON.parse(json?.text ?? '')).toEqual(JSON.parse(JSON.stringify(description)));
    expect(page?.text).toContain(`<link rel="stylesheet" href="/${style?.path}" />`);
    expect(page?.text).toContain(`<script type="module" src="/${script?.path}"></script>`);
    expect(style?.text).toContain('color-scheme');
    expect(script?.text).toContain('addEventListener');
  });
});
