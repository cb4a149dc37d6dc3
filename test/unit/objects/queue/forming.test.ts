// A party that changes while its queue asks it to hold: the match was made for who it was. And a request that comes
// when its match is made already.

import { describe, expect, it } from 'vitest';
import type { Hold } from '../../../../src/lobby/queueing';
import type { LobbyRpc } from '../../../../src/objects/contracts/lobby';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import type { MatchRpc } from '../../../../src/objects/contracts/match';
import { QueueActor } from '../../../../src/objects/queue/actor';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import { fakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';
import { DUEL, entry, NOW, waiting, wake, type Peers } from '../../../support/waking-queue';

function partyOf({ id, lobbyId, players, startedAt }: Ticket): PartySnapshot {
  const shown = players.map((player) => ({ id: player, state: {} }));
  const host = players[0] ?? ('' as PartySnapshot['host']);
  return { lobbyId, ticketId: id, name: '', host, startedAt, settings: {}, players: shown };
}

describe('a party that grew while it was asked to hold', () => {
  it('does not come into the match that was made for it as it was', async () => {
    const rules = mode({ playersPerTeam: 2, minPlayersPerTeam: 1 });
    const now = 1_800_000_000_000;
    const big = ticket('big', { size: 2, at: now });
    const one = ticket('one', { size: 1, at: now });
    const other = ticket('other', { size: 1, at: now });
    const grown = ticket('one', { size: 2, at: now });
    const opened: string[] = [];
    const answers: (() => void)[] = [];
    const parties = new Map([big, grown, other].map((each) => [each.lobbyId, partyOf(each)]));
    const fake = fakePorts({
      name: 'studio',
      document: { revision: 0, configs: {}, builds: {} },
      peers: {
        lobby: (id) =>
          ({
            hold: () =>
              new Promise((resolve) => {
                const party = parties.get(id);
                answers.push(() => resolve({ held: true, party }));
              }),
            release: async () => true,
            refresh: async () => true,
          }) as unknown as LobbyRpc,
        match: (id) =>
          ({
            open: async () => {
              opened.push(id);
              return 'opened';
            },
          }) as unknown as MatchRpc,
      },
    });
    const ports = { ...fake.ports, name: ['studio', 'arena', 'duos'] };
    const queue = new QueueActor(ports);
    const put = (each: Ticket, revision: number) =>
      queue.enter({ ticket: each, revision, mode: rules, modeRevision: 1 });
    await put(big, 1);
    await put(one, 1);
    await put(other, 1);
    await fake.pass(10);
    expect(answers).toHaveLength(3);
    await put(grown, 2);
    answers.forEach((answer) => answer());
    await fake.pass(10);
    expect(opened).toEqual([]);
    const refused = (await queue.journal(null)).text
      .split('\n')
      .find((line) => /refused/.test(line));
    expect(JSON.parse(refused ?? '')).toMatchObject({ by: [{ ticketId: 'one', how: 'changed' }] });
  });
});

describe('the number that fences a ticket', () => {
  it('rises only with a proposal that its lobby held for', async () => {
    const now = 1_800_000_000_000;
    const [bound, free] = [ticket('bound', { at: now }), ticket('free', { at: now })];
    const asked: Hold[] = [];
    const fake = fakePorts({
      name: 'studio',
      document: { revision: 0, configs: {}, builds: {} },
      peers: {
        lobby: (id) =>
          ({
            hold: async (request: Hold) => {
              asked.push(request);
              return id === bound.lobbyId
                ? { held: false, searches: asked.length < 5 }
                : { held: true, party: partyOf(free) };
            },
            release: async () => true,
            returned: async () => {},
          }) as unknown as LobbyRpc,
      },
    });
    const queue = new QueueActor({ ...fake.ports, name: ['studio', 'arena', 'duel'] });
    for (const each of [bound, free]) {
      await queue.enter({ ticket: each, revision: 1, mode: mode({}), modeRevision: 1 });
    }
    for (let round = 0; round < 5; round += 1) {
      await fake.pass(10);
    }
    const told = (id: string) =>
      asked.filter(({ ticketId }) => ticketId === id).map(({ seq, gaveUp }) => [seq, gaveUp]);
    // It is bound by a hold that the queue knows nothing of, which no number may loosen.
    expect(told('bound').slice(0, 2)).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(told('free').slice(0, 2)).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });
});

describe('a lobby that does not answer', () => {
  const takenIn = async ({ queue }: ReturnType<typeof wake>) =>
    (await queue.report(null)).oldest.map(({ id, taken }) => [id, taken]);

  it('stays taken until it acknowledges its release, also by a queue that wakes', async () => {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const acknowledged: ((searches: boolean) => void)[] = [];
    let isSilent = true;
    const peers: Peers = {
      hold: (id, held) => (isSilent && id === b.id ? new Promise(() => {}) : Promise.resolve(held)),
      release: () => new Promise((resolve) => acknowledged.push(resolve)),
    };
    const first = wake(new Map(), 4, peers);
    await first.queue.enter(entry(a, DUEL));
    await first.queue.enter(entry(b, DUEL));
    await first.pass(3_100);
    await first.settle();
    // The one that held is free.
    const expected = [
      [a.id, false],
      [b.id, true],
    ];
    expect(await takenIn(first)).toEqual(expected);
    const second = wake(new Map(first.saved), 4, peers);
    await second.settle();
    expect(await takenIn(second)).toEqual(expected);
    isSilent = false;
    await second.pass(60_000);
    acknowledged.splice(0).forEach((acknowledge) => acknowledge(true));
    await second.pass(10);
    await second.settle();
    expect(second.opened).toHaveLength(1);
    await second.pass(0);
    expect([...second.saved.keys()].filter((key) => key.startsWith('proposal:'))).toEqual([]);
  });
});

describe('a ticket whose lobby refuses a hold because it is bound to another match', () => {
  it('stays in the queue if the lobby was freed and entered again before its refusal comes', async () => {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const refusals: (() => void)[] = [];
    const woken = wake(new Map(), 4, {
      hold: (id, held) =>
        id === b.id && refusals.length === 0
          ? new Promise((resolve) => refusals.push(() => resolve({ held: false, searches: false })))
          : Promise.resolve(held),
    });
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    await woken.queue.enter(entry(b, DUEL));
    expect(refusals).toHaveLength(1);
    refusals[0]?.();
    await woken.settle();
    expect(woken.opened).toHaveLength(1);
  });

  it('stays in the queue if the lobby entered again while a queue that woke asked the match', async () => {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const first = wake(new Map(), 4, { hold: () => new Promise(() => {}) });
    await first.queue.enter(entry(a, DUEL));
    await first.queue.enter(entry(b, DUEL));
    await first.settle();
    const asked: ((outcome: 'aborted') => void)[] = [];
    let isBound = true;
    const second = wake(new Map(first.saved), 4, {
      hold: async (id, held) => (isBound && id === b.id ? { held: false, searches: false } : held),
      outcome: () => new Promise((resolve) => asked.push(resolve)),
    });
    await second.settle();
    isBound = false;
    await second.queue.enter(entry(b, DUEL));
    expect(asked).toHaveLength(1);
    asked[0]?.('aborted');
    await second.settle();
    expect(second.opened).toHaveLength(1);
  });
});

describe('a ticket whose lobby says at its release that it searches no more', () => {
  const tickets = async ({ queue }: ReturnType<typeof wake>) =>
    (await queue.report(null)).oldest.map(({ id }) => id);

  it('leaves the queue, also where the ticket was free again before', async () => {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const woken = wake(new Map(), 4, {
      hold: async (id, held) => (id === b.id ? { held: false, searches: false } : held),
      release: async () => false,
    });
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    expect(await tickets(woken)).toEqual([]);
  });

  it('leaves the queue, also where its match was told of first', async () => {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const decided: ((how: 'aborted') => void)[] = [];
    const woken = wake(new Map(), 4, {
      release: async () => false,
      open: () => new Promise((resolve) => decided.push(resolve)),
    });
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    expect(decided).toHaveLength(1);
    await woken.queue.leave(b.id);
    decided.forEach((decide) => decide('aborted'));
    await woken.settle();
    expect(await tickets(woken)).toEqual([]);
  });

  it('stays where another proposal has taken it since: that one asks the lobby itself', async () => {
    const [a = ticket('a'), b = ticket('b'), c = ticket('c')] = waiting(3);
    const acknowledged: ((searches: boolean) => void)[] = [];
    const asked: string[] = [];
    const woken = wake(new Map(), 4, {
      hold: (id, held) => {
        asked.push(id);
        const isGone = id === b.id;
        const isSecond = asked.filter((each) => each === id).length > 1 || id === c.id;
        return isSecond
          ? new Promise(() => {})
          : Promise.resolve(isGone ? { held: false, searches: false } : held);
      },
      release: () => new Promise((resolve) => acknowledged.push(resolve)),
    });
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    await woken.queue.enter(entry(c, DUEL));
    await woken.settle();
    expect(asked).toEqual([a.id, b.id, a.id, c.id]);
    acknowledged.splice(0).forEach((acknowledge) => acknowledge(false));
    await woken.settle();
    expect((await tickets(woken)).toSorted()).toEqual([a.id, c.id].toSorted());
  });
});

describe('a ticket that came into a match', () => {
  it('is not brought back by a request that comes late', async () => {
    const woken = wake(new Map());
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    // From when it has been awake for so long, a queue knows which tickets have left.
    await woken.pass(120_000);
    const now = NOW + 120_000;
    const entries = [a, b].map((each) => entry({ ...each, startedAt: now }, DUEL));
    for (const each of entries) {
      await woken.queue.enter(each);
    }
    await woken.settle();
    expect(woken.opened).toHaveLength(1);
    for (const each of entries) {
      await woken.queue.enter(each);
    }
    await woken.settle();
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(0);
    expect(woken.opened).toHaveLength(1);
    expect(woken.refreshed).toEqual([]);
  });
});
