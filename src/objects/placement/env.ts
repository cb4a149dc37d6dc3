// What the Worker and its objects are given by their surroundings; wrangler.toml says the same.

import type { Dataset } from '../../metrics';
import type { FleetSettings } from '../../fleet/choice';
import { IN_GAME_LIMIT_MS } from '../../limits';
import type { QuotaSettings } from '../../quotas';

export interface Env extends FleetSettings, QuotaSettings {
  /** The one object for all actors, on a box; where it is bound, those below are not asked. */
  readonly BOX?: DurableObjectNamespace;
  /** On a box: the guard through which the Worker passes WebSockets (scripts/socket-guard.ts). */
  readonly GUARD?: { fetch(request: Request): Promise<Response> };
  readonly LOBBIES: DurableObjectNamespace;
  readonly SEATS: DurableObjectNamespace;
  readonly DIRECTORIES: DurableObjectNamespace;
  readonly QUEUES: DurableObjectNamespace;
  readonly MATCHES: DurableObjectNamespace;
  readonly SERVERS: DurableObjectNamespace;
  readonly PROJECTS: DurableObjectNamespace;
  /** Files of the dashboard and the examples; absent where the Worker runs without them. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  /** Secret by which ids and tokens are signed; that of API_KEYS when absent (record 0017). */
  readonly ID_KEY?: string;
  /** JSON list of `{project, kind, sha256}` (decision 8). */
  readonly API_KEYS?: string;
  /**
   * Only on a laptop or in tests: SHA-256, in hex, of the server key of project `dev`, which makes
   * `client_dev_key` count too. Without a loopback address in LISTENS_ON neither does (decision 42).
   */
  readonly DEV_KEY_SHA256?: string;
  /** `on`: the examples are served although the development keys do not count. */
  readonly EXAMPLES?: 'on';
  /** The address the service listens on, where who starts it knows: a host name or an IP address. */
  readonly LISTENS_ON?: string;
  /** On a box: by it the Worker knows the program that started it, which tells how full the disk is. */
  readonly STARTER_KEY?: string;
  /** Names a service on a loopback address answers to besides those of loopback, comma separated. */
  readonly ALLOWED_HOSTS?: string;
  /** Origins whose pages may use the server key, comma separated; the service's own may always. */
  readonly OPERATOR_ORIGINS?: string;
  /**
   * Header in which a proxy says where a request comes from. Absent: `cf-connecting-ip` at the edge,
   * the other end of the socket on a box.
   */
  readonly CLIENT_ADDRESS_HEADER?: string;
  /** Allowed origins, comma separated; any when absent (decision 6). */
  readonly CORS_ORIGINS?: string;
  /** Seconds a game may last before its lobby is cleaned up; two hours when absent (decision 18). */
  readonly GAME_LIMIT_SECONDS?: string;
  /** A key that reads GET /metrics of all projects, and nothing else. */
  readonly METRICS_KEY?: string;
  /** At the edge: where what is counted is sent; Analytics Engine. */
  readonly METRICS?: Dataset;
  /** Hours for which the journal keeps what is over; 24 when absent, and none is kept with 0. */
  readonly JOURNAL_HOURS?: string;
}

/** Milliseconds; what is no number above zero counts as absent. */
export function gameLimitOf({ GAME_LIMIT_SECONDS }: Pick<Env, 'GAME_LIMIT_SECONDS'>): number {
  const seconds = Number(GAME_LIMIT_SECONDS);
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : IN_GAME_LIMIT_MS;
}
