// Decodes and checks the parts of a path, which the router returns raw.

import type { LobbyId, MatchId, PlayerId } from '../common/ids';
import type { Env } from '../objects/placement/env';
import { signerOf } from '../objects/placement/signer';
import { refusal, type Reply } from '../lobby/refusals';
import { nameProblem } from '../common/shape';
import { ok } from '../common/result';
import { isPlayerId } from './access';

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
      (parts[index - 1] === 'players' || !/%(?:2f|5c)/i.test(part)),
  );
}

/**
 * The decoded parts, or VALIDATION_ERROR for invalid percent-encoding (`%E0%A4%A`). A `+` counts as a space in the
 * name of a config, which cannot have a `+`, and with `inFormStyle` in every part.
 */
export function decodeParams(
  raw: Readonly<Record<string, string>>,
  inFormStyle: boolean,
): Reply<Readonly<Record<string, string>>> {
  if (!Object.values(raw).some((part) => /[%+]/.test(part))) {
    return ok(raw);
  }
  try {
    return ok(
      Object.fromEntries(
        Object.entries(raw).map(([name, part]) => {
          const spaced = inFormStyle || name === 'config' ? part.replaceAll('+', ' ') : part;
          return [name, decodeURIComponent(spaced)];
        }),
      ),
    );
  } catch {
    return refusal('VALIDATION_ERROR', 'The path is not percent-encoded UTF-8');
  }
}

/** The name of a config, mode or build, or VALIDATION_ERROR that says which it was (decision 1). */
export function nameOf(what: string, text: string): Reply<string> {
  const problem = nameProblem(text);
  return problem === null ? ok(text) : refusal('VALIDATION_ERROR', `${what}: ${problem}`);
}

/**
 * Whether the text can be a match's id, so that no object is asked about any other text. Match ids are not signed, so
 * only the server key may use them.
 */
export function isMatchId(text: string): text is MatchId {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** The player of `/players/{id}`, or VALIDATION_ERROR for what is no player's id (decision 4). */
export function playerOfPath({ id = '' }: Readonly<Record<string, string>>): Reply<PlayerId> {
  return isPlayerId(id)
    ? ok(id as PlayerId)
    : refusal('VALIDATION_ERROR', 'id: no player can have this id');
}

export const NO_LOBBY = ['LOBBY_NOT_FOUND', 'No lobby has this id'] as const;

/** The lobby's id, or LOBBY_NOT_FOUND for an id that Muster did not issue. That creates no object. */
export function lobbyIdOf(env: Env, text: string): Reply<LobbyId> {
  const id = text.toLowerCase();
  return signerOf(env).made('lobby', id) ? ok(id as LobbyId) : refusal(...NO_LOBBY);
}
