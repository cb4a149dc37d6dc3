// The index that the search of the guides asks: every section of every guide, and every call of the API description.
// dashboard/guides/find.ts reads it.

import { createHash } from 'node:crypto';

import { sectionsOf } from './guide-markdown.ts';

interface Readable {
  readonly name: string;
  readonly title: string;
  readonly markdown: string;
}

/** Each word once. `x-player-id` is a word, and so are its parts. */
function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  const all = words.flatMap((word) => [word, ...word.split('-')]);
  return [...new Set(all.filter(({ length }) => length > 1))].join(' ');
}

/** Whole words. */
function beginOf(prose: string): string {
  return prose.length < 110 ? prose : prose.slice(0, 110).replace(/\s+\S*$/, ' …');
}

interface Call {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
}

/** The calls of the API description, where the reference page has them. */
function callsOf(
  description: string,
): readonly { readonly tag: string; readonly id: string; readonly says: string }[] {
  const { paths } = JSON.parse(description) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, summary = '', tags }]) => {
      const [tag] = tags ?? [];
      const says = `${method.toUpperCase()} ${path}: ${summary}`;
      return id === undefined || tag === undefined ? [] : [{ tag, id, says }];
    }),
  );
}

/** What the search looks through: of each section its page, its place, how it begins, its words, and those in its code. */
export function searchIndex(
  pages: readonly Readable[],
  description: string,
): { readonly name: string; readonly contents: Buffer } {
  const calls = callsOf(description).map(({ tag, id, says }) => [
    `/${tag}/${id}`,
    id,
    says,
    wordsOf(`${id} ${says}`),
    '',
  ]);
  const entries = pages.map(({ name, title, markdown }) => [
    name,
    title,
    sectionsOf(markdown).map(({ id, text, depth, prose, code }) => {
      const words = wordsOf(`${text} ${prose}`);
      return [depth === 1 ? '' : id, text, beginOf(prose), words, wordsOf(code)];
    }),
  ]);
  const contents = Buffer.from(JSON.stringify([...entries, ['/docs', 'API reference', calls]]));
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { name: `search-${hash}.json`, contents };
}
