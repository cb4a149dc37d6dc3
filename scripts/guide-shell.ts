// What stands around the text of a guide: header, search, the list of guides, contents, previous and next.

import { escaped, type Heading } from './guide-markdown.ts';

interface Named {
  readonly name: string;
  readonly label: string;
}

export interface Around {
  readonly pages: readonly (Named & { readonly group: string })[];
  readonly page: Named & { readonly title: string };
  /** The names of the search's index, and of the script and the style. */
  readonly index: string;
  readonly assets: readonly string[];
  readonly headings: readonly Heading[];
  readonly previous: Named | null;
  readonly next: Named | null;
  readonly parts: readonly (Named & { readonly headings: readonly Heading[] })[];
}

/** The list of all guides, by what they are for. */
function list({ pages, page }: Around): string {
  const link = ({ name, label }: Named): string =>
    `<li><a href="${name}"${name === page.name ? ' aria-current="page"' : ''}>${escaped(label)}</a></li>`;
  const groups = [...new Set(pages.map(({ group }) => group))].map((group) => {
    const title = group === '' ? '' : `<p>${escaped(group)}</p>\n`;
    const rows = pages.filter((each) => each.group === group);
    return `${title}<ul>${rows.map(link).join('\n')}</ul>`;
  });
  return `<nav class="guides" aria-label="Guides">\n${groups.join('\n')}\n</nav>`;
}

function contents({ headings }: Around): string {
  const rows = headings.map(
    ({ id, depth, text }) => `<li class="h${depth}"><a href="#${id}">${escaped(text)}</a></li>`,
  );
  return rows.length < 2
    ? ''
    : `<nav class="contents" aria-label="On this page"><details open><summary>On this page</summary>
<ul>${rows.join('\n')}</ul></details></nav>`;
}

/** Old links lead to these lines; the page's script follows them from there. */
function parts({ parts: pages }: Around): string {
  const lists = pages.map(({ name, label, headings }) => {
    const [title, ...rest] = headings;
    const rows = rest.map(
      ({ id, text }) => `<li id="${id}"><a href="${name}#${id}">${escaped(text)}</a></li>`,
    );
    return `<p id="${title?.id ?? ''}"><a href="${name}">${escaped(label)}</a></p>\n<ul>${rows.join('\n')}</ul>`;
  });
  return lists.length === 0
    ? ''
    : `<nav class="parts" aria-label="More on this"><h2>More on this</h2>\n${lists.join('\n')}</nav>`;
}

function turn({ previous, next }: Around): string {
  const link = (to: Named | null, rel: 'prev' | 'next', word: string): string =>
    to === null
      ? ''
      : `<a rel="${rel}" href="${to.name}"><span>${word}</span> ${escaped(to.label)}</a>`;
  return `<nav class="turn" aria-label="Previous and next">${link(previous, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`;
}

/** The whole page. */
export function shell(main: string, around: Around): string {
  const [title = '', text = ''] = main.split(/(?<=<\/h1>\n)/);
  const tags = around.assets.map((name) =>
    name.endsWith('.css')
      ? `<link rel="stylesheet" href="${name}" />`
      : `<script type="module" src="${name}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(around.page.title)} – Muster</title>
    <link rel="icon" href="data:," />
    ${tags.join('\n    ')}
  </head>
  <body>
    <a class="skip" href="#main">Skip to the page</a>
    <header>
      <a class="name" href="/">Muster</a>
      <search hidden data-index="${around.index}">
        <input type="search" aria-label="Search the guides" placeholder="Search the guides" autocomplete="off" />
        <div class="results" hidden><p role="status"></p><ul aria-label="Results"></ul></div>
      </search>
      <nav aria-label="Muster"><a href="/guides/">Guides</a> <a href="/docs">API reference</a> <a href="/dashboard/">Dashboard</a></nav>
    </header>
    <div class="columns">
      <main id="main">
${title}${contents(around)}
<div class="text">
${text}
${parts(around)}
${turn(around)}
</div>
      </main>
      ${list(around)}
    </div>
  </body>
</html>
`;
}
