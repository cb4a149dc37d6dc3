// The user pages of docs/ that the service serves under /guides/: HTML from the same Markdown, without a script.
// Also the samples of the home page, which are the programs of the quickstarts.

import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';

import { build } from 'esbuild';
import { Marked, type Tokens } from 'marked';

export interface Guide {
  /** The file's name under /guides/. */
  readonly name: string;
  readonly contents: Buffer;
}

/** The order of the guides in their list. Other pages come after these. */
const FIRST = [
  'quickstarts/README',
  'concepts',
  'configuring',
  'events',
  'errors',
  'fleets',
  'operations',
];

const SAMPLES = [
  { id: 'typescript', title: 'TypeScript', page: 'typescript', file: 'play.ts' },
  { id: 'unity', title: 'Unity', page: 'unity', file: 'Duel.cs' },
  { id: 'godot', title: 'Godot', page: 'godot', file: 'duel.gd' },
  { id: 'curl', title: 'curl', page: 'http', file: null },
] as const;

/** `docs/quickstarts/unity.md` is /guides/quickstarts-unity.html. */
function nameOf(path: string): string {
  return `${path.replace(/\.md$/, '').replace('/README', '').replaceAll('/', '-')}.html`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The anchor of a heading, as on GitHub, so that links between the pages work in both places. */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replaceAll(/\s/g, '-');
}

/** The Markdown of one page as HTML. Links to files that are not served become plain text. */
function html(markdown: string, path: string, served: ReadonlySet<string>): string {
  const resolved = (href: string): string | null => {
    if (/^https?:/.test(href) || href.startsWith('#')) {
      return href;
    }
    const [file = '', anchor] = href.split('#');
    const to = posix.join(posix.dirname(path), file);
    const target = served.has(to) ? to : served.has(`${to}/README.md`) ? `${to}/README.md` : null;
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    return target === null ? null : `${nameOf(target)}${suffix}`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(text.replaceAll('`', ''))}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const to = resolved(href);
        const inner = this.parser.parseInline(tokens);
        return to === null ? inner : `<a href="${escaped(to)}">${inner}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="images/${escaped(basename(href))}" alt="${escaped(text)}" />`;
      },
      tablecell({ tokens, header }: Tokens.TableCell): string {
        // The empty corner of a table is no heading.
        const tag = header && tokens.length > 0 ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
      code({ text }: Tokens.Code): string {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  return marked.parse(markdown.replaceAll(/<!--.*?-->\n?/gs, ''), { async: false });
}

function shell(title: string, main: string, style: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)} – Muster</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${style}" />
  </head>
  <body>
    <a class="skip" href="#main">Skip to the page</a>
    <header>
      <a class="name" href="/">Muster</a>
      <nav aria-label="Muster"><a href="/guides/">Guides</a> <a href="/docs">API reference</a> <a href="/dashboard/">Dashboard</a></nav>
    </header>
    <main id="main">
${main}
    </main>
  </body>
</html>
`;
}

/** Every page under /guides/, its style and its pictures. */
export async function guides(project: string): Promise<readonly Guide[]> {
  const docs = join(project, 'docs');
  const listed = [
    ...(await readdir(docs)),
    ...(await readdir(join(docs, 'quickstarts'))).map((name) => `quickstarts/${name}`),
  ].filter((path) => path.endsWith('.md'));
  const rank = (path: string): number =>
    (FIRST.indexOf(path.replace('.md', '')) + FIRST.length + 1) % (FIRST.length + 1);
  const paths = listed.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const served = new Set(paths);
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: [join(project, 'dashboard', 'guides', 'guides.css')],
    bundle: true,
    minify: true,
    write: false,
    entryNames: '[name]-[hash]',
    outdir: project,
  });
  const [sheet] = outputFiles;
  if (sheet === undefined) {
    throw new Error('the guides have no style');
  }
  const style = basename(sheet.path);
  const pictures = new Set<string>();
  const titles = new Map<string, string>();
  const pages: Guide[] = [];
  for (const path of paths) {
    const markdown = await readFile(join(docs, path), 'utf8');
    const title = /^# (.*)$/m.exec(markdown)?.[1] ?? path;
    titles.set(path, title);
    const main = html(markdown, path, served);
    for (const [, picture = ''] of main.matchAll(/src="images\/([^"]+)"/g)) {
      pictures.add(picture);
    }
    pages.push({ name: nameOf(path), contents: Buffer.from(shell(title, main, style)) });
  }
  const row = (path: string): string =>
    `<li><a href="${nameOf(path)}">${escaped(titles.get(path) ?? path)}</a></li>`;
  const list = (isQuick: boolean): string =>
    `<ul>${paths
      .filter((path) => path.startsWith('quickstarts/') === isQuick)
      .map(row)
      .join('\n')}</ul>`;
  const main = `<h1>Guides</h1>\n<h2>Quickstarts, ten minutes each</h2>\n${list(true)}\n<h2>Everything else</h2>\n${list(false)}`;
  return [
    ...pages,
    { name: 'index.html', contents: Buffer.from(shell('Guides', main, style)) },
    { name: style, contents: Buffer.from(sheet.contents) },
    ...(await Promise.all(
      [...pictures].map(async (picture) => ({
        name: `images/${picture}`,
        contents: await readFile(join(docs, 'images', picture)),
      })),
    )),
  ];
}

/** The programs of four quickstarts as HTML. Radio buttons choose one, without a script. */
export async function samples(project: string): Promise<string> {
  const parts = await Promise.all(
    SAMPLES.map(async ({ id, title, page, file }, index) => {
      const text = await readFile(join(project, 'docs', 'quickstarts', `${page}.md`), 'utf8');
      const code = (file === null ? commandsOf(text) : fileOf(text, file)).trim();
      const choice = `<label><input type="radio" name="sample" value="${id}"${index === 0 ? ' checked' : ''} />${title}</label>`;
      const shown = `<div class="sample" id="sample-${id}">
  <p><a href="/guides/quickstarts-${page}.html">The ${title} quickstart</a><button class="copy" type="button" hidden>Copy</button></p>
  <pre tabindex="0" aria-label="${title}"><code>${escaped(code)}</code></pre>
</div>`;
      return { choice, shown };
    }),
  );
  return `<fieldset class="samples">
<legend class="unseen">Language</legend>
${parts.map(({ choice }) => choice).join('\n')}
${parts.map(({ shown }) => shown).join('\n')}
</fieldset>`;
}

/** The block that a quickstart has its reader save as that file. */
function fileOf(text: string, file: string): string {
  const after = text.split(`<!-- file: ${file} -->`)[1];
  const block = /```\w+\n(.*?)```/s.exec(after ?? '')?.[1];
  if (block === undefined) {
    throw new Error(`a quickstart has no file ${file}`);
  }
  return block;
}

/** The shell blocks of a quickstart, one after another. */
function commandsOf(text: string): string {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block).join('\n');
}
