// The command for a build: the program, arguments and environment of a server.

import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { LaunchBuild, LaunchSpec, Port } from '../src/fleet/port.ts';
import { fillerOf, musterVariables } from '../src/fleet/muster-json.ts';
import { DEFAULT_PORT_NAMES, portVariable } from '../src/fleet/ports.ts';
import { rosterBeside } from './folder.ts';
import type { ServerFolder } from './folder.ts';
import type { AgentSettings } from './settings.ts';
import { checkProgram, checkVariables, inherited, oneLine } from './confine.ts';
import { HERE, isPath, isScript, programPlaces } from './platform.ts';
import type { System } from './platform.ts';
import { BadSpec } from './spec.ts';

export interface ServerCommand {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The working folder. Absent: the agent's. */
  readonly cwd?: string | undefined;
}

/** The ports and the folders of a server, as the server sees them. */
export interface ServerPlace {
  readonly ports: readonly Port[];
  readonly folder: Pick<ServerFolder, 'configPath'>;
  /** The folder that outlives it. Absent: the build keeps none. */
  readonly kept?: string | undefined;
}

/**
 * Fills in the placeholders in a build's arguments and variables: `{port}` (the first), `{port:NAME}`, `{host}`,
 * `{region}`, `{instance_id}`, `{config}` (the path of muster.json), `{folder}` (its folder, where the server
 * may write) and `{keep}` (the folder that outlives it). No placeholder holds text that players write. Other text in braces stays as it is.
 */
export function fillerFor(
  spec: LaunchSpec,
  { bindHost }: Pick<AgentSettings, 'bindHost'>,
  { ports, folder, kept }: ServerPlace,
): (text: string) => string {
  const numbers = namesOf(spec, ports).map(([name, port]) => [`port:${name}`, port] as const);
  return fillerOf(
    new Map([
      ...numbers,
      ['port', firstOf(ports)],
      ['host', bindHost],
      ['region', spec.region],
      ['instance_id', spec.serverId],
      ['config', folder.configPath],
      ['folder', dirname(folder.configPath)],
      ...(kept === undefined ? [] : [['keep', kept] as const]),
    ]),
  );
}

/** What every server is told in its environment (docs/game-servers.md). */
export function toldTo(
  spec: LaunchSpec,
  bindHost: string,
  { ports, folder, kept }: ServerPlace,
): Readonly<Record<string, string>> {
  const named = namesOf(spec, ports);
  return {
    ...musterVariables(spec, bindHost),
    MUSTER_PORT: firstOf(ports),
    ...Object.fromEntries(named.map(([name, port]) => [portVariable(name), port])),
    MUSTER_CONFIG: folder.configPath,
    ...(kept !== undefined && { MUSTER_KEEP: kept }),
    ...(spec.build.launch.roster && { MUSTER_ROSTER: rosterBeside(folder.configPath) }),
  };
}

/**
 * The build's command, or the game server that comes with the agent. Throws BadSpec if the program does not exist
 * here or may not be started.
 */
export async function serverCommand(
  spec: LaunchSpec,
  settings: AgentSettings,
  place: ServerPlace & { readonly folder: ServerFolder },
): Promise<ServerCommand> {
  const { command, args = [], env = {} } = spec.build.launch;
  const fill = fillerFor(spec, settings, place);
  const variables = inherited();
  const own = dirname(place.folder.configPath);
  // Another user may have no access to the agent's working folder.
  const cwd = settings.user === null ? undefined : own;
  // Servers of one machine would share what they write at home. Without a home, some do not start.
  variables['HOME'] = own;
  for (const [name, value] of Object.entries(env)) {
    variables[name] = fill(value);
  }
  for (const [name, value] of Object.entries(toldTo(spec, settings.bindHost, place))) {
    variables[name] = oneLine(value);
  }
  await checkBuild(spec.build, settings, variables['PATH']);
  if (command === undefined) {
    const shipped = fileURLToPath(new URL('game-server.ts', import.meta.url));
    return { command: [process.execPath, shipped, ...args.map(fill)], env: variables, cwd };
  }
  const words = args.map(fill);
  if (spec.build.launch.ownFolder !== true) {
    return { command: [command, ...words], env: variables, cwd };
  }
  const staged = await place.folder.stage(command);
  return { command: [staged, ...words], env: variables, cwd: dirname(staged) };
}

type Confined = Pick<AgentSettings, 'commands' | 'sample' | 'variables' | 'files'>;

/**
 * Throws BadSpec if a build's program does not exist here or may not be started (decision 34). `path` is searched
 * for programs without a folder. Absent: the build's PATH, or the agent's own.
 */
export async function checkBuild(
  { name, launch }: LaunchBuild,
  { commands, sample, variables, files }: Confined,
  path = launch.env?.['PATH'] ?? inherited()['PATH'],
): Promise<void> {
  if (commands !== null) {
    checkVariables(Object.keys(launch.env ?? {}), variables);
    if (launch.files !== undefined && !files) {
      throw new BadSpec(`build ${name}: launch.files needs AGENT_FILES=1 beside AGENT_COMMANDS`);
    }
  }
  const { command, ownFolder } = launch;
  if (command === undefined && !sample) {
    throw new BadSpec(
      `build ${name} names no program: save it with a \`command\` or an \`image\`, as in PUT /v3/builds/${name}, or set AGENT_SAMPLE=1 for the sample server`,
    );
  }
  if (command === undefined) {
    return;
  }
  const program = await programAt(command, path ?? '').catch((error: BadSpec) => {
    throw new BadSpec(`build ${name}: ${error.message}`);
  });
  if (commands !== null) {
    await checkProgram(program, commands);
  }
  if (ownFolder === true && !isPath(command)) {
    throw new BadSpec(`build ${name}: ownFolder needs the path of the program`);
  }
}

/** The names and numbers of the ports. If a build names no ports, its one port has the names of both protocols. */
function namesOf(spec: LaunchSpec, ports: readonly Port[]): readonly (readonly [string, string])[] {
  const names = spec.build.ports.length > 0 ? ports.map(({ name }) => name) : DEFAULT_PORT_NAMES;
  return names.map((name, index) => [name, String((ports[index] ?? ports[0])?.external_port ?? 0)]);
}

function firstOf([first]: readonly Port[]): string {
  return String(first?.external_port ?? 0);
}

/** The path of the program with that name. Throws BadSpec if there is none, or none that may be run. */
export async function programAt(
  command: string,
  path: string,
  system: System = HERE,
): Promise<string> {
  let problem = `no program "${command}" on this machine`;
  for (const place of programPlaces(command, path, system)) {
    const there = await stat(place).catch(() => null);
    const isProgram = there?.isFile() === true;
    if (isProgram && isScript(place, system)) {
      problem = `"${place}" is a script of the shell: name cmd.exe, with /c and the script as args`;
    } else if (isProgram && (await mayRun(place))) {
      return place;
    } else if (isProgram) {
      problem = `"${place}" is not executable by the agent's user; chmod +x makes it so`;
    } else if (there !== null && isPath(command, system)) {
      problem = `"${place}" is a folder, no program`;
    }
  }
  throw new BadSpec(problem);
}

function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
