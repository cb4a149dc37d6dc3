// The agent's settings from its environment, with their defaults.

import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { userOf } from './confine.ts';
import { HERE, lackingSetting } from './platform.ts';
import type { System } from './platform.ts';
import type { ServerUser } from './confine.ts';
import type { PortRange } from './ports.ts';

export interface AgentSettings {
  /** Where the agent itself listens. It starts programs on demand, so keep it off open networks. */
  readonly host: string;
  readonly port: number;
  /** The bearer secret of the service. */
  readonly secret: string;
  /** Holds a folder for each server, with its `muster.json` and its log. */
  readonly dataDir: string;
  readonly ports: PortRange;
  readonly maxServers: number;
  /** The address for clients to connect to. */
  readonly gameHost: string;
  /** The address for game servers to bind. */
  readonly bindHost: string;
  /** Where players measure how far away the machine is, by HTTP and UDP. Null: nowhere. */
  readonly echoPort: number | null;
  /** Time between TERM and KILL. */
  readonly graceMs: number;
  /** A server whose port is not open after this time is ended. */
  readonly startMs: number;
  /** After this time the agent warns that a port is not open yet, and again each time the wait has doubled. */
  readonly lateMs: number;
  /** How much of a server's output is kept: twice this many bytes. */
  readonly logBytes: number;
  /** How often an unchanged status is reported again. */
  readonly leaseMs: number;
  /** If the service takes no report about a server for this long, the server has no owner any more. */
  readonly abandonMs: number;
  /** Where else the service answers, for one on several machines without a proxy: `https://a.example.com`. */
  readonly serviceUrls: readonly string[];
  /** End everything when stdin closes, because the program that started the agent is gone. */
  readonly withParent: boolean;
  /** Servers outlive the agent, and the next agent with the same data adopts them. */
  readonly adopts: boolean;
  /** Folders that must contain the programs of builds. Null: any folder. */
  readonly commands: readonly string[] | null;
  /** With `commands`: the variables that builds may set besides those for games. */
  readonly variables: readonly string[];
  /** With `commands`: builds may bring files along. */
  readonly files: boolean;
  /** Start the sample server for builds that name no program. */
  readonly sample: boolean;
  /** Podman or Docker, by name or path. '0': no containers. Null: whichever is there. */
  readonly containers: string | null;
  /** The images, and folders of images, that builds may name. Null: any, unless `commands` limits programs. */
  readonly images: readonly string[] | null;
  /** The largest image, in MB. */
  readonly imageMb: number;
  /** The user that servers run as. Null: the agent's own. */
  readonly user: ServerUser | null;
}

/** A smaller log would not hold the output that is kept with a server. */
const MIN_LOG_BYTES = 64 * 1024;

type Variables = Readonly<Record<string, string | undefined>>;

/** Throws with the variable's name if one is missing or invalid. */
export function readSettings(env: Variables, system: System = HERE): AgentSettings {
  const lacking = lackingSetting(env, system);
  if (lacking !== null) {
    throw new Error(lacking);
  }
  const secret = env['AGENT_SECRET'] ?? '';
  if (secret.length < 16) {
    throw new Error('AGENT_SECRET must be set to 16 characters or more');
  }
  const gameHost = env['AGENT_GAME_HOST'] ?? '127.0.0.1';
  const local = gameHost === '127.0.0.1' || gameHost === 'localhost';
  return {
    host: env['AGENT_HOST'] ?? '127.0.0.1',
    port: whole(env, 'AGENT_PORT', 8790),
    secret,
    dataDir: env['AGENT_DATA'] ?? '.muster/fleet',
    ports: portRange(env['AGENT_PORTS'] ?? '20000-20999'),
    maxServers: whole(env, 'AGENT_MAX_SERVERS', 64),
    gameHost,
    bindHost: env['AGENT_BIND_HOST'] ?? (local ? '127.0.0.1' : '0.0.0.0'),
    echoPort: env['AGENT_ECHO_PORT'] === undefined ? null : whole(env, 'AGENT_ECHO_PORT', 0),
    graceMs: whole(env, 'AGENT_GRACE_MS', 5_000),
    startMs: whole(env, 'AGENT_START_MS', 120_000),
    lateMs: whole(env, 'AGENT_LATE_MS', 10_000),
    logBytes: Math.max(MIN_LOG_BYTES, whole(env, 'AGENT_LOG_BYTES', 4 * 1024 * 1024)),
    leaseMs: whole(env, 'AGENT_LEASE_MS', 15_000),
    abandonMs: whole(env, 'AGENT_ABANDON_MS', 15 * 60_000),
    serviceUrls: listed(env['AGENT_SERVICE_URLS']).map(serviceUrl),
    withParent: env['AGENT_WITH_PARENT'] === '1',
    adopts: env['AGENT_ADOPT'] === '1',
    commands: folders(env['AGENT_COMMANDS']),
    variables: variables(env),
    files: env['AGENT_FILES'] === '1',
    sample: env['AGENT_SAMPLE'] === '1',
    containers: env['AGENT_CONTAINERS'] ?? null,
    images: env['AGENT_IMAGES'] === undefined ? null : listed(env['AGENT_IMAGES']),
    imageMb: whole(env, 'AGENT_IMAGE_MB', 4_096),
    user: serverUser(env),
  };
}

function listed(text = ''): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}

function serviceUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`AGENT_SERVICE_URLS must list http or https addresses, not "${text}"`);
  }
  return text.replace(/\/+$/, '');
}

function folders(text: string | undefined): readonly string[] | null {
  const named = text?.split(delimiter).filter((each) => each !== '') ?? [];
  const relative = named.find((each) => !isAbsolute(each));
  if (relative !== undefined) {
    throw new Error(`AGENT_COMMANDS must list absolute folders, not "${relative}"`);
  }
  return text === undefined ? null : named;
}

function variables(env: Variables): readonly string[] {
  const text = env['AGENT_ENV'];
  if (text === undefined) {
    return [];
  }
  if (env['AGENT_COMMANDS'] === undefined) {
    throw new Error('AGENT_ENV needs AGENT_COMMANDS: without it builds may set any variable');
  }
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (wrong !== undefined) {
    throw new Error(`AGENT_ENV must list names of variables, separated by commas, not "${wrong}"`);
  }
  return names;
}

function serverUser(env: Variables): ServerUser | null {
  const name = env['AGENT_USER'];
  if (name === undefined || name === '') {
    return null;
  }
  if (env['AGENT_ADOPT'] === '1') {
    throw new Error('AGENT_USER cannot be used together with AGENT_ADOPT');
  }
  return userOf(name, resolve(env['AGENT_RUN'] ?? join(tmpdir(), 'muster-run')));
}

function whole(env: Variables, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined) {
    return fallback;
  }
  if (!/^\d{1,9}$/.test(text)) {
    throw new Error(`${name} must be a whole number, not "${text}"`);
  }
  return Number(text);
}

function portRange(text: string): PortRange {
  const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
  const range = { first: Number(first), last: Number(last) };
  if (!(range.first >= 1 && range.first <= range.last && range.last <= 65_535)) {
    throw new Error(`AGENT_PORTS must read like 20000-20999, not "${text}"`);
  }
  return range;
}
