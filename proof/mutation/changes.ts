// Which lines a change touches, and which mutants lie in them. Pure.

/** By path: the first and the last line of each stretch, as the file is now. */
export type Touched = Readonly<Record<string, readonly (readonly [number, number])[]>>;

interface Place {
  readonly line: number;
  readonly column: number;
}

/** A mutant, as Stryker describes it to a checker: the first line is 0. */
export interface Mutant {
  readonly mutatorName: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** Reads `git diff --unified=0`. Where lines were only taken out, nothing is left to change. */
export function touchedIn(diff: string): Touched {
  const touched: Record<string, (readonly [number, number])[]> = {};
  let stretches: (readonly [number, number])[] = [];
  for (const line of diff.split('\n')) {
    const path = /^\+\+\+ b\/(.+?)\t?$/.exec(line)?.[1];
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (path !== undefined) {
      stretches = touched[path] ??= [];
    } else if (from !== undefined && count !== '0') {
      stretches.push([Number(from), Number(from) + Number(count) - 1]);
    }
  }
  return touched;
}

/**
 * Whether the mutant changes a touched line. One that empties a whole block does if the block begins in such a line: else
 * each change would empty the function, and the module, around it.
 */
export function touches(touched: Touched[string], { mutatorName, location }: Mutant): boolean {
  const first = location.start.line + 1;
  const last = mutatorName === 'BlockStatement' ? first : location.end.line + 1;
  return touched.some(([from, to]) => from <= last && to >= first);
}
