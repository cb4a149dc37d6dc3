// The isolate's cache of the reasons why lobbies wait, which its streams show. The reasons are read together with
// the queue's statistics, because a call for each lobby would wake the queue too often.

import type { LobbyId } from '../../common/ids';
import type { QueueStats as ShownStats } from '../../../client/src/types';
import { Lru } from '../../common/lru';

export type Wait = ShownStats['wait'] | null;

interface Told {
  readonly at: number;
  readonly wait: Wait;
  /** When a stream last asked for it. */
  readonly wantedAt: number;
}

const MAX_QUEUES = 1_000;
/** How many lobbies of a queue are cached. Further lobbies get no reason. */
const MAX_LOBBIES = 5_000;
/** How soon a reason is read again: a little sooner than streams ask. */
const MIN_AGE_MS = 9_000;
/** A reason that no stream asked for in this time is dropped. Streams ask every ten seconds. */
const WANTED_MS = 25_000;
/** How many reasons are read at once. The queue computes them within a second. */
const MOST_AT_ONCE = 40;
/** How many reasons a second all isolates together may ask of one queue. */
const WAITS_PER_SECOND = 200;

function ageIn(lobbiesInQueue: number): number {
  return Math.max(MIN_AGE_MS, (1_000 * lobbiesInQueue) / WAITS_PER_SECOND);
}

export class ShownWaits {
  readonly #queues = new Lru<{ lobbies: number; readonly told: Map<LobbyId, Told> }>(MAX_QUEUES);

  /** The lobbies to read with the queue's next statistics. Those that were read longest ago come first. */
  due(queue: string, now: number): readonly LobbyId[] {
    const known = this.#queues.get(queue);
    if (known === undefined) {
      return [];
    }
    for (const [id, { wantedAt }] of known.told) {
      if (Math.abs(now - wantedAt) > WANTED_MS) {
        known.told.delete(id);
      }
    }
    return [...known.told]
      .filter(([, { at }]) => Math.abs(now - at) >= ageIn(known.lobbies))
      .sort(([, a], [, b]) => a.at - b.at)
      .slice(0, MOST_AT_ONCE)
      .map(([id]) => id);
  }

  note(queue: string, lobbyId: LobbyId, wait: Wait, now: number): void {
    const told = this.#queues.get(queue)?.told;
    const known = told?.get(lobbyId);
    if (known !== undefined) {
      told?.set(lobbyId, { ...known, at: now, wait });
    }
  }

  /** Why a lobby waits. `read` reads one lobby, if it is new or if its turn to be read with others never came. */
  async of(
    queue: string,
    { lobbyId, lobbies, now }: { lobbyId: LobbyId; lobbies: number; now: number },
    read: () => Promise<Wait>,
  ): Promise<Wait> {
    const known = this.#queues.get(queue) ?? { lobbies, told: new Map<LobbyId, Told>() };
    this.#queues.set(queue, known);
    known.lobbies = lobbies;
    const told = known.told.get(lobbyId);
    if (told === undefined && known.told.size >= MAX_LOBBIES) {
      // If this lobby replaced another one, every lobby would be read each time.
      return null;
    }
    const isFresh = told !== undefined && Math.abs(now - told.at) < 2 * ageIn(lobbies);
    known.told.set(lobbyId, {
      at: isFresh ? told.at : now,
      wait: told?.wait ?? null,
      wantedAt: now,
    });
    if (isFresh) {
      return told.wait;
    }
    const wait = await read();
    this.note(queue, lobbyId, wait, now);
    return wait;
  }
}
