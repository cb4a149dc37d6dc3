// Decodes and checks the parts of a path, which the router returns raw. Refusals are thrown as Refused.

import { isPlayerId, type LobbyId, type MatchId, type PlayerId } from '../../common/ids';
import type { Env } from '../../objects/placement/env';
import { signerOf } from '../../common/signed';
import { nameProblem } from '../../common/shape';
import type { Call } from './call';
import { refuseWith } from './answer';

/** The parts of a path behind which the id of a player stands. Such an id may have slashes. */
const PLAYERS: ReadonlySet<string> = new Set(['players', 'bans']);

/**
 * Whether proxies and this service read a path the same way: it has no backslash, no dot segment and no encoded
 * slash, except in the id of a player. `url` is the request's text, because `URL` normalizes paths.
 */
export function isPlainPath(url: string): boolean {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  if (!/[\\%]|\/\./.test(path)) {
    return true;
  }
  const parts = path.split('/');
  return parts.every(
    (part, index) =>
      !part.includes('\\') &&
      !/^(?:\.|%2e){1,2}$/i.test(part) &&
      (PLAYERS.has(parts[index - 1] ?? '') || !/%(?:2f|5c)/i.test(part)),
  );
}

/** A `+` is a space in the name of a config, which cannot have a `+`, and with `inFormStyle` in every part. */
export function decodeParams(raw: Readonly<Record<string, string>>, inFormStyle: boolean) {
  try {
    return Object.fromEntries(
      Object.entries(raw).map(([name, part]) => {
        const spaced = inFormStyle || name === 'config' ? part.replaceAll('+', ' ') : part;
        return [name, decodeURIComponent(spaced)];
      }),
    );
  } catch {
    return refuseWith('VALIDATION_ERROR', 'The path is not percent-encoded UTF-8');
  }
}

/** The name of a config, mode or build, or VALIDATION_ERROR that says which it was (decision 1). */
export function checkedName(what: string, text: string): string {
  const problem = nameProblem(text);
  return problem === null ? text : refuseWith('VALIDATION_ERROR', `${what}: ${problem}`);
}

/** No object is asked about any other text. Match ids are not signed, so only the server key may use them. */
export function isMatchId(text: string): text is MatchId {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The player of `/players/{id}`, or VALIDATION_ERROR for what is no player's id (decision 4). */
export function playerOfPath({ id = '' }: Readonly<Record<string, string>>): PlayerId {
  return isPlayerId(id)
    ? (id as PlayerId)
    : refuseWith('VALIDATION_ERROR', 'id: no player can have this id');
}

export function noLobby(): never {
  return refuseWith('LOBBY_NOT_FOUND', 'No lobby has this id');
}

/** The lobby's id. Null for an id that Muster did not issue, so that it creates no object. */
export function signedLobbyOf(env: Env, text: string): LobbyId | null {
  const id = text.toLowerCase();
  return signerOf(env).made('lobby', id) ? (id as LobbyId) : null;
}

/** The lobby of `/{id}`, or LOBBY_NOT_FOUND for an id that Muster did not issue. */
export function lobbyOfPath({ env, params }: Pick<Call, 'env' | 'params'>): LobbyId {
  return signedLobbyOf(env, params['id'] ?? '') ?? noLobby();
}

/** The match of `/{id}`, or NOT_FOUND for what is no match's id. */
export function matchOfPath({ id = '' }: Readonly<Record<string, string>>): MatchId {
  return isMatchId(id) ? id : noMatch();
}

export function noMatch(): never {
  return refuseWith('NOT_FOUND', 'No match has this id');
}
