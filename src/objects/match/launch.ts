// How a match launches its server: with which build and which order, and how long its lobbies wait for the answer.

import type { InstanceId, MatchId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { LaunchOrder, ServerReport } from '../contracts/server';
import type { MatchUpdate } from '../../lobby/command';
import type { Candidate } from '../../lobby/hosting';
import { refusal, type Reply } from '../../lobby/refusals';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Peers } from '../contracts/peers';
import { buildNow, configOf, retryAfterOf } from '../caches/project';
import type { MatchCore } from './core';
import { botsIn } from './room';
import { over, served, type Match } from './state';

/**
 * How long the match waits for the fleet before its lobbies are told that it is launching. If the fleet accepts the
 * server at once, `matched` and `in_game` are one update, which the lobby shows as two (decision 25).
 */
export const AT_ONCE_MS = 100;

type Launching = Promise<Reply<ServerReport>>;
type Launcher = Pick<MatchCore, 'ports' | 'id' | 'launching' | 'goOn'>;

/** The server's first report, or a refusal: no ready build has the version (spec: Versioning), or the fleet refused. */
export async function launchMatch(ports: ActorPorts, match: Match, id: MatchId): Launching {
  const { roster } = match;
  const document = await ports.document(roster.project);
  const { serverSettings } = configOf(document, roster.config);
  const build = buildNow(document, roster.config, roster.rules, roster.version);
  if (!build.ok) {
    const { project, config, mode } = roster;
    ports.log('launch_failed', { project, config, mode, reason: build.refusal });
    return refusal('LAUNCH_FAILED', build.refusal);
  }
  const choice = { build: build.value.name, computeSize: serverSettings.serverSize };
  const order = launchOrder(match, id, choice);
  return ports.peers.server(match.instanceId, order.region).launch(order);
}

/** The same, with a warm server if there is one (record 0073). What is taken is saved before that server is asked. */
export async function launchAny(core: Launcher): Launching {
  const { ports } = core;
  for (let match = core.launching; match !== null; match = core.launching) {
    const ready = match.warm === undefined ? await warmFor(ports, match) : undefined;
    const now = core.launching;
    if (now === null) {
      // Another try, of a debt that was paid twice, has launched a server meanwhile.
      break;
    }
    if (ready !== undefined) {
      if (now.warm === undefined) {
        core.goOn({ ...now, ...(ready && { instanceId: ready }), warm: ready ? 'taken' : 'none' });
      }
      continue;
    }
    const launched = await launchMatch(ports, now, core.id);
    const left = core.launching;
    const runs = launched.ok && launched.value.block.status !== 'stopped';
    // With `server` it has begun to launch as any other: it stood in line, or another fleet was asked. So it is the match's own.
    if (now.warm !== 'taken' || runs || left?.server) {
      return launched;
    }
    if (left?.instanceId === now.instanceId) {
      core.goOn({ ...left, instanceId: ports.instanceId(), warm: 'none' });
    }
  }
  return refusal('LAUNCH_FAILED', 'The match no longer waits for a server');
}

/** Launches the server of the match, and saves what became of it. */
export async function launchForMatch(core: MatchCore): Promise<void> {
  const launched = await launchAny(core);
  if (launched.ok) {
    hearServer(core, launched.value);
  } else if (core.launching !== null) {
    const { code, detail } = launched.refusal;
    const exhausted = code === 'SERVERS_EXHAUSTED' ? { exhausted: detail } : {};
    const next = over({ ...core.launching, ...exhausted }, 'launch_failed', core.ports.now());
    core.save(next, { detail });
  }
}

/** What a server says of itself, and what the match answers: `later` is for a server that is to say it again. */
export function hearServer(core: MatchCore, report: ServerReport): boolean | 'later' | 'done' {
  const { live, memory, ports } = core;
  const isDone = report.crashed === true && memory.hasResult;
  if (live?.instanceId !== report.instanceId) {
    return isDone && 'done';
  }
  if (awaitsAnswer(live, report)) {
    return 'later';
  }
  if (live.phase !== 'confirming' && report.seq > (live.server?.seq ?? 0)) {
    const isFine = isDone || (report.failed !== true && report.crashed !== true);
    const reason = isFine ? 'server_stopped' : undefined;
    core.save(served(live, report, ports.now()), { reason, detail: report.detail });
  }
  return isDone ? 'done' : true;
}

/** Whether a warm server that says that it has ended may have answered the match before, so that it would be believed to run. */
export function awaitsAnswer({ phase, warm, server }: Match, { block }: ServerReport): boolean {
  const isUnheard = phase === 'launching' && warm === 'taken' && server === null;
  return isUnheard && block.status === 'stopped';
}

/** A warm server for the match. Null: there is none now. Undefined: nobody is asked: the build keeps none, or a host starts. */
async function warmFor(
  ports: ActorPorts,
  { roster }: Match,
): Promise<InstanceId | null | undefined> {
  const { project, config, region, rules, madeBy } = roster;
  if (madeBy === 'host') {
    return undefined;
  }
  const document = await ports.document(project);
  const build = buildNow(document, config, rules, roster.version);
  const { serverSettings } = configOf(document, config);
  if (!build.ok || !build.value.launch.warm?.[region] || serverSettings.hosting === 'players') {
    return undefined;
  }
  const { name, version } = build.value;
  const wanted = { build: name, version, region, computeSize: serverSettings.serverSize };
  const taking = ports.peers.project(project).takeWarm(wanted);
  return taking.catch(() => null);
}

/** In how many seconds lobbies may try again, if the launch has failed. */
export async function retryOf(
  ports: ActorPorts,
  { roster }: Match,
  { reason }: Pick<MatchUpdate, 'reason'>,
): Promise<number | undefined> {
  if (reason !== 'launch_failed') {
    return undefined;
  }
  const { project, config, rules, version, region } = roster;
  const document = await ports.document(project).catch(() => null);
  const build = document && buildNow(document, config, rules, version);
  return build?.ok ? retryAfterOf(ports.peers, project, build.value.name, region) : undefined;
}

/** Those who have places in the match now. A lobby that does not answer must not keep the others from an election. */
export async function hostsOf(peers: Peers, match: Match): Promise<readonly Candidate[]> {
  const here = match.participants.filter(({ left }) => !left);
  const all = here.map(async ({ lobbyId, members }) => {
    const there = await peers.lobby(lobbyId).hosts();
    return there.filter(({ id }) => members.includes(id));
  });
  const answers = await Promise.allSettled(all);
  return answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

export async function tellBots({ peers }: ActorPorts, match: Match): Promise<void> {
  const bots = (botsIn(match) ?? []).map((each) => ({ ...each }));
  await peers.server(match.instanceId).update(match.roster.project, { bots }, match.offerSeq);
}

export function launchOrder(
  match: Match,
  matchId: MatchId,
  choice: Pick<LaunchOrder, 'build' | 'computeSize'>,
): LaunchOrder {
  const { roster } = match;
  const [first] = roster.parties;
  return {
    instanceId: match.instanceId,
    project: roster.project,
    owner: { kind: 'match', id: matchId },
    config: roster.config,
    name: `${roster.config} ${roster.mode}`,
    region: roster.region,
    ...choice,
    customData: customData(match, matchId),
    ttlSeconds: null,
    matchId,
    requestId: first?.requestId,
    // As a start without a match.
    ...(roster.madeBy === 'host' &&
      first && { isStart: true, name: first.name, customData: first.settings }),
  };
}

/**
 * What the game server gets (decision 36), with what the hosted service's server sample reads: an empty state for a player without
 * one, team sizes under its names, and all settings at the top level as well, where those of the first lobby win.
 */
function customData(match: Match, matchId: MatchId): JsonObject {
  const { roster } = match;
  const parties = new Map(roster.parties.map((party) => [party.ticketId, party]));
  const teams = roster.teams.map((team, index): JsonObject => {
    const there = team.tickets.flatMap((ticketId) => parties.get(ticketId) ?? []);
    return {
      team_id: index,
      ...(team.name === null ? {} : { team_name: team.name }),
      lobbies: there.map(({ lobbyId, name, host, players }) => ({
        lobby_id: lobbyId,
        lobby_name: name,
        host,
        player_states: Object.fromEntries(players.map(({ id, state }) => [id, state ?? {}])),
      })),
      ...(team.roles === null ? {} : { roles: team.roles }),
    };
  });
  const firstLast = roster.parties.toReversed();
  const settings = roster.parties.map((party) => [party.lobbyId, party.settings] as const);
  const { playersPerTeam, minPlayersPerTeam } = roster.rules;
  const bots = botsIn(match);
  return {
    match_id: matchId,
    matchmaking_mode: roster.mode,
    all_players: roster.parties.flatMap(({ players }) => players.map(({ id }) => id)),
    teams,
    ...(bots && { bots: bots.map((each) => ({ ...each })) }),
    match_configuration: {
      ...(JSON.parse(JSON.stringify(roster.rules)) as JsonObject),
      players_per_team: playersPerTeam,
      min_players_per_team: minPlayersPerTeam,
    },
    lobby_settings: {
      ...Object.fromEntries(firstLast.flatMap((party) => Object.entries(party.settings))),
      ...Object.fromEntries(settings),
    },
  };
}
