// Looks for a text in another in linear time. Players choose both, and where both repeat themselves the engine's own
// search compares each character with each.

/** Up to so many comparisons the engine's search is as good. */
const FEW = 4_096;

/** Where `sought` first begins in the text, from there on; -1 if nowhere. */
export function firstIn(text: string, sought: string, from = 0): number {
  if (text.length * sought.length <= FEW) {
    return text.indexOf(sought, from);
  }
  const { value } = placesIn(text.slice(from), sought).next();
  return value === undefined ? -1 : from + value;
}

/** Where it last begins, at that place or before; -1 if nowhere. */
function lastIn(text: string, sought: string, most = text.length): number {
  if (text.length * sought.length <= FEW) {
    return text.lastIndexOf(sought, most);
  }
  let last = -1;
  for (const place of placesIn(text.slice(0, most + sought.length), sought)) {
    last = place;
  }
  return last;
}

function splitAt(text: string, separator: string): readonly string[] {
  if (text.length * separator.length <= FEW) {
    return text.split(separator);
  }
  const parts: string[] = [];
  let from = 0;
  for (const place of placesIn(text, separator)) {
    if (place >= from) {
      parts.push(text.slice(from, place));
      from = place + separator.length;
    }
  }
  return [...parts, text.slice(from)];
}

/** All places where a text begins that is not empty, those that overlap included (Knuth, Morris and Pratt). */
function* placesIn(text: string, sought: string): Generator<number, undefined, undefined> {
  const { length } = sought;
  /** For each prefix of `sought`, the length of the longest shorter prefix that it ends with; -1 for the empty one. */
  const borders = new Int32Array(length + 1).fill(-1);
  /** How many first characters of `sought` end with this one, if so many ended before it. */
  const ending = (before: number, character: number): number => {
    let count = before;
    while (count >= 0 && sought.charCodeAt(count) !== character) {
      count = borders[count] ?? -1;
    }
    return count + 1;
  };
  for (let at = 0; at < length; at += 1) {
    borders[at + 1] = ending(borders[at] ?? -1, sought.charCodeAt(at));
  }
  for (let at = 0, count = 0; at < text.length; at += 1) {
    count = ending(count, text.charCodeAt(at));
    if (count === length) {
      yield at + 1 - length;
    }
  }
}

function placeFrom(text: string, from: bigint): number {
  if (from < 0n || from >= text.length) {
    throw new RangeError('the place is not in the text');
  }
  return Number(from);
}

/** The methods of texts that look for another text, by what the library calls their signature. */
export const SEARCHES: Readonly<
  Record<string, (text: string, sought: string, more: bigint) => unknown>
> = {
  'contains(string): bool': (text, sought) => firstIn(text, sought) >= 0,
  'indexOf(string): int': (text, sought) => BigInt(firstIn(text, sought)),
  'indexOf(string, int): int': (text, sought, from) =>
    sought === '' ? from : BigInt(firstIn(text, sought, placeFrom(text, from))),
  'lastIndexOf(string): int': (text, sought) => BigInt(lastIn(text, sought)),
  'lastIndexOf(string, int): int': (text, sought, most) =>
    sought === '' ? most : BigInt(lastIn(text, sought, placeFrom(text, most))),
  'split(string): list<string>': splitAt,
  'split(string, int): list<string>': (text, separator, limit) => {
    const parts = limit === 0n ? [] : splitAt(text, separator);
    const most = Number(limit);
    return most <= 0 || parts.length <= most
      ? parts
      : [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)];
  },
};
