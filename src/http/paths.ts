// The parts of a path: raw as the router gives them, so decoded and checked here.

import type { LobbyId } from '../ids';
import { refusal, type Reply } from '../lobby/refusals';
import { nameProblem } from '../match/shape';
import { ok } from '../result';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** VALIDATION_ERROR for what percent-decodes to nothing (`%E0%A4%A`). */
export function decodeParams(
  raw: Readonly<Record<string, string>>,
): Reply<Readonly<Record<string, string>>> {
  try {
    return ok(
      Object.fromEntries(
        Object.entries(raw).map(([name, part]) => [name, decodeURIComponent(part)]),
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

/** LOBBY_NOT_FOUND for what is no UUID: no lobby has such an id. */
export function lobbyIdOf(text: string): Reply<LobbyId> {
  const id = text.toLowerCase();
  return UUID.test(id)
    ? ok(id as LobbyId)
    : refusal('LOBBY_NOT_FOUND', 'There is no lobby of that id');
}
