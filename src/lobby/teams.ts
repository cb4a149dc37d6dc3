// The teams of one lobby, as its settings name them (decision 81): `[{"name": "red", "players": ["ann", "ben"]}, …]`. Settings are
// free-form, so whatever is no such list names no teams. Pure.

import * as z from 'zod';
import type { Lobby, TeamOfLobby } from './lobby';

const MOST_TEAMS = 100;

const namedTeams = z
  .array(
    z.object({
      name: z.string().max(64).nullish(),
      players: z.array(z.string()),
    }),
  )
  .max(MOST_TEAMS);

/**
 * The teams of `settings.teams` that have players here. None: the lobby is one team. A player whom several name is in the first,
 * and a player whom none names takes no place.
 */
export function teamsNamed({ settings, players }: Pick<Lobby, 'settings' | 'players'>) {
  const sent = namedTeams.safeParse(settings['teams']);
  const left = new Set(players.map(({ id }) => id));
  const teams = (sent.data ?? []).map(({ name, players: named }): TeamOfLobby => {
    const here = players.filter(({ id }) => named.includes(id) && left.delete(id));
    return { name: name ?? null, players: here.map(({ id }) => id) };
  });
  return teams.filter((team) => team.players.length > 0);
}
