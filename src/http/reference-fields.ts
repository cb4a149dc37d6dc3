// JSON Schemas as the reference page tells them: a type in a few words, an object as its fields.

import { isObject } from '../json';
import type { JsonSchema } from './document';
import { type Html, html, prose } from './markup';

type Fields = Readonly<Record<string, JsonSchema>>;

function list(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

function valuesOf(schema: JsonSchema): JsonSchema | null {
  const values = schema['additionalProperties'];
  return isObject(values) ? values : null;
}

/** Keywords that bound a value, as one reads them. */
function bounds(schema: JsonSchema): string {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema;
  const told = [
    minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}..${maximum ?? ''}`,
    minLength === undefined && maxLength === undefined
      ? ''
      : ` of ${minLength ?? 0}..${maxLength ?? ''}`,
    maxItems === undefined ? '' : `, at most ${maxItems}`,
  ];
  return told.join('');
}

/** A type in a few words, linked where it has a name. */
export function typeOf(schema: JsonSchema): Html {
  const { $ref, type, format } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const choices = [...list(schema['anyOf']), ...list(schema['oneOf'])];
  if (choices.length > 0) {
    return joined(choices.map(typeOf), ' or ');
  }
  const values = schema['enum'] ?? (schema['const'] === undefined ? null : [schema['const']]);
  if (Array.isArray(values)) {
    return joined(
      values.map((value) => html`<code>${String(value)}</code>`),
      ' | ',
    );
  }
  if (type === 'array') {
    const items = schema['items'];
    return html`list of ${isObject(items) ? typeOf(items) : 'anything'}${bounds(schema)}`;
  }
  const each = valuesOf(schema);
  if (each !== null) {
    return html`object, each value ${typeOf(each)}`;
  }
  const named = Array.isArray(type) ? type.join(' or ') : (type ?? 'anything');
  return html`${named}${format === undefined ? '' : ` (${format})`}${bounds(schema)}`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`;
}

/** Fields that stand inside this schema, wherever it wraps them. */
function within(schema: JsonSchema): readonly JsonSchema[] {
  const items = schema['items'];
  return [
    ...list(schema['anyOf']),
    ...list(schema['oneOf']),
    ...(isObject(items) ? [items] : []),
    ...[valuesOf(schema)].filter((each) => each !== null),
  ];
}

/** An object as the list of its fields, nested ones under theirs; anything else as its type. */
export function fieldsOf(schema: JsonSchema): Html {
  const fields = schema['properties'] as Fields | undefined;
  if (fields === undefined) {
    const inner = within(schema)
      .map(nested)
      .filter((each) => each !== null);
    return html`<p>${typeOf(schema)}</p>
      ${inner}`;
  }
  const required = new Set(list(schema['required']) as readonly unknown[]);
  return html`<ul class="fields">
    ${Object.entries(fields).map(([name, field]) => {
      const told = required.has(name) ? html`, required` : null;
      const { description } = field;
      return html`<li>
        <code>${name}</code>
        <span class="dim">${typeOf(field)}${told}${fallback(field)}</span>
        ${description === undefined ? null : prose(description)} ${nested(field)}
      </li>`;
    })}
  </ul>`;
}

function fallback(schema: JsonSchema): string {
  const { default: value } = schema;
  return value === undefined ? '' : `, default ${JSON.stringify(value)}`;
}

function nested(schema: JsonSchema): Html | null {
  if (schema.$ref !== undefined) {
    return null;
  }
  if (schema['properties'] !== undefined) {
    return fieldsOf(schema);
  }
  const inner = within(schema)
    .map(nested)
    .filter((each) => each !== null);
  return inner.length === 0 ? null : html`${inner}`;
}
