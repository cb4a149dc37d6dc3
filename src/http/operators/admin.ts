// Endpoints only for the dashboard, with the server key, and no part of the API description. Some check drafts and change
// nothing. Others end or stop something, or kick: the actors decide as for a host, and tell everybody.

import type { AttentionView } from '../../../packages/js/src/attention-types';
import type { Ended } from '../../../packages/js/src/dashboard-types';
import * as z from 'zod';
import { buildInput, parseBuild } from '../../fleet/build';
import type { InstanceId, PlayerId } from '../../common/ids';
import { within } from '../../common/later';
import { messageOf, must } from '../../common/result';
import { parseWith, unknownFields } from '../../common/shape';
import { iso } from '../../common/clock';
import { surroundingsOf } from '../../fleet/surroundings';
import { playersWrite } from '../../lobby/attributes';
import { parseConfig } from '../../lobby/config';
import { COMMANDS, type Order } from '../../lobby/decide';
import { ratedAttributes } from '../../lobby/rating';
import { preview, type PreviewBody } from '../../match/explain/preview';
import { modeSchema } from '../../match/rules/schema';
import { START } from '../../match/rules/skill';
import { trustedWith } from '../../objects/caches/project';
import type { Deed } from '../../objects/contracts/audit';
import type { LobbyAnswer } from '../../objects/contracts/lobby';
import type { AnyCall, BodyCall, KeyedCall } from '../wire/call';
import { isMatchId, lobbyOfPath } from '../wire/paths';
import { forgetBrowsed } from '../isolate/browse-cache';
import { instance } from '../isolate/instance';
import { documentOf, granted, json, refuseWith, retrying, valid } from '../wire/answer';
import { AnyObject, anyPlayer } from '../wire/fields';
import { noteDeed, operatorOf } from '../identity/audit';
import { destinationOf, type MoveBody } from '../players/me';
import { warningsOf } from './configs';
import { queuesOf } from './journal';
import { violationsOf } from '../../objects/kit/always';

export const CheckBody = z.object({ name: z.string().default(''), config: AnyObject });
export const CheckBuildBody = z.object({ name: z.string().default(''), build: AnyObject });
export const KickBody = z.object({ playerId: anyPlayer });
export const StopBody = z.object({ build: z.string('must be a string') });

/** How many servers one request stops. Each is a call to an object. */
const MOST_STOPPED = 500;

/**
 * Checks a config without saving it. Answers all issues for which a save would be refused, including those in
 * expressions, or the config with every default and its warnings. `playersWrite`: the numbers of its rules that
 * players can write. These are no mistakes of the config, so a save says nothing of them (decision 49).
 */
export async function checkConfig(call: BodyCall<typeof CheckBody>): Promise<Response> {
  const { name, config } = call.body;
  const parsed = parseConfig(name, config);
  if (!parsed.ok) {
    return json({ issues: parsed.refusal, warnings: [], config: null });
  }
  const document = await documentOf(call);
  const warnings = warningsOf(document, parsed.value, config);
  const written = playersWrite(parsed.value.matchmaking.modes, trustedWith(document, parsed.value));
  return json({ issues: [], warnings, config: parsed.value, playersWrite: written });
}

/** Checks a build, except for the problems that only its fleet can find. */
export async function checkBuild(call: BodyCall<typeof CheckBuildBody>): Promise<Response> {
  const { name, build } = call.body;
  const parsed = parseBuild(name, build);
  const warnings = parsed.ok ? unknownFields(buildInput, build) : [];
  return json({ issues: parsed.ok ? [] : parsed.refusal, warnings });
}

/** Whether two described lobbies would match in that mode, rule by rule. */
export async function previewMatch(call: BodyCall<typeof PreviewBody>): Promise<Response> {
  const { mode: sent, a, b } = call.body;
  const { mode } = valid(parseWith(z.object({ mode: modeSchema }), { mode: sent }));
  // Lobbies see a player whom nothing has rated as a new one.
  const start = mode.rating ? ratedAttributes(mode.rating.field, START) : {};
  const seen = (side: typeof a) => ({ ...side, state: { ...start, ...side.state } });
  return json(preview(mode, { a: seen(a), b: seen(b) }, Date.now()));
}

async function ordered(call: AnyCall, order: Order, kind: Deed['kind']): Promise<LobbyAnswer> {
  const { peers, project, config } = call;
  const id = lobbyOfPath(call);
  const by = await operatorOf(call);
  const ask = () => peers.lobby(id).operate({ project, config }, order, by);
  const reply = await (COMMANDS[order.type].isRepeatable ? retrying(ask) : ask());
  forgetBrowsed(project, config);
  const done = granted(reply);
  await noteDeed(call, { kind, on: order.type === 'kick' ? order.target : id, detail: config });
  return done;
}

/** Refuses INVALID_STATE if the lobby does not search, or if a match was found in the meantime. */
export async function leaveQueue(call: KeyedCall): Promise<Response> {
  return json(await ordered(call, { type: 'cancel' }, 'left_queue'));
}

/** Ends the game that the lobby started or plays in. Refuses INVALID_STATE without one. */
export async function endGame(call: KeyedCall): Promise<Response> {
  return json(await ordered(call, { type: 'end_match' }, 'game_ended'));
}

/** Refuses PLAYER_NOT_FOUND. Kicking the only player deletes the lobby. */
export async function kick(call: BodyCall<typeof KickBody>): Promise<Response> {
  const target = call.body.playerId as PlayerId;
  return json(await ordered(call, { type: 'kick', target }, 'kicked'));
}

export async function putOut(call: KeyedCall): Promise<Response> {
  const { playerId: target = '', id } = call.params;
  const { lobby } = await ordered(call, { type: 'kick', target: target as PlayerId }, 'kicked');
  return json(lobby ?? { status: 'lobby_deleted', id });
}

/** The lobby goes on in another config, as if its host had asked. */
export async function move(call: BodyCall<typeof MoveBody>): Promise<Response> {
  const to = await destinationOf(call);
  const { lobby } = await ordered(call, { type: 'move', to }, 'lobby_moved');
  forgetBrowsed(call.project, to);
  return json(lobby);
}

/** Ends a match in any phase, for all of its lobbies. Refuses NOT_FOUND once it is over. */
export async function endMatch(call: KeyedCall): Promise<Response> {
  const { peers, project, params } = call;
  const by = await operatorOf(call);
  const id = params['id'] ?? '';
  if (!isMatchId(id) || !(await peers.match(id).endByOperator(project, by))) {
    return refuseWith('NOT_FOUND', 'There is no such match, or it is over');
  }
  await noteDeed(call, { kind: 'match_ended', on: id });
  return json({ status: 'match_ended', id });
}

/** Stops the servers of a build that live. `left`: how many more there are than one request stops. */
export async function stopServers(call: BodyCall<typeof StopBody>): Promise<Response> {
  const { peers, project, body } = call;
  const { servers, total } = await retrying(() =>
    peers.project(project).servers(MOST_STOPPED, 0, ['launching', 'running'], body),
  );
  await Promise.all(servers.map((each) => peers.server(each.instance_id as InstanceId).stop()));
  const [stopped, left] = [servers.length, total - servers.length];
  const detail = `${stopped} stopped, ${left} left`;
  await noteDeed(call, { kind: 'servers_stopped', on: body.build, detail });
  return json({ stopped, left });
}

const MOST_LATE = 10;
const HOUR_MS = 3_600_000;
/** The last hour and the day before it. */
const HOURS = 25;
/** A fleet that has not answered by then counts as silent. */
const ANSWER_MS = 3_000;
/** No server has this id: a fleet that answers says so. */
const NOBODY = 'does-the-fleet-answer';

/** What needs an operator, but changes no object that the dashboard listens to. The dashboard asks once a minute. */
export async function attention(call: KeyedCall): Promise<Response> {
  const [modes, late, crashed, fleets] = await Promise.all([
    modesLately(call),
    lateServers(call),
    crashedServers(call),
    idleFleets(call),
  ]);
  const broken = violationsOf(call.project);
  const { lately: bucket } = instance.bucket;
  return json({ modes, late, crashed, fleets, broken, bucket } satisfies AttentionView);
}

async function lateServers({ peers, project }: KeyedCall): Promise<AttentionView['late']> {
  const read = () => peers.project(project).servers(MOST_STOPPED, 0, ['launching']);
  const { servers } = await retrying(read);
  const late = servers.flatMap(({ instance_id: id, version_tag: build, detail }) =>
    detail === null ? [] : [{ id, build, detail }],
  );
  return late.slice(0, MOST_LATE);
}

/** Those of games in the last hour. */
async function crashedServers({ peers, project }: KeyedCall): Promise<AttentionView['crashed']> {
  const read = () => peers.project(project).servers(MOST_STOPPED, 0, ['failed']);
  const { servers } = await retrying(read);
  const crashed = servers.flatMap(
    ({ instance_id: id, version_tag: build, detail, started_at: started, stopped_at: at }) =>
      detail === null || started === null || Date.parse(at ?? '') < Date.now() - HOUR_MS
        ? []
        : [{ id, build, detail }],
  );
  return crashed.slice(0, MOST_LATE);
}

async function modesLately(call: KeyedCall): Promise<AttentionView['modes']> {
  const { peers, project } = call;
  const hourAgo = Date.now() - HOUR_MS;
  const read = (await queuesOf(call, null, null)).map(async ({ config, mode }) => {
    const { points } = await retrying(() => peers.queue(project, config, mode).trends(HOURS));
    const sum = (isOfHour: boolean): Ended => {
      const its = points.filter(({ at }) => at > hourAgo === isOfHour);
      const total = (of: keyof Ended) => its.reduce((all, point) => all + point[of], 0);
      return { ended: total('ended'), unmatched: total('unmatched'), noGame: total('noGame') };
    };
    return { config, mode, hour: sum(true), before: sum(false) };
  });
  return Promise.all(read);
}

/** Those that do not answer, are asked last, or drain. */
async function idleFleets({ env, later }: KeyedCall): Promise<AttentionView['fleets']> {
  const { fleets } = surroundingsOf(env);
  const resting = fleets.resting();
  const asked = fleets.names.map(async (name) => {
    const fleet = must(fleets.named(name), 'a fleet by its name');
    const until = resting.get(name);
    const rests = until && [{ name, detail: 'it did not answer a launch', until: iso(until) }];
    return within({ later }, ANSWER_MS, fleet.inspect(NOBODY)).then(
      ({ drains }) => rests || (drains ? [{ name, detail: drains, drains: true as const }] : []),
      (error: unknown) => [{ name, detail: messageOf(error) }],
    );
  });
  return (await Promise.all(asked)).flat();
}
