// Plays one dedicated server as players of a lobby do: two lobbies start it at once, each is sent to a server that answers in the
// game's own protocol, one ends its game, the other's server is killed. Afterwards nothing of either is left.

import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { openSockets } from '../../agent/ports.ts';
import { gameServersOf } from '../../test/support/processes.ts';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import { PROJECT } from '../bundle.ts';
import { Player, type Lobby } from '../player.ts';
import type { Running } from '../start.ts';
import { QUERIES } from './queries.ts';

const POLL_MS = 50;
const WITHIN_MS = 60_000;

export interface ServerFile {
  readonly launch: { readonly command: string };
  readonly ports: readonly { readonly fixed?: number }[];
}

/** The builds of `examples/servers`, by name. */
export async function serverFiles(): Promise<ReadonlyMap<string, ServerFile>> {
  const folder = join(PROJECT, 'examples', 'servers');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
  const read = names.map(async (name) => {
    const build = JSON.parse(await readFile(join(folder, name), 'utf8')) as ServerFile;
    return [basename(name, '.json'), build] as const;
  });
  return new Map(await Promise.all(read));
}

/** Saves the build and a config whose lobbies start it. */
export async function saveServer(
  { url, serverKey }: Running,
  name: string,
  build: ServerFile,
): Promise<Player> {
  const operator = new Player(url, 'operator', serverKey);
  await operator.ok('PUT', `/builds/${name}`, build);
  await operator.ok('PUT', `/lobby-configs/${name}`, { serverSettings: { gameBuild: name } });
  return operator;
}

/** How the newest server of that build ended, for whoever looks for a mistake. */
export async function lastWords({ url, serverKey }: Running, name: string): Promise<string> {
  const operator = new Player(url, 'operator', serverKey);
  const { servers } = await operator.ok<ServerPage>(
    'GET',
    '/servers?include_launching=true&include_stopped=true',
  );
  const last = servers.find(({ version_tag: build }) => build === name);
  return JSON.stringify(last && { ...last, custom_data: undefined });
}

export interface Playing {
  readonly host: Player;
  readonly server: NonNullable<Lobby['server']>;
  readonly ports: readonly number[];
  /** From the start to `running`, and to the answer of the server. */
  readonly runningMs: number;
  readonly answeredMs: number;
  readonly said: string;
}

/** A lobby that starts a server of that config and asks it. */
export async function starts({ url }: Running, name: string, player: string): Promise<Playing> {
  const host = new Player(url, player);
  await host.ok('POST', `/lobbies/${name}`, { name: player });
  const begun = performance.now();
  await host.ok('POST', `/lobbies/${name}/me/start`);
  const lobby = await until(`a server of ${name} runs`, async () => {
    const seen = await host.ok('GET', `/lobbies/${name}/me`);
    if (seen.status === 'waiting') {
      throw new Error(`${name}: the launch failed: ${JSON.stringify(seen)}`);
    }
    return seen.server?.status === 'running' ? seen : null;
  });
  const runningMs = performance.now() - begun;
  const server = lobby.server;
  const ports = server?.network_ports.map((port) => port.external_port) ?? [];
  const query = QUERIES[name];
  if (server === null || query === undefined) {
    throw new Error(`no query for ${name}`);
  }
  const said = await query(ports[0] ?? 0);
  return { host, server, ports, runningMs, answeredMs: performance.now() - begun, said };
}

/** Ends it as players do, or as a crash does, and waits until nothing of it is left. */
export async function ends(
  { host, server, ports }: Playing,
  name: string,
  how: 'end-match' | 'kill',
): Promise<void> {
  const id = server.instance_id;
  if (how === 'kill') {
    (await gameServersOf(id)).forEach((pid) => process.kill(pid, 'SIGKILL'));
  } else {
    await host.ok('POST', `/lobbies/${name}/me/end-match`);
  }
  await until(`the lobby of ${name} waits again`, async () => {
    return (await host.ok('GET', `/lobbies/${name}/me`)).status === 'waiting' || null;
  });
  await until(`no process of ${name} is left`, async () => {
    return (await gameServersOf(id)).length === 0 || null;
  });
  await until(`the ports of ${name} are free`, async () => {
    const open = (await openSockets()) ?? [];
    return !open.some(({ port, isConnected }) => ports.includes(port) && !isConnected) || null;
  });
  await host.ok('POST', `/lobbies/${name}/me/leave`).catch(() => undefined);
}

export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (const end = performance.now() + WITHIN_MS; ; await sleep(POLL_MS)) {
    const seen = await look();
    if (seen !== null) {
      return seen;
    }
    if (performance.now() > end) {
      throw new Error(`not within ${WITHIN_MS} ms: ${what}`);
    }
  }
}

/** One with a fixed port runs once on a machine, and the second lobby is told so. Returns what was seen, as a line. */
export async function playServer(
  running: Running,
  name: string,
  build: ServerFile,
): Promise<string> {
  const operator = await saveServer(running, name, build);
  const isOnce = build.ports.some(({ fixed }) => fixed !== undefined);
  const players = isOnce ? [`${name}-1`] : [`${name}-1`, `${name}-2`];
  const [first, second = first] = await Promise.all(
    players.map((player) => starts(running, name, player)),
  );
  if (first === undefined || second === undefined) {
    throw new Error('nobody played');
  }
  const [fast, slow] = [first.runningMs, first.answeredMs].map((ms) => (ms / 1000).toFixed(1));
  if (isOnce) {
    const other = new Player(running.url, `${name}-2`);
    await other.ok('POST', `/lobbies/${name}`, { name: `${name}-2` });
    const { status } = await other.call('POST', `/lobbies/${name}/me/start`);
    if (status !== 503) {
      throw new Error(`${name}: a second server got the fixed port (${status})`);
    }
    await ends(first, name, 'end-match');
    // The number is free once the agent has seen the end, a moment after the system has.
    await until('the agent runs nothing', async () => {
      const health: unknown = await (await fetch(`${running.agentUrl}/health`)).json();
      return (health as { readonly servers: number }).servers === 0 || null;
    });
    await ends(await starts(running, name, `${name}-3`), name, 'kill');
  } else {
    await ends(first, name, 'end-match');
    await ends(second, name, 'kill');
  }
  await operator.ok('DELETE', `/lobby-configs/${name}`);
  const many = isOnce ? 'one of a machine' : 'two at once';
  return `running after ${fast} s, answered after ${slow} s (${first.said.slice(0, 60)}), ${many}`;
}
