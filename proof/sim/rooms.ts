// Quick joins never found a second lobby while the first has a place. What is checked holds under every crash: two lobbies that
// quick joins for the same map founded, each of which has had a place for everybody at every save since, were never both needed.
// One of them was chosen later, and by then the Directory was founding the other one, or had its row.

import type { LobbyId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import type { Journal } from './journal';

/** More than a run has players. Who is on the way to such a lobby takes nobody's place. */
export const ROOMY = 12;

export class Rooms {
  readonly #journal: Journal;
  /** By the lobbies that quick joins may found: the map of each. */
  readonly #asked = new Map<LobbyId, string>();
  /** Those that were founded, and that would have taken in everybody ever since. */
  readonly #open = new Map<LobbyId, Lobby>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  asked(id: LobbyId, map: string): void {
    this.#asked.set(id, map);
  }

  saved(id: LobbyId, before: Lobby | null, after: Lobby | null): void {
    const map = this.#asked.get(id);
    const isOpen =
      map !== undefined &&
      after?.status === 'waiting' &&
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
