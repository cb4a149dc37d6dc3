// A player's searches, as the journals of queues tell them: how each ended, and what stood in the way.

import type { SearchSeen } from '../../packages/js/src/dashboard-types';
import { expect, it } from 'vitest';
import type { SearchEnd } from '../../src/objects/contracts/queue';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

const key = SERVER;

async function searchesOf(player: string): Promise<readonly SearchSeen[]> {
  const line = `GET admin/searches?player=${encodeURIComponent(player)}`;
  return (await ask<{ readonly items: readonly SearchSeen[] }>(line, { key })).body.items;
}

/** Once the journal, which lags by a second, says how the newest of so many searches ended. */
function ended(player: string, count: number): Promise<readonly SearchSeen[]> {
  return until(
    () => searchesOf(player),
    (found) => found.length === count && found.every((each) => each.ended !== null),
  );
}

function endOf({ config, mode, ticketId, row, ended: end }: SearchSeen) {
  const at = end?.endedAt;
  const query = `config=${config}&mode=${mode}&ticket=${ticketId}&row=${row}&at=${at}`;
  return ask<SearchEnd>(`GET admin/searches/end?${query}`, { key });
}

async function enter(config: string, player: string, mmr: number): Promise<string> {
  const { id } = await createLobby(config, player, { state: { mmr } });
  const body = { mode: 'duel' };
  await ask(`POST lobbies/${config}/me/matchmaking`, { player, body });
  return id;
}

function modes(maxDifference: number, timeout: number): object {
  const rules = [{ type: 'difference', field: 'mmr', maxDifference }];
  return { matchmaking: { modes: { duel: { timeout, rules } } } };
}

it('says how each ended, which rule rejected most, and who was nearest', async () => {
  const config = freshConfig();
  await saveConfig(config, modes(50, 600));
  await enter(config, 'far', 2_000);
  const near = await enter(config, 'near', 1_400);
  await enter(config, 'ann "the" ace', 1_000);
  await ask(`DELETE lobbies/${config}/me/matchmaking`, { player: 'ann "the" ace' });
  const [search] = await ended('ann "the" ace', 1);
  expect(search).toMatchObject({ config, mode: 'duel', ended: { reason: 'cancelled' } });
  if (search === undefined) {
    throw new Error('no search');
  }
  // The rules of then, and not of now.
  await saveConfig(config, modes(5, 600));
  const { body } = await endOf(search);
  expect(body.explanation).toMatchObject({ others: 2, eligible: 0, wanted: 2 });
  const [rule] = body.explanation.rules;
  expect(rule).toMatchObject({ type: 'difference', rejects: 2, nearest: { gap: 400 } });
  expect(rule?.nearest?.limit).toBeGreaterThanOrEqual(50);
  expect(body.nearest).toMatchObject([{ id: rule?.nearest?.ticket, players: ['near'] }]);
  expect(body.nearest[0]?.lobbyId).toBe(near);
  const gone = { ...search, row: 9_999 };
  expect((await endOf(gone)).body).toMatchObject({ code: 'NOT_FOUND' });
});

it('has the time-outs and the matches, newest first, and those that go on', async () => {
  const config = freshConfig();
  await saveConfig(config, modes(50, 1));
  const lobby = await enter(config, 'bea', 1_000);
  await until(
    () => mine(config, 'bea'),
    ({ status }) => status === 'waiting',
  );
  const [first] = await ended('bea', 1);
  expect(first).toMatchObject({ lobbyId: lobby, ended: { reason: 'timeout', matchId: null } });
  const waited = (first?.ended?.endedAt ?? 0) - (first?.startedAt ?? 0);
  expect(waited).toBeGreaterThanOrEqual(1_000);
  await saveConfig(config, modes(50, 600));
  await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'bea', body: { mode: 'duel' } });
  const both = await until(
    () => searchesOf('bea'),
    (found) => found.length === 2,
  );
  expect(both.map((each) => each.ended?.reason ?? null)).toEqual([null, 'timeout']);
  await enter(config, 'cid', 1_010);
  const [second] = await ended('bea', 2);
  const { matchId } = await until(
    () => mine(config, 'bea'),
    (seen) => seen.matchId !== null,
  );
  expect(second?.ended).toMatchObject({ reason: 'matched', matchId });
  expect(await searchesOf('nobody')).toEqual([]);
  expect((await ask('GET admin/searches?player=bea')).status).toBe(403);
});
