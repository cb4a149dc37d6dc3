// Lobbies: create, browse, join, and the operations of the server key on any lobby.

import type * as z from 'zod';
import type { LobbyId } from '../../common/ids';
import type { LobbyView } from '../../lobby/view';
import { retrying } from '../ask';
import { browsed, forgetBrowsed } from './browse-cache';
import type { KeyedCall, PlayerCall, QueryCall } from '../call';
import { hidesIds, lobbyWithoutIds } from '../identity/hidden';
import { withTicket } from '../identity/seat-tickets';
import { lobbyOfPath, noLobby, signedLobbyOf } from '../paths';
import { json, jsonText } from '../problem';
import { granted } from '../refused';
import type { BrowseParams, CreateBody, JoinBody } from '../schemas';
import { quotasOf } from '../../common/quotas';
import { projectDocument } from '../../objects/caches/project';
import { signerOf } from '../../objects/placement/signer';
import { noteDeed, operatorOf } from '../operators/audit';
import { noteConfig } from '../operators/seen-configs';
import { showing } from './crossing';
import { rememberLobby } from './where';

/**
 * The answer to a create or join. Updates the isolate's caches of the caller's lobby, the list and the configs.
 */
function entered(call: PlayerCall<unknown>, lobby: LobbyView, status = 200): Response {
  rememberLobby(call, lobby.id as LobbyId);
  forgetBrowsed(call.project, call.config);
  noteConfig(call.project, call.config);
  return call.isSdk ? showing(call, lobby, false, status) : json(lobby, status);
}

/** spec: Create lobby body. The id is made here, so that a repeated call creates only one lobby. */
export async function create(call: PlayerCall<z.infer<typeof CreateBody>>): Promise<Response> {
  const { peers, project, config, player, body, isSdk: blind } = call;
  const id = signerOf(call.env).id('lobby') as LobbyId;
  const reply = await retrying(() =>
    peers
      .lobby(id, body.region)
      .create({ id, project, config, player, ...body, blind, ...claimOf(call) }),
  );
  return entered(call, granted(reply), 201);
}

/** spec: Browse. */
export async function browse(call: QueryCall<typeof BrowseParams>): Promise<Response> {
  const { peers, project, config, query, keyKind } = call;
  const isHidden = hidesIds(await projectDocument(peers, project, Date.now()), keyKind);
  const page = { project, config, query, isHidden };
  const text = await browsed(page, Date.now(), async () => {
    const found = await retrying(() => peers.directory(project, config).browse(query));
    return isHidden ? { ...found, lobbies: found.lobbies.map(lobbyWithoutIds) } : found;
  });
  return jsonText(text);
}

type JoinCall = PlayerCall<z.infer<typeof JoinBody>>;

/** spec: Join. */
export async function join(call: JoinCall): Promise<Response> {
  const { target } = call.body;
  const joined =
    target.by === 'code'
      ? await joinByCode(call, target.code)
      : await joinNamed(call, target.lobbyId);
  return entered(call, joined.server === null ? joined : await late(call, joined));
}

/** Adds the player's ticket to the answer of a join into a running game, as on the player's stream. */
async function late(call: PlayerCall<unknown>, lobby: LobbyView): Promise<LobbyView> {
  const { peers, player } = call;
  const mine = await retrying(() => peers.lobby(lobby.id as LobbyId).read(player));
  return withTicket(call, lobby, mine.ok ? mine.value.seat : null);
}

function joinNamed(call: JoinCall, text: string): Promise<LobbyView> {
  // The server key can read every lobby with its code, so the id is enough for it.
  return joinById(call, signedLobbyOf(call.env, text) ?? noLobby(), call.keyKind === 'client');
}

/** A lobby's row holds no claim where the player's token has none. */
function claimOf({ claim }: PlayerCall<unknown>): Pick<PlayerCall<unknown>, 'claim'> {
  return claim === undefined ? {} : { claim };
}

async function joinById(call: JoinCall, id: LobbyId, byIdAlone: boolean): Promise<LobbyView> {
  const { peers, project, config, player, body, isSdk } = call;
  const claimed = claimOf(call);
  const input = { project, config, player, state: body.state, blind: isSdk, byIdAlone, ...claimed };
  return granted(await retrying(() => peers.lobby(id).join(input)));
}

/** Codes may be short enough to guess, so a caller who fails too often must wait. */
async function joinByCode(call: JoinCall, code: string): Promise<LobbyView> {
  const { peers, project, config, player, playerUntil, asking, env } = call;
  const { wrongCodes: limits } = quotasOf(env).rates;
  const isProven = playerUntil !== null;
  const guess = { code, player, isProven, address: asking.address ?? null, limits };
  const found = await retrying(() => peers.directory(project, config).find(guess));
  return joinById(call, granted(found), false);
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
