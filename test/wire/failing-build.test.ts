// A build whose program exits at once, on the real service with its local fleet: at every place where
// somebody would look, it is a failure that says why, and no player learns what only operators may.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { SdkClient } from '../sdk/client.ts';
import { shows } from '../sdk/service.ts';
import { eventually } from '../support/eventually.ts';

/** Longer than a start waits for the first word of its server. */
const LATE = 1.5;
const EXIT = { exit_code: 3, output: 'no such map' };
const DETAIL = /exit code 3/;

interface Match {
  readonly outcome: string;
  readonly detail: string | null;
  readonly server: { readonly id: string; readonly detail: string | null } | null;
}

let dataDir: string;
let running: Running;
let operator: Player;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-failing-'));
  const agentEnv = { AGENT_LATE_MS: '500', AGENT_START_MS: '4000' };
  running = await startAll({ port: 0, dataDir, agentEnv });
  operator = new Player(running.url, 'operator', running.serverKey);
  const launch = { command: '/bin/sh', args: ['-c', 'echo no such map; exit 3'] };
  await operator.ok('PUT', '/builds/broken', { status: 'ready', launch });
  const late = { command: '/bin/sh', args: ['-c', `sleep ${LATE}; echo no such map; exit 3`] };
  await operator.ok('PUT', '/builds/late', { status: 'ready', launch: late });
  await operator.ok('PUT', '/lobby-configs/swamp', { serverSettings: { gameBuild: 'late' } });
  await operator.ok('PUT', '/lobby-configs/ruins', {
    serverSettings: { gameBuild: 'broken' },
    matchmaking: { modes: { duel: { timeout: 600 } } },
  });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function logged(event: string): Promise<readonly Record<string, unknown>[]> {
  const lines = (await readFile(join(dataDir, 'service.log'), 'utf8')).split('\n');
  return lines
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>);
}

it('is told to players, and shown to operators in each place with its reason', async () => {
  const players = ['ann', 'bob'].map((id) => new Player(running.url, id));
  const lobbies: Lobby[] = [];
  const streams = [];
  for (const player of players) {
    lobbies.push(await player.ok('POST', '/lobbies/ruins', { name: player.id }));
    streams.push(await player.events('ruins'));
  }
  for (const player of players) {
    await player.ok('POST', '/lobbies/ruins/me/matchmaking', { mode: 'duel' });
  }
  for (const stream of streams) {
    const { data } = await stream.until(({ event }) => event === 'matchmaking_timeout');
    expect(data).toMatchObject({ mode: 'duel', reason: 'launch_failed' });
    expect(JSON.stringify(stream.seen)).not.toMatch(/exit code|no such map/);
    stream.close();
  }
  for (const player of players) {
    const returned = { mode: 'duel', reason: 'launch_failed' };
    const lobby = await player.ok('GET', '/lobbies/ruins/me');
    expect(lobby).toMatchObject({ status: 'waiting', returned });
  }

  const [formed] = await eventually('the queue lists the match as failed', async () => {
    const { items } = await operator.ok<{ items: { id: string }[] }>(
      'GET',
      '/matches?outcome=failed',
    );
    return items.length > 0 && items;
  });
  const { id } = formed as { id: string };
  const match = await operator.ok<Record<string, unknown>>('GET', `/matches/${id}`);
  expect(JSON.stringify(match)).toMatch(/launch_failed/);
  expect(JSON.stringify(match)).toMatch(DETAIL);

  const [line] = (await logged('launch_failed')).filter(({ matchId }) => matchId === id);
  const about = { level: 'warn', project: 'dev', config: 'ruins', build: 'broken' };
  expect(line).toMatchObject(about);
  expect(line?.['reason']).toMatch(DETAIL);
  const server = await operator.ok('GET', `/servers/${String(line?.['instanceId'])}`);
  expect(server).toMatchObject({ status: 'stopped', exit_code: EXIT.exit_code });
  expect(JSON.stringify(server)).toContain(EXIT.output);
  const { id: lobbyId = '' } = lobbies[0] ?? {};
  const history = await operator.ok<object>('GET', `/lobbies/ruins/${lobbyId}/history`);
  expect(JSON.stringify(history)).toContain('launch_failed');
});

it('ends a direct start, and three in a row mark the build as failing', async () => {
  const cat = new Player(running.url, 'cat');
  const { id } = await cat.ok('POST', '/lobbies/ruins', { name: 'Direct' });
  const stream = await cat.events('ruins');
  for (let start = 0; start < 2; start += 1) {
    const begun = stream.seen.length;
    const { status, body } = await cat.call('POST', '/lobbies/ruins/me/start');
    expect([status, body]).toMatchObject([503, { code: 'LAUNCH_FAILED' }]);
    expect(JSON.stringify(body)).not.toMatch(/exit code|no such map/);
    expect(await cat.ok('GET', '/lobbies/ruins/me')).toMatchObject({
      status: 'waiting',
      server: null,
      returned: { mode: '', reason: 'launch_failed' },
    });
    await stream.until(
      ({ event, data }) => event === 'lobby_updated' && (data as Lobby).status === 'waiting',
      10_000,
      begun,
    );
    const told = stream.seen.slice(begun).map(({ event, data }) => {
      const { status: shown = '', reason = '' } = data as { status?: string; reason?: string };
      return `${event} ${shown}${reason}`;
    });
    // It never looked like a game that began and ended.
    expect(told.filter((each) => !each.startsWith('connected'))).toEqual([
      'lobby_updated starting',
      'matchmaking_timeout launch_failed',
      'lobby_updated waiting',
    ]);
  }
  expect(JSON.stringify(stream.seen)).not.toMatch(/exit code|no such map/);
  stream.close();
  const history = await operator.ok<object>('GET', `/lobbies/ruins/${id}/history`);
  expect(JSON.stringify(history)).toMatch(
    /"reason":"launch_failed","detail":"[^"]*exit code 3; its last words: no such map"/,
  );
  await eventually('the build is marked', async () => {
    const { builds } = await operator.ok<{ builds: { name: string; failing?: boolean }[] }>(
      'GET',
      '/builds',
    );
    return builds.find(({ name }) => name === 'broken')?.failing;
  });
  expect(await logged('build_failing')).toMatchObject([{ project: 'dev', build: 'broken' }]);
  const metrics = await fetch(`${running.url}/metrics`, {
    headers: { 'api-key': running.serverKey },
  });
  expect(await metrics.text()).toContain('muster_build_failing{project="dev",build="broken"} 1');
});

it('tells players of a direct start whose server ends later, before it ever ran', async () => {
  const dan = new Player(running.url, 'dan');
  await dan.ok('POST', '/lobbies/swamp', { name: 'Late' });
  const stream = await dan.events('swamp');
  const begun = await dan.ok('POST', '/lobbies/swamp/me/start');
  expect(begun).toMatchObject({ status: 'in_game', server: { status: 'launching' } });
  const { data } = await stream.until(({ event }) => event === 'matchmaking_timeout');
  expect(data).toMatchObject({ mode: '', reason: 'launch_failed' });
  await stream.until(
    ({ event, data: lobby }) => event === 'lobby_updated' && (lobby as Lobby).status === 'waiting',
  );
  expect(JSON.stringify(stream.seen)).not.toMatch(/exit code|no such map/);
  stream.close();
  const [line] = (await logged('launch_failed')).filter(({ build }) => build === 'late');
  expect(line).toMatchObject({ config: 'swamp', lobbyId: begun.id });
});

it('says which port a server opened instead, while it launches and at each place afterwards', async () => {
  const wrong = await freePort();
  const listen = `require('dgram').createSocket('udp4').bind(${wrong})`;
  const launch = { command: process.execPath, args: ['-e', `console.log('ready'); ${listen}`] };
  await operator.ok('PUT', '/builds/deaf', { launch });
  await operator.ok('PUT', '/lobby-configs/cave', {
    serverSettings: { gameBuild: 'deaf' },
    matchmaking: { modes: { duel: {} } },
  });
  for (const player of ['hal', 'ida'].map((id) => new Player(running.url, id))) {
    await player.ok('POST', '/lobbies/cave', { name: 'Deaf' });
    await player.ok('POST', '/lobbies/cave/me/matchmaking', { mode: 'duel' });
  }
  const told = (seconds: string, words = ''): RegExp =>
    new RegExp(
      `^UDP \\d+ was not opened within ${seconds} s; the process opened UDP ${wrong}${words}$`,
    );
  const over = told('4', '; its last words: ready');
  const { items } = await eventually('the match is listed', async () => {
    const listed = await operator.ok<{ items: { id: string }[] }>('GET', '/matches?config=cave');
    return listed.items.length > 0 && listed;
  });
  const match = async (): Promise<Match> => operator.ok('GET', `/matches/${items[0]?.id}`);
  const warned = await eventually('the match says so', async () => {
    const found = await match();
    return typeof found.server?.detail === 'string' && found;
  });
  expect(warned).toMatchObject({ server: { status: 'launching' } });
  expect(warned.server?.detail).toMatch(told('(0.5|1|2)'));
  expect(await operator.ok('GET', `/servers/${warned.server?.id}`)).toMatchObject({
    status: 'launching',
    output: 'ready\n',
  });
  await eventually('the match has failed', async () => (await match()).outcome === 'failed');
  expect((await match()).detail).toMatch(over);
  expect((await match()).server?.detail).toMatch(over);
  const of = (line: Record<string, unknown>): boolean => line['build'] === 'deaf';
  expect((await logged('launch_late')).filter(of)).toHaveLength(1);
  const reasons = (await logged('launch_failed')).filter(of).map(({ reason }) => reason);
  expect(reasons).toContainEqual(expect.stringMatching(over));
  interface Builds {
    readonly builds: readonly { readonly name: string; readonly failure?: string }[];
  }
  // The project hears of it from the server.
  const failure = await eventually('the build says so', async () => {
    const { builds } = await operator.ok<Builds>('GET', '/builds');
    return builds.find(({ name }) => name === 'deaf')?.failure ?? false;
  });
  expect(failure).toMatch(over);
});

it('keeps nobody waiting whose server runs: launching comes first, then running', async () => {
  const eve = new Player(running.url, 'eve');
  await eve.ok('POST', '/lobbies/meadow', { name: 'Good' });
  const stream = await eve.events('meadow');
  const begun = await eve.ok('POST', '/lobbies/meadow/me/start');
  expect(begun).toMatchObject({ status: 'in_game', server: { status: 'launching' } });
  await stream.until(({ data }) => (data as Lobby).server?.status === 'running');
  const seen = stream.seen
    .filter(({ event }) => event === 'lobby_updated')
    .map(({ data }) => `${(data as Lobby).status} ${(data as Lobby).server?.status ?? 'none'}`);
  expect(seen).toEqual(['starting none', 'in_game launching', 'in_game running']);
  stream.close();
  await eve.ok('POST', '/lobbies/meadow/me/end-match');
});

it('shows a game with the hosted service’s SDK neither a match nor its end', async () => {
  const gus = new SdkClient({ url: running.url, config: 'ruins', player: 'gus' });
  gus.begin();
  try {
    await eventually('gus is connected', () => gus.streamed.includes('connected') && gus.isIdle);
    await gus.create();
    await expect(gus.start()).rejects.toThrow(/503|Launch/i);
    await shows(gus, 'waiting');
    await eventually('the stream has told it', () => gus.streamed.includes('matchmaking_timeout'));
    expect([gus.heard, gus.unreadable]).toEqual([[], []]);
  } finally {
    gus.end();
  }
});
