// Drills of a search of several modes. That no ticket is left in a queue, `checkStrays` finds at the end of each drill.

import type { LobbyId } from '../../src/common/ids';
import type { Drill } from './drill';
import { by, found, playing, queue, queueForAll, waiting, type Play } from './drill-steps';

function modesOf(drill: Drill, id: LobbyId): string {
  return drill.lobby(id)?.search?.modes?.join() ?? '';
}

export const MODES_DRILLS: Readonly<Record<string, Play>> = {
  'enter several modes': async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => queueForAll(drill, [id, 'ann'], 'duel', { close: 0, open: 3 }));
    await drill.until(
      'all are searched',
      () => drill.lobby(id)?.search?.also?.every(({ entersAt }) => entersAt === undefined) === true,
    );
  },
  'several modes, one has a match': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queueForAll(drill, [a, 'ann'], 'close', { duel: 0, open: 60 });
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  'several modes, two want it at once': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await drill.watched(async () => {
      await Promise.all([
        queueForAll(drill, [a, 'ann'], 'duel', { twin: 0 }),
        queueForAll(drill, [b, 'ben'], 'twin', { duel: 0 }),
      ]);
      await playing(drill, a, b);
    });
  },
  'several modes, cancelled': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queueForAll(drill, [a, 'ann'], 'duel', { twin: 0 });
    await drill.watched(() =>
      drill.command(a, by('ann', 'cancel'), (lobby) => lobby?.search === null),
    );
    await queueForAll(drill, [b, 'ben'], 'twin', { duel: 0 });
  },
  'several modes, a later one begins': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queue(drill, b, 'ben', 'duel');
    await queueForAll(drill, [a, 'ann'], 'close', { duel: 4 });
    await drill.watched(() => playing(drill, a, b));
  },
  'several modes, one drops out': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queueForAll(drill, [a, 'ann'], 'short', { minutes: 60, duel: 30 });
    await drill.watched(async () => {
      // The next one does not wait for its time, because nothing else is searched.
      await drill.until('one is over', () => modesOf(drill, a) === 'minutes,duel');
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  'several modes, one is taken away': async (drill) => {
    const [a] = [await drill.gather('ann')];
    await queueForAll(drill, [a, 'ann'], 'duel', { twin: 0 });
    await drill.watched(async () => {
      await drill.change({});
      await waiting(drill, a);
    });
  },
  'several modes, another lobby declines': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queueForAll(drill, [a, 'ann'], 'close', { again: 0, duel: 0 });
    await queue(drill, b, 'ben', 'again');
    await found(drill, a, b);
    await drill.command(
      a,
      by('ann', 'confirm'),
      (lobby) => lobby?.part?.confirmation?.confirmed === true,
    );
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await drill.command(b, by('ben', 'decline'), (lobby) => lobby?.status !== 'match_found');
      await drill.until('all are searched on', () => modesOf(drill, a) === 'close,again,duel');
      await queue(drill, late, 'eve', 'duel');
      await playing(drill, a, late);
    });
  },
};
