// Links of the documents lead somewhere: to files that exist, and to headings that are there.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url).href);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function pagesBelow(folder: string): readonly string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).map(String);
  return names.filter((name) => name.endsWith('.md')).map((name) => join(folder, name));
}

const PAGES = [
  'README.md',
  'AGENTS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'proof/README.md',
  ...pagesBelow('packages'),
  ...pagesBelow('docs'),
  ...pagesBelow('examples'),
];

/** Without code, where brackets and parentheses mean something else. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The names that headings get in a rendered page. */
function anchors(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function targets(text: string): readonly string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)];
  const sources = [...text.matchAll(/\b(?:src|srcset)="([^"]+)"/g)];
  return [...links, ...sources].map(([, target = '']) => target);
}

it('lead to files and headings that are there', () => {
  let count = 0;
  const broken = PAGES.flatMap((page) =>
    targets(read(page)).filter((target) => {
      if (/^[a-z]+:/.test(target)) {
        return false;
      }
      count += 1;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(ROOT, file))) {
        return true;
      }
      return anchor !== undefined && !anchors(read(file)).has(anchor);
    }),
  );
  expect(count).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});
