// The caller's own lobby: every route under `/me` except the events (spec: Endpoints).

import * as z from 'zod';
import type { QueueStats, Whereabouts } from '../../../packages/js/src/types';
import { isoOrNull } from '../../common/clock';
import type { LobbyId, PlayerId } from '../../common/ids';
import type { Command } from '../../lobby/command';
import type { LobbyConfig } from '../../lobby/config';
import { COMMANDS } from '../../lobby/decide';
import { isPlayground } from '../../lobby/playground';
import { LAST_REVISION } from '../../common/line';
import { MAX_AFTER_SECONDS, MAX_MODES_SEARCHED } from '../../common/limits';
import { NO_STATS, type LobbyView } from '../../lobby/view';
import { savedConfig } from '../../objects/caches/project';
import { queueStats, withWait } from '../../objects/caches/queue-stats';
import type { LobbyAnswer } from '../../objects/contracts/lobby';
import { invitePage } from '../../objects/placement/env';
import { refuseClosed } from '../gate/checks';
import { behind, noteBehind } from '../gate/ladder';
import { charge } from '../gate/rates';
import { forgetBrowsed } from '../isolate/browse-cache';
import type { AnyCall, PlayerCall } from '../wire/call';
import { checkedName } from '../wire/paths';
import { documentOf, granted, json, Refused, refuseWith, retrying, throwAny } from '../wire/answer';
import { askedBy, prefersMinimal } from '../wire/requests';
import { withTicket } from '../identity/seat-tickets';
import { withSeatKeys } from '../identity/secrets';
import { showing } from './crossing';
import { forgetLobby, inLobby, rememberedLobby, seatedAt } from '../isolate/where';
import {
  MAX_TOKEN_NAME_LENGTH,
  lobbySize,
  lobbyName,
  freeSettings,
  freeState,
  writtenFlag,
} from '../wire/fields';
import { flag, listOf, or, region, text, unrepeated, wholeNumber } from '../../common/shape';

export const StateBody = z.object({ state: freeState });

/** spec: PATCH /me/settings; decision 14. An empty patch changes nothing. */
export const SettingsBody = z.object({
  name: lobbyName.optional(),
  maxPlayers: lobbySize.optional(),
  isPrivate: flag().optional(),
  allowLateJoin: flag().optional(),
  region: region().optional(),
  settings: freeSettings.optional(),
});

export const MoveBody = z.object({ config: z.string('must be a string') });

const modeName = text(MAX_TOKEN_NAME_LENGTH);
const searchedMode = z.union(
  [
    modeName.transform((mode) => ({ mode, afterSeconds: 0 })),
    z.object({ mode: modeName, afterSeconds: or(wholeNumber(0, MAX_AFTER_SECONDS), 0) }),
  ],
  `must be a mode name, or {"mode", "afterSeconds"} with 0 to ${MAX_AFTER_SECONDS} seconds`,
);

/** One mode, or several: the first is searched at once. */
export const EnterBody = z
  .object({
    mode: modeName.optional(),
    modes: listOf(searchedMode, MAX_MODES_SEARCHED)
      .check(unrepeated('mode', (each: { readonly mode: string }) => each.mode))
      .refine(([first]) => first?.afterSeconds === 0, 'must begin with a mode without afterSeconds')
      .optional(),
  })
  .check(({ value: { mode, modes }, issues }) => {
    if ((mode === undefined) === (modes === undefined)) {
      const message = mode === undefined ? 'must be a string' : 'send either mode or modes';
      issues.push({ code: 'custom', input: mode, path: ['mode'], message });
    }
  });

/** What the caller says of the player who hosts the game in that term (record 0069). */
export const HostBody = z
  .object({
    term: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    unreachable: flag().optional(),
    resign: flag().optional(),
  })
  .refine(({ unreachable = false, resign = false }) => unreachable !== resign, {
    path: ['resign'],
    error: 'send either unreachable or resign, and true',
  });

export const MeParams = z.object({ orNull: writtenFlag });

async function execute(call: PlayerCall<unknown>, asked: Command): Promise<LobbyAnswer> {
  const { peers, project, config, isSdk } = call;
  const command = { ...asked, under: config };
  const { isRepeatable, isUnlisted } = COMMANDS[command.type];
  const reply = await inLobby(call, (id) =>
    isRepeatable
      ? retrying(() => peers.lobby(id).execute(command, isSdk))
      : peers.lobby(id).execute(command, isSdk),
  );
  if (!isUnlisted) {
    forgetBrowsed(project, config);
  }
  return granted(reply);
}

/** The caller's lobby after the command (decision 15). */
async function run(call: PlayerCall<unknown>, command: Command): Promise<Response> {
  return shown(call, await execute(call, command));
}

/** The same of a change, of which a client with a stream hears anyway: it may prefer the revision alone (RFC 7240). */
async function changed(call: PlayerCall<unknown>, command: Command): Promise<Response> {
  const answer = await execute(call, command);
  if (answer.toldKiB !== undefined) {
    charge(call.asking, call.env, answer.toldKiB, 'changes');
  }
  const revision = answer.lobby?.revision;
  if (revision === undefined || call.isSdk || !prefersMinimal(call.request)) {
    return shown(call, answer);
  }
  const headers = { etag: `"${revision}"`, 'preference-applied': 'return=minimal' };
  return json({ revision }, 200, headers);
}

/** The handler of a command that says nothing but who gives it. */
function bare(type: 'end_match' | 'cancel' | 'confirm' | 'decline' | 'rematch' | 'no_rematch') {
  return (call: PlayerCall) => run(call, { type, player: call.player });
}

export const endMatch = bare('end_match');
export const cancel = bare('cancel');
export const confirm = bare('confirm');
export const decline = bare('decline');
export const rematch = bare('rematch');
export const noRematch = bare('no_rematch');

async function shown(call: PlayerCall<unknown>, answer: LobbyAnswer): Promise<Response> {
  const { lobby, isQuiet, seat } = answer;
  const body = lobby === null ? { status: 'lobby_deleted' } : await withTicket(call, lobby, seat);
  const id = lobby?.id ?? rememberedLobby(call);
  if (isQuiet === undefined || id === null) {
    return json(body);
  }
  return showing(call, body, {
    lobby: id as LobbyId,
    revision: lobby?.revision ?? LAST_REVISION,
    isTold: isQuiet,
    isOver: lobby?.players.every((each) => each.id !== call.player) ?? false,
  });
}

type GetCall = PlayerCall<undefined, z.infer<typeof MeParams>>;

/** Reads the lobby. It counts as a sign of life, so a client that polls need not send heartbeats (decision 23). */
export async function get(call: GetCall): Promise<Response> {
  const { peers, player, isSdk, query, config } = call;
  const reply = await inLobby(call, (id) =>
    retrying(() => peers.lobby(id).read(player, isSdk, config)),
  );
  if (query.orNull && !reply.ok && reply.refusal.code === 'LOBBY_NOT_FOUND') {
    return json(null);
  }
  const { lobby, isQuiet, seat } = granted(reply);
  const whole = await explained(call, await withTicket(call, lobby, seat));
  const crossing = { lobby: lobby.id as LobbyId, revision: lobby.revision, isTold: true };
  return isQuiet === true ? showing(call, whole, crossing) : json(whole);
}

/** Adds the queue's statistics and why the lobby still waits, if the queue answers. */
async function explained(call: GetCall, lobby: LobbyView): Promise<LobbyView> {
  const { peers, project, config } = call;
  const { id, matchmaking, status } = lobby;
  const stats = matchmaking?.queueStats;
  if (status !== 'in_queue' || matchmaking === null || stats === undefined) {
    return lobby;
  }
  const now = Date.now();
  // The lobby only knows the statistics of when it entered, or those that streams have read since.
  const newestOf = async (mode: string, known: QueueStats): Promise<QueueStats> => {
    const place = [project, config, mode] as const;
    const newest = (await queueStats(peers, place, now).catch(() => null)) ?? known;
    return withWait(peers, place, { lobbyId: id as LobbyId, stats: newest, now });
  };
  const first = newestOf(matchmaking.mode, stats);
  const each = matchmaking.modes?.map(async (its) => {
    const isLater = Date.parse(its.since) > now;
    const queue = (): Promise<QueueStats> =>
      its.mode === matchmaking.mode ? first : newestOf(its.mode, NO_STATS);
    return isLater ? its : { ...its, queueStats: await queue() };
  });
  const [ofFirst, modes] = await Promise.all([first, each && Promise.all(each)]);
  const searched = { ...matchmaking, queueStats: ofFirst, ...(modes && { modes }) };
  return { ...lobby, matchmaking: searched };
}

export function patchState(call: PlayerCall<z.infer<typeof StateBody>>): Promise<Response> {
  return changed(call, { type: 'patch_state', player: call.player, state: call.body.state });
}

/** spec: Leave. The last player gets `lobby_deleted`. */
export async function leave(call: PlayerCall): Promise<Response> {
  const response = await run(call, { type: 'leave', player: call.player });
  forgetLobby(call);
  return response;
}

export function settings(call: PlayerCall<z.infer<typeof SettingsBody>>): Promise<Response> {
  return changed(call, { type: 'settings', player: call.player, patch: call.body });
}

/** spec: Kick. An invalid player id is simply not in the lobby. */
export function kick(call: PlayerCall): Promise<Response> {
  const target = call.params['playerId'] ?? '';
  return run(call, { type: 'kick', player: call.player, target: target as PlayerId });
}

/** The config that a lobby is to move to. Refuses CONFIG_NOT_FOUND for one that is not saved, and CLOSED. */
export async function destinationOf(call: AnyCall & { body: z.infer<typeof MoveBody> }) {
  const document = await documentOf(call);
  const name = checkedName('config', call.body.config);
  const config = savedConfig(document, name);
  if (config?.enabled !== true || isPlayground(call.config)) {
    return refuseWith('CONFIG_NOT_FOUND', `No lobby can move to ${name}: it is not saved, or off`);
  }
  refuseClosed(document, config.name);
  return config.name;
}

/** The lobby goes on in another config (record 0109). It counts as a create for each seat that it claims, also in vain. */
export async function move(call: PlayerCall<z.infer<typeof MoveBody>>): Promise<Response> {
  const { project, player, asking, env } = call;
  const to = await destinationOf(call);
  const counted = (seats = 0): void => charge(asking, env, Math.max(0, seats - 1), 'creates');
  const moving = execute(call, { type: 'move', player, to });
  const answer = await moving.catch((error: unknown): never => {
    counted(error instanceof Refused ? error.refusal.claimed : 0);
    throw error;
  });
  counted(answer.claimed);
  forgetBrowsed(project, to);
  return shown(call, answer);
}

/** Starts a game. Makes keys for seat tickets first, because a game server gets the keys at its start. */
export async function start(call: PlayerCall): Promise<Response> {
  await withSeatKeys(call);
  return run(call, { type: 'start', player: call.player, ...askedBy(call) });
}

export async function enter(call: PlayerCall<z.infer<typeof EnterBody>>): Promise<Response> {
  const { project, config, player, body, isSdk, later } = call;
  const names = body.modes?.map((each) => each.mode) ?? [body.mode ?? ''];
  const queues = names.map((name) => [project, config, name] as const);
  const clock = { now: () => Date.now(), later };
  const chance = Math.random();
  const all = await Promise.all(queues.map((queue) => behind(queue, clock, isSdk, chance)));
  throwAny(all.find((each) => each !== null));
  await withSeatKeys(call);
  const several = body.modes && { others: body.modes.slice(1) };
  const mode = names[0] ?? '';
  const command = { type: 'enter', player, mode, ...several, ...askedBy(call) } as const;
  const answer = await execute(call, command);
  queues.forEach((queue) => noteBehind(queue, answer.behindMs ?? 0, Date.now()));
  return shown(call, answer);
}

export function host(call: PlayerCall<z.infer<typeof HostBody>>): Promise<Response> {
  const { term, resign } = call.body;
  const says = resign === true ? 'resigned' : 'unreachable';
  return run(call, { type: 'host', player: call.player, term, says });
}

export async function heartbeat(call: PlayerCall): Promise<Response> {
  await execute(call, { type: 'heartbeat', player: call.player });
  return json({ status: 'ok' });
}

/** It saves nothing, is no sign of life, and counts as a request for each of at most MAX_CONFIGS configs. */
export async function everywhere(call: PlayerCall): Promise<Response> {
  const { player, asking, env } = call;
  const all = Object.values((await documentOf(call)).configs);
  charge(asking, env, Math.max(0, all.length - 1));
  const places = await Promise.all(all.map((config) => whereIn(call, config)));
  const lobbies = places.flatMap(({ lobby }) => lobby ?? []);
  const kept = places.flatMap((each) => each.kept ?? []);
  return json<Whereabouts>({ player, lobbies, ...(kept.length > 0 && { kept }) });
}

async function whereIn(call: PlayerCall, { name: config, invite, enabled }: LobbyConfig) {
  const { peers, project, player, env } = call;
  const id = await seatedAt({ peers, project, config, player }, true);
  if (id === null) {
    return {};
  }
  const site = { project, config };
  const seen = await retrying(() => peers.lobby(id).adminMember(site, player));
  if (!seen) {
    const kept = await retrying(() => peers.lobby(id).keptFor(site, player));
    return kept ? { kept: { id, config, ...kept, until: isoOrNull(kept.until) } } : {};
  }
  const { lobbyStatus: status, mode, code, as } = seen;
  const page = invite && enabled ? invitePage(env, { ...site, code }) : null;
  const lobby = { id, config, status, mode, ...(page === null ? {} : { invite_url: page }) };
  return { lobby: as ? { ...lobby, as } : lobby };
}
