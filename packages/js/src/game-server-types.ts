// What a game server is told: `muster.json`, whose path is in `MUSTER_CONFIG`.

import type { SeatJwk } from './identity-types.ts';
import type { JsonObject } from './types.ts';

/** So many places of a team that the game server fills with bots. */
export interface Bots {
  /** Index of the team. */
  readonly team: number;
  /** Absent in modes without roles. */
  readonly role?: string;
  readonly count: number;
}

export interface MusterJson {
  readonly instance_id: string;
  readonly project: string;
  readonly name: string;
  readonly region: string;
  /** The name of the build. */
  readonly version_tag: string;
  readonly version: number;
  /** What people call that version. */
  readonly label: string | null;
  readonly compute_size: string | null;
  /** Seconds that the server may live, or null. */
  readonly ttl: number | null;
  /** The URL where the server may report its own status, with `token` as bearer. */
  readonly report_url: string;
  /** The URL where it reports the result of its match, with the same token. */
  readonly result_url: string;
  readonly token: string;
  /** The keys that verify the players' seat tickets, and the URL of later keys. */
  readonly seat_keys?: { readonly keys: readonly SeatJwk[] };
  readonly jwks_url?: string;
  /** Only of a warm server (docs/warm-servers.md): the id of its match. Null: it waits for one. */
  readonly match?: string | null;
  /** The match, or after a direct start the lobby's settings. */
  readonly custom_data: JsonObject;
}
