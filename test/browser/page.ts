// A page of the documents as a newcomer reads it: what to type, what to save, and what should then be seen.
// Comments that readers do not see say the rest: `file: NAME` before a block that is saved, `not run: REASON`
// before one that cannot be done here, `after Ctrl-C` before one for which the page's server has been stopped.

export interface Block {
  readonly kind: 'run' | 'file' | 'not run';
  readonly text: string;
  /** The name of the file, or why it is not run. */
  readonly note: string;
  readonly shell: 'sh' | 'bash';
  readonly isAfterStop: boolean;
  /** What its last command prints when it takes requests; it stays in the foreground, until Ctrl-C. */
  readonly serves: RegExp | null;
  /** Lines that it must print: `# -> LINE`, and blocks of text that follow it in the same section. */
  readonly shown: readonly string[];
}

/** A heading; or a comment, and a block in a fence or indented. */
const PART =
  /^#+ .*$|(?:^<!-- (.+?) -->\n+)?(?:^```(\w*)\n([^]*?)^```$|(?<=\n\n)((?:^ {4}.*\n)+))/gm;
const SERVERS = [
  [/npm (?:start|run serve)$/, /(?:ready|serving) after/],
  [/npm run agent$/, /ready on/],
  [/python3 -m http\.server .*$/, /Serving HTTP/],
] as const;

const INVITE_CODE = /\b[A-Z]+-[A-Z0-9]{6}\b/g;

/** What there is to do on the page, in its order. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const [, mark = '', language, fenced, indented] of page.matchAll(PART)) {
    const text = fenced ?? indented?.replaceAll(/^ {4}/gm, '') ?? '';
    const before = isOpen ? blocks.at(-1) : undefined;
    if (mark.startsWith('file: ') || isShell(language, text)) {
      blocks.push(blockOf(mark, language, text));
      isOpen = true;
    } else if (before !== undefined && text !== '' && /^(?:text)?$/.test(language ?? '')) {
      const lines = text.split('\n').filter((line) => line.trim() !== '');
      blocks.splice(-1, 1, { ...before, shown: [...before.shown, ...lines] });
    } else {
      isOpen = false;
    }
  }
  return blocks;
}

/** Indented commands begin with npm. */
function isShell(language: string | undefined, text: string): boolean {
  return language === undefined ? text.startsWith('npm ') : /^(?:ba)?sh$/.test(language);
}

function blockOf(mark: string, language: string | undefined, text: string): Block {
  const [, word, note = ''] = /^(file|not run): (.*)$/.exec(mark) ?? [];
  return {
    kind: (word as 'file' | 'not run' | undefined) ?? 'run',
    text,
    note,
    shell: language === 'bash' ? 'bash' : 'sh',
    isAfterStop: mark === 'after Ctrl-C',
    serves: SERVERS.find(([command]) => command.test(text.trim()))?.[1] ?? null,
    shown: [...text.matchAll(/# -> (.*)$/gm)].map(([, line = '']) => line),
  };
}

/** The block that the page has saved as that file. */
export function fileIn(page: string, name: string): string {
  const found = blocksOf(page).find(({ kind, note }) => kind === 'file' && note === name);
  if (found === undefined) {
    throw new Error(`the page has no file ${name}`);
  }
  return found.text;
}

/**
 * The shown lines that the output does not have; each line of the output answers for one. `…` stands for
 * anything, an invite code for any, and a number of four digits or more for any number, but for the same one
 * wherever it is shown again.
 */
export function missingFrom(output: string, shown: readonly string[]): readonly string[] {
  const left = output.split('\n');
  const known = new Map<string, string>();
  return shown.filter((line) => {
    const isNew = (number: string): boolean => !known.has(number);
    const numbers = [...new Set(line.match(/\d{4,}/g))].filter(isNew);
    const pattern = new RegExp(
      line
        .trim()
        .replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
        .replaceAll('…', '.*')
        .replaceAll(INVITE_CODE, INVITE_CODE.source)
        .replaceAll(/\d{4,}/g, (number) => known.get(number) ?? String.raw`(\d+)`),
    );
    const at = left.findIndex((each) => pattern.test(each));
    const found = pattern.exec(left[at] ?? '') ?? [];
    numbers.forEach((number, index) => known.set(number, found[index + 1] ?? number));
    left.splice(at, at === -1 ? 0 : 1);
    return at === -1;
  });
}
