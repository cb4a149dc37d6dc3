// Copies the arguments and answers between actors of a box. They are nearly all plain data, so this is several
// times faster than `structuredClone`, which serialises and reads them again.

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
  // Spreading all keys at once keeps the object's shape. Then only parts that are objects are copied in turn.
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) };
  for (const key in copy) {
    const part = copy[key];
    if (typeof part === 'object' || typeof part === 'function') {
      copy[key] = copyOf(part);
    }
  }
  return copy;
}
