// Faults of the platform that last longer than it tries again by itself, each alone in a small world.

import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import { DEFAULT_LOBBY_TIMEOUT_SECONDS } from '../../src/lobby/defaults';
import { CALM } from '../../proof/sim/faults';
import { PLACEMENTS, type Placement } from '../../proof/sim/parts';
import { REAL, World } from '../../proof/sim/world';

const LOBBY = 'lobby-1' as LobbyId;
const ANN = 'ann' as PlayerId;
const CONFIG = 'arena';
const MINUTE = 60_000;

function newWorld(placement: Placement): World {
  const options = { seed: 1, tracing: false, rates: CALM, startMs: 200, reports: true };
  return new World({ ...options, placement, makers: REAL });
}

async function pass(world: World, ms: number): Promise<void> {
  await world.loop.run(world.loop.now + ms, () => false);
}

async function found(world: World): Promise<void> {
  const founding = world.peersOf(world.client('ann')).lobby(LOBBY).create({
    id: LOBBY,
    project: world.project,
    config: CONFIG,
    player: ANN,
    state: {},
    name: 'Ann',
    region: 'eu-west',
    isPrivate: false,
    allowLateJoin: false,
    maxPlayers: 4,
    settings: {},
    forceFresh: false,
  });
  await pass(world, 1_000);
  expect((await founding).ok).toBe(true);
}

describe('a document that cannot be reached for longer than alarms are tried again', () => {
  it.each(PLACEMENTS)('does not take the alarm of a lobby away: %s', async (placement) => {
    const world = newWorld(placement);
    await found(world);
    await pass(world, DEFAULT_LOBBY_TIMEOUT_SECONDS * 1_000 - MINUTE);
    world.documentsGoneUntil = world.loop.now + 30 * MINUTE;
    await pass(world, 29 * MINUTE);
    const { disk } = world.node('lobby', LOBBY);
    expect(disk.read('lobby')).toBeDefined();
    await pass(world, 5 * MINUTE);
    expect(disk.read('lobby')).toBeUndefined();
    expect(world.journal.violations).toEqual([]);
  });
});
