// The types and calls of packages/python.

import type { Endpoint, Field, Model, Shape, Struct } from './model.ts';
import { comment, heading, snake } from './words.ts';

const PLAIN = {
  text: 'str',
  whole: 'int',
  number: 'float',
  truth: 'bool',
  object: 'dict[str, Any]',
  any: 'Any',
} as const;

function typeOf(shape: Shape): string {
  const type = bareType(shape);
  return shape.mayBeNull === true ? `Optional[${type}]` : type;
}

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `list[${typeOf(shape.of)}]`;
    case 'map':
      return `dict[str, ${typeOf(shape.of)}]`;
    case 'struct':
    case 'choice':
      return `"${shape.name}"`;
    default:
      return PLAIN[shape.kind];
  }
}

/** In the form that takes any name of a field, such as `from`. */
function structOf({ name, about, fields }: Struct): readonly string[] {
  const lines = fields.flatMap((field) => {
    const type = typeOf(field.shape);
    const line = `    "${field.name}": ${field.isOptional ? `NotRequired[${type}]` : type},`;
    return [...comment(field.about, '    # '), line];
  });
  return ['', ...comment(about, '# '), `${name} = TypedDict("${name}", {`, ...lines, '})'];
}

function argument({ name, shape }: Field): string {
  return `${snake(name)}: Optional[${bareType(shape)}] = None`;
}

function given(fields: readonly Field[]): string {
  return `{${fields.map(({ name }) => `"${name}": ${snake(name)}`).join(', ')}}`;
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, words, query, headers, body, answer, isStream } = endpoint;
  const path = endpoint.path.replaceAll(
    /\{(\w+)\}/g,
    (_, word: string) => `{part(${snake(word)})}`,
  );
  const named = [...query, ...headers].filter(({ name }) => name !== 'last-event-id');
  const parameters = [
    'self',
    ...words.map((word) => `${snake(word)}: str`),
    ...(body === null ? [] : [`body: ${typeOf(body)}`]),
    ...(named.length === 0 ? [] : ['*', ...named.map(argument)]),
  ];
  const parts = [
    `"${method}"`,
    `${words.length === 0 ? '' : 'f'}"${path}"`,
    ...(body === null ? [] : ['body=body']),
    ...(query.length === 0 ? [] : [`query=${given(query)}`]),
    ...(headers.length === 0 || isStream ? [] : [`headers=${given(headers)}`]),
  ];
  const [first = '', ...rest] = comment(about, '        ');
  const doc = [first.replace(/^ {8}/, '        """'), ...rest];
  const last = doc.length - 1;
  return [
    '',
    `    def ${snake(id)}(${parameters.join(', ')}) -> ${isStream ? 'Any' : typeOf(answer)}:`,
    ...doc.map((line, index) => (index === last ? `${line.replace(/"$/, '" ')}"""` : line)),
    `        return self.${isStream ? '_open' : '_call'}(${parts.join(', ')})`,
  ];
}

export function python({ version, structs, choices, errors, events, endpoints }: Model): string {
  return `${[
    `# ${heading(version)}`,
    'from typing import Any, Literal, NotRequired, Optional, TypedDict',
    'from urllib.parse import quote',
    '',
    '# Status and meaning of each code that the service answers.',
    'CODES = {',
    ...errors.map(
      ({ code, status, about }) => `    "${code}": (${status}, ${JSON.stringify(about)}),`,
    ),
    '}',
    '# The events of the stream.',
    `EVENTS = (${events.map(({ name }) => `"${name}"`).join(', ')})`,
    '',
    ...choices.map(
      ({ name, values }) => `${name} = Literal[${values.map((each) => `"${each}"`).join(', ')}]`,
    ),
    ...structs.flatMap(structOf),
    '',
    '',
    'def part(text: str) -> str:',
    '    """A part of a path."""',
    '    return quote(text, safe="", errors="replace")',
    '',
    '',
    'class Api:',
    '    """Each endpoint as a function. Whoever inherits from it says how to ask."""',
    '',
    '    def _call(self, method: str, path: str, *, body: Any = None, query: Any = None, headers: Any = None) -> Any:',
    '        raise NotImplementedError',
    '',
    '    def _open(self, method: str, path: str, *, query: Any = None) -> Any:',
    '        raise NotImplementedError',
    ...endpoints.flatMap(callOf),
  ].join('\n')}\n`;
}
