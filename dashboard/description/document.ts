// The parts of an OpenAPI 3.2 document that ours has, as types: what openapi.ts makes and the
// tests read.

import type { JsonObject } from '../../src/common/json';

export type Reference = { readonly $ref: string };

/** A JSON Schema (2020-12), as far as anything here looks into one. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Media {
  readonly schema: JsonSchema;
  /** Of a stream: each of its events. */
  readonly itemSchema?: JsonSchema;
  readonly examples?: Readonly<Record<string, Example | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  /** Absent: false. */
  readonly required?: true;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: string;
}

export interface Answered {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { readonly description: string; readonly schema: JsonSchema }>
  >;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Answered | Reference>>;
}

export type PathItem = Readonly<
  Partial<Record<'get' | 'post' | 'put' | 'patch' | 'delete', Operation>>
> & { readonly servers?: readonly { readonly url: string }[] };

export interface OpenApi {
  readonly openapi: '3.2.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: JsonObject;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly examples: Readonly<Record<string, Example>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answered>>;
    readonly securitySchemes: Readonly<Record<string, JsonObject>>;
  };
}

export interface Line {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the description writes it: `/lobbies/{config}`. */
  readonly path: string;
  /** What stands before it: the version, or nothing. */
  readonly prefix: string;
  readonly operation: Operation;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Every operation of a document, path by path. */
export function linesOf({ paths, servers }: OpenApi): readonly Line[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const prefix = (item.servers ?? servers)[0]?.url.replace(/\/$/, '') ?? '';
    return METHODS.flatMap((method) => {
      const operation = item[method.toLowerCase() as Lowercase<typeof method>];
      return operation === undefined ? [] : [{ method, path, prefix, operation }];
    });
  });
}
