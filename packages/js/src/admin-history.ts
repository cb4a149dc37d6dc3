// The part of the operators' API about the past: matches, histories, earlier revisions and the audit list.

import type { BuildRevision, ConfigRevision, SavedBuild, SavedLobbyConfig } from './admin-types.ts';
import { type CallOptions, part, type SaveOptions, type Service } from './http.ts';
import type {
  AuditPage,
  AuditQuery,
  Happening,
  Match,
  MatchesQuery,
  MatchToMake,
  MatchSummary,
  PlayerSeen,
  TicketChanges,
} from './journal-types.ts';

interface Items<T> {
  readonly items: readonly T[];
}

export interface TicketsQuery extends CallOptions {
  /** `next` of the last answer. Absent: from the beginning. */
  readonly after?: string | undefined;
  /** Wait so many seconds for a change: 0 to 25. Default: 0. */
  readonly wait?: number | undefined;
}

/** The options of a save as the service takes them: `ifRevision` becomes a header. */
export function ifMatch({ ifRevision, signal }: SaveOptions): CallOptions & {
  readonly headers: Readonly<Record<string, string>>;
} {
  return { signal, headers: ifRevision === undefined ? {} : { 'if-match': `"${ifRevision}"` } };
}

export class AdminHistory {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** The last 50 revisions, newest first. */
  async getLobbyConfigHistory(
    name: string,
    options: CallOptions = {},
  ): Promise<readonly ConfigRevision[]> {
    const path = `/v3/lobby-configs/${part(name)}/history`;
    return (await this.#service.call<Items<ConfigRevision>>('GET', path, options)).items;
  }

  /** Saves it anew as it was in that revision. */
  restoreLobbyConfig(
    name: string,
    revision: number,
    options: SaveOptions = {},
  ): Promise<SavedLobbyConfig> {
    const path = `/v3/lobby-configs/${part(name)}/history/${revision}/restore`;
    return this.#service.call('POST', path, ifMatch(options));
  }

  /** Newest first. */
  async listMatches(
    query: MatchesQuery = {},
    options: CallOptions = {},
  ): Promise<readonly MatchSummary[]> {
    const asked = { ...options, query: { ...query } };
    return (await this.#service.call<Items<MatchSummary>>('GET', '/v3/matches', asked)).items;
  }

  /** For a matcher of yours: who came, changed or went in the queue of that mode, as soon as there is any news. */
  listTickets(
    config: string,
    mode: string,
    { after, wait, ...options }: TicketsQuery = {},
  ): Promise<TicketChanges> {
    const path = `/v3/queues/${part(config)}/${part(mode)}/tickets`;
    return this.#service.call('GET', path, { ...options, query: { after, wait } });
  }

  /**
   * Makes a match of lobbies and players that you choose: all of them, or none. Repeat it as it is after an error without an
   * answer. Throws MATCH_NOT_MADE, whose `issues` say who cannot be in it, and REF_EXISTS.
   */
  makeMatch(match: MatchToMake, options: CallOptions = {}): Promise<Match> {
    return this.#service.call('POST', '/v3/matches', { ...options, body: match });
  }

  /** Available for a day after the match ends. */
  getMatch(id: string, options: CallOptions = {}): Promise<Match> {
    return this.#service.call('GET', `/v3/matches/${part(id)}`, options);
  }

  /** Oldest first. Available for a day after the lobby ends. */
  async getLobbyHistory(
    config: string,
    id: string,
    options: CallOptions = {},
  ): Promise<readonly Happening[]> {
    const path = `/v3/lobbies/${part(config)}/${part(id)}/history`;
    return (await this.#service.call<Items<Happening>>('GET', path, options)).items;
  }

  /** The last 50 revisions, newest first. */
  async getBuildHistory(
    name: string,
    options: CallOptions = {},
  ): Promise<readonly BuildRevision[]> {
    const path = `/v3/builds/${part(name)}/history`;
    return (await this.#service.call<Items<BuildRevision>>('GET', path, options)).items;
  }

  /** Saves it as a new version, as it was in that revision. */
  restoreBuild(name: string, revision: number, options: CallOptions = {}): Promise<SavedBuild> {
    const path = `/v3/builds/${part(name)}/history/${revision}/restore`;
    return this.#service.call('POST', path, options);
  }

  /** What operators did, newest first. */
  listAudit(query: AuditQuery = {}, options: CallOptions = {}): Promise<AuditPage> {
    return this.#service.call('GET', '/v3/audit', { ...options, query: { ...query } });
  }

  getPlayer(id: string, options: CallOptions = {}): Promise<PlayerSeen> {
    return this.#service.call('GET', `/v3/players/${part(id)}`, options);
  }
}
