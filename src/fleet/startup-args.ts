// Startup arguments come as one text, as a shell would read it; a program is given a list.

/** Words are parted by spaces; quotes, single or double, keep those inside them together. */
export function argumentsIn(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+|["'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
