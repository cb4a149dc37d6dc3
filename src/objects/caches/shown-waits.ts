// Why lobbies wait, as the streams of this isolate show it. Read together with the statistics of their
// queue: a call for each lobby would wake the queue as often as there are lobbies.

import type { LobbyId } from '../../ids';
import type { ShownStats } from '../../lobby/view';
import { Lru } from '../../lru';

export type Wait = ShownStats['wait'] | null;

interface Told {
  readonly at: number;
  readonly wait: Wait;
  /** When a stream wanted it last. */
  readonly wantedAt: number;
}

const MAX_QUEUES = 1_000;
/** Of a queue: while it has so many, others are told nothing. */
const MAX_LOBBIES = 5_000;
/** Told again after so long: a little less than streams ask after. */
const MIN_AGE_MS = 9_000;
/** Streams ask every ten seconds: one that has missed two shows it no more. */
const WANTED_MS = 25_000;
/** The queue says it of so many within a second. */
const MOST_AT_ONCE = 40;
/** Lobbies of a queue whose wait may be asked for in a second, all isolates together. */
const WAITS_PER_SECOND = 200;

function ageIn(lobbiesInQueue: number): number {
  return Math.max(MIN_AGE_MS, (1_000 * lobbiesInQueue) / WAITS_PER_SECOND);
}

export class ShownWaits {
  readonly #queues = new Lru<{ lobbies: number; readonly told: Map<LobbyId, Told> }>(MAX_QUEUES);

  /** Those to be read with the queue's next statistics, what was told longest ago first. */
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

  /** `read` asks for one lobby: the first time, and where it was never its turn to be read with others. */
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
      // To forget another for it would have each of them asked for every time.
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
