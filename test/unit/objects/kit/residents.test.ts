// An actor of a box that ended while its code was still at work: that code has no effect any more,
// and who waits for it is told at once.

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { LobbyId } from '../../../../src/common/ids';
import { Alarm } from '../../../../src/objects/kit/alarm';
import { commit } from '../../../../src/objects/kit/commit';
import type { ActorPorts } from '../../../../src/objects/contracts/actor-ports';
import type { FarEnd } from '../../../../src/objects/kit/ports';
import type { Ground } from '../../../../src/objects/placement/box/ground';
import { Residents } from '../../../../src/objects/placement/box/residents';

interface Trial {
  readonly residents: Residents;
  readonly hosts: ActorPorts[];
  readonly told: string[];
  readonly broken: FarEnd[];
  readonly timers: Set<() => void>;
  readonly rows: ReadonlyMap<string, unknown>;
  readonly transactions: { count: number };
}

/** Lobbies whose methods are given; `hosts` are theirs, in the order in which they were made. */
function trial(
  methods: (ports: ActorPorts, told: string[]) => Record<string, () => Promise<unknown>>,
): Trial {
  const hosts: ActorPorts[] = [];
  const told: string[] = [];
  const broken: FarEnd[] = [];
  const timers = new Set<() => void>();
  const rows = new Map<string, unknown>();
  const transactions = { count: 0 };
  const ground: Ground = {
    rows: {
      get: <T>(key: string) => rows.get(key) as T | undefined,
      put: (key, value) => {
        if (key.endsWith('>refused')) {
          throw new Error('no room');
        }
        rows.set(key, value);
      },
      delete: (key) => void rows.delete(key),
      list: () => [],
      atomically: (run) => {
        transactions.count += 1;
        const before = [...rows];
        try {
          return run();
        } catch (error) {
          rows.clear();
          before.forEach(([key, value]) => rows.set(key, value));
          throw error;
        }
      },
    },
    alarms: {
      put: () => {},
      delete: () => {},
      get: () => null,
      all: () => [],
      wake: () => {},
    },
    make: (_, ports) => {
      hosts.push(ports);
      return methods(ports, told);
    },
    basics: {
      now: () => 0,
      uuid: () => 'uuid',
      instanceId: () => {
        throw new Error('no server is asked for');
      },
      token: () => 'token',
      random: () => 0.5,
    },
    later: (_, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
    log: () => {},
    background: (work) => void work.catch(() => {}),
    post: () => {
      const post = {
        post: () => {},
        break: () => void broken.push(post),
        listen: () => {},
        hangUp: async () => {},
      };
      return post;
    },
    gate: (send) => send(),
    document: () => Promise.reject(new Error('there is none')),
    copy: (value) => structuredClone(value),
  };
  return { residents: new Residents(ground), hosts, told, broken, timers, rows, transactions };
}

const never = (): Promise<never> => new Promise(() => {});

describe('an actor that was aborted', () => {
  it('fails the calls under way at once, and the next call makes it anew', async () => {
    const { residents, hosts } = trial(() => ({ wait: never, answer: async () => 'here' }));
    const waiting = residents.run('lobby', 'den', 'wait', []);
    hosts[0]?.abort('a transaction failed');
    await expect(waiting).rejects.toThrow('gone: lobby|den');
    expect(await residents.run('lobby', 'den', 'answer', [])).toBe('here');
    expect(hosts.length).toBe(2);
  });

  it('tells nobody what it believes', async () => {
    const { residents, hosts, told } = trial((ports, all) => ({
      read: async () => all.push('told'),
      wait: never,
      tell: () => ports.peers.lobby('hut' as LobbyId).read('ann' as never),
    }));
    void residents.run('lobby', 'den', 'wait', []).catch(() => {});
    const [old] = hosts;
    old?.abort('a transaction failed');
    await expect(old?.peers.lobby('hut' as LobbyId).read('ann' as never)).rejects.toThrow('gone');
    expect(told).toEqual([]);
    await residents.run('lobby', 'den', 'tell', []);
    expect(told).toEqual(['told']);
  });

  it('writes nothing, and has no timers and no streams', () => {
    const { residents, hosts, broken, timers } = trial(() => ({ wait: never }));
    void residents.run('lobby', 'den', 'wait', []).catch(() => {});
    const [old] = hosts;
    let rang = 0;
    old?.lines.open('ann', false);
    old?.later(1_000, () => (rang += 1));
    old?.abort('a transaction failed');
    old?.later(1_000, () => (rang += 1));
    timers.forEach((run) => run());
    expect(rang).toBe(0);
    expect(broken.length).toBe(1);
    expect(() => old?.store.put('key', 1)).toThrow('gone');
  });

  it('leaves no rejection behind that nobody sees, where its own alarm ended it', async () => {
    const { residents } = trial((ports) => {
      const alarm = new Alarm(ports, () => []);
      const fail = (): never => {
        throw new Error('the disk is full');
      };
      return { alarm: () => alarm.fired(async () => commit(ports, fail)) };
    });
    const unseen: unknown[] = [];
    const note = (error: unknown): void => void unseen.push(error);
    process.on('unhandledRejection', note);
    await expect(residents.run('lobby', 'den', 'alarm', [])).rejects.toThrow('gone: lobby|den');
    await setImmediate();
    process.off('unhandledRejection', note);
    expect(unseen).toEqual([]);
  });
});

describe('lobbies that an actor asks together', () => {
  const ids = ['a', 'b', 'c'];
  const ask = (act: (ports: ActorPorts, save: () => void) => Promise<unknown>): Trial =>
    trial((ports, told) => ({
      ask: () =>
        Promise.all(
          ids.map((id) =>
            ports.peers
              .lobby(id as LobbyId)
              .release({} as never)
              .then(String, (error: unknown) => `failed: ${String(error)}`),
          ),
        ),
      release: async () => {
        told.push(`${ports.name[0]}`);
        const save = (): void => commit(ports, () => ports.store.put('held', true));
        await act(ports, save);
        return ports.name[0];
      },
    }));

  it('are saved in one transaction', async () => {
    const { residents, rows, transactions } = ask(async (_, save) => save());
    expect(await residents.run('match', 'm', 'ask', [])).toEqual(ids);
    expect([rows.size, transactions.count]).toEqual([3, 1]);
  });

  it('are saved in as many commits as it takes, where one would be too large', async () => {
    const { residents, rows, transactions } = ask(async (ports) => {
      commit(ports, () => ports.store.put('state', 'x'.repeat(150_000)));
    });
    expect(await residents.run('match', 'm', 'ask', [])).toEqual(ids);
    expect([rows.size, transactions.count]).toEqual([3, 2]);
  });

  it('answer each for itself: one that throws or waits does not concern the others', async () => {
    const { residents, rows, transactions } = ask(async ({ name: [id] }, save) => {
      if (id === 'a') {
        throw new Error('it is broken');
      }
      await (id === 'b' ? setImmediate() : null);
      save();
    });
    const answers = await residents.run('match', 'm', 'ask', []);
    expect(answers).toEqual(['failed: Error: it is broken', 'b', 'c']);
    expect([rows.size, transactions.count]).toEqual([2, 3]);
  });

  it('run again alone, from their rows, if one of them cannot be saved', async () => {
    const { residents, rows, transactions, told, broken } = ask(async (ports, save) => {
      ports.lines.open('ann', false);
      save();
      if (ports.name[0] === 'b') {
        commit(ports, () => {
          ports.store.put('more', true);
          ports.store.put('refused', 'x'.repeat(20_000));
        });
      }
    });
    const answers = (await residents.run('match', 'm', 'ask', [])) as string[];
    expect([answers[0], answers[2]]).toEqual(['a', 'c']);
    expect(answers[1]).toContain('gone');
    // What `b` had saved before it failed stays, as if it had run alone.
    expect([...rows.keys()].sort()).toEqual(ids.map((id) => `lobby|${id}>packed`));
    expect([...rows.values()].map((pack) => JSON.stringify(pack)).join()).not.toContain('more');
    expect(transactions.count).toBe(5);
    expect(told).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(broken.length).toBe(4);
  });

  it('do not run again for one whose change is refused before it is written', async () => {
    const { residents, rows, told, broken } = ask(async (ports, save) => {
      ports.lines.open('ann', false);
      save();
      if (ports.name[0] === 'b') {
        commit(ports, () => {
          ports.store.put('more', true);
          throw new Error('it breaks what always holds');
        });
      }
    });
    const answers = (await residents.run('match', 'm', 'ask', [])) as string[];
    expect([answers[0], answers[2]]).toEqual(['a', 'c']);
    expect(answers[1]).toContain('gone');
    expect([...rows.keys()].sort()).toEqual(ids.map((id) => `lobby|${id}>packed`));
    expect([...rows.values()].map((pack) => JSON.stringify(pack)).join()).not.toContain('more');
    expect(told).toEqual(['a', 'b', 'c']);
    expect(broken.length).toBe(1);
  });
});

describe('an actor that cannot be made', () => {
  it('leaves nothing of itself at work', async () => {
    const { residents, hosts } = trial(() => {
      throw new Error('its rows cannot be read');
    });
    await expect(residents.run('lobby', 'den', 'read', [])).rejects.toThrow('cannot be read');
    expect(() => hosts[0]?.store.put('key', 1)).toThrow('gone');
    expect(residents.size).toBe(0);
  });
});
