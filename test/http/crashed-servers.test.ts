// A server that ends in the middle of its game has crashed (decision 79), and its players and operators learn it.

import { describe, expect, it } from 'vitest';
import type { AttentionView } from '../../packages/js/src/attention-types';
import type { Match } from '../../packages/js/src/journal-types.ts';
import { metrics } from '../../src/common/metrics';
import type { ServerRecord } from '../../src/fleet/port';
import { report } from '../objects/servers';
import { met, type Met } from './met';
import { listen } from './stream';
import { ask, createLobby, freshConfig, mine, SERVER, until } from './support';

const asked = { key: SERVER };
const CRASH = { status: 'stopped', exit_code: 3, output: 'loading\nassertion failed: tick\n' };
const WORDS = 'The server crashed (exit code 3): assertion failed: tick';

async function over({ matchId }: Met): Promise<Match> {
  const { body } = await until(
    () => ask<Match>(`GET matches/${matchId}`, asked),
    (answer) => answer.body.endedAt !== null,
  );
  return body;
}

async function crashed(id: string): Promise<AttentionView['crashed']> {
  const { body } = await ask<AttentionView>('GET admin/attention', asked);
  return body.crashed.filter((each) => each.id === id);
}

const counted = (config: string): boolean =>
  metrics.text().includes(`muster_games_crashed_total{project="dev",config="${config}"`);

describe('a server that ends in the middle of its game', () => {
  it('has crashed: its match, players, operators and metrics say so', async () => {
    const config = freshConfig();
    const game = await met(config);
    const stream = await listen(config, 'ann');
    await stream.next('connected');
    await report(game.serverId, CRASH);
    expect(await over(game)).toMatchObject({
      outcome: 'crashed',
      reason: 'server_crashed',
      detail: WORDS,
    });
    const lobby = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect(lobby.returned).toMatchObject({ mode: 'duel', reason: 'server_crashed' });
    expect(JSON.stringify(lobby)).not.toContain('assertion');
    // Clients of the specification take `matchmaking_timeout` for the end of a search.
    const news = await stream.upTo('lobby_updated');
    expect(news.map(({ event }) => event)).toEqual(['lobby_updated']);
    await stream.leave();
    const [alert] = await until(
      () => crashed(game.serverId),
      ({ length }) => length > 0,
    );
    expect(alert).toMatchObject({ build: 'default', detail: WORDS });
    expect(counted(config)).toBe(true);
    // What was played counts, if a backend knows it.
    const body = {
      teams: [
        { team: 0, rank: 1 },
        { team: 1, rank: 2 },
      ],
    };
    expect((await ask(`POST matches/${game.matchId}/result`, { key: SERVER, body })).status).toBe(
      200,
    );
  });

  it('has not crashed after its result', async () => {
    const config = freshConfig();
    const game = await met(config);
    const body = {
      teams: [
        { team: 0, rank: 1 },
        { team: 1, rank: 2 },
      ],
    };
    const said = { key: null, headers: game.headers, body };
    expect((await ask(`POST servers/${game.serverId}/result`, said)).status).toBe(200);
    await report(game.serverId, CRASH);
    expect(await over(game)).toMatchObject({ outcome: 'ended', reason: 'server_stopped' });
    const { body: server } = await until(
      () => ask<ServerRecord>(`GET servers/${game.serverId}`, asked),
      (answer) => answer.body.detail === null,
    );
    expect(server).toMatchObject({ status: 'stopped', exit_code: 3 });
    expect(
      await until(
        () => crashed(game.serverId),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
    expect(counted(config)).toBe(false);
  });

  it.each([
    ['it says so itself', { status: 'stopped' }],
    ['it exits with 0', { status: 'stopped', exit_code: 0 }],
    ['somebody asked it to', { status: 'stopped', exit_code: 143, signal: 'SIGTERM' }],
  ])('has not crashed if %s', async (_, said) => {
    const config = freshConfig();
    const game = await met(config);
    await report(game.serverId, said);
    expect(await over(game)).toMatchObject({ outcome: 'ended', reason: 'server_stopped' });
    expect((await mine(config, 'ann')).returned).toBeUndefined();
    expect(await crashed(game.serverId)).toEqual([]);
  });

  it('has not crashed if Muster stopped it, however its process ended', async () => {
    const game = await met(freshConfig());
    await ask(`DELETE servers/${game.serverId}`, asked);
    await report(game.serverId, { ...CRASH, exit_code: 137, signal: 'SIGKILL' });
    expect(await over(game)).toMatchObject({ outcome: 'ended', reason: 'server_stopped' });
    expect(await crashed(game.serverId)).toEqual([]);
  });

  it('has crashed after a direct start, too', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    const { server } = await until(
      () => mine(config, 'ann'),
      (lobby) => lobby.server?.status === 'running',
    );
    await report(server?.instance_id ?? '', {
      status: 'stopped',
      exit_code: 139,
      signal: 'SIGSEGV',
    });
    const { returned } = await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect(returned).toMatchObject({ reason: 'server_crashed' });
    expect(counted(config)).toBe(true);
  });
});
