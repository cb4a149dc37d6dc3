// Copies of what one actor of a box hands to another, nearly all of it plain data: several times
// faster than to serialise it and read it again, as `structuredClone` does.

export function copied<T>(value: T): T {
  return copyOf(value) as T;
}

function copyOf(value: unknown): unknown {
  if (typeof value === 'function') {
    return structuredClone(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(copyOf);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return structuredClone(value);
  }
  // To take all keys at once keeps the object's shape. Only parts that are objects are then copied in turn.
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' || typeof part === 'function') {
      copy[key] = copyOf(part);
    }
  }
  return copy;
}
