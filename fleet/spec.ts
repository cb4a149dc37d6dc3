// Reads the body of a launch. It comes over the wire, so nothing in it is taken on trust: an
// instance id becomes a folder, a command becomes a process.

import type { BuildLaunch, LaunchSpec } from '../src/fleet/port.ts';

/** Thrown for a launch that can never work as it stands; the message says why. */
export class BadSpec extends Error {}

type Fields = Readonly<Record<string, unknown>>;

/** Answers whether the text may name a folder. */
export function isInstanceId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(text);
}

/** Throws BadSpec naming the field. */
export function parseSpec(value: unknown): LaunchSpec {
  const body = fields(value, 'body');
  const build = fields(body['build'], 'build');
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
    project: textOf(body, 'project'),
    name: textOf(body, 'name'),
    region: textOf(body, 'region'),
    build: {
      name: textOf(build, 'name'),
      version: textOf(build, 'version'),
      launch: parseLaunch(fields(build['launch'] ?? {}, 'build.launch')),
    },
    computeSize: typeof body['computeSize'] === 'string' ? body['computeSize'] : null,
    customData: fields(body['customData'] ?? {}, 'customData') as LaunchSpec['customData'],
    ttlSeconds: ttl,
    token: textOf(body, 'token'),
    reportUrl,
  };
}

function parseLaunch(launch: Fields): BuildLaunch {
  const { command, args, env } = launch;
  if (command !== undefined && (typeof command !== 'string' || command === '')) {
    throw new BadSpec('build.launch.command: not a program');
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
  return { command, args, env: Object.fromEntries(variables) as Record<string, string> };
}

/** What the system can pass to a program: text without a zero byte. */
function isArgument(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadSpec(`${name}: not an object`);
  }
  return value as Fields;
}

function textOf(from: Fields, name: string): string {
  const value = from[name];
  if (!isArgument(value)) {
    throw new BadSpec(`${name}: not a string`);
  }
  return value;
}
