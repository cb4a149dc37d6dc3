// The service as the public API and the kernel's list of processes show it, taken at rest: all
// lobbies by the server key, all players by their own, all servers, what browsing lists, and the
// processes and containers that there are.

import type { Lobby } from '../../scripts/player.ts';
import { gameServersOfService } from '../../test/support/processes.ts';
import type { Client } from './client.ts';
import { CONFIGS } from './configs.ts';
import { operatorOf } from './world.ts';
import type { ServerRow } from './rows.ts';
import type { World } from './world.ts';

export interface Picture {
  readonly lobbies: ReadonlyMap<string, Lobby>;
  readonly servers: ReadonlyMap<string, ServerRow>;
  readonly browsed: ReadonlyMap<string, Lobby>;
  /** Instance ids with the pids of their processes. */
  readonly processes: ReadonlyMap<string, readonly number[]>;
  /** Instance ids with the state of their containers. */
  readonly containers: ReadonlyMap<string, string>;
}

const AT_ONCE = 6;

/** Few at a time, because the checker must not be the load. */
async function each<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) {
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function readLobbies(world: World): Promise<ReadonlyMap<string, Lobby>> {
  const { facts, log } = world;
  const operator = operatorOf(world);
  const lobbies = new Map<string, Lobby>();
  await each(facts.lobbies, async (id) => {
    const span = { from: performance.now(), to: Infinity };
    const config = facts.configOf(id);
    const { status, body } = await operator.call('GET', `/lobbies/${config}/${id}`);
    span.to = performance.now();
    if (status === 200) {
      lobbies.set(id, body);
      log.note([id], `the checker reads ${id.slice(0, 8)} r${body.revision} ${body.status}`);
      if (facts.membership.isDeleted(id, span)) {
        log.violation(`lobby ${id} was deleted and is still there`, [id]);
      }
      facts.read(body, span);
      return;
    }
    const members = facts.membership.membersOf(config, id, span);
    if (status !== 404 || members.length > 0) {
      const who = members.join(', ');
      log.violation(`lobby ${id} reads ${status}, but ${who} must be in it`, [id, ...members]);
    }
    facts.forget(id);
  });
  return lobbies;
}

async function readServers(world: World): Promise<ReadonlyMap<string, ServerRow>> {
  const operator = operatorOf(world);
  const servers = new Map<string, ServerRow>();
  type Page = { readonly servers: readonly ServerRow[]; readonly has_more: boolean };
  for (let offset = 0, more = true; more; offset += 100) {
    const page = await operator.ok<Page>(
      'GET',
      `/servers?limit=100&offset=${offset}&include_launching=true&include_stopped=true`,
    );
    page.servers.forEach((server) => servers.set(server.instance_id, server));
    more = page.has_more;
  }
  // A project lists its newest 2,000: those before them were seen to have stopped.
  const { launchedWith, stopped } = world;
  for (const [instance, server] of servers) {
    if (server.status === 'stopped') {
      stopped.set(instance, server);
    }
  }
  for (const [instance, server] of stopped) {
    if (!servers.has(instance)) {
      servers.set(instance, server);
    }
  }
  // Lists leave out large custom data. A match's data never changes after its launch.
  const matches = [...servers.values()].filter(({ match_id: match }) => match !== null);
  await each(matches, async (server) => {
    const { instance_id: instance, custom_data: listed } = server;
    let data = listed.teams === undefined ? launchedWith.get(instance) : listed;
    if (data === undefined) {
      const whole = await operator.ok<ServerRow>('GET', `/servers/${instance}`);
      data = whole.custom_data;
      launchedWith.set(instance, data);
    }
    servers.set(instance, { ...server, custom_data: data });
  });
  return servers;
}

async function browse(world: World): Promise<ReadonlyMap<string, Lobby>> {
  const operator = operatorOf(world);
  const browsed = new Map<string, Lobby>();
  type Page = { readonly lobbies: readonly Lobby[]; readonly hasMore: boolean };
  for (const config of Object.keys(CONFIGS)) {
    for (let offset = 0, more = true; more; offset += 100) {
      const path = `/lobbies/${config}?limit=100&offset=${offset}`;
      const page = await operator.ok<Page>('GET', path);
      page.lobbies.forEach((lobby) => browsed.set(lobby.id, lobby));
      more = page.hasMore;
    }
  }
  return browsed;
}

/** The state while nobody made requests. */
export async function takePicture(world: World, clients: readonly Client[]): Promise<Picture> {
  await each(clients, (client) => client.get());
  const lobbies = await readLobbies(world);
  const [servers, browsed, processes, containers] = await Promise.all([
    readServers(world),
    browse(world),
    gameServersOfService(world.url),
    world.images?.containers() ?? new Map<string, string>(),
  ]);
  return { lobbies, servers, browsed, processes, containers };
}
