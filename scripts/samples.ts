// The samples of the home page: the programs of four quickstarts, which play the match that the page plays.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { code } from './guide-markdown.ts';

const SAMPLES = [
  { id: 'typescript', title: 'TypeScript', page: 'typescript', file: 'play.ts' },
  { id: 'unity', title: 'Unity', page: 'unity', file: 'Duel.cs' },
  { id: 'godot', title: 'Godot', page: 'godot', file: 'duel.gd' },
  { id: 'curl', title: 'curl', page: 'http', file: null },
] as const;

/** What the page fills in, as the quickstarts have it: for whom, and what is played. */
const NAMES = { config: 'quickstart', mode: 'duel', key: 'client_dev_key' } as const;

/** The programs of four quickstarts as HTML. Radio buttons choose one, without a script. */
export async function samples(project: string): Promise<string> {
  const parts = await Promise.all(
    SAMPLES.map(async ({ id, title, page, file }, index) => {
      const text = await readFile(join(project, 'docs', 'quickstarts', `${page}.md`), 'utf8');
      const program = (file === null ? commandsOf(text) : fileOf(text, file)).trim();
      const choice = `<label><input type="radio" name="sample" value="${id}"${index === 0 ? ' checked' : ''} />${title}</label>`;
      const shown = `<div class="sample" id="sample-${id}">
  <p><a href="/guides/quickstarts-${page}.html">The ${title} quickstart</a></p>
  <div class="code"><pre tabindex="0" aria-label="${title}"><code>${named(code(program))}</code></pre></div>
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

/** The names that the page fills in, each in an element of its class. */
function named(html: string): string {
  return Object.entries(NAMES).reduce(
    (text, [name, value]) =>
      text.replaceAll(
        new RegExp(`(&quot;|'|/|: )${value}(?!\\w)`, 'g'),
        `$1<span class="${name}">${value}</span>`,
      ),
    html,
  );
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

/** The shell blocks of a quickstart that play its first match, up to its end: the config of the page is there already. */
function commandsOf(text: string): string {
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  const end = blocks.findIndex((block) => block.includes('/end-match'));
  if (end === -1) {
    throw new Error('a quickstart ends no match');
  }
  return blocks
    .slice(0, end + 1)
    .filter((block) => !block.includes('/lobby-configs/'))
    .join('\n');
}
