// The entries of a project's audit list, and the query for them.

import type { By } from '../../common/happening';

/** The past tense of what operators do. */
export const DEEDS = [
  'config_saved',
  'config_deleted',
  'settings_saved',
  'build_saved',
  'build_deleted',
  'secrets_changed',
  'banned',
  'unbanned',
  'kicked',
  'left_queue',
  'game_ended',
  'match_ended',
  'lobby_deleted',
  'lobby_moved',
  'server_restarted',
  'server_stopped',
  'servers_stopped',
  'attributes_deleted',
  'season_ended',
  'ratings_imported',
] as const;

export interface Deed {
  readonly kind: (typeof DEEDS)[number];
  readonly by: By;
  /** The name or id of the config, build, player, lobby, match or server. Null: the project. */
  readonly on: string | null;
  /** The outcome, in words. Never a secret. */
  readonly detail?: string | undefined;
}

export interface SavedDeed extends Deed {
  /** Epoch ms. No two entries of a project have the same time. */
  readonly at: number;
}

export interface DeedsQuery {
  /** Null: any, here and below. */
  readonly by: string | null;
  readonly kind: Deed['kind'] | null;
  readonly on: string | null;
  /** Epoch ms, exclusive. */
  readonly until: number;
  readonly limit: number;
}
