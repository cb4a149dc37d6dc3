// What players asked for and were promised. A request counts as asked from the moment it is sent,
// and as promised once its answer has come: what was promised must be true, and what nobody asked
// for must not have happened.

import type { LobbyId, PlayerId } from '../../src/common/ids';

export interface Promised {
  /** Keys of the player's state whose patch was acknowledged. */
  readonly keys: Set<string>;
}

export class Ledger {
  /** Memberships acknowledged and not asked to end: `player lobby`. */
  readonly members = new Map<string, Promised>();
  /** Keys in the settings of each lobby whose patch was acknowledged. */
  readonly settings = new Map<LobbyId, Set<string>>();
  readonly #mayLeave = new Set<string>();
  readonly #mayEnd = new Set<LobbyId>();
  /** Requests to remove a player from anywhere, ever, and their outcomes: one may be under way when it is marked. */
  readonly #removals = new Map<PlayerId, number>();
  /** Requests to remove under way, by member. */
  readonly #removing = new Map<string, number>();
  /** Players who ask for a fresh lobby right now: what they host elsewhere may end. */
  readonly #refreshing = new Map<PlayerId, number>();

  static key(player: PlayerId, lobby: LobbyId): string {
    return `${player} ${lobby}`;
  }

  /** What to give to `joined` with the answer to a request that is sent now. */
  mark(player: PlayerId): number {
    return this.#removals.get(player) ?? 0;
  }

  /**
   * The player was told that it is in. That counts for nothing if it may have been removed since
   * the request.
   */
  joined(player: PlayerId, lobby: LobbyId, mark: number): void {
    const key = Ledger.key(player, lobby);
    const leaving = (this.#removing.get(key) ?? 0) > 0 || this.mark(player) !== mark;
    if (!this.members.has(key) && !leaving && !this.#mayEnd.has(lobby)) {
      this.members.set(key, { keys: new Set() });
    }
  }

  /** Somebody asks to remove the player. Call the returned function with the outcome. */
  removalAsked(player: PlayerId, lobby: LobbyId): () => void {
    const key = Ledger.key(player, lobby);
    const counted = (): unknown => this.#removals.set(player, this.mark(player) + 1);
    counted();
    this.#removing.set(key, (this.#removing.get(key) ?? 0) + 1);
    this.#mayLeave.add(key);
    this.members.delete(key);
    return () => {
      counted();
      this.#removing.set(key, (this.#removing.get(key) ?? 1) - 1);
    };
  }

  /** The player has left, so the promises about that lobby are over. */
  gone(player: PlayerId, lobby: LobbyId): void {
    this.members.delete(Ledger.key(player, lobby));
  }

  endAsked(lobby: LobbyId): void {
    this.#mayEnd.add(lobby);
    for (const key of this.members.keys()) {
      if (key.endsWith(` ${lobby}`)) {
        this.members.delete(key);
      }
    }
  }

  /** The player asks for a fresh lobby. Call the returned function when that is settled. */
  freshAsked(player: PlayerId): () => void {
    this.#refreshing.set(player, (this.#refreshing.get(player) ?? 0) + 1);
    return () => {
      this.#refreshing.set(player, (this.#refreshing.get(player) ?? 1) - 1);
    };
  }

  /** A lobby is gone that its host has asked to be replaced. */
  isReplaced(host: PlayerId, lobby: LobbyId): boolean {
    const replaced = (this.#refreshing.get(host) ?? 0) > 0;
    if (replaced) {
      this.endAsked(lobby);
    }
    return replaced;
  }

  mayLeave(player: PlayerId, lobby: LobbyId): boolean {
    return this.#mayLeave.has(Ledger.key(player, lobby)) || this.#mayEnd.has(lobby);
  }
}
