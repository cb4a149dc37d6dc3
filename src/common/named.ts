// Records by names that somebody sent. A name can be that of something that every object has, like `constructor`.

export type Named<T> = Readonly<Record<string, T>>;

export function own<T>(all: Named<T>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

export function without<T>(all: Named<T>, name: string): Named<T> {
  return Object.fromEntries(Object.entries(all).filter(([key]) => key !== name));
}

/** The fields that have a value: what is null or undefined is left out. */
export function present<T extends object>(
  fields: T,
): { readonly [Field in keyof T]?: NonNullable<T[Field]> } {
  const found = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(found) as { [Field in keyof T]?: NonNullable<T[Field]> };
}

/** The names of what was added, removed or changed. */
export function changedNames<T>(before: Named<T>, after: Named<T>): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => own(before, name) !== own(after, name),
  );
}
