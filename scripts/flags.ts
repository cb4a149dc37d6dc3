// The flags of a command. Each has one line in `--help`, and an invalid one gets a one-line error. All of our
// commands in package.json parse their arguments here before they do anything else (test/wire/help.test.ts).

import { parseArgs } from 'node:util';

/** One flag, made by `number`, `perhaps`, `word`, `choice` or `given`. */
export interface Flag<T> {
  readonly says: string;
  readonly otherwise: T;
  /** Null: the flag takes no value. */
  readonly read: ((value: string) => T | Problem) | null;
}

class Problem {
  readonly says: string;

  constructor(says: string) {
    this.says = says;
  }
}

/** A number of zero or more. */
export function number(otherwise: number, says: string): Flag<number> {
  return { says, otherwise, read: readNumber };
}

/** A number that may be missing. */
export function perhaps(says: string): Flag<number | null> {
  return { says, otherwise: null, read: readNumber };
}

function readNumber(value: string): number | Problem {
  const parsedNumber = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(parsedNumber) && parsedNumber >= 0
    ? parsedNumber
    : new Problem('must be a number of zero or more');
}

/** Any text. Null if the flag is missing and has no default. */
export function word<T extends string | null>(otherwise: T, says: string): Flag<T | string> {
  return { says, otherwise, read: (value) => value };
}

/** One of some words. */
export function choice<const T extends string, const D extends T | null>(
  words: readonly T[],
  otherwise: D,
  says: string,
): Flag<T | D> {
  return {
    says: `${says}: ${words.join(' or ')}`,
    otherwise,
    read: (value) =>
      words.find((each) => each === value) ?? new Problem(`must be ${words.join(' or ')}`),
  };
}

/** A flag without a value. True if it is given. */
export function given(says: string): Flag<boolean> {
  return { says, otherwise: false, read: null };
}

type Flags = Readonly<Record<string, Flag<string | number | boolean | null>>>;

type Values<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

export interface Command<F extends Flags> {
  /** As people type it: `npm run keys --`. */
  readonly command: string;
  /** A sentence or two. */
  readonly about: string;
  readonly flags: F;
  /** The meaning of words that are no flags, and how many there may be. */
  readonly words?: {
    readonly name: string;
    readonly says: string;
    readonly least: number;
    readonly most: number;
  };
}

export interface Line<F extends Flags> {
  readonly flags: Values<F>;
  readonly words: readonly string[];
}

type Read<F extends Flags> =
  | { readonly kind: 'line'; readonly line: Line<F> }
  | { readonly kind: 'help' | 'wrong'; readonly text: string };

/** The parsed `words`, or the text of `--help`, or a one-line error. */
export function parsed<const F extends Flags>(
  command: Command<F>,
  words: readonly string[],
): Read<F> {
  const options = Object.fromEntries(
    Object.entries(command.flags).map(([name, { read }]) => [
      name,
      { type: read === null ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  if (names.includes('help') || names.includes('h')) {
    return { kind: 'help', text: help(command) };
  }
  const values = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind !== 'option') {
      continue;
    }
    const flag = Object.hasOwn(command.flags, token.name) ? command.flags[token.name] : undefined;
    const value =
      flag === undefined ? new Problem('is no flag of this command') : valueOf(flag, token.value);
    if (value instanceof Problem) {
      return wrong(command, `${token.rawName} ${value.says}`);
    }
    values.set(token.name, value);
  }
  const rest = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const { least = 0, most = 0, name = '' } = command.words ?? {};
  if (rest.length > most) {
    return wrong(command, `"${rest[most] ?? ''}" is one word too many`);
  }
  if (rest.length < least) {
    return wrong(command, `${name} is missing`);
  }
  const all = Object.entries(command.flags).map(([key, { otherwise }]) => [
    key,
    values.has(key) ? values.get(key) : otherwise,
  ]);
  const flags = Object.fromEntries(all) as Values<F>;
  return { kind: 'line', line: { flags, words: rest } };
}

function valueOf(flag: Flag<unknown>, value: string | undefined): unknown {
  if (flag.read === null) {
    return value === undefined ? true : new Problem('takes no value');
  }
  return value === undefined ? new Problem('needs a value') : flag.read(value);
}

function wrong(
  { command }: Command<Flags>,
  says: string,
): { readonly kind: 'wrong'; readonly text: string } {
  return { kind: 'wrong', text: `${says} (${command} --help lists the flags)` };
}

function help({ command, about, flags, words }: Command<Flags>): string {
  const rows = Object.entries(flags).map(([name, { says, otherwise, read }]) => {
    const isShown = otherwise !== null && read !== null;
    return [
      `--${name}${read === null ? '' : ' X'}`,
      isShown ? `${says} (${String(otherwise)})` : says,
    ];
  });
  if (words !== undefined) {
    rows.unshift([words.name, words.says]);
  }
  rows.push(['--help', 'these lines']);
  const width = Math.max(...rows.map(([left = '']) => left.length));
  const lines = rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`);
  return [`${command}${words === undefined ? '' : ` ${words.name}`}`, about, ...lines].join('\n');
}

/** The parsed command line. Exits after `--help`, and with 2 after an invalid word. */
export function commandLine<const F extends Flags>(command: Command<F>): Line<F> {
  const read = parsed(command, process.argv.slice(2));
  if (read.kind === 'line') {
    return read.line;
  }
  const isHelp = read.kind === 'help';
  (isHelp ? console.log : console.error)(read.text);
  return process.exit(isHelp ? 0 : 2);
}
