// @muster/client/server: what a game server in Node needs. It reads its match, verifies the players' seat
// tickets without asking anybody, and reports the result.

/// <reference types="node" />
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { isMusterError } from './errors.ts';
import type { Bots, MusterJson } from './game-server-types.ts';
import type { CallOptions } from './http.ts';
import { Service } from './http.ts';
import type { Seat } from './identity-types.ts';
import type { GameRoster, Match, PlacesOrder, Seated } from './journal-types.ts';
import type { Result, ResultReport, TeamReport } from './result-types.ts';
import type { JsonObject, Server } from './types.ts';
import { backoffMs, pause } from './wait.ts';

export type { Bots, MusterJson } from './game-server-types.ts';
export type { Seat } from './identity-types.ts';
export type { GameRoster, PlacesOrder, Seated } from './journal-types.ts';
export type { Result, ResultReport, TeamReport, TeamResult } from './result-types.ts';

/** A player that the match was formed with. Those who come later have only their ticket. */
export interface MatchPlayer {
  readonly id: string;
  readonly lobby: string;
  /** Index of the team. */
  readonly team: number;
  /** Null in modes without roles, and for a player who takes no place in the team. */
  readonly role: string | null;
  readonly state: JsonObject;
}

export interface ServerMatch {
  /** Null after a direct start, which has no teams: players then have only their tickets. */
  readonly id: string | null;
  readonly mode: string | null;
  readonly players: readonly MatchPlayer[];
  /** The places to fill with bots when the server starts. A player with a seat ticket for such a team takes one of them. */
  readonly bots: readonly Bots[];
  /** The settings of each lobby by its id; after a direct start, the settings of the lobby itself. */
  readonly settings: JsonObject;
  /** Where to listen. */
  readonly host: string;
  readonly port: number;
  /** All of `muster.json`. */
  readonly told: MusterJson;
}

export interface SeatOptions {
  /** Lets in players who have no place in the match, so that they may watch. False by default. */
  readonly takesSpectators?: boolean | undefined;
}

export interface ResultOptions extends CallOptions, Pick<Result, 'data'> {}

const SEAT_TYPE = 'muster-seat+jwt';
const MAX_TICKET_LENGTH = 4_096;
const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** Twenty tries last some five minutes: longer than Muster takes to start again. */
const MAX_TRIES = 20;
/** How long the service waits for a roster that changes, and how long its answer may take. */
const WAIT_SECONDS = 20;
const ANSWER_MS = 40_000;

interface Team {
  readonly lobbies: readonly {
    readonly lobby_id: string;
    readonly player_states: Readonly<Record<string, JsonObject>>;
  }[];
  readonly roles?: Readonly<Record<string, string>>;
}

/** `muster.json` does not change while the server runs, unless the server is warm and gets its match. */
let read: { readonly from: string; readonly told: MusterJson } | null = null;

/** From the file, or in a cloud, where nobody writes one, from the variable. */
function told(): MusterJson {
  const { MUSTER_CONFIG: path, MUSTER_JSON: json } = env;
  const from = path ?? json;
  if (from === undefined) {
    throw new Error('MUSTER_CONFIG is not set: this program was not started by Muster');
  }
  if (read?.from !== from) {
    const text = path === undefined ? from : readFileSync(path, 'utf8');
    read = { from, told: JSON.parse(text) as MusterJson };
  }
  return read.told;
}

/**
 * What Muster has told this server.
 *
 * @example
 * const { port, players } = readMatch();
 */
export function readMatch(): ServerMatch {
  const all = told();
  const data = all.custom_data;
  const { match_id: id = null, matchmaking_mode: mode = null, lobby_settings: settings } = data;
  const teams = (id === null ? [] : data['teams']) as unknown as readonly Team[];
  return {
    id: id as string | null,
    mode: mode as string | null,
    players: teams.flatMap(({ lobbies, roles = {} }, team) =>
      lobbies.flatMap(({ lobby_id: lobby, player_states: states }) =>
        Object.entries(states).map(([player, state]) => {
          const role = Object.hasOwn(roles, player) ? (roles[player] ?? null) : null;
          return { id: player, lobby, team, role, state };
        }),
      ),
    ),
    bots: (id === null ? [] : (data['bots'] ?? [])) as unknown as readonly Bots[],
    settings: (id === null ? data : settings) as JsonObject,
    host: env['MUSTER_HOST'] ?? '127.0.0.1',
    port: Number(env['MUSTER_PORT'] ?? 0),
    told: all,
  };
}

/**
 * The match of this server: at once, or of a warm server as soon as it has one. Say first that the server runs, by opening its ports.
 * Rejects if the server has ended for Muster, or if Muster is away for some minutes.
 *
 * @example
 * const { players } = await waitForMatch();
 */
export async function waitForMatch({ signal }: CallOptions = {}): Promise<ServerMatch> {
  const body = { status: 'running' };
  while (told().match === null) {
    const path = `status?wait=${WAIT_SECONDS}`;
    const { match_id: match, custom_data } = await asked<Server>('POST', path, { signal, body });
    if (match !== null) {
      // An agent has written the file anew, with the keys of today.
      read = null;
      const now = told();
      read = {
        from: env['MUSTER_CONFIG'] ?? env['MUSTER_JSON'] ?? '',
        told: { ...now, match, custom_data },
      };
    }
  }
  return readMatch();
}

function part<T>(text: string | undefined): T {
  return JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8')) as T;
}

interface Claims extends Omit<Seat, 'player'> {
  readonly sub: string;
  readonly aud: string;
  readonly exp: number;
}

/** The claims of a ticket that one of the keys has signed. Throws if it is no ticket. */
function claimsOf(ticket: string, keys: readonly { readonly kid: string }[]): Claims | null {
  const [head, body, signature = ''] = ticket.split('.');
  const { kid, typ, alg } = part<{ kid?: string; typ?: string; alg?: string }>(head);
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined || typ !== SEAT_TYPE || alg !== 'EdDSA') {
    return null;
  }
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${body}`);
  const isOurs = verify(null, signed, key, Buffer.from(signature, 'base64url'));
  return isOurs ? part<Claims>(body) : null;
}

/**
 * The seat of the ticket that a player has sent. Null if the ticket is not good here: forged, expired, for another
 * server, or of a player without a place in the match.
 */
export function seatOf(
  ticket: unknown,
  { takesSpectators = false }: SeatOptions = {},
): Seat | null {
  const { instance_id: instance, seat_keys: { keys } = { keys: [] } } = told();
  if (typeof ticket !== 'string' || ticket.length > MAX_TICKET_LENGTH) {
    return null;
  }
  let claims: Claims | null;
  try {
    claims = claimsOf(ticket, keys);
  } catch {
    return null;
  }
  if (claims === null || claims.aud !== instance || claims.exp * 1000 <= Date.now()) {
    return null;
  }
  const { sub: player, match, lobby, team, team_name, role, late, spectator } = claims;
  const hasPlace = match === null || team !== null;
  const seat = { player, match, lobby, team, team_name, role, late };
  return hasPlace || takesSpectators ? { ...seat, ...(spectator && { spectator }) } : null;
}

/**
 * Reports the result of the match. What may pass, such as a service that restarts, is tried again for some minutes:
 * the same result again changes nothing. Rejects with `RESULT_EXISTS` if another result was reported before.
 *
 * @example
 * await reportResult([{ team: 0, score: 13 }, { team: 1, score: 7 }]);
 */
export async function reportResult(
  teams: readonly TeamReport[],
  { data, signal }: ResultOptions = {},
): Promise<Match> {
  const body: ResultReport = { teams, ...(data === undefined ? {} : { data }) };
  return asked('POST', 'result', { signal, body });
}

/** Asks the service with the server's own token, again and again while what fails may pass. */
async function asked<T>(
  method: 'GET' | 'POST',
  what: string,
  { signal, body }: CallOptions & { readonly body?: object },
): Promise<T> {
  const { report_url: url, token } = told();
  const { origin, pathname } = new URL(url);
  const service = new Service({ url: origin, key: '', timeoutMs: ANSWER_MS });
  const headers = { authorization: `Bearer ${token}` };
  const path = pathname.replace(/status$/, what);
  for (let tries = 1; ; tries += 1) {
    try {
      return await service.call<T>(method, path, { signal, headers, body });
    } catch (error) {
      if (!isMusterError(error) || !error.isPassing || tries >= MAX_TRIES) {
        throw error;
      }
      const waitMs = (error.retryAfter ?? 0) * 1000 + backoffMs(tries, BACKOFF);
      await pause(waitMs, signal ?? new AbortController().signal);
    }
  }
}

/** The newest revision of the roster that this program knows. */
let known: number | null = null;

async function readRoster(options: CallOptions, after = 0, wait = 0): Promise<GameRoster> {
  const roster = await asked<GameRoster>('GET', `roster?after=${after}&wait=${wait}`, options);
  known = roster.revision;
  return roster;
}

/**
 * Says which places of the match are open, who has none any more, or who is put out. It is sent again for some minutes
 * while Muster is away, and does nothing twice. Resolves with the whole roster.
 *
 * @example
 * await setPlaces({ open: 0 });
 * await setPlaces({ open: 2, team: 1 });
 * await setPlaces({ kick: 'bob' });
 */
export async function setPlaces(
  order: PlacesOrder,
  options: CallOptions = {},
): Promise<GameRoster> {
  const after = order.after ?? known ?? (await readRoster(options)).revision;
  const roster = await asked<GameRoster>('POST', 'places', {
    ...options,
    body: { ...order, after },
  });
  known = roster.revision;
  return roster;
}

/** The player has no place in the match any more. */
export function releaseSeat(player: string, options: CallOptions = {}): Promise<GameRoster> {
  return setPlaces({ release: player }, options);
}

export interface RosterNews extends GameRoster {
  /** Those whose place has changed since the last roster; at first all. */
  readonly changed: readonly Seated[];
}

/**
 * The roster of the match, now and whenever it changes, until the match is over.
 *
 * @example
 * for await (const { changed } of followRoster()) {
 *   for (const { id, team, status } of changed) …
 * }
 */
export async function* followRoster(options: CallOptions = {}): AsyncGenerator<RosterNews, void> {
  const players = new Map<string, Seated>();
  for (let revision = 0; ;) {
    let news: GameRoster;
    try {
      news = await readRoster(options, revision, WAIT_SECONDS);
    } catch (error) {
      if (isMusterError(error) && error.code === 'INVALID_STATE' && revision > 0) {
        return;
      }
      throw error;
    }
    if (news.revision !== revision) {
      revision = news.revision;
      news.players.forEach((each) => players.set(each.id, each));
      yield { ...news, players: [...players.values()], changed: news.players };
    }
  }
}
