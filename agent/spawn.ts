// Starts the process of a server, or the program that runs its container, under a keeper.

import type { BuildLaunch, LaunchSpec } from '../src/fleet/port.ts';
import { fillerFor, serverCommand } from './command.ts';
import { containerGraceMs, innerPorts } from './containers.ts';
import type { Containers } from './containers.ts';
import type { Lease, ServerFolder } from './folder.ts';
import { makeKept } from './keep.ts';
import { spawnKept } from './keeper.ts';
import type { AtEnd, Kept } from './keeper.ts';
import { endLeft, inBackground } from './left.ts';
import type { Server } from './server.ts';
import type { AgentSettings } from './settings.ts';

/** How long a launch waits for an image that is being fetched. The service waits for the answer to the launch. */
const IMAGE_MS = 4_000;

export interface Surroundings {
  readonly settings: AgentSettings;
  readonly containers: Containers;
  readonly folder: ServerFolder;
  readonly lease: Lease;
}

/** Fills in the placeholders of a build, as its server sees them. */
function fillerOf(
  { ports }: Pick<Server, 'ports'>,
  spec: LaunchSpec,
  { settings, containers, folder, lease }: Surroundings,
): (text: string) => string {
  return lease.container === true
    ? containers.filler(spec, ports)
    : fillerFor(spec, settings, { ports, folder, kept: lease.kept });
}

/** Writes what the server is told, also when a warm one has its match. Returns the launch with its arguments filled in. */
export async function tellServer(
  { ports }: Pick<Server, 'ports'>,
  spec: LaunchSpec,
  around: Surroundings,
): Promise<LaunchSpec> {
  const { folder, lease } = around;
  const heard = lease.container === true ? innerPorts(ports) : ports;
  const fill = fillerOf({ ports }, spec, around);
  const startupArgs = spec.startupArgs === null ? null : fill(spec.startupArgs);
  const told = { ...spec, startupArgs };
  await folder.writeConfig(told, ports, heard[0]?.external_port ?? 0);
  return told;
}

/** Null if the server was stopped in the meantime, in which case nothing was started. */
export async function spawnServer(
  server: Server,
  spec: LaunchSpec,
  around: Surroundings,
): Promise<Kept | null> {
  const { settings, containers, folder, lease } = around;
  const isContainer = lease.container === true;
  if (isContainer) {
    await containers.check(spec.build, IMAGE_MS);
  }
  const { ports } = server;
  const place = { ports, folder, kept: lease.kept };
  if (lease.kept !== undefined) {
    await makeKept(lease.kept, settings, isContainer);
  }
  const told = await tellServer(server, spec, around);
  const { command, env, cwd } = isContainer
    ? await containers.command(told, place)
    : await serverCommand(told, settings, place);
  const fill = fillerOf(server, spec, around);
  const files = Object.entries(spec.build.launch.files ?? {});
  await folder.writeFiles(Object.fromEntries(files.map(([path, text]) => [path, fill(text)])));
  await folder.handOver();
  const log = await folder.openLog();
  try {
    if (server.isEnding) {
      return null;
    }
    const { adopts } = settings;
    // Write the lease before the start: if the agent dies next, the next agent knows that the server may run.
    const beforeStart = (group: number): Promise<void> =>
      folder.writeLease(adopts ? lease : { ...lease, group });
    const kept = await spawnKept(command, {
      env,
      cwd,
      user: isContainer ? null : settings.user,
      graceMs: isContainer ? containerGraceMs(settings) : settings.graceMs,
      output: log.fd,
      exitPath: adopts ? folder.exitPath : undefined,
      beforeStart,
      atEnd: isContainer ? undefined : atEndOf(server, folder, settings.graceMs, spec.build.launch),
    });
    return isContainer ? containers.kept(spec.instanceId, kept) : kept;
  } finally {
    await log.close();
  }
}

/** Ends what the program leaves when it ends, and notes on the server that it went into the background. */
export function atEndOf(
  server: Server,
  { configPath }: Pick<ServerFolder, 'configPath'>,
  graceMs: number,
  launch: BuildLaunch = {},
): AtEnd {
  return async (group, code) => {
    server.life.abort();
    const mark = { group, variable: `MUSTER_CONFIG=${configPath}` };
    const killAt = server.killAt ?? performance.now() + (code === null ? 0 : graceMs);
    const hasLeft = await endLeft(mark, killAt);
    if (hasLeft && code === 0) {
      server.endedBy ??= { detail: inBackground(launch) };
    }
  };
}
