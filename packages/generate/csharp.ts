// The types and calls of packages/csharp. Fields are public and named as in JSON, so that a reader can fill them by name.

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
  whole: 'long',
  number: 'double',
  truth: 'bool',
  object: 'Dictionary<string, object>',
  any: 'object',
} as const;
const WORDS = new Set(['event', 'object', 'params', 'default', 'ref', 'out', 'in', 'is', 'as']);

function named(name: string): string {
  return WORDS.has(name) ? `@${name}` : name;
}

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `List<${typeOf(shape.of, false)}>`;
    case 'map':
      return `Dictionary<string, ${typeOf(shape.of, false)}>`;
    case 'struct':
      return shape.name;
    case 'choice':
      return 'string';
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

function local(name: string): string {
  const word = capital(name);
  return named(word.charAt(0).toLowerCase() + word.slice(1));
}

function summary(text: string, indent: string): readonly string[] {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return comment(safe === '' ? '' : `<summary>${safe}</summary>`, `${indent}/// `);
}

function structOf({ name, about, fields }: Struct): readonly string[] {
  return [
    '',
    ...summary(about, '    '),
    '    [Serializable]',
    `    public sealed class ${name}`,
    '    {',
    ...fields.flatMap((field) => [
      ...summary(field.about, '        '),
      `        public ${typeOf(field.shape, field.isOptional)} ${named(field.name)};`,
    ]),
    '    }',
  ];
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, words, query, headers, body, answer, isStream } = endpoint;
  const options = [...query, ...headers].filter(({ name }) => name !== 'last-event-id');
  const given = (fields: readonly Field[]): string => {
    const some = fields.filter((each) => options.includes(each));
    const entries = some.map(({ name }) => `{ "${name}", ${local(name)} }`);
    return some.length === 0 ? 'null' : `new Dictionary<string, object> { ${entries.join(', ')} }`;
  };
  const type = isStream ? 'string' : typeOf(answer, false);
  const parameters = [
    ...words.map((word) => `string ${local(word)}`),
    ...(body === null ? [] : [`${bareType(body)} body`]),
    ...options.map(({ name, shape }) => `${typeOf(shape, true)} ${local(name)} = null`),
    ...(isStream ? [] : ['CancellationToken token = default(CancellationToken)']),
  ];
  const place = endpoint.path.replaceAll(
    /\{(\w+)\}/g,
    (_, word: string) => `{Part(${local(word)})}`,
  );
  const path = `${words.length === 0 ? '' : '$'}"${place}"`;
  const sent = body === null ? 'null' : 'body';
  return [
    '',
    ...summary(about, '        '),
    `        public ${isStream ? type : `Task<${type}>`} ${capital(id)}(${parameters.join(', ')})`,
    '        {',
    isStream
      ? `            return ${path} + QueryOf(${given(query)});`
      : `            return Call<${type}>("${method}", ${path} + QueryOf(${given(query)}), ${sent}, ${given(headers)}, token);`,
    '        }',
  ];
}

const API = `
    /// <summary>Each endpoint as a method. Whoever inherits from it says how to ask.</summary>
    public abstract class Api
    {
        protected abstract Task<T> Call<T>(string method, string path, object body, Dictionary<string, object> headers, CancellationToken token);

        protected static string Part(string text)
        {
            return Uri.EscapeDataString(text);
        }

        static string QueryOf(Dictionary<string, object> query)
        {
            var parts = new List<string>();
            foreach (var each in query ?? new Dictionary<string, object>())
            {
                if (each.Value != null) { parts.Add(Part(each.Key) + "=" + Part(TextOf(each.Value))); }
            }
            return parts.Count == 0 ? "" : "?" + string.Join("&", parts);
        }

        static string TextOf(object value)
        {
            return value is bool ? ((bool)value ? "true" : "false") : Convert.ToString(value, CultureInfo.InvariantCulture);
        }`;

export function csharp({ version, structs, choices, errors, events, endpoints }: Model): string {
  const list = (name: string, texts: readonly string[]): string =>
    `        public static readonly string[] ${name} = { ${texts.map((each) => `"${each}"`).join(', ')} };`;
  const using = [
    'System',
    'System.Collections.Generic',
    'System.Globalization',
    'System.Threading',
  ];
  return `${[
    `// ${heading(version)}`,
    ...[...using, 'System.Threading.Tasks'].map((each) => `using ${each};`),
    '',
    'namespace Muster',
    '{',
    '    /// <summary>The texts that the service uses, by what they are.</summary>',
    '    public static class Texts',
    '    {',
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
    ...endpoints.flatMap(callOf),
    '    }',
    '}',
  ].join('\n')}\n`;
}
