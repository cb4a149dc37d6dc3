// The modes that a page shows, so that what is tested is what the page says.

/** By the name in the comment before each: `<!-- mode: duel -->`, then the block. */
export function modesIn(markdown: string): Readonly<Record<string, object>> {
  const blocks = markdown.matchAll(/<!-- mode: ([\w-]+) -->\s+```json\n([\s\S]*?)```/g);
  return Object.fromEntries(
    [...blocks].map(([, name = '', json = '']) => [name, JSON.parse(json) as object]),
  );
}
