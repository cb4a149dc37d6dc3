// A service that was away for longer than players may be silent puts nobody out at its start: nobody could be heard
// meanwhile (decision 57). Who stays silent from then on is put out.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

const TIMEOUT_SECONDS = 3;
const AWAY_MS = 2 * TIMEOUT_SECONDS * 1_000;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

interface Seen {
  readonly players: readonly { readonly id: string }[];
}

it('a start after an outage puts out only who is silent from then on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-outage-'));
  let running = await startAll({ port: 0, dataDir });
  const at = (name: string): Player => new Player(running.url, name);
  const playersOf = async (): Promise<readonly string[]> => {
    const { players } = (await at('polls').ok('GET', '/lobbies/arena/me')) as Seen;
    return players.map(({ id }) => id);
  };
  const beats = () => at('beats').ok('POST', '/lobbies/arena/me/heartbeat');
  try {
    const operator = new Player(running.url, 'operator', running.serverKey);
    const body = { heartbeat: true, heartbeatTimeout: TIMEOUT_SECONDS };
    await operator.ok('PUT', '/lobby-configs/arena', body);
    const { code } = await at('polls').ok('POST', '/lobbies/arena', { name: 'Den', maxPlayers: 4 });
    for (const name of ['beats', 'silent']) {
      await at(name).ok('POST', '/lobbies/arena/join', { code });
    }
    await running.stop();
    await pause(AWAY_MS);
    running = await startAll({ port: 0, dataDir });
    expect(await playersOf()).toEqual(['polls', 'beats', 'silent']);
    await eventually('the silent one is put out', async () => {
      await beats();
      return (await playersOf()).length === 2;
    });
    expect(await playersOf()).toEqual(['polls', 'beats']);
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
