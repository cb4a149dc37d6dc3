// The parts of drills: modes, and short ways to a queue, a match and a game.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Command } from '../../src/lobby/command';
import type { Mode } from '../../src/match/rules/mode';
import type { Drill } from './drill';
import { RATING } from './scenario';

export type Play = (drill: Drill) => Promise<void>;

export const DUEL: Mode = {
  teams: 2,
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  minTeams: 2,
  timeout: 900,
  maxPartySize: 1,
  allowBackfill: false,
  rules: [],
  matchConfirmation: { enabled: false, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
};

const RANKED: Mode = { ...DUEL, matchConfirmation: { enabled: true, timeoutSeconds: 240 } };

export const MODES = {
  duel: DUEL,
  ranked: RANKED,
  /** Lobbies that accepted search on when another declines. */
  again: { ...RANKED, onDecline: 'requeue' },
  /** Others may take the place of a lobby that declines. */
  refill: { ...RANKED, onDecline: 'refill', refillSeconds: 240 },
  /** The same, of three on one team. */
  trio: {
    ...RANKED,
    teams: 1,
    minTeams: 1,
    playersPerTeam: 3,
    minPlayersPerTeam: 3,
    onDecline: 'refill',
    refillSeconds: 240,
  },
  /** Two of three are enough when nobody else is found. */
  enough: { ...RANKED, teams: 3, minTeams: 2, onDecline: 'refill', refillSeconds: 4 },
  /** For a short time. */
  refillBriefly: { ...RANKED, onDecline: 'refill', refillSeconds: 4 },
  /** A short time to confirm. */
  brief: { ...DUEL, matchConfirmation: { enabled: true, timeoutSeconds: 4 } },
  /** Three places: two fill it far enough to begin. */
  open: { ...DUEL, teams: 3, minTeams: 2, allowBackfill: true },
  /** Parties of two, whose places are kept for a while. */
  kept: {
    ...DUEL,
    playersPerTeam: 2,
    maxPartySize: 2,
    allowBackfill: true,
    reconnectSeconds: 40,
  },
  /** Pairs the same lobbies as `duel` does. */
  twin: DUEL,
  /** Whoever has waited for a second plays, beside bots. */
  bots: { ...DUEL, allowBackfill: true, steps: [{ afterSeconds: 1, bots: true }] },
  /** Its matcher is outside. Who accepted searches on. */
  outside: { ...RANKED, onDecline: 'requeue', matcher: 'external' },
  /** Three teams of one, no queue of which is used. */
  three: { ...DUEL, teams: 3, minTeams: 3 },
  /** A short search. */
  short: { ...DUEL, timeout: 4 },
  /** Long enough for players who are away to leave first. */
  minutes: { ...DUEL, timeout: 120 },
  /** Only players with a skill can match. */
  close: { ...DUEL, rules: [{ type: 'difference', field: 'mmr', maxDifference: 50 }] },
} as const satisfies Readonly<Record<string, Mode>>;

/** What the modes are once there is one that is rated. */
export const RATED_MODES = { ...MODES, duel: { ...DUEL, rating: RATING } };

type Name = keyof typeof MODES;

export function by<
  Kind extends
    | 'leave'
    | 'cancel'
    | 'confirm'
    | 'decline'
    | 'start'
    | 'end_match'
    | 'rematch'
    | 'no_rematch',
>(player: string, type: Kind): Command {
  return { type, player: player as PlayerId };
}

/** The backend says so, until it is answered. */
export async function says(drill: Drill, player: string, mmr: number): Promise<void> {
  const id = player as PlayerId;
  const { world } = drill;
  const change = { player: id, act: 'put', attributes: { mmr } } as const;
  const peers = world.peersOf(world.client('backend'));
  await drill.insist(() => peers.players(world.project, id).change([change], null));
}

/** The lobby shows that number of the player. */
export function shows(drill: Drill, id: LobbyId, player: string, mmr: number): Promise<void> {
  return drill.until(
    `${player} shows ${mmr}`,
    () => drill.lobby(id)?.players.find((each) => each.id === player)?.state?.['mmr'] === mmr,
  );
}

export function queue(drill: Drill, id: LobbyId, player: string, mode: Name): Promise<void> {
  const command = { type: 'enter', player: player as PlayerId, mode } as const;
  return drill.command(id, command, (lobby) => lobby?.search !== null || lobby.part !== null);
}

/** All of these modes at once; a number: that many seconds later. */
export function queueForAll(
  drill: Drill,
  [id, player]: readonly [LobbyId, string],
  first: Name,
  further: Readonly<Partial<Record<Name, number>>>,
): Promise<void> {
  const others = Object.entries(further).map(([mode, afterSeconds]) => ({ mode, afterSeconds }));
  const command = { type: 'enter', player: player as PlayerId, mode: first, others } as const;
  return drill.command(id, command, (lobby) => lobby?.search !== null || lobby.part !== null);
}

export function state(drill: Drill, id: LobbyId, player: string, mmr: number): Promise<void> {
  const command = { type: 'patch_state', player: player as PlayerId, state: { mmr } } as const;
  const has = (each: { id: PlayerId; state: unknown }): boolean =>
    each.id === player && JSON.stringify(each.state) === JSON.stringify({ mmr });
  return drill.command(id, command, (lobby) => lobby?.players.some(has) === true);
}

/** Two lobbies, of Ann and of Ben; hers is queued. `mmr`: what the backend says of Ben, and less of Ann. */
export async function pair(
  drill: Drill,
  mode: Name,
  mmr: number | null = null,
): Promise<readonly [LobbyId, LobbyId]> {
  if (mmr !== null) {
    await says(drill, 'ann', mmr - 500);
    await says(drill, 'ben', mmr);
  }
  const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
  await queue(drill, a, 'ann', mode);
  return [a, b];
}

export function playing(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  return drill.until('all in one game', () => drill.together(...ids)?.phase === 'running');
}

export function waiting(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  const rests = (id: LobbyId): boolean => drill.lobby(id)?.status === 'waiting';
  return drill.until('all at rest', () => ids.every(rests));
}

export function found(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  const isFound = (id: LobbyId): boolean => drill.lobby(id)?.status === 'match_found';
  return drill.until('all found', () => ids.every(isFound));
}

/** Both lobbies are asked to confirm. */
export async function asked(drill: Drill, mode: Name): Promise<readonly [LobbyId, LobbyId]> {
  const [a, b] = await pair(drill, mode);
  await queue(drill, b, 'ben', mode);
  await found(drill, a, b);
  return [a, b];
}

export function confirm(drill: Drill, id: LobbyId, player: string): Promise<void> {
  return drill.command(
    id,
    by(player, 'confirm'),
    (lobby) => lobby?.status !== 'match_found' || lobby.part?.confirmation?.confirmed === true,
  );
}

/** A running game of two lobbies. */
export async function game(drill: Drill, mode: Name): Promise<readonly [LobbyId, LobbyId]> {
  const [a, b] = await pair(drill, mode);
  await queue(drill, b, 'ben', mode);
  await playing(drill, a, b);
  return [a, b];
}
