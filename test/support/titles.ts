// The names of the tests in a file, read from its text: `describe > it`, as the runner tells them
// before it fills in the rows of `each`. A test whose title is no plain text is not seen.

interface Call {
  readonly kind: 'describe' | 'it';
  readonly title: string;
  readonly from: number;
  readonly to: number;
}

interface Masked {
  /** The text with comments, texts and patterns blanked out, character for character. */
  readonly code: string;
  /** The plain texts, by where their opening quote stands. */
  readonly texts: ReadonlyMap<number, string>;
}

export function testTitles(source: string): readonly string[] {
  const calls = callsIn(masked(source));
  const suites = calls.filter(({ kind }) => kind === 'describe');
  return calls
    .filter(({ kind }) => kind === 'it')
    .map(({ title, from }) => {
      const around = suites.filter((suite) => suite.from < from && from < suite.to);
      return [...around.map((suite) => suite.title), title].join(' > ');
    });
}

function callsIn({ code, texts }: Masked): readonly Call[] {
  const calls: Call[] = [];
  for (const found of code.matchAll(/(?<![\w.$])(describe|it|test)\b/g)) {
    let at = afterSpace(code, found.index + found[0].length);
    while (code[at] === '.' || code[at] === '<' || code[at] === '(') {
      if (code[at] === '.') {
        at += 1 + (/^\w*/.exec(code.slice(at + 1))?.[0].length ?? 0);
      } else {
        const title = code[at] === '(' ? texts.get(afterSpace(code, at + 1)) : undefined;
        const end = balanced(code, at);
        if (title !== undefined) {
          const kind = found[1] === 'describe' ? 'describe' : 'it';
          calls.push({ kind, title, from: found.index, to: end });
          break;
        }
        at = end;
      }
      at = afterSpace(code, at);
    }
  }
  return calls;
}

function afterSpace(code: string, from: number): number {
  let at = from;
  while (/\s/.test(code[at] ?? '')) {
    at += 1;
  }
  return at;
}

/** Where what opens at `from` is closed, one further. */
function balanced(code: string, from: number): number {
  const open = code[from] ?? '';
  const close = open === '<' ? '>' : ')';
  let depth = 0;
  for (let at = from; at < code.length; at += 1) {
    // The arrow of a function type closes nothing.
    if (code[at] === close && !(close === '>' && code[at - 1] === '=')) {
      depth -= 1;
      if (depth === 0) {
        return at + 1;
      }
    } else if (code[at] === open) {
      depth += 1;
    }
  }
  return code.length;
}

function masked(source: string): Masked {
  const texts = new Map<number, string>();
  let code = '';
  let at = 0;
  while (at < source.length) {
    const end = endOfToken(source, at, code);
    const token = source.slice(at, end);
    if (token.length > 1 && /^['"]/.test(token)) {
      texts.set(at, unescaped(token.slice(1, -1)));
      code += `'${' '.repeat(token.length - 2)}'`;
    } else {
      code += token.length > 1 ? token.replace(/[^\n]/g, ' ') : token;
    }
    at = end;
  }
  return { code, texts };
}

/** Where the comment, text or pattern that begins here ends; one character of anything else. */
function endOfToken(source: string, at: number, before: string): number {
  const two = source.slice(at, at + 2);
  if (two === '//') {
    return lineEnd(source, at);
  }
  if (two === '/*') {
    return source.indexOf('*/', at) + 2;
  }
  const first = source[at] ?? '';
  if (first === "'" || first === '"' || first === '`') {
    return endOfText(source, at, first);
  }
  const opensPattern = /(?:^|[(,=:[!&|?{};+*%<>~^-]|=>|\breturn)\s*$/.test(before.slice(-40));
  return first === '/' && opensPattern ? endOfPattern(source, at) : at + 1;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end;
}

function endOfText(source: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < source.length && source[at] !== quote) {
    if (source[at] === '\\') {
      at += 2;
    } else if (quote === '`' && source.startsWith('${', at)) {
      at = endOfHole(source, at + 2);
    } else {
      at += 1;
    }
  }
  return at + 1;
}

/** Past the brace that closes a `${` of a template. */
function endOfHole(source: string, from: number): number {
  let depth = 1;
  let at = from;
  while (at < source.length && depth > 0) {
    const letter = source[at] ?? '';
    if (letter === "'" || letter === '"' || letter === '`') {
      at = endOfText(source, at, letter);
    } else {
      depth += letter === '{' ? 1 : letter === '}' ? -1 : 0;
      at += 1;
    }
  }
  return at;
}

function endOfPattern(source: string, from: number): number {
  let inClass = false;
  for (let at = from + 1; at < source.length && source[at] !== '\n'; at += 1) {
    const letter = source[at];
    if (letter === '\\') {
      at += 1;
    } else if (letter === '/' && !inClass) {
      return at + 1;
    } else if (letter === '[' || letter === ']') {
      inClass = letter === '[';
    }
  }
  return from + 1;
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    .replace(/\\(.)/g, '$1');
}
