// A party goes on in another config (record 0109), with those who watch it: what speaks against it, and the lobby as it is there.
// Pure.

import type { MemberId, PlayerId } from '../common/ids';
import { must } from '../common/result';
import type { Issue } from '../common/shape';
import type { Attributes, Trusted } from './attributes';
import { become } from './change';
import type { LobbyConfig } from './config';
import { IDLE, inside, UNTOLD } from './lobby';
import type { KnownAttributes, Lobby, Player, Spectator } from './lobby';
import type { Refusal } from './refusals';

/** What the lobby moves to, as it is saved now. */
export interface Destination {
  readonly name: string;
  readonly config: Pick<LobbyConfig, 'maxPlayers' | 'spectators'>;
  readonly trusted: Trusted;
  /** Whoever is banned there. */
  readonly banned: ReadonlySet<string>;
}

/** A seat there, which is claimed under that membership. `said`: of a player, by the backend. Absent: it was not asked. */
export interface Claim {
  readonly memberId: MemberId;
  readonly said?: Attributes;
}

/** Why the config would not have the lobby. `trusted`: the keys of the config that it is in. */
export function moveIssues(
  lobby: Pick<Lobby, 'players' | 'spectators'>,
  to: Destination,
  trusted: Trusted,
): readonly Issue[] {
  const { players, spectators = [] } = lobby;
  const { maxPlayers, spectators: places } = to.config;
  return [
    ...tooMany(to.name, ['player', players.length, maxPlayers ?? Infinity]),
    ...tooMany(to.name, ['spectator', spectators.length, places?.max ?? 0]),
    ...inside(lobby).flatMap(({ id: path }) =>
      to.banned.has(path) ? [{ path, message: `is banned from ${to.name}` }] : [],
    ),
    ...players.flatMap(({ id: path, state }) => {
      const own = Object.keys(state ?? {}).find((key) => to.trusted.has(key) && !trusted.has(key));
      const message = `has set ${own}, which only the game's backend can set in ${to.name}`;
      return own === undefined ? [] : [{ path, message }];
    }),
  ];
}

function tooMany(
  config: string,
  [what, count, most]: readonly ['player' | 'spectator', number, number],
): readonly Issue[] {
  const are = count === 1 ? `${what} is` : `${what}s are`;
  const message = `${count} ${are} more than the ${most} that a lobby may have in ${config}`;
  return count > most ? [{ path: `${what}s`, message }] : [];
}

/** Under what membership somebody may have been in the lobby when it was in that config, which it is now to go back to. */
export function formerlyIn(
  { former = [] }: Pick<Spectator, 'former'>,
  config: string,
): MemberId | null {
  return former.find((seat) => seat.config === config)?.memberId ?? null;
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

/** What is known of the player there. The newest record counts; a token is good for the whole stay. */
function givenThere(
  { given }: Player,
  { said }: Claim,
  trusted: Trusted,
): KnownAttributes | undefined {
  const revision = given?.revision ?? UNTOLD;
  if (trusted.size === 0) {
    return given && { ...given, revision: UNTOLD };
  }
  return said && said.revision > revision
    ? { revision: said.revision, record: said.attributes, claim: given?.claim ?? {} }
    : given;
}

/** The lobby in its new config, where everybody is seated. Their former seats still lead to it. */
export function moved(
  lobby: Lobby,
  to: Pick<Destination, 'name' | 'config' | 'trusted'> & {
    readonly code: string;
    readonly claims: ReadonlyMap<PlayerId, Claim>;
    /** State keys that only the backend sets where it was, and players there. */
    readonly behind: ReadonlySet<string>;
  },
  now: number,
): Lobby {
  const { name: config, code, behind } = to;
  const claimOf = (id: PlayerId): Claim => must(to.claims.get(id), 'the claim of who moves');
  const seated = <W extends Spectator>(who: W): W => {
    const left = who.former?.filter((seat) => seat.config !== config) ?? [];
    // Each is of a config of the project, so they are few.
    const former = [...left, { config: lobby.config, memberId: who.memberId }];
    return { ...who, memberId: claimOf(who.id).memberId, former };
  };
  const players = lobby.players.map((player): Player => {
    const given = givenThere(player, claimOf(player.id), to.trusted);
    const state = without(player.state, behind);
    return { ...seated(player), state, ...(given && { given }) };
  });
  const { spectators } = lobby;
  const maxPlayers = Math.min(lobby.maxPlayers, to.config.maxPlayers ?? Infinity);
  const watching = spectators && { spectators: spectators.map(seated) };
  const patch = { config, code, players, ...watching, maxPlayers, activeAt: now };
  return become(lobby, { ...IDLE, status: 'waiting' }, now, patch);
}
