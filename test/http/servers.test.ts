import { describe, expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import { controlled } from '../support/simulated';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import { actorAt } from '../support/actors';
import { ask, CLIENT, createLobby, freshConfig, mine, SERVER, until } from './support';

const asked = { key: SERVER };

async function started(body: object = {}): Promise<ServerBlock> {
  const answer = await ask<ServerBlock>('POST servers/start', { ...asked, body });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The instance's own token, which only the fleet and the game server are told. */
async function tokenOf(instanceId: string): Promise<string> {
  const saved = await actorAt('server', instanceId).row<{ readonly token: string }>('instance');
  return saved?.token ?? '';
}

function report(
  id: string,
  token: string | null,
  body: object,
): ReturnType<typeof ask<ServerBlock>> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return ask<ServerBlock>(`POST servers/${id}/status`, { key: null, headers, body });
}

describe('a server of the project', () => {
  // shows: S19, S151, D35a, D35c
  it('is started, read with either key, updated and stopped', async () => {
    const block = await started({
      name: 'arena',
      region: 'eu-west',
      custom_data: { map: 'forest' },
      ttl: 600,
    });
    expect(block).toMatchObject({
      instance_id: expect.any(String),
      name: 'arena',
      status: 'launching',
      region: 'eu-west',
      version_tag: 'default',
      compute_size: 'small',
      custom_data: { map: 'forest' },
      ttl: 600,
      auto_restart: false,
      is_pool_server: false,
      match_id: null,
      stopped_at: null,
    });
    const id = block.instance_id;
    for (const key of [CLIENT, SERVER]) {
      const read = await ask<ServerBlock>(`GET servers/${id}`, { key });
      expect([read.status, read.body.instance_id]).toEqual([200, id]);
      const forOperators = ['detail', 'exit_code', 'output', 'signal'];
      const shown = Object.keys(read.body).filter((field) => !forOperators.includes(field));
      expect(Object.keys(read.body)).toHaveLength(shown.length + (key === SERVER ? 4 : 0));
      expect(shown.toSorted()).toEqual([
        'auto_restart',
        'compute_size',
        'created_at',
        'custom_data',
        'instance_id',
        'is_pool_server',
        'match_id',
        'name',
        'network_ports',
        'pool_claimed_at',
        'region',
        'service_type',
        'started_at',
        'startup_args',
        'status',
        'stopped_at',
        'ttl',
        'updated_at',
        'version',
        'version_tag',
      ]);
    }
    const updated = await ask<ServerBlock>(`POST servers/${id}/update`, {
      ...asked,
      body: { custom_data: { round: 2 } },
    });
    expect([updated.status, updated.body.custom_data]).toEqual([200, { round: 2 }]);
    const stopped = await ask<ServerBlock>(`DELETE servers/${id}`, asked);
    expect([stopped.status, stopped.body.status]).toEqual([200, 'stopped']);
    expect(stopped.body.stopped_at).toEqual(expect.any(String));
    const again = await ask<ServerBlock>(`DELETE servers/${id}`, asked);
    expect([again.status, again.body]).toEqual([200, stopped.body]);
  });

  it('is launched with the arguments, variables and ports it was started with', async () => {
    const ports = [
      { name: 'game_udp', internal_port: 7777, protocol: 'udp' },
      { name: 'voice', internal_port: 7778, protocol: 'tcp' },
    ];
    const block = await started({
      startup_args: '-map "old forest" -tickrate 64',
      match_id: 'final-7',
      environment_variables: { LOG: 'debug' },
      port_configs: ports.map((each) => ({ ...each, tls_enabled: false })),
    });
    expect(block).toMatchObject({
      startup_args: '-map "old forest" -tickrate 64',
      match_id: 'final-7',
    });
    expect(controlled.specOf(block.instance_id)).toMatchObject({
      serverId: block.instance_id,
      matchId: 'final-7',
      startupArgs: '-map "old forest" -tickrate 64',
      build: {
        launch: { args: ['-map', 'old forest', '-tickrate', '64'], env: { LOG: 'debug' } },
        ports,
      },
    });
    const running = await until(
      async () => (await ask<ServerBlock>(`GET servers/${block.instance_id}`)).body,
      ({ status }) => status === 'running',
    );
    expect(running.network_ports).toMatchObject(ports);
  });

  // shows: D35a
  it('is listed, newest first', async () => {
    const one = await started();
    const two = await started();
    const page = await until(
      async () => (await ask<ServerPage>('GET servers?limit=2&include_launching=true', asked)).body,
      ({ servers }) => servers.length === 2 && servers[0]?.instance_id === two.instance_id,
    );
    expect(page).toMatchObject({ limit: 2, offset: 0 });
    expect(page.total).toBeGreaterThanOrEqual(2);
    expect(page.has_more).toBe(page.total > 2);
    expect(page.servers[1]?.instance_id).toBe(one.instance_id);
    expect((await ask('GET servers?limit=0', asked)).body.code).toBe('VALIDATION_ERROR');
    const wrong = await ask('GET servers?include_launching=yes', asked);
    expect(wrong.body.code).toBe('VALIDATION_ERROR');
  });

  it('is listed while it runs; launching or stopped, only for who asks', async () => {
    const { instance_id: id } = await started();
    const statuses = async (query: string): Promise<readonly string[]> => {
      const { body } = await ask<ServerPage>(`GET servers?limit=100${query}`, asked);
      expect(body.total).toBe(body.servers.length);
      return body.servers.filter((each) => each.instance_id === id).map(({ status }) => status);
    };
    await until(
      () => statuses(''),
      (listed) => listed.includes('running'),
    );
    await ask(`DELETE servers/${id}`, asked);
    await until(
      () => statuses('&include_stopped=true'),
      (listed) => listed.includes('stopped'),
    );
    expect(await statuses('&include_launching=true')).toEqual([]);
  });

  it('is started again under its own id, with what the call changes', async () => {
    const { instance_id: id } = await started({ startup_args: '-map one', auto_restart: true });
    const read = async () => (await ask<ServerBlock>(`GET servers/${id}`, asked)).body;
    await until(read, ({ status }) => status === 'running');
    const token = await tokenOf(id);
    const body = { startup_args: '-map two', ttl: 600 };
    const again = await ask<ServerBlock>(`POST servers/${id}/restart`, { ...asked, body });
    expect([again.status, again.body]).toMatchObject([
      200,
      { instance_id: id, status: 'launching', network_ports: [], ttl: 600, auto_restart: true },
    ]);
    expect(again.body.service_type).toBe('persistent_world');
    // What the first run said, played back, is known and changes nothing.
    for (const status of ['running', 'stopped']) {
      expect((await report(id, token, { status })).status).toBe(404);
    }
    const running = await until(read, ({ status }) => status === 'running');
    expect(running.startup_args).toBe('-map two');
    const fleet = controlled;
    expect(fleet.alive().filter((each) => each.startsWith(id))).toEqual([`${id}.1`]);
    expect(fleet.specOf(`${id}.1`)).toMatchObject({ serverId: id, ttlSeconds: 600 });
    await ask(`DELETE servers/${id}`, asked);
    const late = await ask(`POST servers/${id}/restart`, { ...asked, body: {} });
    expect([late.status, late.body.code]).toEqual([409, 'INVALID_STATE']);
  });

  it('needs a ready build and a sane body', async () => {
    const missing = await ask('POST servers/start', { ...asked, body: { version_tag: 'nightly' } });
    expect([missing.status, missing.body.code]).toEqual([404, 'BUILD_NOT_FOUND']);
    const wrong = await ask('POST servers/start', { ...asked, body: { ttl: 1 } });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['GET', ''],
    ['POST', '/update'],
    ['DELETE', ''],
  ])('%s of an unknown one is a 404', async (method, suffix) => {
    for (const id of ['no-such-server', 'a%20b', crypto.randomUUID()]) {
      const body = method === 'POST' ? { body: { custom_data: {} } } : {};
      const answer = await ask(`${method} servers/${id}${suffix}`, { ...asked, ...body });
      expect([answer.status, answer.body.code]).toEqual([404, 'SERVER_NOT_FOUND']);
    }
  });
});

describe('a status report', () => {
  const port = {
    name: 'game',
    host: '198.51.100.7',
    external_port: 30_001,
    internal_port: 7777,
    protocol: 'udp',
  };

  // shows: D35b
  it('needs the token of that very instance', async () => {
    const [one, two] = [await started(), await started()];
    const other = await tokenOf(two.instance_id);
    for (const token of [null, 'wrong', other]) {
      const answer = await report(one.instance_id, token, { status: 'running' });
      expect([answer.status, answer.body]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
    }
    const unknown = await report(crypto.randomUUID(), other, { status: 'running' });
    expect([unknown.status, unknown.body]).toMatchObject([404, { code: 'SERVER_NOT_FOUND' }]);
    const wrong = await report(two.instance_id, other, { status: 'lost' });
    expect([wrong.status, wrong.body]).toMatchObject([400, { code: 'VALIDATION_ERROR' }]);
  });

  // shows: S9, S52, S123
  it('reaches the lobby that started the server', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const id = (await mine(config, 'ann')).server?.instance_id ?? '';
    const token = await tokenOf(id);
    const running = await report(id, token, { status: 'running', network_ports: [port] });
    expect([running.status, running.body.status]).toEqual([200, 'running']);
    // decision 38: nobody named it, so it goes by its protocol.
    const named = { ...port, name: 'game_udp', tls_enabled: false };
    expect(running.body.network_ports).toEqual([named]);
    const game = await until(
      () => mine(config, 'ann'),
      ({ server }) => server?.network_ports[0]?.external_port === 30_001,
    );
    expect(game.server?.status).toBe('running');
    expect((await report(id, token, { status: 'stopped', exit_code: 0 })).status).toBe(200);
    const back = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect(back.server).toBeNull();
    const late = await report(id, token, { status: 'running' });
    expect([late.status, late.body]).toMatchObject([404, { code: 'SERVER_NOT_FOUND' }]);
  });
});
