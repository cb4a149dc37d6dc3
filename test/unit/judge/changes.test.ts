// The judge reads histories of streams that ask for changes.

import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../proof/judge/lines';
import { ledBy } from '../../../proof/judge/changes';

const LOBBY = { id: 'l', revision: 1, players: [{ id: 'ann', state: { 'a/b': 1 } }] };

function changeTo(path: string, more: object = {}): object {
  const ops = [
    { op: 'replace', path, value: 2 },
    { op: 'replace', path: '/revision', value: 2 },
  ];
  return { revision: 2, from: 1, ops, ...more };
}

describe('a change in a history', () => {
  it('shows the lobby that it leads to', () => {
    const lines = [
      { history: 1, of: 'x' },
      { at: 1, stream: 1, who: 'ann', does: 'GET /v3/lobbies/arena/me/events' },
      { at: 2, stream: 1, event: 'connected', data: LOBBY },
      { at: 3, stream: 1, event: 'lobby_changed', data: changeTo('/players/0/state/a~1b') },
      { at: 4, stream: 1, event: 'lobby_changed', data: changeTo('/players/0/state/a~1b') },
    ];
    const { events } = historyOf(lines.map((line) => JSON.stringify(line)).join('\n'));
    const players = [{ id: 'ann', state: { 'a/b': 2 } }];
    expect(events[1]?.data).toEqual({ id: 'l', revision: 2, players });
    expect(events[2]?.data).toEqual({ unled: expect.stringContaining('begins at revision 1') });
  });

  it.for([
    ['another revision', changeTo('/players/0/state/a~1b', { revision: 3 })],
    ['a player who is not there', changeTo('/players/1/state/a~1b')],
    ['a key that is not there', changeTo('/players/0/state/a')],
    ['a prototype', changeTo('/players/0/__proto__/x')],
  ] as const)('leads to no lobby with %s', ([, change]) => {
    expect(ledBy(LOBBY, change)).toEqual({ unled: expect.any(String) });
  });
});
