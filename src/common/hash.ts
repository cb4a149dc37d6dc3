// A quick hash of short texts. It spreads keys evenly and is not secure.

/** FNV-1a over UTF-16 units: 32 bits, signed. */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  return sum;
}
