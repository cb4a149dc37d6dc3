// Quick join: into the fullest public lobby that fits, or else into a new one. The Directory chooses the lobby and brings
// the player there (src/objects/directory/quick.ts).

import * as z from 'zod';
import type { LobbyId } from '../../common/ids';
import { MAX_BROWSE_KEYS, MAX_PLAYERS } from '../../common/limits';
import { mapOf, wholeNumber } from '../../common/shape';
import { signerOf } from '../../common/signed';
import { fits } from '../../lobby/search';
import { configOf } from '../../objects/caches/project';
import type { PlayerCall } from '../wire/call';
import { freeState } from '../wire/fields';
import { documentOf, granted, refuseWith, retrying } from '../wire/answer';
import { claimOf, CreateBody, filtersOf, joined, placesAskedFor } from './lobbies';

const FORM = 'must be a string, a number, or true or false';
const wanted = z.union([z.string(), z.number(), z.boolean()], FORM);
const never = z.literal(false, 'must be false in a quick join').default(false);

export const QuickJoinBody = z.object({
  where: mapOf(wanted, MAX_BROWSE_KEYS, () => null).default({}),
  /** How many free places the lobby has, with that of the player. */
  places: wholeNumber(1, MAX_PLAYERS).default(1),
  state: freeState.nullable().default(null),
  create: CreateBody.omit({ key: true }).extend({ isPrivate: never, forceFresh: never }),
});

type QuickCall = PlayerCall<z.infer<typeof QuickJoinBody>>;

export async function quickJoin(call: QuickCall): Promise<Response> {
  const { peers, project, config, player, isSdk } = call;
  const { places, create: body, state } = call.body;
  const { browseBy = [] } = configOf(await documentOf(call), config);
  const entries = Object.entries(call.body.where);
  const where = filtersOf(entries, browseBy, 'where.');
  // A value that is sought need not be said twice.
  const values = entries.filter((_, at) => 'text' in (where[at] ?? {}));
  const settings = { ...Object.fromEntries(values), ...body.settings };
  const maxPlayers = await placesAskedFor({ ...call, body });
  const id = signerOf(call.env).id('lobby') as LobbyId;
  const place = { id, project, config, player, isSdk, ...claimOf(call) };
  const create = { ...body, ...place, maxPlayers, settings, state: state ?? body.state };
  const sought = { region: null, status: null, places, where, browseBy };
  if (!fits({ ...create, status: 'waiting', currentPlayers: 0 }, sought)) {
    refuseWith('VALIDATION_ERROR', 'create: must be a lobby that this quick join would find');
  }
  if (await retrying(() => peers.seat(project, config, player).elsewhere(player, id))) {
    refuseWith('ALREADY_IN_LOBBY', 'The player is in a lobby of this config: leave that one first');
  }
  const directory = () => peers.directory(project, config);
  return joined(call, granted(await retrying(() => directory().quickJoin({ sought, create }))));
}
