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

/** `after`, in which whatever is as in `before` is the same object as there. */
export function sharing<T>(before: unknown, after: T): T {
  if (before === after || typeof before !== 'object' || typeof after !== 'object') {
    return after;
  }
  if (before === null || after === null || Array.isArray(before) !== Array.isArray(after)) {
    return after;
  }
  const [was, is] = [Object.entries(before), Object.entries(after)];
  const known = before as Readonly<Record<string, unknown>>;
  const next = is.map(
    ([key, value]) =>
      [key, Object.hasOwn(known, key) ? sharing(known[key], value) : value] as const,
  );
  const isSame =
    was.length === next.length &&
    next.every(([key, value], index) => was[index]?.[0] === key && was[index]?.[1] === value);
  if (isSame) {
    return before as T;
  }
  return (Array.isArray(after) ? next.map(([, value]) => value) : Object.fromEntries(next)) as T;
}
