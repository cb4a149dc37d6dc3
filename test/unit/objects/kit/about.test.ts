// Lines of lobbies and matches name their project and config, which their names do not have.

import { describe, expect, it } from 'vitest';
import { aboutActor } from '../../../../src/objects/kit/about';
import type { Store } from '../../../../src/objects/kit/ports';
import { storeFor } from '../../../../src/objects/kit/rows';

function storeOf(kind = 'queue'): Store {
  const rows = new Map<string, unknown>();
  const store = {
    get: (key: string) => rows.get(key),
    put: (key: string, value: unknown) => void rows.set(key, value),
    delete: (key: string) => void rows.delete(key),
    list: (prefix: string) => [...rows].filter(([key]) => key.startsWith(prefix)),
  };
  return storeFor(kind, store as unknown as Store);
}

describe('what a line of the log is about', () => {
  it('is the parts of the name of an actor', () => {
    const about = { project: 'studio', config: 'arena', mode: 'duel' };
    expect(aboutActor('queue', ['studio', 'arena', 'duel'], storeOf())).toEqual(about);
  });

  it('is also where a lobby or a match belongs, however large its roster', () => {
    const home = { project: 'studio', config: 'arena' };
    for (const [kind, key, id] of [
      ['lobby', 'home', 'lobbyId'],
      ['match', 'roster', 'matchId'],
    ] as const) {
      const store = storeOf(kind);
      expect(aboutActor(kind, ['x'], store)).toEqual({ [id]: 'x' });
      store.put(key, { ...home, state: 'y'.repeat(600_000) });
      expect(aboutActor(kind, ['x'], store)).toEqual({ [id]: 'x', ...home });
    }
  });

  it('is also whose server it is, and of which config', () => {
    const store = storeOf('server');
    const home = { project: 'studio', config: 'arena' };
    for (const kind of ['lobby', 'match'] as const) {
      store.put('instance', { order: { ...home, owner: { kind, id: 'y' }, name: 'z' } });
      const about = { instanceId: 'x', ...home, [`${kind}Id`]: 'y' };
      expect(aboutActor('server', ['x'], store)).toEqual(about);
    }
    store.put('instance', { order: { project: 'studio', owner: { kind: 'project' } } });
    expect(aboutActor('server', ['x'], store)).toEqual({ instanceId: 'x', project: 'studio' });
  });

  it('is the name alone where the storage cannot be read', () => {
    const get = (): never => {
      throw new Error('the disk is gone');
    };
    expect(aboutActor('lobby', ['x'], { ...storeOf(), get })).toEqual({ lobbyId: 'x' });
  });
});
