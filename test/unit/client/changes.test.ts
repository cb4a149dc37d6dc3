// The client of a stream with changes: it yields whole lobbies, in which whatever did not change is the same object, and
// comes back to the right one wherever its stream breaks.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sharing, withOperations } from '../../../packages/js/src/operations';
import { Random } from '../../../proof/sim/random';
import { MusterPlayer } from '../../../packages/js/src/player';
import type { Lobby, LobbyEvent } from '../../../packages/js/src/types';
import { sseParts } from '../../../src/common/sse';
import { operationsBetween } from '../../../src/lobby/operations';

const PLACE = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'p0' };

function lobbyAt(revision: number, players = 3, id = 'one'): Lobby {
  return {
    id,
    status: 'waiting',
    settings: { map: { name: 'dust' } },
    players: Array.from({ length: players }, (_, at) => ({
      id: `p${at}`,
      state: at === revision % players ? { n: revision, 'ü/~': [at] } : { n: 0 },
      isHost: at === 0,
    })),
    revision,
    updatedAt: `at ${revision}`,
  } as unknown as Lobby;
}

function change(from: Lobby, to: Lobby, revision = to.revision): string {
  const ops = operationsBetween(from, to) ?? [];
  const data = JSON.stringify({ revision, from: from.revision, ops });
  return sseParts('lobby_changed', data, revision).join('');
}

function whole(event: string, lobby: Lobby): string {
  return sseParts(event, JSON.stringify(lobby), lobby.revision).join('');
}

/** A body that brings these bytes, and then breaks or stays open. */
function body(bytes: Uint8Array, breaks: boolean): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      if (bytes.length > 0) {
        controller.enqueue(bytes);
      }
    },
    pull: (controller) => (breaks ? controller.error(new Error('cut')) : new Promise(() => {})),
  });
}

interface Asked {
  readonly url: URL;
  readonly lastId: string | null;
  readonly method: string;
  readonly prefer: string | undefined;
}

function asking(answer: (asked: Asked) => Response) {
  const all: Asked[] = [];
  const player = new MusterPlayer({
    ...PLACE,
    fetch: async (url, { headers, method }) => {
      const lastId = headers['last-event-id'] ?? null;
      const asked = { url: new URL(url), lastId, method, prefer: headers['prefer'] };
      all.push(asked);
      return answer(asked);
    },
  });
  return { player, all };
}

function stream(bytes: Uint8Array, breaks: boolean): Response {
  const headers = { 'content-type': 'text/event-stream' };
  return new Response(body(bytes, breaks), { headers });
}

/** The states that the player is told, until that revision. */
async function statesUntil(player: MusterPlayer, revision: number): Promise<Lobby[]> {
  const states: Lobby[] = [];
  const backoff = { firstMs: 0, maxMs: 0 };
  for await (const event of player.streamEvents({ backoff, transport: 'stream' })) {
    if ('lobby' in event && event.lobby !== null) {
      states.push(event.lobby);
      if (event.lobby.revision === revision) {
        break;
      }
    }
  }
  return states;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a stream with changes', () => {
  it('asks for them, and yields lobbies whose unchanged parts are the same objects', async () => {
    const [one, two, three] = [lobbyAt(1), lobbyAt(2), lobbyAt(3)];
    const text = whole('connected', one) + change(one, two) + whole('lobby_updated', three);
    const { player, all } = asking(() => stream(encode(text), false));
    const states = await statesUntil(player, 3);
    expect(states).toEqual([one, two, three]);
    expect(all.map(({ url }) => url.search)).toEqual(['?changes=1']);
    const [first, second, third] = states;
    expect(second?.settings).toBe(first?.settings);
    expect(second?.players[0]).toBe(first?.players[0]);
    expect(second?.players[1]).not.toBe(first?.players[1]);
    // Of a whole lobby too.
    expect(third?.settings).toBe(first?.settings);
    expect(third?.players[1]?.id).toBe('p1');
    expect(third?.players).not.toBe(second?.players);
    expect(third?.players[0]).not.toBe(second?.players[0]);
  });

  it('that is cut at any byte goes on from what was shown, and tells each state once', async () => {
    const states = [1, 2, 3, 4].map((revision) => lobbyAt(revision));
    const [one, two, three, four] = states as [Lobby, Lobby, Lobby, Lobby];
    const text =
      whole('connected', one) + change(one, two) + change(two, three) + change(three, four);
    const bytes = encode(text);
    for (let at = 0; at < bytes.length; at += 1) {
      let opened = 0;
      const { player, all } = asking(({ url, lastId }) => {
        opened += 1;
        if (opened === 1) {
          return stream(bytes.subarray(0, at), true);
        }
        const known = states.find(({ revision }) => String(revision) === lastId);
        const resumes = known !== undefined && url.searchParams.get('lobby') === 'one';
        return stream(encode(resumes ? change(known, four) : whole('connected', four)), false);
      });
      const told = await statesUntil(player, 4);
      const revisions = told.map(({ revision }) => revision);
      expect(revisions, String(at)).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
      expect(JSON.stringify(told.at(-1)), String(at)).toBe(JSON.stringify(four));
      expect(all.length, String(at)).toBe(2);
      expect(all[1]?.url.searchParams.has('lobby')).toBe(all[1]?.lastId !== null);
    }
  });

  it('in which one change is spoilt opens anew, and tells no state that there was not', async () => {
    const random = new Random(1, 69);
    const states = [1, 2, 3, 4, 5].map((revision) => lobbyAt(revision));
    const newest = states[4] as Lobby;
    for (let time = 0; time < 300; time += 1) {
      const spoilt = 1 + random.below(4);
      const events = states.map((to, at) => {
        const from = states[at - 1];
        if (from === undefined) {
          return whole('connected', to);
        }
        const ops = operationsBetween(from, to) ?? [];
        const bad = { op: 'replace', path: '/nowhere/n', value: 1 };
        const paths = ['/players/99', '/players/-1/state', '/players/01/state', '/settings/no/n'];
        const others = [
          { from: from.revision + 1 + random.below(9), ops },
          { from: -random.below(3), ops },
          { from: String(from.revision), ops },
          { from: null, ops },
          { ops },
          { from: from.revision, ops: [...ops, bad] },
          { from: from.revision, ops: [{ ...bad, path: paths[random.below(4)] }, ...ops] },
          { from: from.revision, ops: [...ops, null] },
          { from: from.revision, ops: { 0: bad } },
          { from: from.revision },
          null,
        ];
        const other = others[random.below(others.length)];
        const data = JSON.stringify(other && { revision: to.revision, ...other });
        const cut = random.chance(0.1) ? data.slice(0, -1) : data;
        return at === spoilt
          ? sseParts('lobby_changed', cut, to.revision).join('')
          : change(from, to);
      });
      const answers = [events.join(''), whole('connected', newest)];
      const { player, all } = asking(() => stream(encode(answers.shift() ?? ''), false));
      const told = await statesUntil(player, 5);
      expect(told, events[spoilt]).toEqual([...states.slice(0, spoilt), newest]);
      expect(all, events[spoilt]).toHaveLength(2);
    }
  });

  it.for([
    ['begins elsewhere', '{"revision":8,"from":7,"ops":[]}'],
    [
      'does not fit',
      '{"revision":2,"from":1,"ops":[{"op":"replace","path":"/players/9/state","value":1}]}',
    ],
  ] as const)('opens anew for the whole lobby when a change %s', async ([, data]) => {
    const bad = whole('connected', lobbyAt(1)) + sseParts('lobby_changed', data, 8).join('');
    const answers = [bad, whole('connected', lobbyAt(9))];
    const { player, all } = asking(() => stream(encode(answers.shift() ?? ''), false));
    const states = await statesUntil(player, 9);
    expect(states).toEqual([lobbyAt(1), lobbyAt(9)]);
    expect(all[1]?.url.search).toBe('?changes=1');
  });
});

describe('the operations', () => {
  it.for([
    '/__proto__/polluted',
    '/constructor/prototype/polluted',
    '/settings/__proto__/polluted',
  ])('reach no prototype: %s', (path) => {
    const ops = [{ op: 'add', path, value: true }] as const;
    expect(() => withOperations(lobbyAt(1), ops)).toThrow(RangeError);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.for(['/players/01', '/players/-1', '/players/3', '/players/x', '/nothing', ''])(
    'replace nothing that is not there: %s',
    (path) => {
      const ops = [{ op: 'remove', path }] as const;
      const run = () => withOperations(lobbyAt(1), ops);
      if (path === '') {
        expect(run()).toBeUndefined();
      } else {
        expect(run).toThrow(RangeError);
      }
    },
  );

  it('share what is the same, and nothing else', () => {
    const before = { a: { b: [1, { c: 2 }] }, d: 1 };
    const after = sharing(before, { a: { b: [1, { c: 2 }] }, d: 2 });
    expect(after).toEqual({ a: { b: [1, { c: 2 }] }, d: 2 });
    expect(after.a).toBe(before.a);
    // Another order is another text.
    const players = [{ id: 'a', n: [1] }, { id: 'b' }, { id: '0' }];
    const fewer = sharing(players, [{ id: 'b' }, { id: 'c' }, { id: '0' }]);
    expect([fewer[0], fewer[2]].map((each) => players.indexOf(each as never))).toEqual([1, 2]);
    const later = [players[1], players[2]];
    expect(sharing(players, later)).toBe(later);
    expect(Object.keys(sharing({ x: 1, y: 2 }, { y: 2, x: 1 }))).toEqual(['y', 'x']);
    expect(sharing<unknown>([1], { 0: 1 })).toEqual({ 0: 1 });
    expect(sharing<unknown>([1, 2], [1])).toEqual([1]);
  });
});

describe('a change of a player whose stream shows a lobby of many', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function listening(players: number) {
    const one = lobbyAt(1, players);
    let say: (text: string) => void = () => {};
    const { player, all } = asking(({ url, method, prefer }) => {
      if (url.pathname.endsWith('/events')) {
        const headers = { 'content-type': 'text/event-stream' };
        const readable = new ReadableStream<Uint8Array>({
          start: (controller) => {
            say = (text) => controller.enqueue(encode(text));
            say(whole('connected', one));
          },
        });
        return new Response(readable, { headers });
      }
      if (method === 'GET') {
        return Response.json(lobbyAt(6, players));
      }
      return Response.json(prefer === 'return=minimal' ? { revision: 2 } : lobbyAt(2, players));
    });
    const told: LobbyEvent[] = [];
    const read = async (): Promise<void> => {
      for await (const event of player.streamEvents({ transport: 'stream' })) {
        told.push(event);
      }
    };
    void read();
    await vi.advanceTimersByTimeAsync(0);
    expect(told).toHaveLength(1);
    return { player, all, one, say: (text: string) => say(text) };
  }

  it('is answered shortly, and resolves to what the stream shows', async () => {
    const { player, all, one, say } = await listening(21);
    const changed = player.updateMyState({ n: 1 });
    await vi.advanceTimersByTimeAsync(10);
    say(change(one, lobbyAt(3, 21)));
    expect((await changed).revision).toBe(3);
    expect(all.at(-1)?.prefer).toBe('return=minimal');
  });

  it('asks for the lobby where the stream does not show it', async () => {
    const { player, all } = await listening(21);
    const changed = player.updateLobbySettings({ name: 'x' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await changed).revision).toBe(6);
    expect(all.at(-1)?.method).toBe('GET');
  });

  it('is answered whole in a smaller lobby', async () => {
    const { player, all } = await listening(20);
    expect((await player.updateMyState({ n: 1 })).revision).toBe(2);
    expect(all.at(-1)?.prefer).toBeUndefined();
  });
});
