// Lobbies as such: create, browse, join, and what the server key may do with any of them.

import type * as z from 'zod';
import type { LobbyId } from '../../ids';
import { refusal, type Reply } from '../../lobby/refusals';
import type { LobbyView } from '../../lobby/view';
import { retrying } from '../ask';
import { browsed, forgetBrowsed } from './browse-cache';
import type { KeyedCall, PlayerCall } from '../call';
import { lobbyIdOf } from '../paths';
import { answer, json, jsonText, problem } from '../problem';
import type { BrowseParams, CreateBody, JoinBody } from '../schemas';
import { signerOf } from '../../objects/placement/signer';
import { noteConfig } from '../operators/seen-configs';
import { answerLeaves } from './leaving';
import { rememberLobby } from './where';

const NO_SUCH_CODE = refusal('LOBBY_NOT_FOUND', 'There is no lobby of that code');

/** Where the caller is from now on, the list with the lobby as it is now, and the answer leaving. */
function entered(call: PlayerCall<unknown>, reply: Reply<LobbyView>): void {
  if (reply.ok) {
    rememberLobby(call, reply.value.id as LobbyId);
    forgetBrowsed(call.project, call.config);
    noteConfig(call.project, call.config);
    answerLeaves(call, reply.value);
  }
}

/** spec: Create lobby body. The id is made here, so that a repeated call founds one lobby only. */
export async function create(call: PlayerCall<z.infer<typeof CreateBody>>): Promise<Response> {
  const { peers, project, config, player, body, isSdk: blind } = call;
  const id = signerOf(call.env).id('lobby') as LobbyId;
  const reply = await retrying(() =>
    peers.lobby(id, body.region).create({ id, project, config, player, ...body, blind }),
  );
  entered(call, reply);
  return answer(reply, 201);
}

/** spec: Browse. */
export async function browse(
  call: KeyedCall<undefined, z.infer<typeof BrowseParams>>,
): Promise<Response> {
  const { peers, project, config } = call;
  const text = await browsed(call, Date.now(), () =>
    retrying(() => peers.directory(project, config).browse(call.query)),
  );
  return jsonText(text);
}

/** spec: Join. */
export async function join(call: PlayerCall<z.infer<typeof JoinBody>>): Promise<Response> {
  const { target } = call.body;
  const reply =
    target.by === 'code'
      ? await joinByCode(call, target.code)
      : await joinNamed(call, target.lobbyId);
  entered(call, reply);
  return answer(reply);
}

async function joinNamed(
  call: PlayerCall<z.infer<typeof JoinBody>>,
  text: string,
): Promise<Reply<LobbyView>> {
  const id = lobbyIdOf(call.env, text);
  return id.ok ? joinById(call, id.value) : id;
}

function joinById(
  { peers, project, config, player, body, isSdk }: PlayerCall<z.infer<typeof JoinBody>>,
  id: LobbyId,
): Promise<Reply<LobbyView>> {
  const input = { project, config, player, state: body.state, blind: isSdk };
  return retrying(() => peers.lobby(id).join(input));
}

/** Codes are short enough to guess: a player who fails too often must wait. */
async function joinByCode(
  call: PlayerCall<z.infer<typeof JoinBody>>,
  code: string,
): Promise<Reply<LobbyView>> {
  const { peers, project, config, player } = call;
  const [waitSeconds, id] = await Promise.all([
    retrying(() => peers.seat(project, config, player).joinAllowed(player)),
    retrying(() => peers.directory(project, config).find(code)),
  ]);
  if (waitSeconds > 0) {
    const detail = 'Too many joins with a wrong code';
    return { ok: false, refusal: { code: 'RATE_LIMITED', detail, retryAfter: waitSeconds } };
  }
  const reply = id === null ? NO_SUCH_CODE : await joinById(call, id);
  if (!reply.ok && reply.refusal.code === 'LOBBY_NOT_FOUND') {
    await peers.seat(project, config, player).joinFailed(player);
    return NO_SUCH_CODE;
  }
  return reply;
}

/** decision 21. */
export async function read(call: KeyedCall): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyIdOf(call.env, call.params['id'] ?? '');
  const view = id.ok
    ? await retrying(() => peers.lobby(id.value).adminRead(project, config))
    : null;
  return view === null ? noLobby() : json(view);
}

/** spec: Admin delete. */
export async function remove(call: KeyedCall): Promise<Response> {
  const { peers, project, config } = call;
  const id = lobbyIdOf(call.env, call.params['id'] ?? '');
  if (!id.ok || !(await peers.lobby(id.value).adminDelete(project, config))) {
    return noLobby();
  }
  forgetBrowsed(project, config);
  return json({ status: 'lobby_deleted', id: id.value });
}

function noLobby(): Response {
  return problem({ code: 'LOBBY_NOT_FOUND', detail: 'There is no lobby of that id' });
}
