// What must hold of a match as its launch shows it (the server's custom data): nobody in it twice,
// its teams as its mode wants them. And of one that a lobby declined: it is never launched.

import type { Declined, ServerRow } from './rows.ts';

/** The size of a mode's matches. */
export interface Shape {
  readonly teams: number;
  readonly playersPerTeam: number;
  readonly minPlayersPerTeam: number;
}

/** Lobbies named at the launch. */
export function lobbiesOf({ custom_data: { teams = [] } }: ServerRow): readonly string[] {
  return teams.flatMap(({ lobbies }) => lobbies.map((lobby) => lobby.lobby_id));
}

/** The problems of the match that this server was launched for, as sentences. */
export function misformed(server: ServerRow, shapeOf: (mode: string) => Shape | null): string[] {
  const { match_id: match, custom_data: data } = server;
  const { teams = [], matchmaking_mode: mode = '' } = data;
  const shape = match === null ? null : shapeOf(mode);
  if (match === null) {
    return [];
  }
  if (shape === null) {
    return [`match ${match} was launched without its roster`];
  }
  const found: string[] = [];
  const demand = (holds: boolean, what: string): void => {
    if (!holds) {
      found.push(`match ${match} of ${mode} ${what}`);
    }
  };
  const sizes = teams.map(({ lobbies }) =>
    lobbies.flatMap(({ player_states: states = {} }) => Object.keys(states)),
  );
  const lobbies = lobbiesOf(server);
  const players = sizes.flat();
  demand(new Set(lobbies).size === lobbies.length, 'has a lobby twice');
  demand(new Set(players).size === players.length, 'has a player twice');
  demand(teams.length === shape.teams, `has ${teams.length} teams`);
  for (const { length } of sizes) {
    const fits = length >= shape.minPlayersPerTeam && length <= shape.playersPerTeam;
    demand(fits, `has a team of ${length}`);
  }
  return found;
}

/** Matches that were launched though a lobby of them had declined. */
export function launchedAgainst(
  declined: readonly Declined[],
  servers: Iterable<ServerRow>,
): readonly Declined[] {
  const launched = new Set([...servers].map(({ match_id: match }) => match));
  return declined.filter(({ match }) => launched.has(match));
}
