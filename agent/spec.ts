// Reads the body of a launch. It comes over the network, so nothing in it is trusted: an instance id becomes a
// folder, and a command becomes a process.

import type {
  BuildLaunch,
  LaunchBuild,
  LaunchSpec,
  PortConfig,
  SeatKeySet,
} from '../src/fleet/port.ts';
import { KEEP, pathProblem } from '../src/fleet/kept-files.ts';
import { portVariable } from '../src/fleet/ports.ts';
import type { Ready } from './ready.ts';
import { IMAGE, REGION } from '../src/common/limits.ts';

/** A launch that can never work as it is. The message says why. */
export class BadSpec extends Error {}

/** Nothing is wrong, but it cannot be launched at this moment. The message says why. */
export class NotYet extends Error {}

/** What asks for the launch is wrong, and not the build: players choose some of it. */
export class BadOrder extends BadSpec {}

type Fields = Readonly<Record<string, unknown>>;

/** Whether the text may name a folder. */
export function isInstanceId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text);
}

/** Throws BadSpec naming the field: BadOrder, unless it is one of the build. */
export function parseSpec(value: unknown): LaunchSpec {
  let order: Omit<LaunchSpec, 'build'>;
  let build: unknown;
  try {
    const body = fields(value, 'body');
    order = parseOrder(body);
    build = body['build'];
  } catch (error) {
    throw error instanceof BadSpec ? new BadOrder(error.message) : error;
  }
  return { ...order, build: parseBuild(build) };
}

function parseOrder(body: Fields): Omit<LaunchSpec, 'build'> {
  const instanceId = textOf(body, 'instanceId');
  if (!isInstanceId(instanceId)) {
    throw new BadSpec('instanceId: letters, digits and . _ - only');
  }
  const reportUrl = textOf(body, 'reportUrl');
  if (!/^https?:$/.test(URL.parse(reportUrl)?.protocol ?? '')) {
    throw new BadSpec('reportUrl: not an http address');
  }
  const ttl = body['ttlSeconds'] ?? null;
  if (ttl !== null && !(typeof ttl === 'number' && ttl > 0)) {
    throw new BadSpec('ttlSeconds: not a positive number');
  }
  return {
    instanceId,
    serverId: textOr(body['serverId'], instanceId),
    project: textOf(body, 'project'),
    name: typeof body['name'] === 'string' ? body['name'] : '',
    region: regionOf(body),
    computeSize: textOr(body['computeSize'], null),
    matchId: textOr(body['matchId'], null),
    ...(body['warm'] === true && { warm: true }),
    startupArgs: textOr(body['startupArgs'], null),
    customData: fields(body['customData'] ?? {}, 'customData') as LaunchSpec['customData'],
    ttlSeconds: ttl,
    token: textOf(body, 'token'),
    reportUrl,
    ...seatsOf(body['seats']),
    requestId: textOr(body['requestId'], undefined),
  };
}

/** Throws BadSpec naming the field. */
export function parseBuild(value: unknown): LaunchBuild {
  const build = fields(value, 'build');
  const { version } = build;
  if (!Number.isSafeInteger(version)) {
    throw new BadSpec('build.version: not a number');
  }
  return {
    name: textOf(build, 'name'),
    version: version as number,
    label: textOr(build['label'], null),
    launch: parseLaunch(fields(build['launch'] ?? {}, 'build.launch')),
    ports: parsePorts(build['ports'] ?? []),
  };
}

/** The seat keys, which the game server verifies tickets with. Absent: the service signs no tickets. */
function seatsOf(value: unknown): Pick<LaunchSpec, 'seats'> {
  if (value === undefined) {
    return {};
  }
  const { keys, url } = fields(value, 'seats');
  if (!Array.isArray(keys) || typeof url !== 'string') {
    throw new BadSpec('seats: not a set of keys');
  }
  return { seats: { keys: keys as SeatKeySet['keys'], url } };
}

/** The text, or the fallback if it is absent or null. */
function textOr<T>(value: unknown, fallback: T): string | T {
  return isArgument(value) ? value : fallback;
}

function parsePorts(value: unknown): readonly PortConfig[] {
  if (!Array.isArray(value) || !value.every(isPortConfig)) {
    throw new BadSpec('build.ports: not a list of ports');
  }
  if (new Set(value.map(({ name }) => portVariable(name))).size < value.length) {
    throw new BadSpec('build.ports: a name is listed twice');
  }
  return value;
}

function isPortConfig(value: unknown): value is PortConfig {
  const { name, internal_port: number, protocol, offset, fixed } = (value ?? {}) as Fields;
  return (
    typeof name === 'string' &&
    /^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name) &&
    [number, offset, fixed].every((each) => each === undefined || isPortNumber(each)) &&
    (protocol === 'udp' || protocol === 'tcp')
  );
}

function isPortNumber(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
}

function parseLaunch(launch: Fields): BuildLaunch {
  const { command, args, env, ownFolder, roster, ready, memory, cpus } = launch;
  // A build that an earlier version saved may have both. It started the program then.
  const image = command === undefined ? launch['image'] : undefined;
  if (command !== undefined && (typeof command !== 'string' || command === '')) {
    throw new BadSpec('build.launch.command: not a program');
  }
  if (image !== undefined && !(typeof image === 'string' && IMAGE.test(image))) {
    throw new BadSpec('build.launch.image: not the name of an image');
  }
  if (![memory, cpus].every((each) => each === undefined || isMeasure(each))) {
    throw new BadSpec('build.launch.memory, cpus: not numbers above 0');
  }
  if (args !== undefined && !(Array.isArray(args) && args.every(isArgument))) {
    throw new BadSpec('build.launch.args: not a list of strings');
  }
  const variables = Object.entries(fields(env ?? {}, 'build.launch.env'));
  for (const [name, setting] of variables) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || !isArgument(setting)) {
      throw new BadSpec(`build.launch.env.${name}: not a variable`);
    }
  }
  const read = Object.fromEntries(variables) as Record<string, string>;
  const limits = { memory, cpus } as Pick<BuildLaunch, 'memory' | 'cpus'>;
  const flags = { ownFolder: ownFolder === true, ...(roster === true && { roster }) };
  if (ready !== undefined && !isReady(ready)) {
    throw new BadSpec('build.launch.ready: not port, report or a line');
  }
  return { command, image, args, env: read, ...keptOf(launch), ...flags, ready, ...limits };
}

/** The files and the folder that a build brings along and keeps. */
function keptOf({ files, keep }: Fields): Pick<BuildLaunch, 'files' | 'keep'> {
  const texts = files === undefined ? undefined : fields(files, 'build.launch.files');
  for (const [path, text] of Object.entries(texts ?? {})) {
    if (pathProblem(path) !== null || !isArgument(text)) {
      throw new BadSpec(`build.launch.files.${path}: ${pathProblem(path) ?? 'not a text'}`);
    }
  }
  if (keep !== undefined && !(typeof keep === 'string' && KEEP.test(keep))) {
    throw new BadSpec('build.launch.keep: not the name of a folder');
  }
  return { ...(texts && { files: texts as BuildLaunch['files'] }), ...(keep && { keep }) };
}

function isReady(value: unknown): value is Ready {
  const { line } = (typeof value === 'object' && value !== null ? value : {}) as Fields;
  return value === 'port' || value === 'report' || (typeof line === 'string' && line !== '');
}

function isMeasure(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value < 1e7;
}

/** Whether the system can pass this to a program: text without a zero byte. */
function isArgument(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadSpec(`${name}: not an object`);
  }
  return value as Fields;
}

/** The region. It becomes an argument. */
function regionOf(body: Fields): string {
  const region = textOf(body, 'region');
  if (!REGION.test(region)) {
    throw new BadSpec('region: must be 1 to 32 of a-z, 0-9 and -, and not begin with -');
  }
  return region;
}

function textOf(from: Fields, name: string): string {
  const value = from[name];
  if (!isArgument(value)) {
    throw new BadSpec(`${name}: not a string`);
  }
  return value;
}
