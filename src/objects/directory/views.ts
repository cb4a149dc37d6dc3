// Saves what browsing shows of lobbies that change at about the same time in one row, because all lobbies of a match
// change together, and a row costs the same however much is in it (record 0044). Such a row is a page of a ring. A page
// that is about to be overwritten hands the next one what is still the newest row of a lobby.

import type { LobbyId } from '../../common/ids';
import type { Gathered } from '../kit/gathered';
import { listLarge } from '../kit/large';
import type { Store } from '../kit/ports';
import type { Kept } from './rows';

const PAGE = 'views:';
/** All are read when the Directory wakes, and players choose what is in them. With fewer, a page hands on more rows. */
const PAGES = 256;

interface Page {
  /** Counts up. Overwriting older pages does not change the count. */
  readonly n: number;
  readonly rows: Kept[];
}

function keyOf(n: number): string {
  return PAGE + String(n % PAGES);
}

export class ViewPages {
  readonly #gathered: Gathered;
  readonly #row: (id: LobbyId) => Kept | undefined;
  /** The page that has the newest row of a lobby. Of other lobbies, the newest row is elsewhere. */
  readonly #pageOf = new Map<LobbyId, number>();
  /** The lobbies of each page, by its key. */
  readonly #lobbies = new Map<string, readonly LobbyId[]>();
  #page: Page = { n: -1, rows: [] };

  /** `row` returns the newest row of a lobby. */
  constructor(gathered: Gathered, row: (id: LobbyId) => Kept | undefined) {
    this.#gathered = gathered;
    this.#row = row;
  }

  /** The newest row of each lobby, of which `own` are those with a row of their own. Call before `put`. */
  newest(store: Store, own: readonly Kept[]): Kept[] {
    const rows = new Map(own.map((row) => [row.lobbyId, row]));
    for (const page of listLarge<Page>(store, PAGE)) {
      for (const row of page.rows) {
        const { lobbyId, revision, coded } = row;
        const known = rows.get(lobbyId);
        // A lobby that is gone may have had the same id.
        if (known?.coded?.at === coded?.at && revision > (known?.revision ?? 0)) {
          rows.set(lobbyId, { ...row, coded: known?.coded });
          this.#pageOf.set(lobbyId, page.n);
        }
      }
      this.#close(page);
      this.#page = page.n > this.#page.n ? page : this.#page;
    }
    return [...rows.values()];
  }

  /** Resolves when the row is written. */
  put(row: Kept): Promise<void> {
    if (!this.#gathered.has(keyOf(this.#page.n))) {
      this.#turn();
    }
    const { n, rows } = this.#page;
    rows.push(row);
    this.#pageOf.set(row.lobbyId, n);
    return this.#gathered.put(keyOf(n), this.#page);
  }

  /** The lobby is gone, or its newest row is saved elsewhere. */
  drop(id: LobbyId): void {
    this.#pageOf.delete(id);
  }

  #turn(): void {
    this.#close(this.#page);
    const n = this.#page.n + 1;
    const old = this.#lobbies.get(keyOf(n)) ?? [];
    const left = [...new Set(old)].filter((id) => this.#pageOf.get(id) === n - PAGES);
    left.forEach((id) => this.#pageOf.set(id, n));
    this.#page = { n, rows: left.flatMap((id) => this.#row(id) ?? []) };
  }

  #close({ n, rows }: Page): void {
    this.#lobbies.set(
      keyOf(n),
      rows.map(({ lobbyId }) => lobbyId),
    );
  }
}
