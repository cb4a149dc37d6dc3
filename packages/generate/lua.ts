// The types and calls of packages/lua, at the end of its one file: types are annotations of the Lua language server.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Endpoint, Field, Model, Shape, Struct } from './model.ts';
import { comment, heading, snake } from './words.ts';

const PLAIN = {
  text: 'string',
  whole: 'integer',
  number: 'number',
  truth: 'boolean',
  object: 'table<string, any>',
  any: 'any',
} as const;

function typeOf(shape: Shape): string {
  const type = bareType(shape);
  return shape.mayBeNull === true ? `${type}|nil` : type;
}

function bareType(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return `(${typeOf(shape.of)})[]`;
    case 'map':
      return `table<string, ${typeOf(shape.of)}>`;
    case 'struct':
    case 'choice':
      return `muster.${shape.name}`;
    default:
      return PLAIN[shape.kind];
  }
}

function fieldOf({ name, shape, isOptional, about }: Field): string {
  return `---@field ${name}${isOptional ? '?' : ''} ${typeOf(shape)} ${about}`.trimEnd();
}

function structOf({ name, about, fields }: Struct): readonly string[] {
  return ['', ...comment(about, '---'), `---@class muster.${name}`, ...fields.map(fieldOf)];
}

function callOf(endpoint: Endpoint): readonly string[] {
  const { id, about, method, words, query, headers, body, answer, isStream } = endpoint;
  const options = [...query, ...headers].filter(({ name }) => name !== 'last-event-id');
  const given = (fields: readonly Field[]): string =>
    fields
      .filter((each) => options.includes(each))
      .map(({ name }) => `["${name}"] = options.${snake(name)}`)
      .join(', ');
  const parameters = [
    ...words.map(snake),
    ...(body === null ? [] : ['body']),
    ...(options.length === 0 ? [] : ['options']),
  ];
  const asked = [
    ...(body === null ? [] : ['body = body']),
    ...(query.length === 0 ? [] : [`query = { ${given(query)} }`]),
    ...(headers.length === 0 || isStream ? [] : [`headers = { ${given(headers)} }`]),
  ];
  const path = endpoint.path
    .split(/\{(\w+)\}/)
    .map((piece, at) => (at % 2 === 0 ? `"${piece}"` : `part(${snake(piece)})`))
    .filter((piece) => piece !== '""')
    .join(' .. ');
  const fields = options.map(({ name, shape }) => `${snake(name)}?: ${typeOf(shape)}`);
  return [
    '',
    ...comment(about, '---'),
    ...words.map((word) => `---@param ${snake(word)} string`),
    ...(body === null ? [] : [`---@param body ${typeOf(body)}`]),
    ...(options.length === 0 ? [] : [`---@param options? { ${fields.join(', ')} }`]),
    ...(isStream ? [] : [`---@return ${typeOf(answer)}`]),
    `function Api:${snake(id)}(${parameters.join(', ')})`,
    ...(options.length === 0 ? [] : ['  options = options or {}']),
    `  return self:${isStream ? 'open' : 'call'}("${method}", ${path}, { ${asked.join(', ')} })`,
    'end',
  ];
}

/** The whole file: what is written by hand, and then what is made. */
export function lua({ version, structs, choices, errors, events, endpoints }: Model): string {
  const file = readFileSync(join(import.meta.dirname, '../lua/muster.lua'), 'utf8');
  return `${file.split(/^-- Made from/m)[0]}${[
    `-- ${heading(version)}`,
    '',
    '-- Status of each code that the service answers.',
    `Api.CODES = { ${errors.map(({ code, status }) => `${code} = ${status}`).join(', ')} }`,
    '-- The events of the stream.',
    `Api.EVENTS = { ${events.map(({ name }) => `"${name}"`).join(', ')} }`,
    '',
    ...choices.map(
      ({ name, values }) =>
        `---@alias muster.${name} ${values.map((each) => `"${each}"`).join('|')}`,
    ),
    ...structs.flatMap(structOf),
    ...endpoints.flatMap(callOf),
    '',
    'return muster',
  ].join('\n')}\n`;
}
