// Finds the known name that a misspelled name probably means.

const MAX_LENGTH = 64;
/** Shorter words are part of too many names. */
const MIN_PART_LENGTH = 4;

/** The nearest known name, ignoring case, hyphens and underscores, or else one that contains the given. Null: none. */
export function similar(text: string, known: readonly string[]): string | null {
  const word = plain(text);
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  let best = { name: null as string | null, edits: most + 1 };
  for (const name of text.length > MAX_LENGTH ? [] : known) {
    const edits = editsBetween(word, plain(name));
    best = edits < best.edits ? { name, edits } : best;
  }
  const whole = known.find((name) => plain(name).includes(word));
  return best.name ?? (word.length < MIN_PART_LENGTH ? null : (whole ?? null));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_ -]/g, '');
}

/** How many characters to insert, delete or replace (Levenshtein distance). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const above = row;
    row = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const [left = 0, up = 0, diagonal = 0] = [row[at - 1], above[at], above[at - 1]];
      const replaced = diagonal + (other[at - 1] === one[index] ? 0 : 1);
      row.push(Math.min(left + 1, up + 1, replaced));
    }
  }
  return row.at(-1) ?? 0;
}
