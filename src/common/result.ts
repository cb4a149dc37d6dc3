// A refusal is a value, because values cross RPC as plain data. Only bugs and request handlers throw (http/wire/answer.ts).

export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function refuse<E>(refusal: E): { readonly ok: false; readonly refusal: E } {
  return { ok: false, refusal };
}

/** Makes a forgotten case of a union a compile error, and throws at run time. */
export function assertNever(value: never): never {
  throw new Error(`unexpected case: ${JSON.stringify(value)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The value, which an invariant guarantees. Throws if it is missing. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new Error(`missing: ${what}`);
  }
  return value;
}
