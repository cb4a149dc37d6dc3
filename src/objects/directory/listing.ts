// What browsing and quick joins look through, in order. Lobbies lie in sorted lists: one for each status and region,
// and, once somebody searched by a setting, one for each of its values. The lists follow the rows when they are next
// asked, so a page costs what is on it and what has changed. A search goes through the shortest list for it.

import type { LobbyId } from '../../common/ids';
import { SortedList } from '../../common/sorted-list';
import { acceptsPlayers } from '../../lobby/members';
import { fits, textOf, type Sought, type Spot } from '../../lobby/search';
import type { LobbyView } from '../../lobby/view';
import type { BrowseQuery, Finding, SortOrder } from '../contracts/directory';
import type { KeptView } from './views';

/** A search looks at so many lobbies at most, which takes about a millisecond. */
export const SCANNED = 10_000;

type KeptViews = ReadonlyMap<LobbyId, KeptView>;

function byAge(one: Spot, other: Spot): number {
  const isSame = one.createdAt === other.createdAt;
  const [a, b] = isSame ? [one.id, other.id] : [one.createdAt, other.createdAt];
  return a < b ? -1 : Number(a > b);
}

type Compare = (one: LobbyView, other: LobbyView) => number;

const COMPARE: Readonly<Record<SortOrder, Compare>> = {
  newest: (one, other) => byAge(other, one),
  /** Those that accept nobody come last. */
  players: (one, other) =>
    Number(acceptsPlayers(other)) - Number(acceptsPlayers(one)) ||
    other.currentPlayers - one.currentPlayers ||
    byAge(one, other),
};

/** Of a status and region, or of the length of a setting's key, the key and its value. */
function listKey(...parts: readonly (string | number | null)[]): string {
  return parts.join(' ');
}

/** The lists in one order. */
class Ordered {
  readonly #rows: KeptViews;
  readonly #compare: Compare;
  readonly #settings: readonly string[];
  readonly #lists = new Map<string, SortedList<LobbyView>>();
  /** What is in the lists. */
  readonly #shown = new Map<LobbyId, LobbyView>();
  readonly #changed: Set<LobbyId>;

  constructor(rows: KeptViews, order: SortOrder, settings: readonly string[]) {
    this.#rows = rows;
    this.#compare = COMPARE[order];
    this.#settings = settings;
    this.#changed = new Set(rows.keys());
  }

  changed(lobbyId: LobbyId): void {
    const isKnown = this.#rows.has(lobbyId) || this.#shown.has(lobbyId);
    this.#changed[isKnown ? 'add' : 'delete'](lobbyId);
  }

  #keysOf(view: LobbyView): string[] {
    const { status, region } = view;
    const kinds = ['', status, acceptsPlayers(view) ? 'open' : 'closed'];
    const settings = this.#settings.flatMap((key) => {
      const text = textOf(view, key);
      return text === null ? [] : [listKey(key.length, key, text)];
    });
    return [...kinds.flatMap((kind) => [listKey(kind, null), listKey(kind, region)]), ...settings];
  }

  #follow(): void {
    const added: LobbyView[] = [];
    for (const lobbyId of this.#changed) {
      const was = this.#shown.get(lobbyId);
      const is = this.#rows.get(lobbyId)?.view ?? null;
      for (const key of was === undefined ? [] : this.#keysOf(was)) {
        const list = this.#lists.get(key);
        // Players choose the values that lists are for.
        if (was !== undefined && list?.delete(was) === true && list.size === 0) {
          this.#lists.delete(key);
        }
      }
      this.#shown.delete(lobbyId);
      if (is !== null) {
        this.#shown.set(lobbyId, is);
        added.push(is);
      }
    }
    this.#changed.clear();
    for (const view of added.sort(this.#compare)) {
      for (const key of this.#keysOf(view)) {
        const list = this.#lists.get(key) ?? new SortedList(this.#compare);
        this.#lists.set(key, list);
        list.add(view);
      }
    }
  }

  list(...keys: readonly [string, ...string[]]): SortedList<LobbyView> {
    this.#follow();
    const none = new SortedList(this.#compare);
    const lists = keys.map((key) => this.#lists.get(key) ?? none);
    return lists.reduce((one, other) => (other.size < one.size ? other : one));
  }
}

interface ListedPage {
  readonly shown: readonly LobbyView[];
  readonly total: number;
  readonly end: Spot | null;
}

export class Listing {
  readonly #rows: KeptViews;
  /** Of each order that was asked for. */
  readonly #orders = new Map<SortOrder, Ordered>();
  /** By which settings lobbies were last sought. */
  #settings: readonly string[] = [];

  constructor(rows: KeptViews) {
    this.#rows = rows;
  }

  /** Call when a row has changed, has come or is gone. */
  changed(lobbyId: LobbyId): void {
    this.#orders.forEach((ordered) => ordered.changed(lobbyId));
  }

  #in(order: SortOrder): Ordered {
    const ordered = this.#orders.get(order) ?? new Ordered(this.#rows, order, this.#settings);
    this.#orders.set(order, ordered);
    return ordered;
  }

  /** The shortest list that has all lobbies that fit. */
  #shortest(order: SortOrder, sought: Sought): SortedList<LobbyView> {
    const { region, status, places, where, browseBy } = sought;
    if (this.#settings.join() !== browseBy.join()) {
      this.#settings = browseBy;
      this.#orders.clear();
    }
    const texts = where.filter((one) => 'text' in one);
    const settings = texts.map(({ key, text }) => listKey(key.length, key, text));
    return this.#in(order).list(listKey(status ?? (places > 0 ? 'open' : ''), region), ...settings);
  }

  /** Without a search newest first, but those that accept nobody after the others. `end`: where a search stopped early. */
  page({ region, status, offset, limit }: BrowseQuery, search?: Finding): ListedPage {
    if (search !== undefined) {
      const { sort, after } = search;
      const sought = { region, status, ...search };
      const list = this.#shortest(sort, sought);
      const from = after === null ? 0 : list.countWhile((each) => byAge(each, after) >= 0);
      const seen = list.slice(from, SCANNED);
      const found = seen.filter((each) => fits(each, sought));
      const end = from + seen.length < list.size ? (seen.at(-1) ?? null) : null;
      return { shown: found.slice(offset, offset + limit), total: found.length, end };
    }
    const shown: LobbyView[] = [];
    let total = 0;
    for (const kind of status === null ? ['open', 'closed'] : [status]) {
      const list = this.#in('newest').list(listKey(kind, region));
      shown.push(...list.slice(Math.max(0, offset - total), limit - shown.length));
      total += list.size;
    }
    return { shown, total, end: null };
  }

  /** The lobby with the most players that fits and passes, the older of two. */
  fullest(sought: Sought, passes: (lobby: LobbyView) => boolean): LobbyView | undefined {
    const seen = this.#shortest('players', sought).slice(0, SCANNED);
    return seen.find((each) => fits(each, sought) && passes(each));
  }
}
