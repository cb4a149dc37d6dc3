// Sets of characters in patterns, as text of a class of the `v` flag: the engine's own one-character
// expressions answer for them, so no table of Unicode is carried here.

/** Characters, as a class of the `v` flag; `fold` ignores case, `only` is the one of a literal. */
export interface CharSet {
  readonly source: string;
  readonly fold: boolean;
  readonly only: number | null;
}

const WORD = '0-9A-Za-z_';
const PERL_SETS: Readonly<Record<string, string>> = { d: '0-9', s: '\\t\\n\\f\\r ', w: WORD };
const POSIX_SETS: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\0-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\0-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e'],
  ['space', '\\t-\\r '],
  ['upper', 'A-Z'],
  ['word', WORD],
  ['xdigit', '0-9A-Fa-f'],
]);

/** `\d` and its like, by their letter; a capital is all but those. */
export function perlSet(letter: string): string {
  const lower = letter.toLowerCase();
  return `[${letter === lower ? '' : '^'}${PERL_SETS[lower]}]`;
}

/** The inside of `[:name:]`; null for a name there is none of. */
export function posixSet(name: string, isNegated: boolean): string | null {
  const set = POSIX_SETS.get(name);
  return set === undefined ? null : `[${isNegated ? '^' : ''}${set}]`;
}

/** A general category or a script, `Any` for all; null for a name the engine does not know. */
export function propertySet(name: string, isNegated: boolean): string | null {
  const kinds = name === 'Any' ? [name] : [`gc=${name}`, `sc=${name}`];
  const known = kinds.map((kind) => `\\p{${kind}}`).find(isKnown);
  return known === undefined ? null : isNegated ? `[^${known}]` : known;
}

function isKnown(property: string): boolean {
  try {
    return new RegExp(property, 'v').source !== '';
  } catch {
    return false;
  }
}

/** One character, as it stands in a class. */
export function escaped(point: number): string {
  return `\\u{${point.toString(16)}}`;
}
