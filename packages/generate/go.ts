// The types and calls of packages/go, as gofmt writes them.

import {
  capital,
  type Choice,
  type Endpoint,
  type Field,
  type Model,
  type Shape,
  type Struct,
} from './model.ts';
import { comment, heading } from './words.ts';

const PLAIN = {
  text: 'string',
  whole: 'int',
  number: 'float64',
  truth: 'bool',
  object: 'map[string]any',
  any: 'any',
} as const;
const WORDS = new Set(['type', 'range', 'default', 'select', 'case', 'func', 'map', 'go']);

/** The name of a field, with Go's initials. */
function named(name: string): string {
  return capital(name).replace(/(Id|Url|Ttl|Tls|Http|Udp)(?=[A-Z]|s?$)/g, (word) =>
    word.toUpperCase(),
  );
}

function local(name: string): string {
  const word = capital(name);
  const first = word.charAt(0).toLowerCase() + word.slice(1);
  return WORDS.has(first) ? `${first}Of` : first;
}

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `[]${typeOf(shape.of)}`;
    case 'map':
      return `map[string]${typeOf(shape.of)}`;
    case 'struct':
    case 'choice':
      return shape.name;
    default:
      return PLAIN[shape.kind];
  }
}

const hasNil = ({ kind }: Shape): boolean => ['list', 'map', 'object', 'any'].includes(kind);

/** Nil where it may be null or absent. */
function typeOf(shape: Shape, isOptional = false): string {
  const mayLack = shape.mayBeNull === true || isOptional;
  return `${mayLack && !hasNil(shape) ? '*' : ''}${bareType(shape)}`;
}

/** Each field after its comment, so that gofmt has no columns to align but those of neighbours. */
function structOf({ name, about, fields }: Struct): readonly string[] {
  const lines = fields.flatMap(({ name: field, shape, isOptional, about: says }) => [
    ...comment(says || `${named(field)} is ${field}.`, '\t// '),
    `\t${named(field)} ${typeOf(shape, isOptional)} \`json:"${field}${isOptional ? ',omitempty' : ''}"\``,
  ]);
  const doc = about === '' ? `${name} is a type of the API.` : `${name}: ${about}`;
  return ['', ...comment(doc, '// '), `type ${name} struct {`, ...lines, '}'];
}

/** Values that differ in signs alone have one name. */
function choiceOf({ name, values }: Choice): readonly string[] {
  const names = new Map(values.toReversed().map((value) => [`${name}${named(value)}`, value]));
  const width = Math.max(...[...names.keys()].map(({ length }) => length));
  return [
    '',
    `// ${name} is one of some texts.`,
    `type ${name} string`,
    '',
    `// Values of ${name}.`,
    'const (',
    ...[...names].map(
      ([key, value]) => `\t${key.padEnd(width)} ${name} = ${JSON.stringify(value)}`,
    ),
    ')',
  ];
}

function optionsOf(endpoint: Endpoint): readonly Field[] {
  return [...endpoint.query, ...endpoint.headers];
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, words, query, headers, body, answer, isStream } = endpoint;
  const name = named(id);
  const options = optionsOf(endpoint);
  const fields = options.map(({ name: field, shape, about: says }) => ({
    name: field,
    shape,
    isOptional: true,
    about: says,
  }));
  const struct = { name: `${name}Options`, about: `what ${name} may be asked with.`, fields };
  const parameters = [
    'ctx context.Context',
    ...words.map((word) => `${local(word)} string`),
    ...(body === null ? [] : [`body ${bareType(body)}`]),
    ...(options.length === 0 ? [] : [`options ${name}Options`]),
  ];
  const path = endpoint.path
    .split(/\{(\w+)\}/)
    .map((piece, at) => (at % 2 === 0 ? JSON.stringify(piece) : `url.PathEscape(${local(piece)})`))
    .filter((piece) => piece !== '""')
    .join('+');
  const set = (list: readonly Field[], into: string): readonly string[] =>
    list
      .filter((each) => options.includes(each))
      .map((each) => `\t${into}.add("${each.name}", options.${named(each.name)})`);
  const type = typeOf(answer);
  return [
    ...(options.length === 0 ? [] : structOf(struct)),
    '',
    ...comment(`${name}: ${about}`, '// '),
    `func (api *API) ${name}(${parameters.join(', ')}) (answer ${isStream ? '*http.Response' : type}, err error) {`,
    '\tasked := newRequest()',
    ...set(query, 'asked.query'),
    ...set(headers, 'asked.headers'),
    ...(body === null ? [] : ['\tasked.body = body']),
    isStream
      ? `\treturn api.open(ctx, "${method}", ${path}, asked)`
      : `\terr = api.call(ctx, "${method}", ${path}, asked, &answer)`,
    ...(isStream ? [] : ['\treturn answer, err']),
    '}',
  ];
}

export function go({ version, structs, choices, errors, events, endpoints }: Model): string {
  const width = Math.max(...errors.map(({ code }) => code.length)) + 3;
  return `${[
    `// ${heading(version)}`,
    '',
    'package muster',
    '',
    'import (',
    '\t"context"',
    '\t"net/http"',
    '\t"net/url"',
    ')',
    '',
    '// Codes has the status of each code that the service answers.',
    'var Codes = map[string]int{',
    ...errors.map(({ code, status }) => `\t${`"${code}":`.padEnd(width)} ${status},`),
    '}',
    '',
    '// Events are the names of the events of the stream.',
    `var Events = []string{${events.map(({ name }) => `"${name}"`).join(', ')}}`,
    ...choices.flatMap(choiceOf),
    ...structs.flatMap(structOf),
    ...endpoints.flatMap(callOf),
  ].join('\n')}\n`;
}
