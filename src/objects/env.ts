// What the Worker and its objects are given by their surroundings; wrangler.toml says the same.

import { IN_GAME_LIMIT_MS } from '../limits';

export interface Env {
  readonly LOBBIES: DurableObjectNamespace;
  readonly SEATS: DurableObjectNamespace;
  readonly DIRECTORIES: DurableObjectNamespace;
  readonly QUEUES: DurableObjectNamespace;
  readonly MATCHES: DurableObjectNamespace;
  readonly SERVERS: DurableObjectNamespace;
  readonly PROJECTS: DurableObjectNamespace;
  /** Files of the dashboard and the examples; absent where the Worker runs without them. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  /** JSON list of `{project, kind, sha256}` (decision 8). */
  readonly API_KEYS?: string;
  /** "true" only on a laptop or in tests: `client_dev_key`, `server_dev_key` for project `dev`. */
  readonly DEV_KEYS?: string;
  /** Allowed origins, comma separated; any when absent (decision 6). */
  readonly CORS_ORIGINS?: string;
  /** The one fleet there is: `local`, `http` or `simulated`; not heeded where FLEETS is given. */
  readonly FLEET?: string;
  readonly FLEET_URL?: string;
  readonly FLEET_SECRET?: string;
  /** Several fleets: a JSON list (objects/fleet-entries.ts); the secrets are in variables it names. */
  readonly FLEETS?: string;
  /** Where fleets and game servers reach this service. */
  readonly PUBLIC_URL?: string;
  /** Seconds a game may last before its lobby is cleaned up; two hours when absent (decision 18). */
  readonly GAME_LIMIT_SECONDS?: string;
}

/** Milliseconds; what is no number above zero counts as absent. */
export function gameLimitOf({ GAME_LIMIT_SECONDS }: Pick<Env, 'GAME_LIMIT_SECONDS'>): number {
  const seconds = Number(GAME_LIMIT_SECONDS);
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : IN_GAME_LIMIT_MS;
}
