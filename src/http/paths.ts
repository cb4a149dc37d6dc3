// The parts of a path: raw as the router gives them, so decoded and checked here.

import type { LobbyId } from '../ids';
import type { Env } from '../objects/placement/env';
import { signerOf } from '../objects/placement/signer';
import { refusal, type Reply } from '../lobby/refusals';
import { nameProblem } from '../shape';
import { ok } from '../result';

/**
 * Whether proxies and this service read a path in the same way: it has no backslash, no dot segment and no
 * encoded slash. The id of a player may have slashes. `url`: as the request has it, because `URL` tidies paths.
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
 * VALIDATION_ERROR for what percent-decodes to nothing (`%E0%A4%A`). In the name of a config, which
 * holds no `+`, that sign is a space; with `inFormStyle` it is one in every part.
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

/** The name of a config, mode or build, or VALIDATION_ERROR naming what it was for (decision 1). */
export function nameOf(what: string, text: string): Reply<string> {
  const problem = nameProblem(text);
  return problem === null ? ok(text) : refusal('VALIDATION_ERROR', `${what}: ${problem}`);
}

/** The form of a match's id, which is not signed: only who has the server key may ask by one. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** LOBBY_NOT_FOUND for what Muster gave to no lobby: no object is made to find that out. */
export function lobbyIdOf(env: Env, text: string): Reply<LobbyId> {
  const id = text.toLowerCase();
  return signerOf(env).made('lobby', id)
    ? ok(id as LobbyId)
    : refusal('LOBBY_NOT_FOUND', 'No lobby has this id');
}
