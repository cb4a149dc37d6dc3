// The API description as a test reads it: what it shows to send, and whether an answer is what it
// says. Answers are held to more than it says: a field it does not name is a fault here.

import * as z from 'zod';
import {
  type Answered,
  type JsonSchema,
  type Line,
  linesOf,
  type OpenApi,
  type Operation,
  type Reference,
} from '../../dashboard/description/document';

export interface Shown extends Line {
  /** Name of the example; `plain` for a request without body. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Every request the description shows: each example of a body, else one without. */
export function requestsOf(document: OpenApi): readonly Shown[] {
  return linesOf(document).flatMap((line): readonly Shown[] => {
    const examples = line.operation.requestBody?.content['application/json']?.examples;
    if (examples === undefined) {
      return [{ ...line, name: 'plain', body: undefined }];
    }
    return Object.entries(examples).map(([name, example]) => {
      const { value } = example as { readonly value: Readonly<Record<string, unknown>> };
      return { ...line, name, body: value };
    });
  });
}

/** Event name to the schema of its data, as the description tells them. */
export function eventsOf({ components }: OpenApi): Readonly<Record<string, JsonSchema>> {
  type Event = {
    readonly properties: {
      readonly event: { readonly const: string };
      readonly data: { readonly contentSchema: JsonSchema };
    };
  };
  const each = components.schemas['StreamEvent']?.['oneOf'] as readonly Event[];
  return Object.fromEntries(
    each.map(({ properties }) => [properties.event.const, properties.data.contentSchema]),
  );
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(closed);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const parts = Object.entries(value).map(([keyword, part]) => [
    keyword,
    keyword === '$ref' ? String(part).replace('#/components/schemas/', '#/$defs/') : closed(part),
  ]);
  const isOpen = 'properties' in value && !('additionalProperties' in value);
  return { ...Object.fromEntries(parts), ...(isOpen ? { additionalProperties: false } : {}) };
}

/** What is wrong with a value by a schema of the description; empty when nothing is. */
export function faults(document: OpenApi, schema: JsonSchema, value: unknown): readonly string[] {
  const $defs = closed(document.components.schemas);
  const whole = { ...(closed(schema) as object), $defs };
  const reader = z.fromJSONSchema(whole as Parameters<typeof z.fromJSONSchema>[0]);
  const read = reader.safeParse(value);
  return read.success
    ? []
    : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** The answer told for a status; undefined when the description does not know it. */
export function answerTold(
  document: OpenApi,
  operation: Operation,
  status: number,
): Answered | undefined {
  const told = operation.responses[status];
  const name = (told as Reference | undefined)?.$ref?.split('/').at(-1);
  return name === undefined ? (told as Answered | undefined) : document.components.responses[name];
}
