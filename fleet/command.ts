// What is run for a build: program, arguments and environment of one server.

import { access, constants } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { LaunchSpec } from '../src/fleet/port.ts';
import type { AgentSettings } from './settings.ts';
import { BadSpec } from './spec.ts';

/** What passes from the agent's own environment; its secrets must not. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'];

export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The build's command, or the game server that comes with the agent. In arguments and variables
 * of a build `{port}`, `{host}`, `{region}`, `{instance_id}`, `{config}` (the path of muster.json)
 * and `{folder}` (where it lies, and the server may write) are filled in.
 * Throws BadSpec when there is no such program here.
 */
export async function serverCommand(
  spec: LaunchSpec,
  settings: AgentSettings,
  place: { readonly port: number; readonly configPath: string },
): Promise<ServerCommand> {
  const { command, args = [], env = {} } = spec.build.launch;
  const fill = filler({
    port: String(place.port),
    host: settings.bindHost,
    region: spec.region,
    instance_id: spec.instanceId,
    config: place.configPath,
    folder: dirname(place.configPath),
  });
  const variables: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    if (value !== undefined) {
      variables[name] = value;
    }
  }
  for (const [name, value] of Object.entries(env)) {
    variables[name] = fill(value);
  }
  Object.assign(variables, {
    MUSTER_INSTANCE_ID: spec.instanceId,
    MUSTER_NAME: spec.name,
    MUSTER_PROJECT: spec.project,
    MUSTER_REGION: spec.region,
    MUSTER_BUILD: spec.build.name,
    MUSTER_VERSION: spec.build.version,
    MUSTER_HOST: settings.bindHost,
    MUSTER_PORT: String(place.port),
    MUSTER_CONFIG: place.configPath,
    MUSTER_REPORT_URL: spec.reportUrl,
    MUSTER_TOKEN: spec.token,
  });
  if (command === undefined) {
    const shipped = fileURLToPath(new URL('game-server.ts', import.meta.url));
    return { command: [process.execPath, shipped, ...args.map(fill)], env: variables };
  }
  if (!(await canRun(command, variables['PATH'] ?? ''))) {
    throw new BadSpec(`build ${spec.build.name}: no program "${command}" on this machine`);
  }
  return { command: [command, ...args.map(fill)], env: variables };
}

function filler(values: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replace(/\{([a-z_]+)\}/g, (whole, name: string) => values[name] ?? whole);
}

async function canRun(command: string, path: string): Promise<boolean> {
  const places = command.includes('/')
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command));
  for (const place of places) {
    try {
      await access(place, constants.X_OK);
      return true;
    } catch {
      // Not here: the next folder of the path may have it.
    }
  }
  return false;
}
