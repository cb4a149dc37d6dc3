// What the Worker and its objects are given by their surroundings; wrangler.toml says the same.

export interface Env {
  readonly LOBBIES: DurableObjectNamespace;
  readonly SEATS: DurableObjectNamespace;
  readonly DIRECTORIES: DurableObjectNamespace;
  readonly QUEUES: DurableObjectNamespace;
  readonly MATCHES: DurableObjectNamespace;
  readonly SERVERS: DurableObjectNamespace;
  readonly PROJECTS: DurableObjectNamespace;
  /** JSON list of `{project, kind, sha256}` (decision 8). */
  readonly API_KEYS?: string;
  /** "true" only on a laptop or in tests: `client_dev_key`, `server_dev_key` for project `dev`. */
  readonly DEV_KEYS?: string;
  /** Allowed origins, comma separated; any when absent (decision 6). */
  readonly CORS_ORIGINS?: string;
  /** `local` or `simulated`. */
  readonly FLEET?: string;
  readonly FLEET_URL?: string;
  readonly FLEET_SECRET?: string;
  /** Where fleets and game servers reach this service. */
  readonly PUBLIC_URL?: string;
}
