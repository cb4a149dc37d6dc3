// Applies the operations of `lobby_changed`. What they do not touch stays the same object, so a screen draws anew only what
// changed.

import type { LobbyOperation } from './change-types.ts';

/** The value after the operations. Throws a RangeError if one does not fit it. */
export function withOperations<T>(value: T, ops: readonly LobbyOperation[]): T {
  return ops.reduce<unknown>((before, op) => {
    const [, ...keys] = op.path.split('/');
    return changed(before, keys.map(unescaped), op);
  }, value) as T;
}

function changed(value: unknown, [key, ...deeper]: readonly string[], op: LobbyOperation): unknown {
  if (key === undefined) {
    return 'value' in op ? op.value : undefined;
  }
  if (Array.isArray(value)) {
    const index = key === '-' ? value.length : Number(key);
    const isNew = op.op === 'add' && deeper.length === 0;
    must(/^(-|0|[1-9]\d*)$/.test(key) && index < value.length + Number(isNew), op);
    const next =
      deeper.length === 0 && op.op === 'remove' ? [] : [changed(value[index], deeper, op)];
    return [...value.slice(0, index), ...next, ...value.slice(index + Number(!isNew))];
  }
  must(typeof value === 'object' && value !== null, op);
  const before = value as Readonly<Record<string, unknown>>;
  must((op.op === 'add' && deeper.length === 0) || Object.hasOwn(before, key), op);
  if (op.op === 'remove' && deeper.length === 0) {
    const { [key]: _, ...others } = before;
    return others;
  }
  return { ...before, [key]: changed(before[key], deeper, op) };
}

function must(fits: boolean, { op, path }: LobbyOperation): void {
  if (!fits) {
    throw new RangeError(`${op} ${path} does not fit the lobby`);
  }
}

function unescaped(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

type Parts = Readonly<Record<string, unknown>>;

/** `after`, in which whatever is as in `before` is the same object as there. In lists, what has an `id` is found by it. */
export function sharing<T>(before: unknown, after: T): T {
  if (before === after || !hasParts(before) || !hasParts(after)) {
    return after;
  }
  const isList = Array.isArray(after);
  if (isList !== Array.isArray(before)) {
    return after;
  }
  const nameOf = (key: string, part: unknown): string =>
    isList && hasParts(part) && 'id' in part ? `id ${String(part['id'])}` : key;
  const was = Object.entries(before);
  const known = new Map(was.map(([key, part]) => [nameOf(key, part), part]));
  const is = Object.entries<unknown>(after);
  const next = is.map(([key, part]) => [key, sharing(known.get(nameOf(key, part)), part)] as const);
  const isAll = (of: typeof next): boolean =>
    of.length === next.length &&
    next.every(([key, part], at) => of[at]?.[0] === key && of[at]?.[1] === part);
  if (isAll(was)) {
    return before as T;
  }
  if (isAll(is)) {
    return after;
  }
  return (isList ? next.map(([, part]) => part) : Object.fromEntries(next)) as T;
}

function hasParts(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null;
}
