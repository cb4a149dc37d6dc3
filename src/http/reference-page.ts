// The reference page, rendered from the API description: whole without any script.

import {
  type Answered,
  type JsonSchema,
  type Line,
  linesOf,
  type OpenApi,
  type Operation,
  type Parameter,
  type Reference,
} from './document';
import { type Html, html, prose } from './markup';
import { fieldsOf, typeOf } from './reference-fields';

function referenced<T>(
  document: OpenApi,
  kind: 'responses' | 'examples',
  what: T | Reference,
): T | undefined {
  const { $ref } = what as Reference;
  if ($ref === undefined) {
    return what as T;
  }
  return document.components[kind][$ref.split('/').at(-1) ?? ''] as T | undefined;
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function block(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`;
}

function parameter({ name, in: place, required, description, schema }: Parameter): Html {
  const told = required ? html`, required` : null;
  return html`<li>
    <code>${name}</code> <span class="dim">${place}, ${typeOf(schema)}${told}</span>
    ${prose(description)}
  </li>`;
}

/** Quotes for a shell: nothing in the text is read by it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curl({ method, path, prefix, operation }: Line): string {
  const parameters = operation.parameters ?? [];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((each) => each.name === name) ?? {};
    return example ?? name;
  });
  const schemes = operation.security.flatMap((each) => Object.keys(each));
  const key = schemes.includes('ClientKey') ? '$CLIENT_KEY' : '$SERVER_KEY';
  const isKeyed = schemes.includes('ServerKey');
  const example = Object.values(
    operation.requestBody?.content['application/json']?.examples ?? {},
  )[0] as { readonly value?: unknown } | undefined;
  const isStream = operation['x-events'] !== undefined;
  return [
    `curl${isStream ? ' -N' : ''}${method === 'GET' ? '' : ` -X ${method}`} "$URL${prefix}${filled}"`,
    isKeyed ? `-H "api-key: ${key}"` : null,
    schemes.includes('InstanceToken') ? '-H "authorization: Bearer $TOKEN"' : null,
    parameters.some(({ name }) => name === 'x-player-id') ? "-H 'x-player-id: ann'" : null,
    example === undefined ? null : `-d ${quoted(JSON.stringify(example.value))}`,
  ]
    .filter((word) => word !== null)
    .join(' \\\n  ');
}

function requestBody(operation: Operation): Html | null {
  const media = operation.requestBody?.content['application/json'];
  if (media === undefined) {
    return null;
  }
  const examples = Object.values(media.examples ?? {}) as {
    readonly summary: string;
    readonly value: unknown;
  }[];
  return html`<h4>Body</h4>
    ${fieldsOf(media.schema)}
    ${examples.map(
      ({ summary, value }) =>
        html`<details>
          <summary>${summary}</summary>
          ${block(pretty(value), summary)}
        </details>`,
    )}`;
}

function response(document: OpenApi, status: string, given: Answered | Reference): Html {
  const answered = referenced<Answered>(document, 'responses', given);
  const media = Object.entries(answered?.content ?? {})[0];
  if (media === undefined || Number(status) >= 400) {
    return html`<dt>${status}</dt>
      <dd>${prose(answered?.description ?? '')}</dd>`;
  }
  const [type, { schema, examples = {} }] = media;
  const shown = Object.values(examples).map((each) => {
    const value = referenced<{ readonly value: unknown }>(document, 'examples', each)?.value;
    const text = typeof value === 'string' ? value : pretty(value);
    return html`<details>
      <summary>Example</summary>
      ${block(text, `Answer ${status}`)}
    </details>`;
  });
  return html`<dt>${status}</dt>
    <dd>${typeOf(schema)} <span class="dim">${type}</span>${shown}</dd>`;
}

function events(operation: Operation): Html | null {
  const list = operation['x-events'];
  if (list === undefined) {
    return null;
  }
  const told = Object.entries(list).map(
    ([name, schema]) =>
      html`<li><code>${name}</code> ${schema === null ? 'without data' : typeOf(schema)}</li>`,
  );
  return html`<h4>Events</h4>
    <ul class="fields">
      ${told}
    </ul>`;
}

function article(document: OpenApi, line: Line): Html {
  const { method, operation } = line;
  const path = `${line.prefix}${line.path}`;
  const { operationId: id, summary, description = '', parameters = [], responses } = operation;
  const keys = operation.security.flatMap((each) => Object.keys(each)).join(' or ');
  const answers = Object.entries(responses).map(([status, each]) =>
    response(document, status, each),
  );
  const words = `${method} ${path} ${id} ${summary} ${description}`.toLowerCase();
  return html`<article id="${id}" data-words="${words}">
    <h3>${summary}</h3>
    <p>
      <code><span class="method ${method.toLowerCase()}">${method}</span> ${path}</code>
    </p>
    ${description === '' ? null : html`<p>${prose(description)}</p>`}
    <p class="dim">${keys === '' ? 'No key' : keys} · <code>${id}</code></p>
    ${
      parameters.length === 0
        ? null
        : html`<h4>Parameters</h4>
            <ul class="fields">
              ${parameters.map(parameter)}
            </ul>`
    }
    ${requestBody(operation)} ${events(operation)}
    <h4>Answers</h4>
    <dl>${answers}</dl>
    <h4>Try it</h4>
    ${block(curl(line), `curl for ${id}`)}
  </article>`;
}

function schemaArticle([name, schema]: readonly [string, JsonSchema]): Html {
  return html`<article id="schema-${name}" data-words="${name.toLowerCase()} schema">
    <h3><code>${name}</code></h3>
    ${fieldsOf(schema)}
  </article>`;
}

function anchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(' ', '-')}`;
}

/** A whole page; `style` and `script` are where those files are. */
export function referencePage(
  document: OpenApi,
  { style, script }: { readonly style: string; readonly script: string },
): string {
  const lines = linesOf(document);
  const { title, description } = document.info;
  const groups = document.tags.map((tag) => ({
    ...tag,
    lines: lines.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const menu = groups.map(
    ({ name, lines: own }) =>
      html`<h2><a href="#${anchor(name)}">${name}</a></h2>
        <ul>
          ${own.map(({ operation: { operationId: id, summary } }) => html`<li><a href="#${id}">${summary}</a></li>`)}
        </ul>`,
  );
  const sections = groups.map(
    ({ name, description: about, lines: own }) =>
      html`<section aria-labelledby="${anchor(name)}">
        <h2 id="${anchor(name)}">${name}</h2>
        <p>${prose(about)}</p>
        ${own.map((line) => article(document, line))}
      </section>`,
  );
  const { schemas, examples } = document.components;
  const errors = Object.entries(examples).map(([code, { summary, value }]) => {
    const { status } = value as { readonly status: number };
    return html`<dt>${status}</dt>
      <dd><code>${code}</code> ${summary}</dd>`;
  });
  const body = html`<a class="skip" href="#main">To the endpoints</a>
    <div class="frame">
      <header>
        <h1>${title} API reference</h1>
        <p>${prose(description)}</p>
        <p>
          As a machine reads it: <a href="/openapi.json">openapi.json</a>, OpenAPI
          ${document.openapi}.
        </p>
      </header>
      <nav aria-label="Endpoints">
        <div id="filter-box" hidden>
          <label for="filter">Filter</label>
          <input id="filter" type="search" autocomplete="off" spellcheck="false" />
          <p id="filter-told" class="dim" role="status"></p>
        </div>
        ${menu}
        <h2><a href="#errors">Errors</a></h2>
        <h2><a href="#schemas">Schemas</a></h2>
      </nav>
      <main id="main" tabindex="-1">
        ${sections}
        <h2 id="errors">Errors</h2>
        <dl>${errors}</dl>
        <section aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(schemas).map(schemaArticle)}
        </section>
      </main>
    </div>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    html`<title>${title} API reference</title>`.text,
    '<link rel="icon" href="data:,">',
    html`<link rel="stylesheet" href="${style}" />`.text,
    html`<script type="module" src="${script}"></script></head><body>`.text,
    body.text,
    '</body></html>',
  ].join('');
}
