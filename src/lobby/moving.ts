// A party goes on in another config (record 0109): what speaks against it, and the lobby as it is there. Pure.

import type { MemberId, PlayerId } from '../common/ids';
import { must } from '../common/result';
import type { Issue } from '../common/shape';
import type { Attributes, Trusted } from './attributes';
import { become } from './change';
import type { LobbyConfig } from './config';
import { IDLE, type KnownAttributes, type Lobby, type Player } from './lobby';
import type { Refusal } from './refusals';

/** What the lobby moves to, as it is saved now. */
export interface Destination {
  readonly name: string;
  readonly config: Pick<LobbyConfig, 'maxPlayers'>;
  readonly trusted: Trusted;
  /** The players who are banned there. */
  readonly banned: ReadonlySet<string>;
}

/** A player's seat there, which is claimed under that membership. `said`: by the backend. Absent: it was not asked. */
export interface Claim {
  readonly memberId: MemberId;
  readonly said?: Attributes;
}

const WATCHED = 'somebody watches the lobby, and nobody can watch one that moves';

/** Why the config would not have the lobby. `trusted`: the keys of the config that it is in. */
export function moveIssues(
  { players, spectators = [] }: Pick<Lobby, 'players' | 'spectators'>,
  to: Destination,
  trusted: Trusted,
): readonly Issue[] {
  const { maxPlayers = Infinity } = to.config;
  const full = `${players.length} players are more than the ${maxPlayers} that a lobby may have in ${to.name}`;
  return [
    ...(players.length > maxPlayers ? [{ path: 'players', message: full }] : []),
    ...(spectators.length > 0 ? [{ path: 'spectators', message: WATCHED }] : []),
    ...players.flatMap(({ id, state }) => {
      const own = Object.keys(state ?? {}).find((key) => to.trusted.has(key) && !trusted.has(key));
      const set = `has set ${own}, which only the game's backend can set in ${to.name}`;
      return [
        ...(to.banned.has(id) ? [{ path: id, message: `is banned from ${to.name}` }] : []),
        ...(own === undefined ? [] : [{ path: id, message: set }]),
      ];
    }),
  ];
}

export function isElsewhere(players: readonly PlayerId[], config: string): readonly Issue[] {
  return players.map((path) => ({ path, message: `is in another lobby of ${config}` }));
}

export function notMoved(issues: readonly Issue[]): Refusal {
  const detail = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { code: 'LOBBY_NOT_MOVED', detail, issues };
}

function without(state: Player['state'], keys: ReadonlySet<string>): Player['state'] {
  return state && Object.fromEntries(Object.entries(state).filter(([key]) => !keys.has(key)));
}

/** The lobby in its new config, where every player is seated. Its former seats still lead to it. */
export function moved(
  lobby: Lobby,
  to: Pick<Destination, 'name' | 'config'> & {
    readonly code: string;
    readonly claims: ReadonlyMap<PlayerId, Claim>;
    /** State keys that only the backend sets where it was, and players there. */
    readonly behind: ReadonlySet<string>;
  },
  now: number,
): Lobby {
  const { name: config, code, behind } = to;
  const players = lobby.players.map((player): Player => {
    const { memberId, said } = must(to.claims.get(player.id), 'the claim of a player who moves');
    const left = player.former?.filter((seat) => seat.config !== config) ?? [];
    // Each is of a config of the project, so they are few.
    const former = [...left, { config: lobby.config, memberId: player.memberId }];
    const given: KnownAttributes | undefined =
      player.given ?? (said && { revision: said.revision, record: said.attributes, claim: {} });
    const state = without(player.state, behind);
    return { ...player, state, memberId, former, ...(given && { given }) };
  });
  const maxPlayers = Math.min(lobby.maxPlayers, to.config.maxPlayers ?? Infinity);
  const patch = { config, code, players, maxPlayers, activeAt: now };
  return become(lobby, { ...IDLE, status: 'waiting' }, now, patch);
}
