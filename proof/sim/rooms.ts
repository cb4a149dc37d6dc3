// Quick joins never found a second lobby while the first has a place. What is checked holds under every crash: two lobbies that
// quick joins for the same map founded, each of which has had a place for everybody at every save since, were never both needed.
// One of them was chosen later, and by then the Directory was founding the other one, or had its row. And no two lobbies of one key
// are there at a time.

import type { LobbyId } from '../../src/common/ids';
import { bookingOf, type Lobby } from '../../src/lobby/lobby';
import type { Journal } from './journal';
import { CONFIG } from './scenario';

/** More than a run has players. Who is on the way to such a lobby takes nobody's place. */
export const ROOMY = 12;

export class Rooms {
  readonly #journal: Journal;
  /** By the lobbies that quick joins may found: the map of each. */
  readonly #asked = new Map<LobbyId, string>();
  /** By the lobbies that joins by a key may found: the key, which goes along when they move. */
  readonly #keys = new Map<LobbyId, string>();
  /** The lobby that is there by each key of a config. */
  readonly #keyed = new Map<string, LobbyId>();
  /** Those that were founded, and that would have taken in everybody ever since. */
  readonly #open = new Map<LobbyId, Lobby>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  asked(id: LobbyId, map: string): void {
    this.#asked.set(id, map);
  }

  askedByKey(id: LobbyId, key: string): void {
    this.#keys.set(id, key);
  }

  #savedByKey(id: LobbyId, key: string, isThere: boolean): void {
    const there = this.#keyed.get(key);
    if (!isThere) {
      if (there === id) {
        this.#keyed.delete(key);
      }
    } else if (there !== id) {
      this.#journal.count('happened: a join by key founds a lobby');
      this.#journal.check(there === undefined, () => `${id} and ${there} are there by one key`);
      this.#keyed.set(key, id);
    }
  }

  saved(id: LobbyId, before: Lobby | null, after: Lobby | null): void {
    if (before !== null && after !== null && before.config !== after.config) {
      this.#journal.count('happened: a lobby moves to another config');
    }
    const key = this.#keys.get(id);
    if (key !== undefined) {
      if (before !== null && before.config !== after?.config) {
        this.#savedByKey(id, `${before.config} ${key}`, false);
      }
      if (after !== null) {
        this.#savedByKey(id, `${after.config} ${key}`, true);
      }
    }
    const map = this.#asked.get(id);
    const isOpen =
      map !== undefined &&
      after?.config === CONFIG &&
      after.status === 'waiting' &&
      // Who is held for a match that somebody makes takes nobody.
      bookingOf(after) === null &&
      !after.isPrivate &&
      after.maxPlayers >= ROOMY;
    if (!isOpen) {
      this.#open.delete(id);
      return;
    }
    if (before === null) {
      this.#journal.count('happened: a quick join founds a lobby');
      // Nobody is brought back into a lobby that they left.
      const takes = (other: Lobby): boolean =>
        this.#asked.get(other.id) === map && !other.gone?.some((who) => who.id === after.host);
      const second = [...this.#open.values()].find(takes)?.id;
      this.#journal.check(
        second === undefined,
        () => `quick joins founded ${id}, and ${second} has had a place for everybody`,
      );
      this.#open.set(id, after);
    } else if (this.#open.has(id)) {
      this.#open.set(id, after);
    }
  }
}
