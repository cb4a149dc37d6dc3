// Finds the error in a text that should be JSON, and its place. Browsers word such errors
// differently, and some give no place.

import { isObject } from '../src/common/json';

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
const TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/uy;
const SPACE = /[ \t\n\r]*/y;

class Wrong extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** Reads along a text, and throws `Wrong` at the first character that cannot stand there. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): void {
    this.#value();
    if (this.#at < this.#text.length) {
      throw new Wrong(this.#at, 'expected nothing more after the value');
    }
  }

  /** Moves over what the pattern fits here. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found !== null;
  }

  /** The next character that is no space. */
  #next(): string {
    this.#take(SPACE);
    return this.#text.charAt(this.#at);
  }

  #value(): void {
    const next = this.#next();
    if (next === '{' || next === '[') {
      this.#entries(next === '{' ? '}' : ']', next === '{');
    } else if (!(next === '"' ? this.#take(TEXT) : this.#take(LITERAL))) {
      throw new Wrong(
        this.#at,
        next === '"'
          ? 'this text has no closing quote, or holds what must be escaped'
          : 'expected a value: an object, a list, a "text", a number, true, false or null',
      );
    }
    this.#next();
  }

  #entries(end: string, named: boolean): void {
    this.#at += 1;
    if (this.#next() === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      if (named) {
        this.#name();
      }
      this.#value();
      const next = this.#next();
      if (next !== ',' && next !== end) {
        throw new Wrong(this.#at, `expected a comma or ${end}`);
      }
      this.#at += 1;
      if (next === end) {
        return;
      }
      if (this.#next() === end) {
        throw new Wrong(this.#at, `expected another entry after the comma, not ${end}`);
      }
    }
  }

  #name(): void {
    this.#next();
    if (!this.#take(TEXT)) {
      throw new Wrong(this.#at, 'expected a name in double quotes');
    }
    if (this.#next() !== ':') {
      throw new Wrong(this.#at, 'expected a colon after the name');
    }
    this.#at += 1;
  }
}

/** `Line 2, column 5: expected a comma or }`; null for JSON. Lines and columns count from one. */
export function jsonProblem(text: string): string | null {
  try {
    new Reader(text).whole();
    return null;
  } catch (error) {
    if (!(error instanceof Wrong)) {
      throw error;
    }
    const before = text.slice(0, error.at).split('\n');
    return `Line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${error.message}`;
  }
}

/** The same for a text that must be an object. */
export function objectProblem(text: string): string | null {
  const problem = jsonProblem(text);
  return problem === null && !isObject(JSON.parse(text))
    ? 'This must be an object, in { and }'
    : problem;
}
