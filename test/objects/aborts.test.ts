// A transaction that fails on the real platform: memory may be ahead of the rows, so the incarnation
// ends, who waited for it gets an error, and the next one begins with what is saved.

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { objectName, type LobbyId, type MemberId, type PlayerId } from '../../src/common/ids';
import { boxOf } from '../../src/objects/placement/at';
import { failNextTransaction, peersUnderTest } from '../support/peers';
import type { Env } from '../../src/objects/placement/env';
import { freshConfig } from '../http/support';

const peers = peersUnderTest();
const LOBBY = 'lobby-1' as LobbyId;

/** The next transaction of the directory's object runs, and then fails. */
async function failNext(config: string): Promise<void> {
  const { BOX, DIRECTORIES } = env as unknown as Env;
  const stub = BOX === undefined ? DIRECTORIES.getByName(objectName('dev', config)) : boxOf(BOX);
  await failNextTransaction(stub, 'the disk is full');
}

describe('a transaction that fails', () => {
  it('ends the object with memory ahead of its rows; the next is as the rows say', async () => {
    const config = freshConfig();
    const founding = { lobbyId: LOBBY, by: 'member-1' as MemberId };
    const first = await peers.directory('dev', config).allocate(founding, null);
    const code = first.ok ? first.value : '';
    await failNext(config);
    const other = { lobbyId: 'lobby-2' as LobbyId, by: 'member-2' as MemberId };
    const [outcome] = await Promise.allSettled([
      peers.directory('dev', config).allocate(other, null),
    ]);
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringMatching(/disk is full|^gone: directory/) },
    });
    const guess = { code, player: 'ann' as PlayerId, address: null, limits: {} };
    expect(await peers.directory('dev', config).find(guess)).toEqual({ ok: true, value: LOBBY });
    expect((await peers.directory('dev', config).allocate(other, null)).ok).toBe(true);
  });

  it('is told to all whose rows were gathered for it', async () => {
    const config = freshConfig();
    const founding = { lobbyId: LOBBY, by: 'member-1' as MemberId };
    await peers.directory('dev', config).allocate(founding, null);
    await failNext(config);
    const row = { lobbyId: LOBBY, revision: 1, view: null };
    const told = [row, { ...row, revision: 2 }].map((each) =>
      peers.directory('dev', config).put(each),
    );
    const outcomes = await Promise.allSettled(told);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await peers.directory('dev', config).put(row);
  });
});
