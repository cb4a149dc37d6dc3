// Splits startup arguments, which are one text as for a shell, into a list for a program.

/** Splits the text at spaces. Single or double quotes keep words together. */
export function argumentsIn(text: string): readonly string[] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+|["'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
