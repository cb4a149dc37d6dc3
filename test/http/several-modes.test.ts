// One search of several modes, over HTTP and with the real objects.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, mine, saveConfig, until } from './support';

const DUEL = { playersPerTeam: 1 };
/** Nobody matches by it. */
const NEVER = { playersPerTeam: 5 };

async function configWith(modes: object): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes } });
  return config;
}

function search(config: string, player: string, body: object) {
  return ask<LobbyView>(`POST lobbies/${config}/me/matchmaking`, { player, body });
}

function matched(config: string, player: string): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ matchId }) => matchId !== null,
  );
}

describe('a search of several modes', () => {
  it('shows each with its statistics, and one match takes it out of the others', async () => {
    const config = await configWith({ never: NEVER, duel: DUEL, later: DUEL });
    await createLobby(config, 'ann');
    const modes = ['never', 'duel', { mode: 'later', afterSeconds: 600 }];
    const { status, body } = await search(config, 'ann', { modes });
    const begun = body.matchmaking?.modes?.map(({ mode, since }) => [
      mode,
      (Date.parse(since) - Date.parse(body.matchmaking?.startedAt ?? '')) / 1000,
    ]);
    expect([status, body.matchmaking?.mode, begun]).toEqual([
      200,
      'never',
      [
        ['never', 0],
        ['duel', 0],
        ['later', 600],
      ],
    ]);
    const read = await mine(config, 'ann');
    const counted = read.matchmaking?.modes?.map((each) => each.queueStats?.lobbiesInQueue);
    expect(counted).toEqual([1, 1, undefined]);
    await createLobby(config, 'ben');
    await search(config, 'ben', { mode: 'duel' });
    const playing = await matched(config, 'ann');
    expect((await mine(config, 'ben')).matchId).toBe(playing.matchId);
    // Nobody waits in the other queue any more: who enters it is alone.
    await createLobby(config, 'cat');
    const alone = await search(config, 'cat', { mode: 'never' });
    expect(alone.body.matchmaking?.queueStats?.lobbiesInQueue).toBe(1);
  });

  it('is one match when both modes pair the same lobbies, and cancelling leaves all', async () => {
    const config = await configWith({ one: DUEL, two: DUEL });
    for (const [player, modes] of [
      ['ann', ['one', 'two']],
      ['ben', ['two', 'one']],
    ] as const) {
      await createLobby(config, player);
      await search(config, player, { modes });
    }
    const { matchId } = await matched(config, 'ann');
    expect((await matched(config, 'ben')).matchId).toBe(matchId);
    await createLobby(config, 'cat');
    await search(config, 'cat', { modes: ['one', 'two'] });
    const path = `DELETE lobbies/${config}/me/matchmaking`;
    expect((await ask<LobbyView>(path, { player: 'cat' })).body.status).toBe('waiting');
    await createLobby(config, 'dan');
    const left = await search(config, 'dan', { modes: ['two', 'one'] });
    expect(left.body.matchmaking?.queueStats?.lobbiesInQueue).toBe(1);
  });

  it.each([
    [{ modes: [] }, 'modes must begin'],
    [{ modes: ['one', 'one'] }, 'is listed twice'],
    [{ modes: [{ mode: 'one', afterSeconds: 1 }] }, 'must begin with a mode without afterSeconds'],
    [{ modes: ['one', { mode: 'two', afterSeconds: 3_601 }] }, '3600'],
    [{ modes: ['a', 'b', 'c', 'd', 'e'] }, 'at most 4 entries'],
    [{ modes: 'one' }, 'must be a list'],
    [{ mode: 'one', modes: ['two'] }, 'either mode or modes'],
    [{}, 'mode'],
  ])('refuses %j and changes nothing', async (body, words) => {
    const config = await configWith({ one: DUEL, two: DUEL });
    await createLobby(config, 'ann');
    const { status, body: refused } = await search(config, 'ann', body);
    expect(status).toBe(400);
    expect(JSON.stringify(refused)).toContain(words.replace('modes must', 'must'));
    expect((await mine(config, 'ann')).status).toBe('waiting');
  });

  it('is refused for a mode that does not exist, before anything changes', async () => {
    const config = await configWith({ one: DUEL });
    await createLobby(config, 'ann');
    const { body } = await search(config, 'ann', { modes: ['one', 'nope'] });
    expect(body).toMatchObject({ code: 'MODE_NOT_FOUND' });
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', revision: 1 });
  });
});
