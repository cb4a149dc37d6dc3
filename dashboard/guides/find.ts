// What a search of the guides finds. The index is made with the pages (scripts/guides.ts).

type Section = readonly [
  anchor: string,
  heading: string,
  says: string,
  words: string,
  code: string,
];

export type Index = readonly (readonly [
  page: string,
  title: string,
  sections: readonly Section[],
])[];

export interface Found {
  readonly href: string;
  readonly title: string;
  readonly says: string;
}

const MOST = 12;

/** A word counts for more in a heading than in code, and in code more than in prose. */
const IN_HEADING = 4;
const IN_CODE = 2;

/** Sections that have each word, or one that begins with it, those first that have them in a heading or in code. */
export function find(index: Index, asked: string): readonly Found[] {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? [];
  if (words.length === 0) {
    return [];
  }
  const found = index.flatMap(([page, title, sections]) =>
    sections.flatMap(([anchor, heading, says, text, code]) => {
      const marks = [` ${heading.toLowerCase()}`, ` ${title.toLowerCase()}`];
      const all = [` ${text}`, ` ${code}`, ...marks];
      const count = (texts: readonly string[]): number =>
        words.filter((word) => texts.some((each) => begins(each, word))).length;
      const whole = words.filter((word) => ` ${text} ${code} `.includes(` ${word} `)).length;
      return count(all) === words.length
        ? [
            {
              href: anchor === '' ? page : `${page}#${anchor}`,
              title: anchor === '' ? title : `${title} › ${heading}`,
              says,
              rank: count(marks) * IN_HEADING + count([` ${code}`]) * IN_CODE + whole,
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
