// The types and calls of packages/csharp and packages/unity. A type is a view of its JSON, and reads it without reflection, which
// Unity's IL2CPP would strip. C# 6: Mono's compiler knows little more.

import {
  capital,
  type Endpoint,
  type Field,
  type Model,
  type Shape,
  type Struct,
} from './model.ts';
import { comment, heading } from './words.ts';

const PLAIN = {
  text: 'string',
  choice: 'string',
  whole: 'long',
  number: 'double',
  truth: 'bool',
  object: 'Dictionary<string, object>',
  map: 'Dictionary<string, object>',
  any: 'object',
} as const;
const WORDS = new Set(['event', 'object', 'params', 'default', 'ref', 'out', 'in', 'is', 'as']);

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `IReadOnlyList<${bareType(shape.of)}>`;
    case 'struct':
      return shape.name;
    default:
      return PLAIN[shape.kind];
  }
}

/** Numbers and booleans that may be null or absent are nullable; all others are so anyway. */
function typeOf(shape: Shape, isOptional: boolean): string {
  const isValue = ['whole', 'number', 'truth'].includes(shape.kind);
  const mayLack = shape.mayBeNull === true || isOptional;
  return `${bareType(shape)}${isValue && mayLack ? '?' : ''}`;
}

/** How a type is read from its field. */
function readOf({ name, shape, isOptional }: Field): string {
  if (shape.kind === 'struct') {
    return `One("${name}", each => new ${shape.name}(each))`;
  }
  if (shape.kind === 'list') {
    const { of } = shape;
    return of.kind === 'struct'
      ? `Many("${name}", each => new ${of.name}(each))`
      : `Plain<${bareType(of)}>("${name}")`;
  }
  return `Get<${typeOf(shape, isOptional)}>("${name}")`;
}

function local(name: string): string {
  const word = capital(name);
  const first = word.charAt(0).toLowerCase() + word.slice(1);
  return WORDS.has(first) ? `@${first}` : first;
}

function summary(text: string): readonly string[] {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return comment(safe === '' ? '' : `<summary>${safe}</summary>`, '        /// ');
}

function structOf({ name, about, fields }: Struct): readonly string[] {
  const own = (field: Field): string =>
    capital(field.name) === name ? `Its${name}` : capital(field.name);
  return [
    '',
    ...summary(about).map((line) => line.slice(4)),
    `    public sealed partial class ${name} : Wire`,
    '    {',
    `        public ${name}() : base(new Dictionary<string, object>()) { }`,
    `        public ${name}(Dictionary<string, object> fields) : base(fields) { }`,
    ...fields.flatMap((field) => [
      ...summary(field.about),
      `        public ${typeOf(field.shape, field.isOptional)} ${own(field)} { get { return ${readOf(field)}; } set { Put("${field.name}", value); } }`,
    ]),
    '    }',
  ];
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, path, words, query, headers, body, answer } = endpoint;
  const given = (name: string, fields: readonly Field[]): string => {
    const entries = fields.map((field) => `{ "${field.name}", ${local(field.name)} }`);
    return fields.length === 0 ? '' : `${name} = { ${entries.join(', ')} }`;
  };
  const type = bareType(answer);
  const parameters = [
    ...words.map((word) => `string ${local(word)}`),
    ...(body === null ? [] : [`${bareType(body)} body`]),
    ...[...query, ...headers].map(
      ({ name, shape }) => `${typeOf(shape, true)} ${local(name)} = null`,
    ),
    'CancellationToken cancel = default(CancellationToken)',
  ];
  const place = path
    .split(/\{(\w+)\}/)
    .map((piece, at) => (at % 2 === 0 ? `"${piece}"` : `Part(${local(piece)})`))
    .filter((piece) => piece !== '""');
  const all = [
    given('Query', query),
    given('Headers', headers),
    body === null ? '' : 'Body = body',
  ];
  const set = all.filter((each) => each !== '').join(', ');
  const read = answer.kind === 'struct' ? `each => new ${type}(each)` : 'each => each';
  return [
    '',
    ...summary(about),
    `        public Task<${answer.kind === 'struct' ? type : 'Dictionary<string, object>'}> ${capital(id)}(${parameters.join(', ')}) =>`,
    `            Call(new Ask("${method}", ${place.join(' + ')})${set === '' ? '' : ` { ${set} }`}, ${read}, cancel);`,
  ];
}

const HEAD = `using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Muster
{
    /// <summary>The texts that the service uses, by what they are.</summary>
    public static class Texts
    {`;

const API = `
    /// <summary>A function for each endpoint. The stream is followed by MusterClient.</summary>
    public sealed partial class Api
    {`;

export function csharp({ version, structs, choices, errors, events, endpoints }: Model): string {
  const list = (name: string, texts: readonly string[]): string =>
    `        public static readonly string[] ${name} = { ${texts.map((each) => `"${each}"`).join(', ')} };`;
  return `${[
    `// ${heading(version)}`,
    HEAD,
    list(
      'Codes',
      errors.map(({ code }) => code),
    ),
    list(
      'Events',
      events.map(({ name }) => name),
    ),
    ...choices.map(({ name, values }) => list(name, values)),
    '    }',
    ...structs.flatMap(structOf),
    API,
    ...endpoints
      .filter(({ isStream }) => !isStream)
      .flatMap(callOf)
      .slice(1),
    '    }',
    '}',
  ].join('\n')}\n`;
}
