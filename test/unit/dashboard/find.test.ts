// What the search of the guides finds, in an index of two pages.

import { expect, it } from 'vitest';
import { find, type Index } from '../../../dashboard/guides/find.ts';
import { searchIndex } from '../../../scripts/guide-search.ts';

const PAGES = [
  {
    name: 'http.html',
    title: 'HTTP',
    markdown: `# HTTP

Say who plays.

## Players

Send the header \`x-player-id\`, and a heartbeat.

## Presence

A player says by a heartbeat that it is there. It is in code here, too:

    heartbeatTimeout: 30
`,
  },
  {
    name: 'heartbeats.html',
    title: 'Staying',
    markdown: `# Staying

## The heartbeat

Of x, a player and an id.
`,
  },
];

function titles(asked: string): readonly string[] {
  const { contents } = searchIndex(PAGES, '{"paths":{}}');
  return find(JSON.parse(contents.toString()) as Index, asked).map(({ title }) => title);
}

it('keeps together what hyphens hold together', () => {
  expect(titles('x-player-id')).toEqual(['HTTP › Players']);
  expect(titles('X-Player')).toEqual(['HTTP › Players']);
  expect(titles('player')).toContain('Staying › The heartbeat');
});

it('shows headings first, then code, then prose', () => {
  expect(titles('heartbeat')).toEqual([
    'Staying › The heartbeat',
    'HTTP › Presence',
    'HTTP › Players',
  ]);
});
