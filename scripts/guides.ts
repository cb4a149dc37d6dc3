// The pages for users that the service serves under /guides/: HTML from the Markdown of docs/, of the client and of the
// examples. docs/README.md is their first page; its sections and their order are those of the list beside each page.
// From the same pages come the index that the search asks, /llms.txt and /llms-full.txt.

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';

import { build } from 'esbuild';

import { anchorOf, html, sectionsOf, withoutComments } from './guide-markdown.ts';
import { searchIndex } from './guide-search.ts';
import { type Around, shell } from './guide-shell.ts';

export interface Guide {
  /** The file's name in the site. */
  readonly name: string;
  readonly contents: Buffer;
}

interface Page {
  /** Of its Markdown in the project. */
  readonly path: string;
  /** Under /guides/. */
  readonly name: string;
  readonly title: string;
  /** What it is called where it is one of many. */
  readonly label: string;
  /** What its reader wants to do. */
  readonly wish: string;
  readonly group: string;
  readonly markdown: string;
}

const FIRST = 'docs/README.md';

/** Pages whose parts became pages of their own: links to the anchors of a part still lead there. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'docs/operations.md': ['settings', 'backups', 'monitoring', 'journal', 'troubleshooting'],
  'docs/configuring.md': ['recipes', 'modes'],
  'docs/fleets.md': ['local-fleet', 'game-servers', 'fleet-contract'],
};

/** `docs/quickstarts/unity.md` is /guides/quickstarts-unity.html. */
function nameOf(path: string): string {
  const stem = path
    .replace(/^docs\//, '')
    .replace(/^packages\/js\b/, 'client')
    .replace(/(?:\/README)?\.md$/, '');
  return `${path === FIRST ? 'index' : stem.replaceAll('/', '-')}.html`;
}

/** The Markdown files that are pages, by path. */
async function listed(project: string): Promise<readonly string[]> {
  const below = async (folder: string): Promise<readonly string[]> =>
    (await readdir(join(project, folder))).map((name) => `${folder}/${name}`);
  const examples = (await readdir(join(project, 'examples'), { recursive: true }))
    .filter((path) => basename(path) === 'README.md')
    .map((path) => `examples/${path}`);
  const docs = [...(await below('docs')), ...(await below('docs/quickstarts'))];
  const packages = (await below('packages'))
    .map((folder) => `${folder}/README.md`)
    .filter((path) => existsSync(join(project, path)));
  return [...docs, ...packages, ...examples].filter((path) => path.endsWith('.md'));
}

/** The page of an example ends with its files. */
async function withFiles(project: string, path: string, markdown: string): Promise<string> {
  if (!/^examples\/.+\/README\.md$/.test(path)) {
    return markdown;
  }
  const folder = posix.dirname(path);
  const names = (await readdir(join(project, folder))).filter((name) => !name.endsWith('.md'));
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(project, folder, name), 'utf8');
      return `### ${name}\n\n~~~~${name.split('.').at(-1)}\n${text}~~~~\n`;
    }),
  );
  return `${markdown}\n## Files\n\n${files.join('\n')}`;
}

/** All pages, in the order in which the first one links them. Pages that it does not link come last. */
async function pagesOf(project: string): Promise<readonly Page[]> {
  const first = await readFile(join(project, FIRST), 'utf8');
  const places = new Map<string, Pick<Page, 'group' | 'label' | 'wish'>>();
  for (const section of first.split(/^## /m).slice(1)) {
    const group = section.split('\n', 1)[0] ?? '';
    for (const [, wish = '', label = '', href = ''] of section.matchAll(
      /^\| ([^|]+) \| \[([^\]]+)\]\(([^)#]+)\)/gm,
    )) {
      const path = posix.join(posix.dirname(FIRST), href);
      places.set(path, { group, label, wish });
    }
  }
  const order = [FIRST, ...places.keys()];
  const rank = (path: string): number => order.indexOf(path) + 1 || order.length + 1;
  const paths = (await listed(project)).toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(project, path), 'utf8');
      const title = (/^# (.*)$/m.exec(text)?.[1] ?? path).replaceAll('`', '');
      const group = path === FIRST ? '' : 'More';
      return {
        path,
        name: nameOf(path),
        title,
        ...(places.get(path) ?? { group, label: title, wish: title }),
        markdown: await withFiles(project, path, text),
      };
    }),
  );
}

/** Where a link of a page leads, among the pages; null for files that are not served. */
function linksOf(pages: readonly Page[], path: string): (href: string) => string | null {
  const served = new Map(pages.map((page) => [page.path, page]));
  return (href) => {
    if (href.startsWith('http://127.0.0.1:8787/')) {
      return new URL(href).pathname;
    }
    if (/^https?:/.test(href) || href.startsWith('#')) {
      return href;
    }
    const [file = '', anchor] = href.split('#');
    const to = posix.join(posix.dirname(path), file);
    const page = served.get(to) ?? served.get(posix.join(to, 'README.md'));
    if (page !== undefined) {
      return `${page.name}${anchor === undefined ? '' : `#${anchor}`}`;
    }
    const example = served.get(posix.join(posix.dirname(to), 'README.md'));
    return example?.markdown.includes(`\n### ${basename(to)}\n`) === true
      ? `${example.name}#${anchorOf(basename(to))}`
      : null;
  };
}

/** The script and the style of the pages. */
async function assets(project: string): Promise<readonly Guide[]> {
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: [join(project, 'dashboard', 'guides', 'guides.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    entryNames: '[name]-[hash]',
    outdir: project,
  });
  return outputFiles.map(({ path, contents }) => ({
    name: basename(path),
    contents: Buffer.from(contents),
  }));
}

/** The sections of the pages that were parts of this one, for readers and for links from elsewhere. */
function partsOf(pages: readonly Page[], path: string): Around['parts'] {
  const own = new Set(
    sectionsOf(pages.find((page) => page.path === path)?.markdown ?? '').map(({ id }) => id),
  );
  const parts = (PARTS[path] ?? []).map((name) => `docs/${name}.md`);
  return pages
    .filter((page) => parts.includes(page.path))
    .map(({ name, label, markdown }) => ({
      name,
      label,
      headings: sectionsOf(markdown).filter(({ id }) => !own.has(id)),
    }));
}

/** /llms.txt: what there is to read. */
function llms(pages: readonly Page[]): string {
  const groups = [...new Set(pages.slice(1).map(({ group }) => group))];
  const lists = groups.map((group) => {
    const rows = pages.filter((page) => page.group === group);
    const lines = rows.map(
      ({ name, label, wish }) => `- [${label}](/guides/${name}): how to ${wish}`,
    );
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  return `# Muster

> Lobbies, matchmaking and game servers for multiplayer games, as one service that you host yourself.

All of these pages in one file: [/llms-full.txt](/llms-full.txt). Every call and event: [/openapi.json](/openapi.json).

${lists.join('\n')}`;
}

/** /llms-full.txt: every page as Markdown, one after another. */
function llmsFull(pages: readonly Page[]): string {
  const texts = pages.map(({ path, name, markdown }) => {
    const to = linksOf(pages, path);
    const text = withoutComments(markdown).replaceAll(/\]\(([^)\s]+)\)/g, (link, href: string) => {
      const target = to(href);
      return target === null || /^(?:#|\/|https?:)/.test(target) ? link : `](/guides/${target})`;
    });
    return `Page: /guides/${name}\n\n${text.trim()}\n`;
  });
  return texts.join('\n\n');
}

/** What a wrong address shows, at whatever depth it is. Its links begin at the root therefore. */
function notFound(pages: readonly Page[], index: string, made: readonly Guide[]): Guide {
  const name = 'not-found.html';
  const title = 'There is no such page';
  const text = `<h1>${title}</h1>
<p>Search the guides above, or choose one from the list. The <a href="/dashboard/">dashboard</a> and the
<a href="/docs">API reference</a> have addresses of their own.</p>`;
  const page = { name, label: title, title };
  const around = {
    pages,
    page,
    index,
    assets: made.map((each) => each.name),
    headings: [],
    previous: null,
    next: null,
    parts: [],
  };
  const relative = /(href|src|data-index)="(?!#|\/|\w+:)/g;
  return { name, contents: Buffer.from(shell(text, around).replaceAll(relative, '$1="/guides/')) };
}

/** Everything under /guides/, and the texts for programs that read. */
export async function guides(project: string, description: string): Promise<readonly Guide[]> {
  const pages = await pagesOf(project);
  const index = searchIndex(pages, description);
  const made = await assets(project);
  const pictures = new Set<string>();
  const shown = pages.map((page, at) => {
    const main = html(page.markdown, linksOf(pages, page.path));
    for (const [, picture = ''] of main.matchAll(/src="images\/([^"]+)"/g)) {
      pictures.add(picture);
    }
    const around: Around = {
      pages,
      page,
      index: index.name,
      assets: made.map(({ name }) => name),
      headings: sectionsOf(page.markdown).filter(({ depth }) => depth === 2 || depth === 3),
      previous: pages[at - 1] ?? null,
      next: pages[at + 1] ?? null,
      parts: partsOf(pages, page.path),
    };
    return { name: page.name, contents: Buffer.from(shell(main, around)) };
  });
  const images = await Promise.all(
    [...pictures].map(async (picture) => ({
      name: `images/${picture}`,
      contents: await readFile(join(project, 'docs', 'images', picture)),
    })),
  );
  const under = [...shown, notFound(pages, index.name, made), index, ...made, ...images];
  return [
    ...under.map(({ name, contents }) => ({ name: `guides/${name}`, contents })),
    { name: 'llms.txt', contents: Buffer.from(llms(pages)) },
    { name: 'llms-full.txt', contents: Buffer.from(llmsFull(pages)) },
  ];
}
