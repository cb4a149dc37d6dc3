// How lobbies are found: browsing, and quick joins.

import type { CreateLobby, JsonObject, LobbyStatus } from './types.ts';

export interface BrowseQuery {
  readonly region?: string | undefined;
  readonly status?: LobbyStatus | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Only lobbies that accept players and have so many free places. */
  readonly places?: number | undefined;
  /** `players`: the fullest first, and those that accept nobody last. */
  readonly sort?: 'newest' | 'players' | undefined;
  /** Of the answer before: nothing comes twice, however the list changes meanwhile. Not with `sort: 'players'`. */
  readonly cursor?: string | undefined;
  /** What settings should be, of those in the config's `browseBy`: a value, or a range such as `'1..3'`. */
  readonly [setting: `settings.${string}`]: Wanted | undefined;
}

/** What a setting should be: a value, or a range of numbers such as `'1..3'`, `'1..'` or `'..3'`. */
export type Wanted = string | number | boolean;

export interface QuickJoin<
  State extends object = JsonObject,
  Settings extends object = JsonObject,
> {
  /** What settings of the lobby should be, of those in the config's `browseBy`. */
  readonly where?: Readonly<Record<string, Wanted>> | undefined;
  /** How many free places it should have: 1 unless given, which is the player's own. */
  readonly places?: number | undefined;
  readonly state?: State | null | undefined;
  /** The lobby that is created if none fits. It must fit itself, has the values of `where`, and cannot be private. */
  readonly create: Omit<CreateLobby<State, Settings>, 'isPrivate' | 'forceFresh' | 'key'>;
}
