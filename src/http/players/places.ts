// How many places a lobby may have: as many as its config says, where that says anything.

import { DEFAULT_MAX_PLAYERS } from '../../common/limits';
import { configOf, projectDocument } from '../../objects/caches/project';
import type { PlayerCall } from '../call';
import { refuseWith } from '../refused';

/** The places that the body asks for, or those of the config. Refuses more than the config allows. */
export async function placesAskedFor({
  peers,
  project,
  config,
  body: { maxPlayers },
}: PlayerCall<{ readonly maxPlayers?: number | undefined }>): Promise<number> {
  const document = await projectDocument(peers, project, Date.now());
  const { maxPlayers: most = null } = configOf(document, config);
  if (most !== null && (maxPlayers ?? 0) > most) {
    return refuseWith('VALIDATION_ERROR', `maxPlayers: must be at most ${most} in this config`);
  }
  return maxPlayers ?? most ?? DEFAULT_MAX_PLAYERS;
}
