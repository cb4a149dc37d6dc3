// Drills of matches for which no fleet has room (record 0068).

import type { LobbyId, PlayerId } from '../../src/common/ids';
import { ONLY } from '../../src/fleet/fleets';
import { by, game, pair, playing, queue, waiting, type Play } from './drill-steps';
import type { Drill } from './drill';
import { saveLaunch } from './happenings';
import { NEXT } from './world';

/** Longer than a project's document is believed. */
const DOCUMENT_MS = 5_000;

async function patient(drill: Drill, seconds: number): Promise<void> {
  await saveLaunch(drill.world, { capacitySeconds: seconds });
  await drill.world.loop.sleep(DOCUMENT_MS);
}

/** The lobbies show that their match is there in line. */
function inLine(drill: Drill, position: number, ...ids: readonly LobbyId[]): Promise<void> {
  return drill.until(`place ${position} in line`, () =>
    ids.every((id) => drill.lobby(id)?.part?.waiting?.position === position),
  );
}

/** Two others, who are matched while the first have the only place. */
async function second(drill: Drill): Promise<readonly [LobbyId, LobbyId]> {
  const [c, d] = [await drill.gather('cid'), await drill.gather('dan')];
  await queue(drill, c, 'cid', 'duel');
  await queue(drill, d, 'dan', 'duel');
  return [c, d];
}

export const LINE_DRILLS: Readonly<Record<string, Play>> = {
  'wait in line, then there is room': async (drill) => {
    await patient(drill, 120);
    drill.world.fleet.places = 1;
    const [a, b] = await game(drill, 'duel');
    await drill.watched(async () => {
      const [c, d] = await second(drill);
      await inLine(drill, 1, c, d);
      await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
      await playing(drill, c, d);
    });
  },
  'two in line': async (drill) => {
    await patient(drill, 240);
    drill.world.fleet.isFull = true;
    const [a, b] = await pair(drill, 'duel');
    await queue(drill, b, 'ben', 'duel');
    await inLine(drill, 1, a, b);
    await drill.watched(async () => {
      const [c, d] = await second(drill);
      await inLine(drill, 2, c, d);
      drill.world.fleet.isFull = false;
      drill.world.fleet.places = 1;
      await playing(drill, a, b);
      drill.world.journal.check(drill.lobby(c)?.game === null, () => 'the second came in too');
      await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await playing(drill, c, d);
    });
  },
  'wait in line until the time is over': async (drill) => {
    await patient(drill, 8);
    drill.world.fleet.isFull = true;
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await waiting(drill, a, b);
    });
    const why = [a, b].map((id) => drill.lobby(id)?.returned?.reason);
    const isRight = why.every((reason) => reason === 'launch_failed');
    drill.world.journal.check(isRight, () => `they returned for ${why.join()}`);
    drill.world.journal.check(drill.world.fleet.started() === 0, () => 'a server was started');
  },
  'leave the line': async (drill) => {
    await patient(drill, 240);
    drill.world.fleet.isFull = true;
    const [a, b] = await pair(drill, 'duel');
    await queue(drill, b, 'ben', 'duel');
    await inLine(drill, 1, a, b);
    const [c, d] = await second(drill);
    await inLine(drill, 2, c, d);
    await drill.watched(async () => {
      for (const [id, name] of [
        [a, 'ann'],
        [b, 'ben'],
      ] as const) {
        drill.ledger.removalAsked(name as PlayerId, id);
        await drill.insist(() =>
          drill.world.peersOf(drill.world.client(name)).lobby(id).execute(by(name, 'leave')),
        );
      }
      await inLine(drill, 1, c, d);
      drill.world.fleet.isFull = false;
      await playing(drill, c, d);
    });
    drill.world.journal.check(
      drill.world.fleet.started() === 1,
      () => 'another server was started',
    );
  },
  'cancel in line': async (drill) => {
    await patient(drill, 240);
    drill.world.fleet.isFull = true;
    const [a, b] = await pair(drill, 'duel');
    await queue(drill, b, 'ben', 'duel');
    await inLine(drill, 1, a, b);
    const [c, d] = await second(drill);
    await inLine(drill, 2, c, d);
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'cancel'), (lobby) => lobby?.status === 'waiting');
      // Nobody is left to play against.
      await waiting(drill, a, b);
      await inLine(drill, 1, c, d);
      drill.world.fleet.isFull = false;
      await playing(drill, c, d);
    });
  },
  'the first fleet is silent': async (drill) => {
    const { world } = drill;
    await saveLaunch(world, { fleets: [ONLY, NEXT] });
    await world.loop.sleep(DOCUMENT_MS);
    world.fleet.isSilent = true;
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
      // What was sent to the first meanwhile is carried out, and stopped.
      world.fleet.isSilent = false;
      await world.loop.sleep(10_000);
    });
    const alive = world.fleet.alive().length;
    world.journal.check(alive === 1, () => `${alive} servers run`);
  },
};
