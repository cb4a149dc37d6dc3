// Where two answers differ, path by path.

type Path = string;

/** An index or an id in a path says nothing, so it is a star. */
function step(path: Path, key: string): Path {
  return `${path}.${/^\d+$/.test(key) ? '*' : key}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80);
}

/** What differs, a line a path, such as `/builds .builds.*.launch.fleets: was absent, is []`. */
export function differences(was: unknown, is: unknown, path: Path = ''): ReadonlyMap<Path, string> {
  if (typeof was === 'object' && typeof is === 'object' && was !== null && is !== null) {
    const [before, after] = [was, is] as Readonly<Record<string, unknown>>[];
    const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
    return new Map(
      [...keys].flatMap((key) => [
        ...differences(before?.[key], after?.[key], path === '' ? key : step(path, key)),
      ]),
    );
  }
  return new Map(Object.is(was, is) ? [] : [[path, `${path}: was ${shown(was)}, is ${shown(is)}`]]);
}
