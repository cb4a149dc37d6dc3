// The Markdown of one guide as HTML, and what the guides know of it: its headings, and its sections as plain words.

import { basename } from 'node:path';

import { Marked, type Tokens } from 'marked';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

export interface Section extends Heading {
  /** Its prose and tables, without code blocks. */
  readonly prose: string;
  /** Its code: the blocks, and what stands as code in its prose. */
  readonly code: string;
}

/** Where the pages have Muster, and what `npm start` prints. The page's script names the address that served it. */
const ADDRESS = 'http://127.0.0.1:8787';
/** Shorter names never wrap; longer ones may behind these signs, on a narrow screen. */
const BREAKABLE = 28;

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** HTML in which the address of Muster can be filled in. */
function addressed(text: string): string {
  return text.replaceAll(ADDRESS, `<span class="origin">${ADDRESS}</span>`);
}

export function code(text: string): string {
  return addressed(escaped(text));
}

/** The anchor of a heading, as on GitHub, so that links between the pages work in both places. */
export function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replaceAll(/\s/g, '-');
}

export function withoutComments(markdown: string): string {
  return markdown.replaceAll(/<!--.*?-->\n*/gs, '');
}

/** Markdown without its marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[|\s:-]+$/gm, '')
    .replaceAll(/[`*]+/g, '')
    .replaceAll(/[|<>\\]+|^#+ /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The page in parts, each from its heading to the next. */
export function sectionsOf(markdown: string): readonly Section[] {
  const sections: { head: Heading; prose: string[]; code: string[] }[] = [];
  for (const token of new Marked().lexer(withoutComments(markdown))) {
    if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading;
      const head = { depth, id: anchorOf(text), text: plain(text) };
      sections.push({ head, prose: [], code: [] });
    } else {
      const prose = token.type === 'code' ? '' : token.raw.replaceAll(BLOCK, '');
      const blocks = token.type === 'code' ? [token.raw] : (token.raw.match(BLOCK) ?? []);
      sections.at(-1)?.prose.push(plain(prose));
      sections.at(-1)?.code.push(...blocks, ...(prose.match(/`[^`]+`/g) ?? []));
    }
  }
  return sections.map(({ head, prose, code: parts }) => {
    return { ...head, prose: prose.join(' ').trim(), code: parts.join(' ') };
  });
}

/** Code blocks can stand in lists. */
const BLOCK = /^( *)```.*?^\1```/gms;

/** A page's HTML. `resolved` leads a link of the page to what is served, or to null. */
export function html(markdown: string, resolved: (href: string) => string | null): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens);
        const id = anchorOf(text);
        const linked = depth === 1 ? inner : `<a class="to" href="#${id}">${inner}</a>`;
        return `<h${depth} id="${id}">${linked}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const to = resolved(href);
        const inner = this.parser.parseInline(tokens);
        return to === null ? inner : `<a href="${escaped(to)}">${addressed(inner)}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="images/${escaped(basename(href))}" alt="${escaped(text)}" />`;
      },
      codespan({ text }: Tokens.Codespan): string {
        const shown = code(text);
        const parted = shown.replaceAll(/<[^>]+>|[/?,=(](?!$)/g, (part) =>
          part.startsWith('<') ? part : `${part}<wbr>`,
        );
        return text.length > BREAKABLE
          ? `<code class="long">${parted}</code>`
          : `<code>${shown}</code>`;
      },
      table(token: Tokens.Table): string {
        const row = (cells: readonly Tokens.TableCell[]): string =>
          `<tr>${cells.map((each) => this.tablecell(each)).join('')}</tr>\n`;
        return `<div class="table" tabindex="0"><table>
<thead>${row(token.header)}</thead>
<tbody>${token.rows.map(row).join('')}</tbody>
</table></div>\n`;
      },
      tablecell({ tokens, header }: Tokens.TableCell): string {
        // The empty corner of a table is no heading.
        const tag = header && tokens.length > 0 ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
      },
      code({ text, lang = '' }: Tokens.Code): string {
        const kind = /^\w+$/.test(lang) ? ` class="${lang}"` : '';
        return `<div class="code"><pre${kind} tabindex="0"><code>${code(text)}</code></pre></div>\n`;
      },
    },
  });
  return marked.parse(withoutComments(markdown), { async: false });
}
