// The bindings and variables of the Worker and its objects. wrangler.toml must match.

import type { Dataset } from '../../common/metrics';
import type { TraceSettings } from '../../common/otlp';
import type { FleetSettings } from '../../fleet/surroundings';
import { IN_GAME_LIMIT_MS } from '../../common/limits';
import { isInternal } from '../../common/storage-error';
import { projectsIn, type QuotaSettings } from '../../common/quotas';
import { inviteUrl, type Invited } from '../../lobby/invite';

/** Something that fetches a URL: a binding, or the whole network. */
export interface Fetching {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** What helps players to connect with each other (http/players/ice.ts). URLs are comma separated. */
interface IceSettings {
  /** STUN servers. */
  readonly ICE_STUN?: string;
  /** TURN servers, and the `static-auth-secret` that all of them know. */
  readonly ICE_TURN?: string;
  readonly ICE_TURN_SECRET?: string;
  /** The id and the API token of a TURN key of Cloudflare. */
  readonly ICE_CLOUDFLARE_KEY?: string;
  readonly ICE_CLOUDFLARE_TOKEN?: string;
}

export interface Env extends FleetSettings, QuotaSettings, IceSettings, TraceSettings {
  /** The one object that holds all actors of a box. If it is bound, the objects below are not used. */
  readonly BOX?: DurableObjectNamespace;
  /** On a box: the guard through which the Worker passes WebSockets (scripts/socket-guard.ts). */
  readonly GUARD?: { fetch(request: Request): Promise<Response> };
  /**
   * On a box: a network that reaches no loopback or private address unless PRIVATE_PROVIDERS says so, for URLs
   * that tenants choose (scripts/workerd-config.ts).
   */
  readonly PROVIDERS?: Fetching;
  readonly LOBBIES: DurableObjectNamespace;
  readonly SEATS: DurableObjectNamespace;
  readonly DIRECTORIES: DurableObjectNamespace;
  readonly QUEUES: DurableObjectNamespace;
  readonly MATCHES: DurableObjectNamespace;
  readonly SERVERS: DurableObjectNamespace;
  readonly PROJECTS: DurableObjectNamespace;
  readonly PLAYERS: DurableObjectNamespace;
  readonly RATINGS: DurableObjectNamespace;
  /** Files of the dashboard and the examples. Absent if the Worker runs without them. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
  /** The secret that signs ids and tokens. Absent: API_KEYS is the secret (record 0017). */
  readonly ID_KEY?: string;
  /** JSON list of `{project, kind, sha256}` (decision 8). */
  readonly API_KEYS?: string;
  /**
   * Only on a laptop or in tests: SHA-256, in hex, of the server key of project `dev`. It also makes
   * `client_dev_key` valid. Without a loopback address in LISTENS_ON neither key is valid (decision 42).
   */
  readonly DEV_KEY_SHA256?: string;
  /** `on`: the examples are served although the development keys are not valid. */
  readonly EXAMPLES?: 'on';
  /** The address that the service listens on, if its starter knows it: a host name or an IP address. */
  readonly LISTENS_ON?: string;
  /** On a box: the key with which the program that started the service reports how full the disk is. */
  readonly STARTER_KEY?: string;
  /** On one of several machines that share a bucket: where the others reach this one. Absent: this box is alone. */
  readonly INSTANCE?: string;
  /** Host names that a service on a loopback address accepts besides loopback names, comma separated. */
  readonly ALLOWED_HOSTS?: string;
  /** Origins whose pages may use the server key, comma separated. The service's own origin always may. */
  readonly OPERATOR_ORIGINS?: string;
  /** The header where a proxy names the client's address. Absent: `cf-connecting-ip` at the edge, the socket on a box. */
  readonly CLIENT_ADDRESS_HEADER?: string;
  /** Allowed origins, comma separated. Absent: any (decision 6). */
  readonly CORS_ORIGINS?: string;
  /** Seconds that a game may last before its lobby is cleaned up. Absent: two hours (decision 18). */
  readonly GAME_LIMIT_SECONDS?: string;
  /** A key that can only read GET /metrics, for all projects. */
  readonly METRICS_KEY?: string;
  /** At the edge: the Analytics Engine dataset that metrics are sent to. */
  readonly METRICS?: Dataset;
  /** Hours for which the journal keeps ended lobbies and matches. Absent: 24. 0 keeps none. */
  readonly JOURNAL_HOURS?: string;
}

/** GAME_LIMIT_SECONDS in milliseconds. A value that is not a number above zero counts as absent. */
export function gameLimitOf({ GAME_LIMIT_SECONDS }: Pick<Env, 'GAME_LIMIT_SECONDS'>): number {
  const seconds = Number(GAME_LIMIT_SECONDS);
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : IN_GAME_LIMIT_MS;
}

export function invitePage({ PUBLIC_URL = '', API_KEYS }: Env, to: Invited): string | null {
  return inviteUrl(PUBLIC_URL, projectsIn(API_KEYS) < 2, to);
}

/** How URLs of tenants are fetched: on a box over a network that reaches no private address (record 0033). */
export function fetcherOf({ PROVIDERS }: Pick<Env, 'PROVIDERS'>): Fetching['fetch'] {
  if (PROVIDERS === undefined) {
    return (url, init) => fetch(url, init);
  }
  return async (url, init) => {
    try {
      return await PROVIDERS.fetch(url, init);
    } catch (error) {
      // The network looks the name up, and then refuses the address. The platform says no more than "internal error".
      throw isInternal(error) ? new Error(NOT_PUBLIC, { cause: error }) : error;
    }
  };
}

const NOT_PUBLIC =
  'the address is not public: a box reaches no private one, unless PRIVATE_PROVIDERS is 1';
