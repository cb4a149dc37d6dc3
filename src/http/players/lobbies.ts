// Lobbies: create, browse, join, and the operations of the server key on any lobby.

import * as z from 'zod';
import type { LobbyId } from '../../common/ids';
import type { LobbyView } from '../../lobby/view';
import { browsed, forgetBrowsed } from '../isolate/browse-cache';
import type { KeyedCall, PlayerCall, QueryCall } from '../wire/call';
import { blockWithoutIds } from '../../fleet/block';
import { hidesIds } from '../identity/player';
import { withTicket } from '../identity/seat-tickets';
import { lobbyOfPath, noLobby, signedLobbyOf } from '../wire/paths';
import { documentOf, granted, json, jsonText, refuseWith, retrying } from '../wire/answer';
import { quotasOf } from '../../common/quotas';
import { refuse } from '../../common/result';
import { configOf } from '../../objects/caches/project';
import type { BrowseQuery } from '../../objects/contracts/directory';
import { signerOf } from '../../common/signed';
import { noteDeed, operatorOf } from '../identity/audit';
import { noteConfig } from '../isolate/seen-configs';
import { showing } from './crossing';
import { rememberLobby } from '../isolate/where';
import { DEFAULT_MAX_PLAYERS, DEFAULT_REGION, MAX_PLAYERS } from '../../common/limits';
import type { LobbyConfig } from '../../lobby/config';
import { STATUSES } from '../../lobby/lobby';
import { filterOf, spotOf, type Filter } from '../../lobby/search';
import { flag, oneOf, or, region, text } from '../../common/shape';
import {
  lobbySize,
  lobbyName,
  freeSettings,
  freeState,
  pageParams,
  queryNumber,
} from '../wire/fields';

export const MAX_CODE_LENGTH = 128;
const MAX_KEY_LENGTH = 64;

/** spec: Create lobby body. */
export const CreateBody = z.object({
  name: lobbyName,
  /** The config may say otherwise. */
  maxPlayers: lobbySize.optional().meta({ default: DEFAULT_MAX_PLAYERS }),
  region: region().default(DEFAULT_REGION),
  isPrivate: flag().default(false),
  allowLateJoin: flag().default(true),
  settings: freeSettings.default({}),
  state: freeState.nullable().default(null),
  forceFresh: flag().default(false),
  /** Who has it gets the lobby of that key, which the first creates. */
  key: text(MAX_KEY_LENGTH).optional(),
});

const word = z
  .string('must be a string')
  .trim()
  .max(MAX_CODE_LENGTH, `must be at most ${MAX_CODE_LENGTH} characters long`);

/** spec: Join body; decision 12. Empty text counts as absent, because some clients send every field they know. */
export const JoinBody = z
  .object({
    code: word.default(''),
    inviteCode: word.default(''),
    lobbyId: word.default(''),
    state: freeState.nullable().default(null),
    as: or(oneOf(['player', 'spectator']), 'player'),
  })
  .transform((body, context) => {
    const codes = new Set([body.code, body.inviteCode].filter((code) => code !== ''));
    const [code] = codes;
    if (codes.size + (body.lobbyId === '' ? 0 : 1) !== 1) {
      const message = 'needs either code or lobbyId, and not both';
      context.issues.push({ code: 'custom', input: body, message });
      return z.NEVER;
    }
    // A code as a player typed it, or the id of a lobby.
    const target =
      code === undefined
        ? { by: 'id' as const, lobbyId: body.lobbyId }
        : { by: 'code' as const, code };
    const { state, as } = body;
    return { target, state, ...(as === 'spectator' && { as }) };
  });

/** spec: Browse. An invalid limit, offset or status is a 400 (decision 20). Besides, `settings.map=dust` and so on. */
export const BrowseParams = z.object({
  region: region().nullable().default(null),
  status: oneOf(STATUSES).nullable().default(null),
  places: queryNumber(0, MAX_PLAYERS, 0),
  sort: oneOf(['newest', 'players']).optional(),
  /** Of the answer before. */
  cursor: z.string().optional(),
  ...pageParams,
});

/** By which settings lobbies are sought. Refuses VALIDATION_ERROR: `prefix` is what the request writes before a key. */
export function filtersOf(
  where: readonly (readonly [key: string, value: unknown])[],
  browseBy: readonly string[],
  prefix: string,
): readonly Filter[] {
  return where.map(([key, value]) => {
    const filter = browseBy.includes(key)
      ? filterOf(key, String(value))
      : refuse('is not in browseBy of this config');
    return filter.ok
      ? filter.value
      : refuseWith('VALIDATION_ERROR', `${prefix}${key}: ${filter.refusal}`);
  });
}

const SETTING = 'settings.';

function queryOf(call: QueryCall<typeof BrowseParams>, config: LobbyConfig): BrowseQuery {
  const { browseBy = [] } = config;
  const { places, sort = 'newest', cursor, ...listed } = call.query;
  // As of every parameter, the first counts, and an empty one is absent.
  const written = new Map([...call.url.searchParams].toReversed());
  const settings = [...written].filter(([name, value]) => name.startsWith(SETTING) && value !== '');
  const named = settings.map(([name, value]) => [name.slice(SETTING.length), value] as const);
  const where = filtersOf(named, browseBy, SETTING);
  const after = cursor === undefined ? null : spotOf(cursor);
  if (cursor !== undefined && (after === null || sort !== 'newest')) {
    const detail = 'cursor: must be the cursor of an earlier answer, and sort must be newest';
    refuseWith('VALIDATION_ERROR', detail);
  }
  const isPlain = where.length + places === 0 && (call.query.sort ?? cursor) === undefined;
  return isPlain ? listed : { ...listed, search: { sort, places, where, browseBy, after } };
}

/** The answer to a create or join. Updates the isolate's caches of the caller's lobby, the list and the configs. */
function entered(call: PlayerCall<unknown>, lobby: LobbyView, status = 200): Response {
  rememberLobby(call, lobby.id as LobbyId);
  forgetBrowsed(call.project, call.config);
  noteConfig(call.project, call.config);
  const { id, revision } = lobby;
  const crossing = { lobby: id as LobbyId, revision, isTold: false };
  return call.isSdk ? showing(call, lobby, crossing, status) : json(lobby, status);
}

/** The places that the body asks for, or those of the config. Refuses more than the config allows. */
export async function placesAskedFor(
  call: PlayerCall<{ readonly maxPlayers?: number | undefined }>,
): Promise<number> {
  const { maxPlayers } = call.body;
  const { maxPlayers: most = null } = configOf(await documentOf(call), call.config);
  if (most !== null && (maxPlayers ?? 0) > most) {
    return refuseWith('VALIDATION_ERROR', `maxPlayers: must be at most ${most} in this config`);
  }
  return maxPlayers ?? most ?? DEFAULT_MAX_PLAYERS;
}

/** spec: Create lobby body. The id is made here, so that a repeated call creates only one lobby. */
export async function create(call: PlayerCall<z.infer<typeof CreateBody>>): Promise<Response> {
  const { peers, project, config, player, body, isSdk } = call;
  const id = signerOf(call.env).id('lobby') as LobbyId;
  const maxPlayers = await placesAskedFor(call);
  const { key, ...asked } = body;
  const input = { id, project, config, player, ...asked, maxPlayers, isSdk, ...claimOf(call) };
  if (key === undefined) {
    const reply = await retrying(() => peers.lobby(id, body.region).create(input));
    return entered(call, granted(reply), 201);
  }
  if (body.forceFresh) {
    refuseWith('VALIDATION_ERROR', 'key: cannot be used with forceFresh');
  }
  const directory = () => peers.directory(project, config);
  const lobby = granted(await retrying(() => directory().joinByKey({ key, create: input })));
  return lobby.id === id ? entered(call, lobby, 201) : joined(call, lobby);
}

/** The lobby with the ids `hidden-1`, `hidden-2` and so on, in the order in which the players joined. */
function lobbyWithoutIds(lobby: LobbyView): LobbyView {
  const players = lobby.players.map((player, index) => ({ ...player, id: `hidden-${index + 1}` }));
  return {
    ...lobby,
    host: players.find(({ isHost }) => isHost)?.id ?? '',
    players,
    server: lobby.server === null ? null : blockWithoutIds(lobby.server),
  };
}

/** spec: Browse. */
export async function browse(call: QueryCall<typeof BrowseParams>): Promise<Response> {
  const { peers, project, config, keyKind } = call;
  const document = await documentOf(call);
  const query = queryOf(call, configOf(document, config));
  const isHidden = hidesIds(document, keyKind);
  const page = { project, config, query, isHidden };
  const answer = await browsed(page, Date.now(), async () => {
    const found = await retrying(() => peers.directory(project, config).browse(query));
    return isHidden ? { ...found, lobbies: found.lobbies.map(lobbyWithoutIds) } : found;
  });
  return jsonText(answer);
}

type JoinCall = PlayerCall<z.infer<typeof JoinBody>>;

/** spec: Join. */
export async function join(call: JoinCall): Promise<Response> {
  const { peers, project, config, player, body, isSdk } = call;
  const { target, state, ...how } = body;
  const id =
    target.by === 'code'
      ? await lobbyOfCode(call, target.code)
      : (signedLobbyOf(call.env, target.lobbyId) ?? noLobby());
  // The server key can read every lobby with its code, so the id is enough for it.
  const byIdAlone = target.by === 'id' && call.keyKind === 'client';
  const input = { project, config, player, state, isSdk, byIdAlone, ...how, ...claimOf(call) };
  return joined(call, granted(await retrying(() => peers.lobby(id).join(input))));
}

/** The answer to a join. That of a join into a running game has the player's ticket, as on the player's stream. */
export async function joined(call: PlayerCall<unknown>, lobby: LobbyView): Promise<Response> {
  if (lobby.server === null) {
    return entered(call, lobby);
  }
  const mine = await retrying(() => call.peers.lobby(lobby.id as LobbyId).read(call.player));
  return entered(call, await withTicket(call, lobby, mine.ok ? mine.value.seat : null));
}

/** A lobby's row holds no claim where the player's token has none. */
export function claimOf({ claim }: PlayerCall<unknown>): Pick<PlayerCall<unknown>, 'claim'> {
  return claim === undefined ? {} : { claim };
}

/** Codes may be short enough to guess, so a caller who fails too often must wait. */
async function lobbyOfCode(call: JoinCall, code: string): Promise<LobbyId> {
  const { peers, project, config, player, playerUntil, asking, env } = call;
  const { wrongCodes: limits } = quotasOf(env).rates;
  const isProven = playerUntil !== null;
  const guess = { code, player, isProven, address: asking.address ?? null, limits };
  return granted(await retrying(() => peers.directory(project, config).find(guess)));
}

/** decision 21. */
export async function read(call: KeyedCall): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyOfPath(call);
  return json((await retrying(() => peers.lobby(id).adminRead(project, config))) ?? noLobby());
}

/** spec: Admin delete. */
export async function remove(call: KeyedCall): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyOfPath(call);
  const by = await operatorOf(call);
  if (!(await peers.lobby(id).adminDelete(project, config, by))) {
    return noLobby();
  }
  forgetBrowsed(project, config);
  await noteDeed(call, { kind: 'lobby_deleted', on: id, detail: config });
  return json({ status: 'lobby_deleted', id });
}
