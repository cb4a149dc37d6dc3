// What browsing shows, in order. One pass over the rows makes the lists for every filter, so a page costs what is on it,
// whatever its offset or filter. In a large directory the lists may be a moment old, so that the passes never take more
// than a few hundredths of the thread.

import type { LobbyId } from '../../common/ids';
import type { Status } from '../../lobby/lobby';
import { acceptsPlayers } from '../../lobby/members';
import type { KeptView } from './views';

/** So many rows are gone through each time: that takes less than a tenth of a millisecond. */
const SMALL = 2_000;
/** Of more rows the lists may be 1 ms old for so many: 250 ms for 50,000, which take some 5 ms. */
const ROWS_A_MS = 200;

/** Lobbies that fit a filter, oldest first. */
interface Fitting {
  readonly open: LobbyId[];
  readonly closed: LobbyId[];
}

const NOBODY: Fitting = { open: [], closed: [] };

export class Listing {
  readonly #rows: ReadonlyMap<LobbyId, KeptView>;
  readonly #now: () => number;
  #lists = new Map<string, Fitting>();
  #madeAt = -Infinity;
  #isOld = true;

  /** `rows`: oldest first. */
  constructor(rows: ReadonlyMap<LobbyId, KeptView>, now: () => number) {
    this.#rows = rows;
    this.#now = now;
  }

  /** Call when a row has changed. */
  changed(): void {
    this.#isOld = true;
  }

  /** Newest first; without a status, lobbies that accept nobody come after the others. Some may be gone by now. */
  page(
    region: string | null,
    status: Status | null,
    offset: number,
    limit: number,
  ): { readonly ids: readonly LobbyId[]; readonly total: number } {
    const { open, closed } = this.#fresh().get(keyOf(region, status)) ?? NOBODY;
    const ids = newest(open, offset, limit);
    const rest = newest(closed, Math.max(0, offset - open.length), limit - ids.length);
    return { ids: [...ids, ...rest], total: open.length + closed.length };
  }

  #fresh(): ReadonlyMap<string, Fitting> {
    const now = this.#now();
    const { size } = this.#rows;
    const age = Math.abs(now - this.#madeAt);
    if (this.#isOld && (size <= SMALL || age >= size / ROWS_A_MS)) {
      this.#make();
      this.#madeAt = now;
      this.#isOld = false;
    }
    return this.#lists;
  }

  #make(): void {
    this.#lists = new Map();
    for (const [lobbyId, { view }] of this.#rows) {
      if (view !== null) {
        const { region, status } = view;
        const isOpen = acceptsPlayers(view);
        this.#list(null, null)[isOpen ? 'open' : 'closed'].push(lobbyId);
        this.#list(region, null)[isOpen ? 'open' : 'closed'].push(lobbyId);
        this.#list(null, status).open.push(lobbyId);
        this.#list(region, status).open.push(lobbyId);
      }
    }
  }

  #list(region: string | null, status: Status | null): Fitting {
    const key = keyOf(region, status);
    const list = this.#lists.get(key) ?? { open: [], closed: [] };
    this.#lists.set(key, list);
    return list;
  }
}

function keyOf(region: string | null, status: Status | null): string {
  return `${status ?? ''} ${region ?? ''}`;
}

/** So many from the end of the list, after the first `offset` of them. */
function newest(list: readonly LobbyId[], offset: number, limit: number): readonly LobbyId[] {
  const end = Math.max(0, list.length - offset);
  return list.slice(Math.max(0, end - limit), end).toReversed();
}
