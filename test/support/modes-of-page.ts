// The modes that a page shows, so that what is tested is what the page says.

/** By the name in the comment before each: `<!-- mode: duel -->`, then the block. */
export function modesIn(markdown: string): Readonly<Record<string, object>> {
  return namedIn(markdown, 'mode');
}

/** The bodies of whole configs, by the name in the comment before each: `<!-- recipe: ranked -->`. */
export function recipesIn(markdown: string): Readonly<Record<string, object>> {
  return namedIn(markdown, 'recipe');
}

function namedIn(markdown: string, what: string): Readonly<Record<string, object>> {
  const named = new RegExp(`<!-- ${what}: ([\\w-]+) -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``, 'g');
  const blocks = markdown.matchAll(named);
  return Object.fromEntries(
    [...blocks].map(([, name = '', json = '']) => [name, JSON.parse(json) as object]),
  );
}
