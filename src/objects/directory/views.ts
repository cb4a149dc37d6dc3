// The row that a Directory keeps of a lobby. Rows of lobbies that change at about the same time, such as those of one
// match, are saved together as one page of a ring, because a saved row costs the same however much is in it (record
// 0044). A page that is about to be overwritten hands the next one what is still the newest row of a lobby.

import type { LobbyId } from '../../common/ids';
import { sseBytes } from '../../common/sse';
import type { Gathered } from '../kit/gathered';
import type { Store } from '../kit/ports';
import type { DirectoryRow, Founding } from '../contracts/directory';

/** Largest view kept in memory. A larger one is read from storage when it is shown. Players choose its size. */
const KEPT_BYTES = 8 * 1024;
/** The settings of a larger one, as far as they are kept: it is found by them. */
const KEPT_SETTINGS = 1024;

export interface Coded extends Omit<Founding, 'key'> {
  readonly code: string;
  /** The lobby of this key, unless a lobby with a larger `n` is. */
  readonly keyed?: { readonly key: string; readonly n: number };
  readonly at: number;
  /** The revision of the first row, which came with the request for the code. A later one proves the founding. */
  readonly first?: number | undefined;
  /** The code was given out while it was unknown whether the lobby was already gone. The lobby is asked. */
  readonly unsure: boolean;
}

/** All that is saved of a lobby. */
export interface Listed extends DirectoryRow {
  readonly coded?: Coded | undefined;
}

export interface KeptView extends Listed {
  /** False: the view in memory lacks the large fields, which only showing it needs. */
  readonly isWhole: boolean;
}

export function kept(row: Listed): KeptView {
  const { view } = row;
  if (view === null || sseBytes(view) <= KEPT_BYTES) {
    return { ...row, isWhole: true };
  }
  const settings = sseBytes(view.settings) <= KEPT_SETTINGS ? view.settings : {};
  const thin = { ...view, settings, players: [], server: null, customProperties: {} };
  return { ...row, view: thin, isWhole: false };
}

/** The row of a lobby that learns its code only now. */
export function withCode(row: DirectoryRow | undefined, code: string): DirectoryRow | undefined {
  return row && { ...row, view: row.view && { ...row.view, code } };
}

const PAGE = 'views:';
/** All are read when the Directory wakes, and players choose what is in them. With fewer, a page hands on more rows. */
const PAGES = 256;

interface ViewPage {
  /** Counts up. Overwriting older pages does not change the count. */
  readonly n: number;
  readonly rows: KeptView[];
}

function pageKey(n: number): string {
  return PAGE + String(n % PAGES);
}

export class ViewPages {
  readonly #gathered: Gathered;
  readonly #row: (id: LobbyId) => KeptView | undefined;
  /** The page that has the newest row of a lobby. Of other lobbies, the newest row is elsewhere. */
  readonly #pageOf = new Map<LobbyId, number>();
  /** The lobbies of each page, by its key. */
  readonly #lobbies = new Map<string, readonly LobbyId[]>();
  #page: ViewPage = { n: -1, rows: [] };

  /** `row` returns the newest row of a lobby. */
  constructor(gathered: Gathered, row: (id: LobbyId) => KeptView | undefined) {
    this.#gathered = gathered;
    this.#row = row;
  }

  /** The newest row of each lobby, of which `own` are those with a row of their own. Call before `put`. */
  newest(store: Store, own: readonly KeptView[]): KeptView[] {
    const rows = new Map(own.map((row) => [row.lobbyId, row]));
    for (const [, page] of store.list<ViewPage>(PAGE)) {
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

  put(row: KeptView): Promise<void> {
    if (!this.#gathered.has(pageKey(this.#page.n))) {
      this.#turn();
    }
    const { n, rows } = this.#page;
    rows.push(row);
    this.#pageOf.set(row.lobbyId, n);
    return this.#gathered.put(pageKey(n), this.#page);
  }

  /** The lobby is gone, or its newest row is saved elsewhere. */
  drop(id: LobbyId): void {
    this.#pageOf.delete(id);
  }

  #turn(): void {
    this.#close(this.#page);
    const n = this.#page.n + 1;
    const old = this.#lobbies.get(pageKey(n)) ?? [];
    const left = [...new Set(old)].filter((id) => this.#pageOf.get(id) === n - PAGES);
    left.forEach((id) => this.#pageOf.set(id, n));
    this.#page = { n, rows: left.flatMap((id) => this.#row(id) ?? []) };
  }

  #close({ n, rows }: ViewPage): void {
    const ids = rows.map(({ lobbyId }) => lobbyId);
    this.#lobbies.set(pageKey(n), ids);
  }
}
