// Reads the syntax of RE2 into a tree: literals, classes, groups, flags, repetition, anchors. What
// cannot be matched in linear time (back-references, look-around) is refused, as RE2 does, with its
// place.

import { type CharSet, escaped, perlSet, posixSet, propertySet } from './regex-sets';

export type Assertion =
  | 'text start'
  | 'text end'
  | 'line start'
  | 'line end'
  | 'word boundary'
  | 'no word boundary';

/** `choice` has at least two parts; `max` is Infinity where there is none. */
export type Tree =
  | { readonly is: 'set'; readonly set: CharSet }
  | { readonly is: 'assertion'; readonly holds: Assertion }
  | { readonly is: 'sequence' | 'choice'; readonly parts: readonly Tree[] }
  | { readonly is: 'repeat'; readonly part: Tree; readonly min: number; readonly max: number };

interface Flags {
  fold: boolean;
  lines: boolean;
  dotAll: boolean;
}

/** As in RE2. */
const MAX_REPEAT = 1_000;
const MAX_CODE_POINT = 0x10ffff;

const REPEAT = /([*+?])\??|\{(0|[1-9]\d*)(,(0|[1-9]\d*)?)?\}\??/y;
const GROUP = /\((\?(?:P?<(\w+)>|([imsU]*)(?:-([imsU]+))?([:)])))?/y;
const CHARACTER =
  /\\(?:(0[0-7]{0,2}|[1-7][0-7]{1,2})|x([\da-fA-F]{2})|x\{([\da-fA-F]+)\}|([afnrtv])|([^\dA-Za-z\x80-\uffff]))/y;
const PROPERTY = /\\([pP])(?:\{(\^?)(\w+)\}|(\w))/y;
const PERL = /\\([dswDSW])/y;
const POSIX = /\[:(\^?)([^]*?):\]/y;
const QUOTED = /\\Q([^]*?)(?:\\E|$)/y;
const ANCHOR = /[$^]|\\[AzbB]/y;
const RANGE = /-(?=[^\]])/y;

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** What RE2 refuses, by how it begins: the first that fits. */
const REFUSED: readonly (readonly [begins: RegExp, what: string])[] = [
  [/\(\?[=!]/y, 'look-ahead'],
  [/\(\?<[=!]/y, 'look-behind'],
  [/\(\?P=|\\(?:[1-9]|k)/y, 'a back-reference'],
  [/\(\?/y, 'this kind of group'],
  [/\\[pP]/y, 'this property'],
  [/\\./uy, 'this escape'],
  [/\\/y, 'an escape of nothing'],
];

/** The tree of a pattern. Throws an Error whose one line says what is wrong, and where. */
export function parsePattern(pattern: string): Tree {
  return new Reader(pattern).whole();
}

class Reader {
  readonly #text: string;
  readonly #names = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Tree {
    const tree = this.#choice({ fold: false, lines: false, dotAll: false });
    return this.#at < this.#text.length ? this.#fail('an unopened )') : tree;
  }

  #fail(what: string, at = this.#at): never {
    throw new Error(`${what} at character ${at + 1}`);
  }

  /** What a sticky expression finds here, read over; null when it does not fit. */
  #take(expected: RegExp): RegExpExecArray | null {
    expected.lastIndex = this.#at;
    const found = expected.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  /** Up to a `)` or the end. Flags that are set inside count to there, over each `|`. */
  #choice(flags: Flags): Tree {
    const branches: Tree[][] = [];
    let branch: Tree[] = [];
    let isRepeated = false;
    while (this.#at < this.#text.length && this.#text[this.#at] !== ')') {
      const from = this.#at;
      const repeat = this.#take(REPEAT);
      if (repeat !== null) {
        const part = branch.pop();
        if (part === undefined || isRepeated) {
          this.#fail(isRepeated ? 'a second repetition' : 'a repetition of nothing', from);
        }
        branch.push({ is: 'repeat', part, ...this.#timesOf(repeat, from) });
      } else if (this.#text[from] === '|') {
        this.#at += 1;
        branches.push(branch);
        branch = [];
      } else {
        branch.push(...this.#atoms(flags));
      }
      isRepeated = repeat !== null;
    }
    const parts = [...branches, branch].map(sequence);
    return parts.length === 1 ? sequence(parts) : choice(parts);
  }

  #timesOf(repeat: RegExpExecArray, from: number): { readonly min: number; readonly max: number } {
    const [, sign, least, comma, most] = repeat;
    if (sign !== undefined) {
      return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    }
    const min = Number(least);
    const max = Number(most ?? least);
    if (min > max || max > MAX_REPEAT) {
      this.#fail(`a repetition that is not 0 to ${MAX_REPEAT} times, least first,`, from);
    }
    return { min, max: comma !== undefined && most === undefined ? Infinity : max };
  }

  /** Mostly one; none for flags alone, any number for a quotation. */
  #atoms(flags: Flags): readonly Tree[] {
    switch (this.#text[this.#at]) {
      case '(':
        return this.#group(flags);
      case '[':
        return [this.#class(flags)];
      case '.': {
        this.#at += 1;
        const source = flags.dotAll ? '[^]' : '[^\\n]';
        return [{ is: 'set', set: { source, fold: false, only: null } }];
      }
      default: {
        const quoted = this.#take(QUOTED);
        if (quoted !== null) {
          return Array.from(quoted[1] ?? '', (each) => literal(each.codePointAt(0) ?? 0, flags));
        }
        const anchor = this.#take(ANCHOR);
        if (anchor !== null) {
          return [{ is: 'assertion', holds: assertionOf(anchor[0], flags) }];
        }
        const set = this.#namedSet();
        return [
          set === null
            ? literal(this.#character(), flags)
            : { is: 'set', set: { source: set, fold: flags.fold, only: null } },
        ];
      }
    }
  }

  #group(flags: Flags): readonly Tree[] {
    const from = this.#at;
    const [, special, name, on = '', off = '', end] = this.#take(GROUP) ?? [];
    if (special === undefined && this.#text[this.#at] === '?') {
      this.#refuse(from);
    }
    if (name !== undefined && this.#names.size === this.#names.add(name).size) {
      this.#fail('a second group of one name', from);
    }
    const set = (flag: string, was: boolean): boolean =>
      (was || on.includes(flag)) && !off.includes(flag);
    const inner: Flags = {
      fold: set('i', flags.fold),
      lines: set('m', flags.lines),
      dotAll: set('s', flags.dotAll),
    };
    if (end === ')') {
      Object.assign(flags, inner);
      return [];
    }
    const tree = this.#choice(inner);
    if (this.#text[this.#at] !== ')') {
      this.#fail('an unclosed (', from);
    }
    this.#at += 1;
    return [tree];
  }

  #class({ fold }: Flags): Tree {
    const from = this.#at;
    this.#at += 1;
    const isNegated = this.#text[this.#at] === '^';
    this.#at += isNegated ? 1 : 0;
    let source = '';
    do {
      if (this.#at >= this.#text.length) {
        this.#fail('an unclosed [', from);
      }
      source += this.#posixSet() ?? this.#namedSet() ?? this.#range();
    } while (this.#text[this.#at] !== ']');
    this.#at += 1;
    source = `[${isNegated ? '^' : ''}${source}]`;
    return { is: 'set', set: { source, fold, only: null } };
  }

  /** One character, or all from one to another. */
  #range(): string {
    const from = this.#at;
    const low = this.#character();
    const high = this.#take(RANGE) === null ? low : this.#character();
    return low > high
      ? this.#fail('a range that ends before it begins', from)
      : `${escaped(low)}-${escaped(high)}`;
  }

  #posixSet(): string | null {
    const from = this.#at;
    const [found, not, name = ''] = this.#take(POSIX) ?? [];
    return found === undefined
      ? null
      : (posixSet(name, not === '^') ?? this.#fail('an unknown class', from));
  }

  /** `\d` and its like, `\p{Greek}`; null for anything else. */
  #namedSet(): string | null {
    const [, letter] = this.#take(PERL) ?? [];
    if (letter !== undefined) {
      return perlSet(letter);
    }
    const from = this.#at;
    const [, sign, not, long, short] = this.#take(PROPERTY) ?? [];
    return sign === undefined
      ? null
      : (propertySet(long ?? short ?? '', (sign === 'P') !== (not === '^')) ?? this.#refuse(from));
  }

  /** A character that stands for itself, or an escape for one. */
  #character(): number {
    if (this.#text[this.#at] !== '\\') {
      const point = this.#text.codePointAt(this.#at) ?? 0;
      this.#at += point > 0xffff ? 2 : 1;
      return point;
    }
    const from = this.#at;
    const [, octal, short, long, control, sign] = this.#take(CHARACTER) ?? [];
    const hex = short ?? long;
    const point =
      hex === undefined
        ? octal === undefined
          ? (CONTROLS[control ?? ''] ?? sign?.codePointAt(0))
          : Number.parseInt(octal, 8)
        : Number.parseInt(hex, 16);
    return point === undefined || point > MAX_CODE_POINT ? this.#refuse(from) : point;
  }

  #refuse(at: number): never {
    for (const [begins, what] of REFUSED) {
      this.#at = at;
      const found = this.#take(begins);
      if (found !== null) {
        this.#fail(`${what} (${found[0]})`, at);
      }
    }
    this.#fail('something unknown', at);
  }
}

function assertionOf(anchor: string, { lines }: Flags): Assertion {
  switch (anchor) {
    case '^':
      return lines ? 'line start' : 'text start';
    case '$':
      return lines ? 'line end' : 'text end';
    case '\\A':
      return 'text start';
    case '\\z':
      return 'text end';
    default:
      return anchor === '\\b' ? 'word boundary' : 'no word boundary';
  }
}

function literal(point: number, { fold }: Flags): Tree {
  return { is: 'set', set: { source: escaped(point), fold, only: fold ? null : point } };
}

function sequence(parts: readonly Tree[]): Tree {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { is: 'sequence', parts };
}

/** Characters to choose from are one set. */
function choice(parts: readonly Tree[]): Tree {
  const sets = parts.flatMap((part) => (part.is === 'set' ? [part.set] : []));
  const fold = sets[0]?.fold ?? false;
  return sets.length === parts.length && sets.every((set) => set.fold === fold)
    ? {
        is: 'set',
        set: { source: `[${sets.map(({ source }) => source).join('')}]`, fold, only: null },
      }
    : { is: 'choice', parts };
}
