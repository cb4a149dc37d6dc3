// Of the public API, what the judge reads: which route a call was, how it came out, and the bodies of answers.

import type { Call } from './lines.ts';

export interface Lobby {
  readonly id: string;
  readonly config: string;
  readonly status: string;
  readonly host: string;
  readonly name: string;
  readonly maxPlayers: number;
  readonly currentPlayers?: number;
  readonly isPrivate: boolean;
  readonly settings: Fields;
  readonly players: readonly { readonly id: string; readonly state: Fields | null }[];
  readonly spectators?: readonly { readonly id: string }[];
  readonly currentSpectators?: number;
  /** The caller watches it, and may be shown it late. */
  readonly as?: string;
  readonly server: { readonly instance_id: string } | null;
  readonly matchId: string | null;
  readonly lastResult?: { readonly matchId: string; readonly teams: unknown };
  readonly revision: number;
  readonly createdAt: string;
}

export interface Match {
  readonly outcome: string;
  readonly config: string;
  readonly mode: string;
  readonly runningAt: string | null;
  readonly teams: readonly {
    readonly lobbies: readonly {
      readonly lobbyId: string;
      readonly players: readonly { readonly id: string }[];
    }[];
  }[];
  readonly server?: { readonly id: string } | null;
  readonly result?: { readonly teams: unknown } | null;
  /** Of a match that somebody made: what its maker calls it; of a rematch, the match before it. */
  readonly ref?: string;
  readonly made_by?: string;
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

export function isLobby(body: unknown): body is Lobby {
  const { id, revision, players, createdAt } = fieldsOf(body);
  return (
    typeof id === 'string' &&
    typeof revision === 'number' &&
    typeof createdAt === 'string' &&
    Array.isArray(players)
  );
}

export function isMatch(body: unknown): body is Match {
  const { outcome, teams } = fieldsOf(body);
  return typeof outcome === 'string' && Array.isArray(teams);
}

/** The same text for the same value, in whatever order its keys are. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'absent';
  }
  if (Array.isArray(value)) {
    return `[${value.map(textOf).join()}]`;
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const parts = entries.map(([key, each]) => `${JSON.stringify(key)}:${textOf(each)}`);
  return `{${parts.toSorted().join()}}`;
}

const ROUTES = [
  ['create', 'POST', /^\/v3\/lobbies\/([^/]+)$/],
  ['browse', 'GET', /^\/v3\/lobbies\/([^/?]+)(?:\?.*)?$/],
  ['join', 'POST', /^\/v3\/lobbies\/([^/]+)\/(?:quick-)?join$/],
  ['read', 'GET', /^\/v3\/lobbies\/([^/]+)\/me$/],
  ['state', 'PATCH', /^\/v3\/lobbies\/([^/]+)\/me$/],
  ['leave', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/me$/],
  ['move', 'POST', /^\/v3\/lobbies\/([^/]+)\/(me|[^/]+)\/move$/],
  ['settings', 'PATCH', /^\/v3\/lobbies\/([^/]+)\/me\/settings$/],
  ['kick', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/me\/players\/([^/]+)$/],
  ['start', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/start$/],
  ['end', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/end-match$/],
  ['queue', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/matchmaking$/],
  ['cancel', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/me\/matchmaking$/],
  ['confirm', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/confirm-match$/],
  ['decline', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/me\/confirm-match$/],
  ['rematch', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/rematch$/],
  ['no rematch', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/me\/rematch$/],
  ['heartbeat', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/heartbeat$/],
  ['delete', 'DELETE', /^\/v3\/lobbies\/([^/]+)\/([^/]+)$/],
  ['look', 'GET', /^\/v3\/lobbies\/([^/]+)\/([^/]+)$/],
  ['config', 'PUT', /^\/v3\/lobby-configs\/([^/]+)$/],
  ['ban', 'PUT', /^\/v3\/bans\/()([^/]+)$/],
  ['unban', 'DELETE', /^\/v3\/bans\/()([^/?]+)(?:\?.*)?$/],
  ['hooks', 'PUT', /^\/v3\/projects\/hooks()$/],
  ['unhook', 'DELETE', /^\/v3\/projects\/hooks()$/],
  ['attributes', 'PUT', /^\/v3\/players\/()([^/]+)\/attributes$/],
  ['patch attributes', 'PATCH', /^\/v3\/players\/()([^/]+)\/attributes$/],
  ['erase attributes', 'DELETE', /^\/v3\/players\/()([^/]+)\/attributes$/],
  ['steer', 'POST', /^\/v3\/servers\/()([^/]+)\/places$/],
  ['own result', 'POST', /^\/v3\/servers\/()([^/]+)\/result$/],
  ['result', 'POST', /^\/v3\/matches\/()([^/]+)\/result$/],
  ['vote', 'POST', /^\/v3\/lobbies\/([^/]+)\/me\/matches\/([^/]+)\/result$/],
  ['make', 'POST', /^\/v3\/matches()$/],
  ['match', 'GET', /^\/v3\/matches\/()([^/]+)$/],
  ['ratings', 'GET', /^\/v3\/ratings\?(?:.*&)?config=([^&]+)/],
  ['import', 'POST', /^\/v3\/ratings\/import/],
] as const;

export type Kind = (typeof ROUTES)[number][0] | 'other';

export interface Route {
  readonly kind: Kind;
  /** Of the path; empty where the path names none. */
  readonly config: string;
  /** The player, lobby or match that the path names. */
  readonly target: string;
}

/** A create by a key is a join, if another has created the lobby of that key. */
export function routeOf({ does, body }: Pick<Call, 'does' | 'body'>): Route {
  const [method = '', path = ''] = does.split(' ');
  for (const [kind, by, pattern] of ROUTES) {
    const found = by === method ? pattern.exec(path) : null;
    if (found !== null) {
      const [, config = '', target = ''] = found.map((part) => decodeURIComponent(part ?? ''));
      const isKeyed = kind === 'create' && fieldsOf(body)['key'] !== undefined;
      return { kind: isKeyed ? 'join' : kind, config, target };
    }
  }
  return { kind: 'other', config: '', target: '' };
}

/** `unknown`: it may have happened, and may not. So may whatever the service answered with an error of its own. */
export type Outcome = 'done' | 'refused' | 'unknown';

export function outcomeOf({ status }: Call): Outcome {
  if (status === null || status >= 500) {
    return 'unknown';
  }
  return status < 300 ? 'done' : 'refused';
}

export function codeOf({ answer }: Call): string {
  const { code } = fieldsOf(answer);
  return typeof code === 'string' ? code : '';
}
