// The API as its own description states it: the requests that can be made, and the answers that are
// documented.

import { apiDescription } from '../../scripts/reference.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Operation {
  readonly method: string;
  /** Below the version: `/lobbies/{config}`. */
  readonly path: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema?: Schema;
  }[];
  readonly body: Schema | null;
  readonly examples: readonly unknown[];
  /** Only with the server key. */
  readonly isOperators: boolean;
  /** Statuses that it may answer. */
  readonly stated: ReadonlySet<number>;
}

export interface Description {
  readonly operations: readonly Operation[];
  /** Those of them that players ask for about lobbies. */
  readonly players: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface Told {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ToldOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface ToldOperation {
  readonly parameters?: readonly (Operation['parameters'][number] | { readonly $ref: string })[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema: Schema;
          readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
        }
      >
    >;
  };
  /** Absent: it is not an operation, but the part that all operations of a path share. */
  readonly responses?: Readonly<Record<string, unknown>>;
}

export async function description(): Promise<Description> {
  const { paths, components } = JSON.parse(await apiDescription()) as Told;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, told]): readonly Operation[] => {
      if (told.responses === undefined) {
        return [];
      }
      const media = told.requestBody?.content['application/json'];
      const examples = Object.values(media?.examples ?? {}).map(({ value }) => value);
      const security = told.security ?? [];
      return [
        {
          method: method.toUpperCase(),
          path,
          // What many share is in the path or in headers, which are filled in apart.
          parameters: (told.parameters ?? []).flatMap((each) => ('name' in each ? [each] : [])),
          body: media?.schema ?? null,
          examples,
          isOperators: security.length > 0 && !security.some((each) => 'ClientKey' in each),
          stated: new Set(Object.keys(told.responses).map(Number)),
        },
      ];
    }),
  );
  const players = operations.filter(
    ({ isOperators, path }) => !isOperators && path.startsWith('/lobbies'),
  );
  return { operations, players, schemas: components.schemas };
}
