// Regular expressions in time linear in the text: a pattern becomes an automaton, and all its states
// run side by side, each at most once a character. Patterns come from configs, texts from players:
// neither can make a match slow. Yes or no is all that is asked, so groups capture nothing.

import type { CharSet } from './regex-sets';
import { type Assertion, parsePattern, type Tree } from './regex-syntax';

/** Instructions of one pattern, copies of what it repeats counted. */
const MAX_SIZE = 1_000;
/** Parts looked at while it is built: repeating nothing adds no instruction. */
const MAX_WORK = 10_000;

/** Goes on at `next` after a character of `test`, or where `holds` does; else at both, at once. */
interface Instruction {
  readonly test: Test | null;
  readonly holds: Assertion | null;
  readonly next: number;
  readonly other: number;
}

type Test = (point: number) => boolean;

/** A compiled pattern. Keeps the working memory of its last match: matches never nest. */
export interface Regex {
  /** Instructions. A match takes at most twice this for each character, and once more at the end. */
  readonly size: number;
  readonly program: readonly Instruction[];
  readonly start: number;
  /** The position at which each instruction was reached last. */
  readonly reached: Int32Array;
}

/** Where the program ends: the first of its instructions. */
const MATCHED = 0;
const NOWHERE = -1;

/** Throws an Error whose one line says what is wrong: a RangeError where it is only too large. */
export function compileRegex(pattern: string): Regex {
  const builder = new Builder();
  const start = builder.add(parsePattern(pattern), MATCHED);
  const { program } = builder;
  return { size: program.length, program, start, reached: new Int32Array(program.length) };
}

/** Builds a program backwards: each part is told where to go on, and tells where it begins. */
class Builder {
  readonly program: Instruction[] = [{ test: null, holds: null, next: NOWHERE, other: NOWHERE }];
  readonly #tests = new Map<string, Test>();
  #work = 0;

  add(tree: Tree, next: number): number {
    this.#work += 1;
    if (this.#work > MAX_WORK) {
      throw new RangeError('it repeats too much');
    }
    switch (tree.is) {
      case 'set':
        return this.#push({ test: this.#test(tree.set), holds: null, next, other: NOWHERE });
      case 'assertion':
        return this.#push({ test: null, holds: tree.holds, next, other: NOWHERE });
      case 'sequence':
        return tree.parts.reduceRight((after, part) => this.add(part, after), next);
      case 'choice':
        return tree.parts
          .map((part) => this.add(part, next))
          .reduceRight((other, begin) => this.#either(begin, other));
      default:
        return this.#repeat(tree, next);
    }
  }

  #repeat({ part, min, max }: Tree & { readonly is: 'repeat' }, next: number): number {
    let begin = next;
    let copies = min;
    if (max === Infinity) {
      const loop = this.#either(NOWHERE, next);
      const body = this.add(part, loop);
      this.program[loop] = { test: null, holds: null, next: body, other: next };
      begin = min === 0 ? loop : body;
      copies = Math.max(0, min - 1);
    } else {
      for (let extra = min; extra < max; extra += 1) {
        begin = this.#either(this.add(part, begin), next);
      }
    }
    for (; copies > 0; copies -= 1) {
      begin = this.add(part, begin);
    }
    return begin;
  }

  #either(next: number, other: number): number {
    return this.#push({ test: null, holds: null, next, other });
  }

  #push(instruction: Instruction): number {
    if (this.program.length >= MAX_SIZE) {
      throw new RangeError(`it needs more than ${MAX_SIZE} states`);
    }
    return this.program.push(instruction) - 1;
  }

  #test(set: CharSet): Test {
    const key = `${set.fold} ${set.source}`;
    const test = this.#tests.get(key) ?? testOf(set);
    this.#tests.set(key, test);
    return test;
  }
}

/** A one-character expression of the engine cannot backtrack. The common answers are kept. */
function testOf({ source, fold, only }: CharSet): Test {
  if (only !== null) {
    return (point) => point === only;
  }
  const one = new RegExp(source, fold ? 'vi' : 'v');
  const ascii = Uint8Array.from({ length: 128 }, (_, point) =>
    Number(one.test(String.fromCodePoint(point))),
  );
  return (point) => (point < 128 ? ascii[point] === 1 : one.test(String.fromCodePoint(point)));
}

export interface Searched {
  readonly found: boolean;
  /** Instructions looked at: never more than (2 × size) × (length of the text + 1). */
  readonly steps: number;
}

/** Whether the pattern occurs anywhere in the text, code point by code point. */
export function search({ program, start, reached }: Regex, text: string): Searched {
  reached.fill(NOWHERE);
  const isAnchored = program[start]?.holds === 'text start';
  const pending = [start];
  const waiting: Instruction[] = [];
  let steps = 0;
  for (let at = 0; ;) {
    let waits = 0;
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      const instruction = program[index];
      if (instruction === undefined || reached[index] === at) {
        continue;
      }
      reached[index] = at;
      steps += 1;
      if (index === MATCHED) {
        return { found: true, steps };
      }
      if (instruction.test !== null) {
        waiting[waits] = instruction;
        waits += 1;
      } else if (instruction.holds === null) {
        pending.push(instruction.other, instruction.next);
      } else if (holdsAt(instruction.holds, text, at)) {
        pending.push(instruction.next);
      }
    }
    const point = text.codePointAt(at);
    if (point === undefined || (isAnchored && waits === 0)) {
      return { found: false, steps };
    }
    steps += waits;
    at += point > 0xffff ? 2 : 1;
    if (!isAnchored) {
      pending.push(start);
    }
    for (let index = 0; index < waits; index += 1) {
      const instruction = waiting[index];
      if (instruction?.test?.(point) === true) {
        pending.push(instruction.next);
      }
    }
  }
}

function holdsAt(assertion: Assertion, text: string, at: number): boolean {
  switch (assertion) {
    case 'text start':
      return at === 0;
    case 'text end':
      return at === text.length;
    case 'line start':
      return at === 0 || text[at - 1] === '\n';
    case 'line end':
      return at === text.length || text[at] === '\n';
    case 'word boundary':
      return isWord(text[at - 1]) !== isWord(text[at]);
    default:
      return isWord(text[at - 1]) === isWord(text[at]);
  }
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /^\w$/.test(character);
}
