// What players and operators write that reaches programs and other players: regions become
// arguments of game servers, arguments of builds are no business of players.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

const HOSTILE = [
  '$(id)',
  'eu-west;id',
  'eu west',
  'EU-WEST',
  'eu\nwest',
  'eu\u0000west',
  '{constructor}',
  'x'.repeat(33),
  '',
];

let dataDir: string;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-text-'));
  running = await startAll({ port: 0, dataDir });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function asOperator(line: string, body?: object): Promise<Response> {
  const [method = '', path = ''] = line.split(' ');
  return fetch(`${running.url}/v3${path}`, {
    method,
    headers: { 'api-key': running.serverKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

describe('a region', () => {
  // shows: D43
  it.each(HOSTILE)('that reads %j is refused wherever it is written', async (region) => {
    const ann = new Player(running.url, 'ann');
    const answers = [
      await ann.call('POST', '/lobbies/regions', { name: 'x', region }),
      await ann.call('GET', '/lobbies/regions/me'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404]);
    await ann.ok('POST', '/lobbies/regions', { name: 'x', region: 'eu-west' });
    const set = await ann.call('PATCH', '/lobbies/regions/me/settings', { region });
    expect(set.status).toBe(400);
    expect(await ann.ok('GET', '/lobbies/regions/me')).toMatchObject({ region: 'eu-west' });
    await ann.ok('DELETE', '/lobbies/regions/me');

    expect((await asOperator('POST /servers/start', { region })).status).toBe(400);
    const query = encodeURIComponent(region);
    const browsed = await asOperator(`GET /lobbies/regions?region=${query}`);
    expect(browsed.status).toBe(region === '' ? 200 : 400);
  });

  // shows: D43
  it("in players' lists counts only if it is one", async () => {
    const modes = { solo: { teams: 1, playersPerTeam: 1 } };
    await asOperator('PUT /lobby-configs/lists', { matchmaking: { modes } });
    const ann = new Player(running.url, 'ann');
    const state = { regions: [...HOSTILE, 'ap-south'] };
    await ann.ok('POST', '/lobbies/lists', { name: 'x', state });
    await ann.ok('POST', '/lobbies/lists/me/matchmaking', { mode: 'solo' });
    const lobby = await eventually('a server', async () => {
      const now = await ann.ok('GET', '/lobbies/lists/me');
      return now.server === null ? null : now;
    });
    expect(lobby.server).toMatchObject({ region: 'ap-south' });
    await ann.ok('POST', '/lobbies/lists/me/end-match');
    await ann.ok('DELETE', '/lobbies/lists/me');
  });
});

describe("a build's arguments", () => {
  it('are shown to the server key alone; players see the field empty', async () => {
    const launch = { args: ['--admin-password', 'hunter2'] };
    await asOperator('PUT /builds/default', { launch });
    const ann = new Player(running.url, 'ann');
    await ann.ok('POST', '/lobbies/args', { name: 'x' });
    const stream = await ann.events('args');
    const started = await ann.ok('POST', '/lobbies/args/me/start');
    const id = started.server?.instance_id ?? '';
    await stream.until(({ data }) => JSON.stringify(data).includes('"status":"running"'));
    stream.close();
    const shown = [
      started,
      await ann.ok('GET', '/lobbies/args/me'),
      await ann.ok('GET', '/lobbies/args'),
      await ann.ok('GET', `/servers/${id}`),
      ...stream.seen,
    ].map((each) => JSON.stringify(each));
    expect(shown.filter((text) => text.includes('hunter2'))).toEqual([]);
    expect(shown.filter((text) => text.includes('"startup_args":null')).length).toBeGreaterThan(4);
    expect(await (await asOperator(`GET /servers/${id}`)).json()).toMatchObject({
      startup_args: '--admin-password hunter2',
    });
    await ann.ok('POST', '/lobbies/args/me/end-match');
    await ann.ok('DELETE', '/lobbies/args/me');
  });
});
