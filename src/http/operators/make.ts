// POST /matches: a match that a backend makes of lobbies and players (decision 76): its own matcher, a bracket, a scrim. Here it is
// found out which lobbies are meant; the Match makes it of all of them, or of none (src/objects/match/make.ts).

import type { LobbyId, MatchId, PlayerId } from '../../common/ids';
import { sortedJson } from '../../common/json';
import {
  DEFAULT_MAX_PLAYERS,
  DEFAULT_REGION,
  MAX_MATCH_LOBBIES,
  MAX_NAME_LENGTH,
} from '../../common/limits';
import { closed, flag, listOf, named, or, region, text, type Issue } from '../../common/shape';
import { sha256Hex, signerOf, uuidOf } from '../../common/signed';
import { savedConfig } from '../../objects/caches/project';
import type { MatchOrder, NamedLobby } from '../../objects/contracts/match';
import type { ProjectDocument } from '../../objects/contracts/project';
import { refuseClosed } from '../gate/checks';
import { checkBans } from '../identity/bans';
import { documentOf, granted, Refused, retrying } from '../wire/answer';
import type { BodyCall } from '../wire/call';
import { anyPlayer, configName } from '../wire/fields';
import { signedLobbyOf } from '../wire/paths';
import { askedBy } from '../wire/requests';
import { matchView } from './journal';

const MAX_REF_LENGTH = 128;

const team = closed({
  name: text(MAX_NAME_LENGTH).exactOptional(),
  lobbies: listOf(text(MAX_REF_LENGTH), MAX_MATCH_LOBBIES).default([]),
  players: listOf(anyPlayer, MAX_MATCH_LOBBIES).default([]),
}).refine(
  ({ lobbies, players }) => lobbies.length + players.length > 0,
  'must have lobbies or players',
);

export const MakeBody = closed({
  config: configName,
  mode: configName,
  teams: listOf(team, MAX_MATCH_LOBBIES),
  /** Whether the lobbies must pass the rules of the mode. */
  rules: flag().default(false),
  confirm: or(flag(), null),
  rated: flag().default(true),
  region: or(region(), null),
  build: or(named(MAX_NAME_LENGTH), null),
  /** The caller's name for the match. */
  ref: text(MAX_REF_LENGTH),
}).refine(
  ({ teams }) =>
    teams.flatMap((each) => [...each.lobbies, ...each.players]).length <= MAX_MATCH_LOBBIES,
  `teams: must name at most ${MAX_MATCH_LOBBIES} lobbies and players`,
);

type MakeCall = BodyCall<typeof MakeBody>;

export async function makeMatch(call: MakeCall): Promise<Response> {
  const { peers, project, body } = call;
  const document = await documentOf(call);
  const config = savedConfig(document, body.config)?.name ?? body.config;
  refuseClosed(document, config);
  const found = await lobbiesOf(call, document, config);
  const { mode, ref, rules, confirm, rated } = body;
  const order: MatchOrder = {
    project,
    config,
    mode,
    by: 'key',
    ref,
    rules,
    confirm,
    rated,
    ...found,
    digest: sha256Hex(sortedJson({ ...body, confirm: confirm ?? false })),
    names: body.teams.map(({ name = null }) => name),
    region: body.region,
    build: body.build,
    asked: askedBy(call),
  };
  const id = uuidOf(`match ${project} ${ref}`) as MatchId;
  return matchView(call, granted(await retrying(() => peers.match(id).make(order))));
}

/** A lobby or player that the body names. `place`: its lobby; null: there is none. */
interface Entry {
  readonly path: string;
  readonly team: number;
  readonly player: PlayerId | null;
  readonly place: LobbyId | null;
}

function entriesOf(call: MakeCall, config: string): Promise<readonly Entry[]> {
  const all = call.body.teams.flatMap(({ lobbies, players }, index) => [
    ...lobbies.map(async (id, at) => {
      const place = signedLobbyOf(call.env, id);
      return { path: `teams[${index}].lobbies[${at}]`, team: index, player: null, place };
    }),
    ...players.map(async (name, at) => {
      const player = name as PlayerId;
      const place = await placeOf(call, config, player);
      return { path: `teams[${index}].players[${at}]`, team: index, player, place };
    }),
  ]);
  return Promise.all(all);
}

/** The player's lobby. Null: there is none. */
async function placeOf({ peers, project }: MakeCall, config: string, player: PlayerId) {
  const id = await retrying(() => peers.seat(project, config, player).where(player));
  const site = { project, config };
  const seen = id && (await retrying(() => peers.lobby(id).adminMember(site, player)));
  return seen === null ? null : id;
}

/** The lobbies that the body means, and what of it can be in no match. */
async function lobbiesOf(call: MakeCall, document: ProjectDocument, config: string) {
  const issues: Issue[] = [];
  const lobbies = new Map<string, NamedLobby>();
  for (const { path, team: of, player, place } of await entriesOf(call, config)) {
    const key = place ?? `${player}`;
    const known = lobbies.get(key);
    const isTwice = player === null || known?.players.some(({ id }) => id === player);
    if (player === null && place === null) {
      issues.push({ path, message: 'there is no such lobby' });
    } else if (known && (known.team !== null || isTwice)) {
      issues.push({ path, message: 'is named twice, by itself or by its lobby' });
    } else if (player === null) {
      lobbies.set(key, { lobbyId: key as LobbyId, path, team: of, players: [] });
    } else {
      const first = known ?? {
        path,
        team: null,
        players: [],
        ...homeOf(call, config, player, place),
      };
      lobbies.set(key, { ...first, players: [...first.players, { id: player, team: of }] });
    }
  }
  const all = [...lobbies.values()];
  const banned = await Promise.all(all.map((each) => bannedIn(call, document, config, each)));
  return { lobbies: all, issues: [...issues, ...banned.flat()] };
}

/** The player's lobby, or one that is founded with the match. */
function homeOf(call: MakeCall, config: string, player: PlayerId, place: LobbyId | null) {
  if (place !== null) {
    return { lobbyId: place };
  }
  const { env, project, body } = call;
  const id = signerOf(env).id('lobby') as LobbyId;
  const founds = {
    id,
    project,
    config,
    player,
    name: body.mode,
    maxPlayers: DEFAULT_MAX_PLAYERS,
    region: body.region ?? DEFAULT_REGION,
    isPrivate: true,
    allowLateJoin: true,
    settings: {},
    state: null,
    forceFresh: false,
  };
  return { lobbyId: id, founds };
}

/** The players who are banned, among those who are named, or are in a lobby that is named. */
async function bannedIn(
  call: MakeCall,
  document: ProjectDocument,
  config: string,
  { lobbyId, path, players }: NamedLobby,
): Promise<readonly Issue[]> {
  const { peers, project } = call;
  if (document.bans === undefined) {
    return [];
  }
  const isWhole = players.length === 0;
  const lobby = isWhole && (await retrying(() => peers.lobby(lobbyId).adminRead(project, config)));
  const all = lobby ? lobby.players : players;
  const told = all.map(async ({ id: player }): Promise<readonly Issue[]> => {
    try {
      await checkBans(call, document, { player, config }, Date.now());
      return [];
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'BANNED') {
        return [{ path, message: `${player} is banned` }];
      }
      throw error;
    }
  });
  return (await Promise.all(told)).flat();
}
