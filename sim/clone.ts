// Copies of plain data, as crossing RPC or storage makes them; much faster than structuredClone.
// What could not cross is an error here too.

/** Crosses as itself: the readable end of a stream. */
export class Handle {
  /** Told from plain data by its class. */
  readonly isHandle = true;
}

export function clone<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new TypeError(`a ${typeof value} cannot be cloned`);
    }
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(copied);
  }
  if (value instanceof Handle) {
    return value;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('only plain data can be cloned');
  }
  // A copy of the same shape, in which only what is no plain value is replaced: much faster than
  // one key after another.
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key in copy) {
    const part = copy[key];
    const type = typeof part;
    if ((type === 'object' && part !== null) || type === 'function' || type === 'symbol') {
      copy[key] = copied(part);
    }
  }
  return copy;
}
