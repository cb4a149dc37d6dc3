// Drills of warm servers (record 0073).

import type { InstanceId } from '../../src/common/ids';
import { game, pair, playing, queue, type Play } from './drill-steps';
import type { Drill } from './drill';
import { saveLaunch } from './happenings';
import { REGION } from './scenario';
import { serverOn } from './truth';
import { warmIn } from './warm';

/** Longer than a project's document is believed. */
const DOCUMENT_MS = 5_000;

function keep(drill: Drill, warm: number): Promise<void> {
  return saveLaunch(drill.world, { warm: { [REGION]: warm } });
}

function idsOf({ world }: Drill): readonly InstanceId[] {
  return warmIn(world).flatMap(({ ids }) => ids);
}

/** So many run, and wait for a match. */
function ready(drill: Drill, count: number): Promise<void> {
  const { world } = drill;
  return drill.until(`${count} warm servers`, () => {
    const ids = idsOf(drill);
    const all = ids.map((id) => serverOn(world.node('server', id).disk)?.status);
    return all.length === count && all.every((status) => status === 'running');
  });
}

async function warmed(drill: Drill, count: number): Promise<readonly InstanceId[]> {
  await keep(drill, count);
  await ready(drill, count);
  await drill.world.loop.sleep(DOCUMENT_MS);
  return idsOf(drill);
}

export const WARM_DRILLS: Readonly<Record<string, Play>> = {
  'keep servers warm': async (drill) => {
    await drill.watched(async () => {
      await keep(drill, 2);
      await ready(drill, 2);
    });
  },
  'take a warm server': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await warmed(drill, 1);
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
      await ready(drill, 1);
    });
  },
  'a warm server dies as it is taken': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    const [id] = await warmed(drill, 1);
    drill.world.fleet.die(id ?? '');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
    const match = drill.together(a, b);
    drill.world.journal.check(match?.instanceId !== id, () => 'they play on a dead server');
    await ready(drill, 1);
  },
  'a new version drains the warm servers': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    const before = await warmed(drill, 2);
    await drill.watched(async () => {
      await keep(drill, 1);
      await drill.until('others', () => !idsOf(drill).some((id) => before.includes(id)));
      await ready(drill, 1);
    });
    await playing(drill, a, b);
    await drill.world.loop.sleep(DOCUMENT_MS);
    const left = drill.world.fleet.alive().filter((id) => before.some((each) => each === id));
    drill.world.journal.check(left.length === 0, () => `${left.join()} runs on`);
  },
  'a match waits, and a warm server makes room': async (drill) => {
    const { world } = drill;
    const [a, b] = await pair(drill, 'duel');
    await saveLaunch(world, { capacitySeconds: 120 });
    await world.loop.sleep(DOCUMENT_MS);
    const peers = world.peersOf(world.client('admin'));
    const other = { name: 'other', label: null, status: 'ready', ports: [] } as const;
    const launch = { warm: { [REGION]: 1 } };
    await drill.insist(() => peers.project(world.project).saveBuild({ ...other, launch }));
    await ready(drill, 1);
    world.fleet.places = 1;
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
};
