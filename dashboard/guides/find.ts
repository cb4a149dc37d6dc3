// What a search of the guides finds. The index is made with the pages (scripts/guides.ts).

export type Index = readonly (readonly [
  page: string,
  title: string,
  sections: readonly (readonly [anchor: string, heading: string, says: string, words: string])[],
])[];

export interface Found {
  readonly href: string;
  readonly title: string;
  readonly says: string;
}

const MOST = 12;

/** Sections that have each word, or one that begins with it; those that have them in a heading come first. */
export function find(index: Index, asked: string): readonly Found[] {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) {
    return [];
  }
  const found = index.flatMap(([page, title, sections]) =>
    sections.flatMap(([anchor, heading, says, text]) => {
      const marks = [` ${heading.toLowerCase()}`, ` ${title.toLowerCase()}`];
      const has = words.every((word) => [` ${text}`, ...marks].some((each) => begins(each, word)));
      const inMarks = words.filter((word) => marks.some((each) => begins(each, word))).length;
      const whole = words.filter((word) => ` ${text} `.includes(` ${word} `)).length;
      return has
        ? [
            {
              href: anchor === '' ? page : `${page}#${anchor}`,
              title: anchor === '' ? title : `${title} › ${heading}`,
              says,
              rank: inMarks * 2 + whole,
            },
          ]
        : [];
    }),
  );
  return found.toSorted((one, other) => other.rank - one.rank).slice(0, MOST);
}

/** Whether a word of the text begins with it. Headings have other signs than blanks before a word. */
function begins(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}_]/u.test(text[at - 1] ?? ' ')) {
      return true;
    }
  }
  return false;
}
