// Copies plain data as RPC or storage would, much faster than structuredClone. Values that cannot
// cross are an error here too.

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
  // A copy with the same shape. Only values that are not plain are replaced, which is much faster
  // than copying key by key.
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
