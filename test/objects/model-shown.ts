// What the service shows of a lobby, held against the model's.

import { expect } from 'vitest';
import type { Room } from './lobby-model';

/** What the service shows of a lobby, as far as the model speaks of it. */
export interface Shown {
  readonly id: string;
  readonly code: string;
  readonly config: string;
  readonly name: string;
  readonly status: string;
  readonly host: string;
  readonly maxPlayers: number;
  readonly currentPlayers: number;
  readonly isPrivate: boolean;
  readonly allowLateJoin: boolean;
  readonly players: readonly { id: string; state: unknown; isHost: boolean }[];
  readonly server: { readonly instance_id: string } | null;
  readonly matchmaking: {
    readonly mode: string;
    readonly confirmation?: { readonly confirmed: boolean };
  } | null;
  readonly matchId: string | null;
  readonly revision: number;
  readonly updatedAt: string;
}

/** Throws where the lobby shown is not the model's. */
export function looksLike(room: Room, shown: Shown): void {
  const { id, code, config, name, status, host, max, isPrivate, lateJoin } = room;
  expect(shown).toMatchObject({ id, code, config, name, status, host, isPrivate });
  expect([shown.maxPlayers, shown.allowLateJoin]).toEqual([max, lateJoin]);
  expect(shown.players).toEqual(
    [...room.players].map(([player, state]) => ({ id: player, state, isHost: player === host })),
  );
  expect(shown.currentPlayers).toBe(room.players.size);
  expect(shown.server !== null).toBe(status === 'in_game');
  expect(shown.matchId !== null).toBe(room.match !== null);
  const searching = status === 'in_queue' || status === 'match_found';
  expect(shown.matchmaking?.mode ?? null).toBe(searching ? room.mode : null);
  const asks = status === 'match_found' ? room.confirmed : undefined;
  expect(shown.matchmaking?.confirmation?.confirmed).toBe(asks);
}

/** decisions 9 and 10: with each visible change, revision and updatedAt rise together. */
export class Rising {
  readonly #newest = new Map<string, Pick<Shown, 'revision' | 'updatedAt'>>();

  check({ id, revision, updatedAt }: Shown): void {
    const last = this.#newest.get(id);
    if (last !== undefined) {
      expect(revision).toBeGreaterThanOrEqual(last.revision);
      expect(updatedAt > last.updatedAt).toBe(revision > last.revision);
    }
    this.#newest.set(id, { revision, updatedAt });
  }
}
