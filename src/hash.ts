// A quick hash of short texts: to spread, never to keep anything safe.

/** FNV-1a over UTF-16 units: 32 bits, of either sign. */
export function fnv1a(text: string): number {
  let sum = 0x811c9dc5 | 0;
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  }
  return sum;
}
