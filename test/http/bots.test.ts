// Bots as the last step, end to end: somebody alone plays after a second, others take the bots' places, and the game server
// is told (docs/internals/decisions/0063-bots-as-the-last-step.md).

import { expect, it } from 'vitest';
import type { Match } from '../../packages/js/src/journal-types';
import type { ServerBlock } from '../../src/fleet/port';
import type { LobbyView } from '../../src/lobby/view';
import { actorAt } from '../support/actors';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

const BOTS = { playersPerTeam: 2, timeout: 60, steps: [{ afterSeconds: 1, bots: true }] };

async function arena(patch: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duo: { ...BOTS, ...patch } } } });
  return config;
}

async function queue(config: string, player: string): Promise<void> {
  await createLobby(config, player);
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duo' } });
}

function plays(config: string, player: string, bots: unknown): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ server }) =>
      server?.status === 'running' &&
      JSON.stringify(server.custom_data['bots']) === JSON.stringify(bots),
  );
}

it('somebody alone plays with bots after a second; who comes by backfill has the place of one', async () => {
  const config = await arena({ allowBackfill: true });
  await queue(config, 'ann');
  expect((await mine(config, 'ann')).status).toBe('in_queue');
  const first = [
    { team: 0, count: 1 },
    { team: 1, count: 2 },
  ];
  const { matchId, server } = await plays(config, 'ann', first);
  const id = server?.instance_id ?? '';
  await queue(config, 'bob');
  const less = [
    { team: 0, count: 1 },
    { team: 1, count: 1 },
  ];
  expect((await plays(config, 'bob', less)).matchId).toBe(matchId);
  await plays(config, 'ann', less);
  // The game server reads it with its own token, in the answer to a report.
  const saved = await actorAt('server', id).row<{ readonly token: string }>('instance');
  const headers = { authorization: `Bearer ${saved?.token}` };
  const said = await ask<ServerBlock>(`POST servers/${id}/status`, {
    key: null,
    headers,
    body: { status: 'running' },
  });
  expect(said.body.custom_data).toMatchObject({ match_id: matchId, bots: less });
  const { body: match } = await ask<Match>(`GET matches/${matchId}`, { key: SERVER });
  expect(match.bots).toEqual(first);
});

it('a result names all teams, and nobody is rated against bots alone', async () => {
  const config = await arena({ rating: { field: 'mmr', system: 'openskill' } });
  await queue(config, 'ann');
  const all = [
    { team: 0, count: 1 },
    { team: 1, count: 2 },
  ];
  const { matchId } = await plays(config, 'ann', all);
  const teams = [
    { team: 0, rank: 2, players: [{ id: 'ann' }] },
    { team: 1, rank: 1 },
  ];
  const line = `POST matches/${matchId}/result`;
  const short = await ask(line, { key: SERVER, body: { teams: teams.slice(0, 1) } });
  expect(short).toMatchObject({ status: 400 });
  const taken = await ask<Match>(line, { key: SERVER, body: { teams } });
  expect([taken.status, taken.body.rating]).toEqual([200, undefined]);
  await until(
    () => mine(config, 'ann'),
    ({ lastResult }) => lastResult?.matchId === matchId,
  );
});
