// What the clients of all languages are made of, read from the API description: structures, choices, errors, events and
// endpoints. It knows no language.

import {
  type Line,
  linesOf,
  type OpenApi,
  type Parameter,
} from '../../dashboard/description/document.ts';
import { isNull, merged, type Schema, withoutNull } from './merge.ts';

/** A type. `choice` and `struct` name one of the lists below; `object` is free-form. */
export type Shape = (
  | { readonly kind: 'text' | 'whole' | 'number' | 'truth' | 'object' | 'any' }
  | { readonly kind: 'list' | 'map'; readonly of: Shape }
  | { readonly kind: 'struct' | 'choice'; readonly name: string }
) & { readonly mayBeNull?: true };

export interface Field {
  readonly name: string;
  readonly shape: Shape;
  /** It may be absent. */
  readonly isOptional: boolean;
  readonly about: string;
}

export interface Struct {
  readonly name: string;
  readonly about: string;
  readonly fields: readonly Field[];
}

/** One of some texts. */
export interface Choice {
  readonly name: string;
  readonly values: readonly string[];
}

export interface Endpoint {
  /** In camel case: `createLobby`. */
  readonly id: string;
  readonly about: string;
  readonly method: string;
  /** With the names of `words` in braces: `/v3/lobbies/{config}`. */
  readonly path: string;
  readonly words: readonly string[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  /** Null: it takes none. `text`: lines of JSON. */
  readonly body: Shape | null;
  readonly answer: Shape;
  readonly isStream: boolean;
  /** `player`: a client key is enough. `server`: the token of one game server. */
  readonly caller: 'anyone' | 'player' | 'server' | 'operator';
}

export interface Model {
  readonly version: string;
  readonly structs: readonly Struct[];
  readonly choices: readonly Choice[];
  readonly errors: readonly {
    readonly code: string;
    readonly status: number;
    readonly about: string;
  }[];
  /** The events of the stream; null: without data. */
  readonly events: readonly { readonly name: string; readonly shape: Shape | null }[];
  readonly endpoints: readonly Endpoint[];
}

/** What the client sends with each request by itself. */
const OWN = new Set(['x-player-id', 'x-player-token', 'accept']);
const PLAIN: Readonly<Record<string, 'text' | 'whole' | 'number' | 'truth'>> = {
  string: 'text',
  integer: 'whole',
  number: 'number',
  boolean: 'truth',
};

export function capital(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_, first: string) => first.toUpperCase());
}

function singular(name: string): string {
  return name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
}

/** The types of a document. Each new structure inside of another one is named after its place. */
class Types {
  readonly structs = new Map<string, Struct>();
  readonly choices = new Map<string, Choice>();
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** Names by the JSON of what they stand for: what is equal has one name. */
  readonly #known = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** The shape of a schema that stands at this place. Throws if a reference leads nowhere. */
  of(schema: Schema, place: string): Shape {
    const shape = this.#plain(withoutNull(schema), place);
    return isNull(schema) ? { ...shape, mayBeNull: true } : shape;
  }

  #plain(schema: Schema, place: string): Shape {
    if (schema.$ref !== undefined) {
      return this.#referred(schema.$ref);
    }
    const members = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (members !== undefined) {
      return this.#united(members, schema.allOf !== undefined, place);
    }
    const { type, items } = schema;
    const values = schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : []);
    if (type === 'string' && values.length > 0) {
      return this.#choice(values.map(String), place);
    }
    if (type === 'array') {
      return { kind: 'list', of: items ? this.of(items, singular(place)) : { kind: 'any' } };
    }
    if (type === 'object') {
      return this.#object(schema, place);
    }
    return { kind: PLAIN[String(type)] ?? 'any' };
  }

  #referred(reference: string): Shape {
    const name = lastOf(reference);
    const schema = this.#schemas[name];
    if (schema === undefined) {
      throw new Error(`${reference} is not in the description`);
    }
    return this.of(schema, name);
  }

  /** Of two named structures, the one with more fields: the other is read as that with the rest absent. */
  #united(members: readonly Schema[], isAll: boolean, place: string): Shape {
    if (!isAll && members.every(({ $ref }) => $ref !== undefined)) {
      const sizes = members.map(
        (each) => Object.keys(this.#resolved(each).properties ?? {}).length,
      );
      return this.of(members[sizes.indexOf(Math.max(...sizes))] ?? {}, place);
    }
    const all = members.map((each) => this.#resolved(each));
    const areObjects = all.every(({ properties }) => properties !== undefined);
    return areObjects ? this.#object(merged(all, isAll), place) : { kind: 'any' };
  }

  #resolved(schema: Schema): Schema {
    return this.#schemas[lastOf(schema.$ref ?? '')] ?? schema;
  }

  #object(schema: Schema, place: string): Shape {
    const { properties, additionalProperties: values, required = [], description = '' } = schema;
    if (typeof values === 'object') {
      return { kind: 'map', of: this.of(values, singular(place)) };
    }
    if (properties === undefined) {
      return { kind: 'object' };
    }
    const name = this.#named(JSON.stringify({ properties, required }), place);
    if (!this.structs.has(name)) {
      const fields = Object.entries(properties).map(([field, each]) => ({
        name: field,
        shape: this.of(each, `${name}${capital(field)}`),
        isOptional: !required.includes(field),
        about: each.description ?? '',
      }));
      this.structs.set(name, { name, about: description, fields });
    }
    return { kind: 'struct', name };
  }

  #named(key: string, place: string): string {
    const name = this.#known.get(key) ?? place;
    this.#known.set(key, name);
    return name;
  }

  /** A text that is always the same is just a text. */
  #choice(values: readonly string[], place: string): Shape {
    if (values.length === 1) {
      return { kind: 'text' };
    }
    const name = this.#named(JSON.stringify(values), place);
    this.choices.set(name, { name, values });
    return { kind: 'choice', name };
  }
}

function lastOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function callerOf({ security, parameters = [] }: Line['operation']): Endpoint['caller'] {
  const schemes = new Set(security.flatMap((each) => Object.keys(each)));
  const isPlayers = JSON.stringify(parameters).includes('parameters/x-player-id');
  if (schemes.has('InstanceToken')) {
    return 'server';
  }
  if (schemes.has('ServerKey') && !schemes.has('ClientKey')) {
    return 'operator';
  }
  return isPlayers ? 'player' : 'anyone';
}

function endpointOf(line: Line, { components }: OpenApi, types: Types): Endpoint {
  const { operationId: id, summary, description, requestBody, responses } = line.operation;
  const told = (line.operation.parameters ?? []).map((each) =>
    '$ref' in each ? (components.parameters[lastOf(each.$ref)] as Parameter) : each,
  );
  const fields = (where: Parameter['in']): readonly Field[] =>
    told
      .filter((each) => each.in === where && !OWN.has(each.name))
      .map(({ name, schema, description: about }) => {
        const shape = types.of(schema, `${capital(id)}${capital(name)}`);
        return { name, shape, isOptional: where !== 'path', about };
      });
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] ?? {};
  const answers = Object.entries(('content' in good && good.content) || {});
  const [body] = Object.values(requestBody?.content ?? {});
  const typed = (media: { readonly schema: object } | undefined, of: string): Shape | null =>
    media === undefined ? null : types.of(media.schema, `${capital(id)}${of}`);
  return {
    id,
    about: [summary, description].filter((each) => each !== undefined).join('. '),
    method: line.method,
    path: `${line.prefix}${line.path}`,
    words: fields('path').map(({ name }) => name),
    query: fields('query'),
    headers: fields('header'),
    body: typed(body, 'Body'),
    answer: typed(answers[0]?.[1], 'Answer') ?? { kind: 'any' },
    isStream: answers[0]?.[0] === 'text/event-stream',
    caller: callerOf(line.operation),
  };
}

/** Reads the description. Throws if a reference in it leads nowhere. */
export function modelOf(document: OpenApi): Model {
  const { StreamEvent, ...named } = document.components.schemas as Readonly<Record<string, Schema>>;
  const types = new Types(named);
  Object.entries(named).forEach(([name, schema]) => types.of(schema, name));
  const events = (StreamEvent?.oneOf ?? []).map(({ properties = {} }) => {
    const data = properties['data']?.contentSchema ?? {};
    const name = String(properties['event']?.const);
    return { name, shape: data.type === 'null' ? null : types.of(data, name) };
  });
  const endpoints = linesOf(document).map((line) => endpointOf(line, document, types));
  const codes = named['ErrorBody']?.properties?.['code']?.enum ?? [];
  const errors = codes.map((code) => {
    const { value } = document.components.examples[String(code)] ?? {};
    const { status = 0, error = '' } = (value ?? {}) as { status?: number; error?: string };
    return { code: String(code), status, about: error };
  });
  const [structs, choices] = [[...types.structs.values()], [...types.choices.values()]];
  const { version } = document.info;
  return { version, structs, choices, errors, events, endpoints };
}

/** What a game needs of it: no endpoint that only an operator may call, and the types of the others. */
export function forGames(model: Model): Model {
  const endpoints = model.endpoints.filter(({ caller }) => caller !== 'operator');
  const used = new Set<string>();
  const use = (shape: Shape | null): void => {
    if (shape !== null && 'of' in shape) {
      use(shape.of);
    } else if (shape !== null && 'name' in shape && !used.has(shape.name)) {
      used.add(shape.name);
      model.structs
        .find(({ name }) => name === shape.name)
        ?.fields.forEach((field) => use(field.shape));
    }
  };
  endpoints.forEach(({ answer, body, query }) => {
    [answer, body, ...query.map(({ shape }) => shape)].forEach(use);
  });
  model.events.forEach(({ shape }) => use(shape));
  const structs = model.structs.filter(({ name }) => used.has(name));
  const choices = model.choices.filter(({ name }) => used.has(name));
  return { ...model, endpoints, structs, choices };
}
