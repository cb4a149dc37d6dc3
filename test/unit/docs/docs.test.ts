// What the pages of docs/ list is what there is.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  CONFIRMATION,
  LOBBY,
  MATCHMAKING,
  PAGE,
  PLAYER,
  PORT,
  QUEUE_STATS,
  SERVER,
} from '../../sdk/types';
import { fileIn } from '../../browser/page';
import { RETURN_REASONS } from '../../../dashboard/description/answers';
import { EVENTS } from '../../../dashboard/description/event-list';
import { REFUSALS } from '../../../src/lobby/refusals';

const at = (path: string): string =>
  fileURLToPath(new URL(`../../../${path}`, import.meta.url).href);
const page = (name: string): string => readFileSync(at(`docs/${name}`), 'utf8');

/** First and second cells of every table row: `| A | B |...`. */
function rows(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, one = '', two = '']) => [
    one,
    two,
  ]);
}

/** What the service serves under /guides/. */
const GUIDES = ['docs', 'docs/quickstarts', 'examples']
  .flatMap((folder) =>
    readdirSync(at(folder), { recursive: folder === 'examples', encoding: 'utf8' }).map(
      (name) => `${folder}/${name}`,
    ),
  )
  .concat(readdirSync(at('packages')).map((name) => `packages/${name}/README.md`))
  .filter((path) => path.endsWith('.md') && existsSync(at(path)));

/** The sentences of a page that are long enough to be somebody's, without code, comments and links. */
function sentences(text: string): readonly string[] {
  const prose = text
    .replaceAll(/^(```|~~~).*?^\1.*?$|<!--.*?-->/gms, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return prose
    .split(/\n\s*\n|\n(?=[-|])/)
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.:]) /))
    .filter((sentence) => sentence.length >= 60 && !sentence.startsWith('|'));
}

describe('the guides', () => {
  const texts = new Map(GUIDES.map((path) => [path, readFileSync(at(path), 'utf8')]));

  it('are all in the page that says what to do for what one wants', () => {
    const linked = [...page('README.md').matchAll(/\]\(([^)]+\.md)\)/g)].map(([, to = '']) =>
      join('docs', to),
    );
    expect(linked.toSorted()).toEqual(
      GUIDES.filter((path) => path !== 'docs/README.md').toSorted(),
    );
  });

  it('say nothing twice, but in quickstarts and examples, which stand alone', () => {
    const seen = new Map<string, string>();
    const twice: string[] = [];
    for (const [path, text] of [...texts, ['README.md', page('../README.md')] as const]) {
      for (const sentence of /quickstarts|examples/.test(path) ? [] : sentences(text)) {
        const before = seen.get(sentence);
        if (before !== undefined) {
          twice.push(`${before}, ${path}: ${sentence}`);
        }
        seen.set(sentence, path);
      }
    }
    expect(seen.size).toBeGreaterThan(700);
    expect(twice).toEqual([]);
  });

  it('name the API that Muster speaks', () => {
    const unnamed = [...texts].filter(([, text]) => /\bhosted (?:service|API)/i.test(text));
    expect(unnamed.map(([path]) => path)).toEqual([]);
    expect(page('../README.md')).not.toMatch(/\bhosted (?:service|API)/i);
    expect(page('compatibility.md')).toMatch(/\[PlayFlow\]\(https:\/\/[^)]+\), version 3/);
  });
});

describe('docs/whole-game.md', () => {
  it('has the files of its example as they are', () => {
    const text = page('whole-game.md');
    const names = readdirSync(at('examples/pong')).filter((name) => name !== 'README.md');
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      expect(fileIn(text, name), name).toBe(readFileSync(at(`examples/pong/${name}`), 'utf8'));
    }
  });
});

describe('docs/errors.md', () => {
  const told = rows(page('errors.md')).flatMap(([codes, status]) =>
    [...codes.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => [code, status] as const),
  );

  it('tells what to do about every code, with its status', () => {
    expect([...new Set(told.map(([code]) => code))].toSorted()).toEqual(
      Object.keys(REFUSALS).toSorted(),
    );
    for (const [code, status] of told) {
      expect(Number(status), code).toBe(REFUSALS[code as keyof typeof REFUSALS].status);
    }
  });
});

describe('the shell blocks that a newcomer pastes', () => {
  const pages = ['quickstarts', '../examples'].flatMap((folder) =>
    readdirSync(at(`docs/${folder}`), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  );
  const blocks = ['../README.md', '../packages/js/README.md', ...pages].flatMap((name) =>
    [...page(name).matchAll(/^```sh\n(.*?)^```$/gms)].map(
      ([, block = '']) => [name, block] as const,
    ),
  );

  it('print what the service refused, and wait for nothing for ever', () => {
    expect(blocks.length).toBeGreaterThan(30);
    for (const [name, block] of blocks) {
      for (const command of block.match(/curl -.*/g) ?? []) {
        expect(command, name).toMatch(/ --fail-with-body |^curl -sSN /);
      }
      for (const [loop] of block.matchAll(/^\s*(?:until|while) .*?; do/gms)) {
        expect(loop, name).toMatch(/\[ \$\(\(tries \+= 1\)\) -gt \d+ \]/);
      }
    }
  });
});

describe('docs/events.md', () => {
  it('tells every event and every reason', () => {
    const firsts = new Set(rows(page('events.md')).map(([first]) => first.replaceAll('`', '')));
    expect([...firsts]).toEqual(expect.arrayContaining(Object.keys(EVENTS)));
    expect([...firsts]).toEqual(expect.arrayContaining([...RETURN_REASONS]));
  });
});

describe('docs/internals/sdk.md', () => {
  it('shows the types that the client of test/sdk parses, all and in order', () => {
    const tables = [LOBBY, PLAYER, MATCHMAKING, CONFIRMATION, QUEUE_STATS, SERVER, PORT, PAGE];
    const shown = [...page('internals/sdk.md').matchAll(/^\| [^|]+ \| `(\w+)` \| ([a-z ]+) \|$/gm)];
    expect(shown.map(([, field, type]) => [field, type])).toEqual(
      tables.flatMap((fields) => Object.entries(fields)),
    );
  });

  it('names only tests that there are', () => {
    const names = ['fleet', 'http', 'lobby', 'sdk', 'unit', 'wire'].flatMap((folder) =>
      readdirSync(at(`test/${folder}`), { recursive: true })
        .map(String)
        .filter((file) => file.endsWith('.test.ts'))
        .flatMap((file) => {
          const text = readFileSync(at(`test/${folder}/${file}`), 'utf8');
          return [
            basename(file),
            ...[...text.matchAll(/'((?:[^'\\\n]|\\.)+)'/g)].map(([, name]) => name),
          ];
        }),
    );
    const shown = page('internals/sdk.md')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) => {
        const last = line.split('|').at(-2) ?? '';
        return [...last.matchAll(/`([^`]+)`|([\w-]+\.test\.ts)/g)].map(
          ([, name, file]) => name?.replace(/\s*\.\.\.$/, '') ?? file ?? '',
        );
      })
      .filter((name) => name !== 'unreadable' && !name.startsWith('test/'));
    expect(shown.length).toBeGreaterThan(40);
    expect(shown.filter((name) => !names.some((known) => known?.startsWith(name)))).toEqual([]);
  });
});
