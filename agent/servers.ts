// The servers of this agent. Each id is started at most once, watched while it lives, and reported until the
// service knows that it stopped. An id that was stopped is never started afterwards, even if it was stopped before
// its launch: a launch that was delayed on its way must not leave an orphan.

import { stat } from 'node:fs/promises';

import type { LaunchSpec, LogLine } from '../src/fleet/port.ts';
import type { Containers } from './containers.ts';
import { projectWatch } from './confine.ts';
import { pruneFolders, serverFolder } from './folder.ts';
import type { Lease } from './folder.ts';
import { keptFolder, withKept } from './keep.ts';
import { adoptKept } from './keeper.ts';
import { logError } from './log.ts';
import { lastLines, endingOf, watchOutput } from './output.ts';
import { claims, claimsFor, portPool } from './ports.ts';
import type { PortClaims } from './ports.ts';
import { readinessOf } from './ready.ts';
import { Rounds, startReporter } from './reports.ts';
import { keepRoster } from './roster.ts';
import type { AgentSettings } from './settings.ts';
import { processSockets } from './opened.ts';
import { BadSpec, NotYet } from './spec.ts';
import { atEndOf, spawnServer, tellServer } from './spawn.ts';
import { leasedPlace, leaseOf, newServer, refuse, say, viewOf } from './server.ts';
import type { Attended, LaunchAnswer, Server, ServerView } from './server.ts';
import { startOf } from './start.ts';
import { placeOf, samplePlace } from './watch.ts';

/** How long the tombstone of an id is kept after its end was acknowledged. */
const REMEMBER_MS = 30 * 60_000;

/** How often the service is asked whether a server has reported that it runs, where its build waits for that. */
const REPORTED_MS = 2_000;

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Servers {
  launch(spec: LaunchSpec): Promise<LaunchAnswer>;
  /**
   * Takes over from an earlier agent, before anything is launched. If the settings say so, its running servers are
   * adopted. Returns the leases of the others, which have ended or must end, and never run again.
   */
  takeOver(leases: readonly Lease[]): Promise<readonly Lease[]>;
  inspect(instanceId: string): ServerView | null;
  /** The last lines of the server's output, also after its end. Null: there are none. */
  logs(instanceId: string, limit: number): Promise<readonly LogLine[] | null>;
  list(): readonly ServerView[];
  /** How many servers have not stopped. */
  alive(): number;
  health(): {
    readonly status: 'ok' | 'draining';
    /** Why no launch is taken any more. */
    readonly drains?: string;
    readonly servers: number;
    readonly capacity: number;
  };
  /** Resolves when the process is gone. */
  stop(instanceId: string): Promise<void>;
  /** Takes no launches any more. Resolves when the last server has ended. */
  drain(): Promise<void>;
  /** Ends all servers, then waits up to `reportMs` for the service to take the reports. */
  endAll(reportMs: number): Promise<void>;
}

export function createServers(settings: AgentSettings, containers: Containers): Servers {
  const servers = new Map<string, Server>();
  const takePort = portPool(settings.ports);
  const noteProject = projectWatch(settings.commands);
  const isAlive = (instanceId: string): boolean =>
    (servers.get(instanceId)?.state ?? 'stopped') !== 'stopped';
  const alive = (): number => [...servers.keys()].filter(isAlive).length;
  /** Why no launch is taken any more. Null: launches are taken. */
  let closed: string | null = null;

  async function launch(spec: LaunchSpec): Promise<LaunchAnswer> {
    const known = servers.get(spec.instanceId);
    if (known !== undefined) {
      const answer = await known.launched;
      // A server that is being ended counts as gone, so a launch must not return it.
      if (answer.ok && known.state !== 'stopped' && !known.isEnding) {
        await (spec.warm && spec.matchId !== null ? known.hasMatch?.(spec) : undefined);
        return { ok: true, isNew: false, server: viewOf(known) };
      }
      return answer.ok ? refuse('stopped', 'this instance has already stopped') : answer;
    }
    if (closed !== null || alive() >= settings.maxServers) {
      const full = `${alive()} of ${settings.maxServers} servers are running`;
      return refuse('no_capacity', closed ?? full);
    }
    noteProject(spec.project);
    const server = newServer(spec.instanceId, spec.requestId);
    servers.set(spec.instanceId, server);
    server.launched = start(server, spec);
    return server.launched;
  }

  async function start(server: Server, spec: LaunchSpec): Promise<LaunchAnswer> {
    const asked = spec.build.ports;
    const keptPath = keptFolder(settings, spec);
    let claim: PortClaims;
    try {
      claim = await withKept(keptPath, () => claimsFor(asked, takePort, settings.ports));
    } catch (error) {
      servers.delete(spec.instanceId);
      return refuse('no_capacity', error instanceof Error ? error.message : String(error));
    }
    const { command, image } = spec.build.launch;
    const folder = serverFolder(settings, spec.instanceId, image !== undefined);
    const isSample = asked.length === 0 && command === undefined && image === undefined;
    const place = isSample
      ? samplePlace(settings.gameHost, claim.ports)
      : placeOf(settings.gameHost, asked, claim.ports);
    const lease = leaseOf(spec, place, keptPath);
    try {
      server.ports = place.ports;
      server.kept = await spawnServer(server, spec, { settings, containers, folder, lease });
    } catch (error) {
      claim.release();
      await folder.settle().catch(() => undefined);
      server.state = 'stopped';
      if (error instanceof NotYet) {
        // Whoever waits for room comes back with the same id.
        servers.delete(spec.instanceId);
        return refuse('no_capacity', error.message);
      }
      forgetLater(spec.instanceId);
      if (error instanceof BadSpec) {
        return refuse('refused', error.message);
      }
      // Nothing runs, so another fleet may have the launch.
      logError('could not start a server', error);
      const code = error instanceof Error && 'code' in error ? error.code : 'an error';
      return refuse(
        'no_capacity',
        `the agent could not start the server: ${String(code)} (see its log)`,
      );
    }
    if (server.kept === null) {
      claim.release();
      await folder.settle().catch(() => undefined);
      server.state = 'stopped';
      return refuse('stopped', 'this instance was stopped before it started');
    }
    server.gone = attend(server, lease, { kept: server.kept, claim, folder, place });
    const isNamed = command !== undefined || image !== undefined;
    const sample = isNamed
      ? ''
      : `: the sample server, as build ${spec.build.name} names no program`;
    say(server, 'server_started', `starts for ${spec.matchId ?? spec.name}${sample}`);
    return { ok: true, isNew: true, server: viewOf(server) };
  }

  /** Watches one process from its start to its end. Never rejects. */
  async function attend(
    server: Server,
    lease: Lease,
    { kept, claim, folder, place }: Attended,
  ): Promise<void> {
    const { instanceId, reportUrl, token, endsAt, container, roster, ready } = lease;
    let isReported = false;
    const reporter = startReporter({
      service: new Rounds(reportUrl, settings.serviceUrls),
      token,
      leaseMs: () =>
        ready === 'report' && server.state === 'launching'
          ? Math.min(REPORTED_MS, settings.leaseMs)
          : settings.leaseMs,
      abandonMs: settings.abandonMs,
      current: () => ({
        status: server.state,
        network_ports: server.ports,
        ...server.ending,
      }),
      onUnowned: (why) => void end(server, why, false),
      answered: (status) => (isReported ||= status === 'running'),
    });
    server.settled = reporter.done.then(async () => {
      await folder.settle().catch(() => undefined);
      forgetLater(server.instanceId);
    });
    const { life } = server;
    const followRoster = (): void => {
      const write = (told: object): Promise<void> => folder.writeRoster(told);
      const service = new Rounds(reportUrl, settings.serviceUrls);
      void (roster && keepRoster({ service, token, signal: life.signal, write }));
    };
    followRoster();
    server.hasMatch = async (spec) => {
      await tellServer(server, spec, { settings, containers, folder, lease });
      delete server.hasMatch;
      // A server without a match has no roster, so nobody asks for it any more.
      followRoster();
    };
    const ttl =
      endsAt === null
        ? undefined
        : setTimeout(
            () => void end(server, 'its time is over', true),
            Math.min(Math.max(0, endsAt - Date.now()), LONGEST_TIMER_MS),
          );
    const variable = `MUSTER_CONFIG=${folder.configPath}`;
    const mark = { group: kept.group, variable };
    const sockets = container ? containers.sockets(instanceId) : processSockets(kept.pid, mark);
    const readiness = readinessOf(ready, folder.logPath, () => isReported);
    const { signal } = life;
    const begun = {
      settings,
      place,
      sockets,
      readiness,
      signal,
      logPath: folder.logPath,
      changed: () => reporter.changed(),
      // The next agent must not wait for it again.
      ready: async () =>
        ready === undefined || !settings.adopts
          ? undefined
          : folder.writeLease({ ...lease, ready: undefined }),
    };
    void startOf(server, begun).then((why) =>
      why === null || signal.aborted ? undefined : end(server, why, false),
    );
    const output = watchOutput(folder.logPath, settings.logBytes);
    server.output = output;
    const exitCode = await kept.exited;
    output.end();
    life.abort();
    server.ending = { ...(await endingOf(folder.logPath, exitCode)), ...server.endedBy };
    clearTimeout(ttl);
    claim.release();
    server.state = 'stopped';
    reporter.changed();
    say(server, 'server_ended', `exited with ${exitCode ?? 'a signal'}`);
  }

  async function takeOver(leases: readonly Lease[]): Promise<readonly Lease[]> {
    const taken = settings.adopts ? await Promise.all(leases.map(takeUp)) : [];
    const ended = leases.filter((_, index) => taken[index] !== true);
    ended.forEach(({ instanceId }) => bar(instanceId));
    return ended;
  }

  async function takeUp(lease: Lease): Promise<boolean> {
    const { instanceId, group, container = false } = lease;
    const folder = serverFolder(settings, instanceId, container);
    const { exitPath } = folder;
    const server = newServer(instanceId);
    const atEnd = container ? undefined : atEndOf(server, folder, settings.graceMs);
    const left = group === null ? await adoptKept({ exitPath, mark: instanceId, atEnd }) : null;
    const kept = left !== null && container ? containers.kept(instanceId, left) : left;
    const place = leasedPlace(lease, settings.gameHost);
    const claim =
      kept === null
        ? null
        : await withKept(lease.kept, () => claims(place.ports.map((each) => each.external_port)));
    if (kept === null || claim === null) {
      return false;
    }
    server.kept = kept;
    server.ports = place.ports;
    server.launched = Promise.resolve({ ok: true, isNew: false, server: viewOf(server) });
    servers.set(instanceId, server);
    server.gone = attend(server, lease, { kept, claim, folder, place });
    say(server, 'server_adopted', 'goes on under a new agent');
    return true;
  }

  /** `asked`: whoever launched it wanted its end, then or now. */
  async function end(server: Server, why: string, asked: boolean): Promise<void> {
    if (!server.isEnding && server.state !== 'stopped') {
      server.isEnding = true;
      server.endedBy = { detail: why, ...(asked && { asked }) };
      say(server, 'server_ending', `ends: ${why}`);
      await server.launched.catch(() => undefined);
      server.killAt = performance.now() + settings.graceMs;
      server.kept?.signal('SIGTERM');
      const kill = setTimeout(() => server.kept?.signal('SIGKILL'), settings.graceMs);
      await server.gone;
      clearTimeout(kill);
    }
    await server.gone;
  }

  function forgetLater(instanceId: string): void {
    setTimeout(() => servers.delete(instanceId), REMEMBER_MS).unref();
    void pruneFolders(settings.dataDir, isAlive).catch(() => undefined);
  }

  function bar(instanceId: string): void {
    const never = newServer(instanceId);
    never.state = 'stopped';
    servers.set(instanceId, never);
    forgetLater(instanceId);
  }

  return {
    launch,
    takeOver,
    inspect: (instanceId) => {
      const server = servers.get(instanceId);
      return server === undefined ? null : viewOf(server);
    },
    logs: async (instanceId, limit) => {
      const server = servers.get(instanceId);
      if (server?.output) {
        return server.output.lines(limit);
      }
      const { logPath } = serverFolder(settings, instanceId);
      const isThere = await stat(logPath).then(
        () => true,
        () => false,
      );
      return isThere ? lastLines(logPath, limit) : null;
    },
    list: () => [...servers.values()].map(viewOf),
    alive,
    health: () => ({
      status: closed === null ? 'ok' : 'draining',
      ...(closed !== null && { drains: closed }),
      servers: alive(),
      capacity: settings.maxServers,
    }),
    stop: async (instanceId) => {
      const server = servers.get(instanceId);
      if (server !== undefined) {
        await end(server, 'told to stop', true);
        return;
      }
      bar(instanceId);
    },
    drain: async () => {
      const since = `since ${new Date().toISOString()} (told to by npm run agent -- drain, or SIGUSR2)`;
      closed ??= `the agent drains ${since}: it takes no launches any more until it is stopped and started again`;
      await Promise.all(
        [...servers.values()].map(async (server) => {
          await server.launched.catch(() => undefined);
          await server.gone;
        }),
      );
    },
    endAll: async (reportMs) => {
      closed = 'the agent is ending';
      const all = [...servers.values()];
      await Promise.all(all.map((server) => end(server, 'the agent ended', false)));
      const settled = Promise.all(all.map((server) => server.settled));
      await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, reportMs))]);
    },
  };
}
