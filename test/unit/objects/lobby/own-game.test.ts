// A lobby that starts a game of its own: what the start answers, and what its history says of the end.

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { ok } from '../../../../src/common/result';
import type { LaunchOrder, ServerReport } from '../../../../src/objects/contracts/server';
import { Alone } from '../../../support/alone';
import { block } from '../../../support/lobbies';

const ANN = 'ann' as PlayerId;
const SITE = { project: 'alone', config: 'arena' };
const BEATS = { heartbeat: true, heartbeatTimeout: 20 };
const TWO_HOURS = 7_200_000;

function report(
  { instanceId }: LaunchOrder,
  status: 'launching' | 'running',
  seq: number,
): ServerReport {
  return { instanceId, seq, block: block(status, instanceId) };
}

/** Ann's lobby, whose server runs. */
async function playing(patch: object, gameLimitMs?: number): Promise<Alone> {
  const alone = new Alone(patch, gameLimitMs);
  alone.launch = async (order) => ok(report(order, 'running', 1));
  await alone.found('ann');
  await alone.actor.execute({ type: 'start', player: ANN });
  return alone;
}

async function lastOf(alone: Alone): Promise<readonly unknown[]> {
  const history = (await alone.actor.history(SITE)) ?? [];
  return [history.at(-1)?.kind, history.at(-1)?.reason];
}

describe('the history of a lobby', () => {
  it.each([
    ['in a game', playing],
    [
      'waiting',
      async (patch: object) => {
        const alone = new Alone(patch);
        await alone.found('ann');
        return alone;
      },
    ],
  ])('says that its last player was silent, %s', async (_, begin) => {
    const alone = await begin(BEATS);
    await alone.pass(30_000);
    expect(await lastOf(alone)).toEqual(['deleted', 'silent']);
  });

  it('says that its game lasted too long, and that nobody did anything', async () => {
    const long = await playing({}, TWO_HOURS);
    await long.pass(TWO_HOURS + 1_000);
    expect(await lastOf(long)).toEqual(['deleted', 'game_limit']);
    const idle = new Alone({ timeout: 60 });
    await idle.found('ann');
    await idle.pass(61_000);
    expect(await lastOf(idle)).toEqual(['deleted', 'idle']);
  });

  it('says which of two causes came first', async () => {
    const alone = await playing(BEATS, 10_000);
    await alone.pass(60_000);
    expect(await lastOf(alone)).toEqual(['deleted', 'game_limit']);
  });
});

describe('a report that the server runs, which overtakes the answer to its launch', () => {
  async function started() {
    const alone = new Alone();
    let answer: (launched: ServerReport | null) => void = () => {};
    let order: LaunchOrder | undefined;
    alone.launch = (given) => {
      order = given;
      return new Promise((resolve, reject) => {
        answer = (launched) =>
          launched === null ? reject(new Error('lost')) : resolve(ok(launched));
      });
    };
    await alone.found('ann');
    const start = alone.actor.execute({ type: 'start', player: ANN });
    start.catch(() => {});
    await alone.pass(10);
    const given = order as unknown as LaunchOrder;
    const told = alone.actor.serverReport(report(given, 'running', 2));
    await alone.pass(10);
    return { alone, start, told, given, answer };
  }
  const shown = async ({ alone }: { readonly alone: Alone }) =>
    (await alone.actor.adminRead('alone', 'arena'))?.server?.status;

  it('comes after it: the start answers that the server launches, and then it runs', async () => {
    const game = await started();
    game.answer(report(game.given, 'launching', 1));
    const reply = await game.start;
    expect(reply.ok && reply.value.lobby?.server?.status).toBe('launching');
    expect(await game.told).toBe(true);
    expect(await shown(game)).toBe('running');
    const now = await game.alone.actor.adminRead('alone', 'arena');
    expect(now?.revision).toBeGreaterThan((reply.ok && reply.value.lobby?.revision) || Infinity);
  });

  it.each([
    ['is lost', 10],
    ['does not come', 5_000],
  ])('counts although that answer %s', async (how, ms) => {
    const game = await started();
    if (how === 'is lost') {
      game.answer(null);
    }
    await game.alone.pass(ms);
    expect(await game.told).toBe(true);
    expect(await shown(game)).toBe('running');
  });
});
