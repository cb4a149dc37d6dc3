// What browsing and quick joins look for among the lobbies of a config, and which lobby fits.

import { iso } from '../common/clock';
import { ok, refuse, type Result } from '../common/result';
import type { Status } from './lobby';
import { acceptsPlayers } from './members';
import type { LobbyView } from './view';

/** Lobbies are not found by longer texts, because players choose what a Directory has in memory. */
const MAX_TEXT = 64;

/** What a setting should be: as it is written, or a number within a range. */
export type Filter = { readonly key: string } & (
  | { readonly text: string }
  | { readonly from: number; readonly to: number }
);

export interface Sought {
  readonly region: string | null;
  readonly status: Status | null;
  /** How many free places. 0: it may accept nobody. */
  readonly places: number;
  readonly where: readonly Filter[];
  readonly browseBy: readonly string[];
}

export type Findable = Pick<
  LobbyView,
  'region' | 'status' | 'currentPlayers' | 'maxPlayers' | 'allowLateJoin' | 'settings'
>;

/** The setting as a filter writes it. Null: the lobby is not found by it. */
export function textOf({ settings }: Findable, key: string): string | null {
  // What every object has is a function or an object, so it is no value here.
  const value = settings[key];
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  const isText = typeof value === 'string' && value.length <= MAX_TEXT;
  return isPlain || isText ? String(value) : null;
}

const RANGE = /^(-?\d+(?:\.\d+)?)?\.\.(-?\d+(?:\.\d+)?)?$/;

/** The filter that a request means by that text. The refusal says what is wrong with it. */
export function filterOf(key: string, text: string): Result<Filter, string> {
  if (!text.includes('..')) {
    return ok({ key, text });
  }
  const [, low, high] = RANGE.exec(text) ?? [];
  const [from, to] = [Number(low ?? -Infinity), Number(high ?? Infinity)];
  return (low ?? high) !== undefined && from <= to
    ? ok({ key, from, to })
    : refuse('must be a value, or a range of numbers such as 1..3, 1.. or ..3');
}

export function fits(lobby: Findable, { region, status, places, where }: Sought): boolean {
  return (
    (region ?? lobby.region) === lobby.region &&
    (status ?? lobby.status) === lobby.status &&
    lobby.maxPlayers - lobby.currentPlayers >= places &&
    (places === 0 || acceptsPlayers(lobby)) &&
    where.every((filter) => {
      if ('text' in filter) {
        return textOf(lobby, filter.key) === filter.text;
      }
      const value = lobby.settings[filter.key];
      return typeof value === 'number' && value >= filter.from && value <= filter.to;
    })
  );
}

/** A place in a list that is sorted by age. Its lobby may be gone. */
export type Spot = Pick<LobbyView, 'createdAt' | 'id'>;

/** The spot as a request says it. Clients do not look into it. */
export function cursorOf({ createdAt, id }: Spot): string {
  return `${Date.parse(createdAt).toString(36)}.${id}`;
}

/** Null: it is no cursor. */
export function spotOf(cursor: string): Spot | null {
  const [, at = '', id = ''] = /^([0-9a-z]{1,9})\.([\w-]{1,64})$/.exec(cursor) ?? [];
  return at === '' ? null : { createdAt: iso(Number.parseInt(at, 36)), id };
}
