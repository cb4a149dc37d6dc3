// Measures how long each page is and how hard it is to read: words, words per sentence, and the Flesch-Kincaid
// grade (years of school; 8 reads easily). Only prose counts: no code, no tables, no headings. A word in backticks
// counts as one short word.

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';

import { fleschKincaid } from 'flesch-kincaid';
import { syllable } from 'syllable';

import { commandLine } from './flags.ts';

const { words: commits } = commandLine({
  command: 'npm run readability --',
  about: 'How long each page is and how hard it reads: words, words a sentence, years of school.',
  flags: {},
  words: { name: '[COMMIT]', says: 'measure the pages of a commit', least: 0, most: 1 },
});
const [commit] = commits;

if (commit !== undefined && !existsSync('.git')) {
  console.error('readability: a commit needs a clone of the repository, and this is none');
  process.exit(1);
}
const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 });

const PAGES = /^(?:[A-Z]+|(?:packages|docs|examples|\.github)\/.*)\.md$/;

function pages(): readonly string[] {
  const listed =
    commit === undefined
      ? globSync(['*.md', '{packages,docs,examples,.github}/**/*.md'], {
          exclude: isMade,
        }).toSorted()
      : git('ls-tree', '-r', '--name-only', commit).split('\n');
  return listed.filter((path) => PAGES.test(path));
}

function isMade(path: string): boolean {
  return /(^|\/)(node_modules|dist)(\/|$)/.test(path);
}

function read(path: string): string {
  return commit === undefined ? readFileSync(path, 'utf8') : git('show', `${commit}:${path}`);
}

/** Paragraphs and list items, as plain text. */
function prose(markdown: string): readonly string[] {
  const text = markdown
    .replaceAll(/^(```|~~~).*?^\1.*?$/gms, '')
    .replaceAll(/<!--.*?-->|<[^>]+>/gs, '')
    .replaceAll(/^(?: {4}| *\||#|\[).*$/gm, '\n')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]+`/g, 'code')
    .replaceAll(/[*_]{2,}/g, '');
  return text.split(/\n\s*\n|^\s*(?:[-*]|\d+\.) /m).filter((block) => /[a-z]/i.test(block));
}

type Counts = Readonly<Record<'sentence' | 'word' | 'syllable', number>>;

function counts(markdown: string): Counts {
  const sentences = prose(markdown).flatMap((block) => block.split(/(?<=[.!?]["')]?)\s+/));
  const words = sentences.flatMap(
    (sentence) => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [],
  );
  return {
    sentence: sentences.filter((sentence) => /\p{L}/u.test(sentence)).length,
    word: words.length,
    syllable: words.reduce((sum, word) => sum + Math.max(1, syllable(word)), 0),
  };
}

const row = (words: string | number, all: string | number, long: string, grade: string): string =>
  [words, all, long, grade].map((cell) => String(cell).padStart(8)).join('');

console.log(`${row('prose', 'all', 'words/s.', 'grade')}  page`);
for (const path of pages()) {
  const text = read(path);
  const counted = counts(text);
  const all = text.split(/\s+/).filter(Boolean).length;
  const long = (counted.word / Math.max(1, counted.sentence)).toFixed(1);
  const grade = counted.word === 0 ? '-' : fleschKincaid(counted).toFixed(1);
  console.log(`${row(counted.word, all, long, grade)}  ${path}`);
}
