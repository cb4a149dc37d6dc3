// Rows of earlier releases: their builds and servers had a text for a version, which clients of the
// hosted service cannot read.

import { describe, expect, it } from 'vitest';
import { DirectoryActor } from '../../src/objects/directory/actor';
import { ProjectActor } from '../../src/objects/project/actor';
import { ServerActor } from '../../src/objects/server/actor';
import { intended } from '../../src/objects/server/state';
import { viewOf, NO_STATS } from '../../src/lobby/view';
import { onlyFleet } from '../../src/fleet/fleets';
import { simulatedFleet } from '../../src/fleet/simulated';
import type { Build } from '../../src/fleet/build';
import type { ServerBlock } from '../../src/fleet/port';
import type { InstanceId, LobbyId } from '../../src/common/ids';
import { block, lobbyOf } from '../support/lobbies';
import { fakeHost } from './host';

const DOCUMENT = { revision: 0, configs: {}, builds: {} };

/** A block as the release before wrote it. */
function earlier(): ServerBlock {
  const { pool_claimed_at: _, ...rest } = block('running');
  const written = { ...rest, version: '1.4.0', service_type: 'game_server' };
  return written as unknown as ServerBlock;
}

const NOW = { version: null, service_type: 'match_based', pool_claimed_at: null };

describe('what an earlier release saved', () => {
  it('is a build whose text is its label now, and which counts from 1', async () => {
    const { host } = fakeHost({ name: 'earlier', document: DOCUMENT });
    const saved = { name: 'arena', version: '1.4.0', status: 'ready', launch: {} };
    host.store.put('document', { ...DOCUMENT, builds: { arena: saved } });
    host.store.put('server:server-1', { block: earlier(), seq: 1 });
    const project = new ProjectActor(host);
    const builds = (await project.document()).builds as Record<string, Build>;
    expect(builds['arena']).toEqual({ ...saved, version: 1, label: '1.4.0', ports: [] });
    const { name, status, launch } = builds['arena'] as Build;
    await project.saveBuild({ name, label: '1.5.0', status, launch, ports: [] });
    expect((await project.document()).builds['arena']).toMatchObject({
      version: 2,
      label: '1.5.0',
    });
    expect((await project.servers(10, 0)).servers[0]).toMatchObject(NOW);
  });

  it('is no current build: that keeps the order of its fields, so that an answer stays the same text', async () => {
    const { host } = fakeHost({ name: 'earlier', document: DOCUMENT });
    const asSaved = async (): Promise<string> =>
      JSON.stringify((await new ProjectActor(host).document()).builds);
    const project = new ProjectActor(host);
    await project.saveBuild({ name: 'arena', label: null, status: 'ready', launch: {}, ports: [] });
    expect(await asSaved()).toBe(JSON.stringify((await project.document()).builds));
  });

  it('is a lobby that shows a server', () => {
    const game = { instanceId: 'server-1', own: true, block: earlier(), seq: 1, startedAt: 0 };
    const playing = { ...lobbyOf('ann'), status: 'in_game', game } as ReturnType<typeof lobbyOf>;
    const { server } = viewOf(playing, { customProperties: {}, queueStats: NO_STATS });
    expect(server).toMatchObject(NOW);
  });

  it('is a row that browsing shows', async () => {
    const { host } = fakeHost({ name: 'earlier', document: DOCUMENT });
    const around = { customProperties: {}, queueStats: NO_STATS };
    const view = { ...viewOf(lobbyOf('ann'), around), server: earlier() };
    const lobbyId = 'lobby-1' as LobbyId;
    host.store.put(`row:${lobbyId}`, { lobbyId, revision: 1, view });
    const query = { region: null, status: null, limit: 10, offset: 0 };
    const page = await new DirectoryActor(host).browse(query);
    expect(page.lobbies[0]?.server).toMatchObject(NOW);
  });

  it('is a server that runs', async () => {
    const { host } = fakeHost({ name: 'earlier', document: DOCUMENT });
    const launchOrder = {
      instanceId: 'server-1' as InstanceId,
      project: 'earlier',
      owner: { kind: 'project' },
      name: 'server',
      region: 'us-east',
      build: 'default',
      computeSize: 'small',
      customData: {},
      ttlSeconds: null,
      matchId: null,
    } as const;
    const saved = { ...intended(launchOrder, 'token', 0), version: '1.4.0' };
    host.store.put('instance', { ...saved, status: 'running', accepted: true });
    const fleets = onlyFleet(simulatedFleet({ now: () => 0 }));
    const server = new ServerActor(host, { fleets, publicUrl: '' });
    expect(await server.read('earlier')).toMatchObject({ ok: true, value: NOW });
  });
});
