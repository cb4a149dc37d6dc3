// Schemas that are made of others.

/** A JSON Schema, as far as the generator looks into one. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly contentSchema?: Schema;
}

/** Whether null is one of its values. */
export function isNull({ type, anyOf = [] }: Schema): boolean {
  return (type ?? []).includes('null') || anyOf.some((each) => each.type === 'null');
}

/** The schema without its null. */
export function withoutNull({ type, anyOf, ...rest }: Schema): Schema {
  const members = anyOf?.filter((each) => each.type !== 'null') ?? [];
  const types = [type ?? []].flat().filter((each) => each !== 'null');
  const typed = types[0] === undefined || types.length > 1 ? rest : { ...rest, type: types[0] };
  return members.length > 1 ? { ...typed, anyOf: members } : { ...typed, ...members[0] };
}

/** One object for several. `isAll`: it is all of them; otherwise it is one, and has for certain what each of them has. */
export function merged(all: readonly Schema[], isAll: boolean): Schema {
  const properties: Record<string, Schema> = {};
  for (const each of all) {
    for (const [name, schema] of Object.entries(each.properties ?? {})) {
      const before = properties[name];
      properties[name] = before === undefined ? schema : united(before, schema);
    }
  }
  const lists = all.map(({ required = [] }) => required);
  const every = [...new Set(lists.flat())];
  const required = isAll
    ? every
    : every.filter((name) => lists.every((list) => list.includes(name)));
  return { type: 'object', properties, required };
}

function united(one: Schema, other: Schema): Schema {
  const values = [one, other].map(
    (each) => each.enum ?? (each.const === undefined ? [] : [each.const]),
  );
  if (one.type !== other.type) {
    return {};
  }
  return values.every((list) => list.length > 0)
    ? { type: 'string', enum: [...new Set(values.flat())] }
    : one;
}
