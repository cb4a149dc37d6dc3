// Drills of places that are filled while the mode changes: what is saved now decides who comes into a match that runs, and
// what it formed with decides who comes into one that forms again.

import type { PlayerId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import type { Drill } from './drill';
import {
  by,
  confirm,
  DUEL,
  found,
  game,
  MODES,
  playing,
  queue,
  waiting,
  type Play,
} from './drill-steps';

function changed(drill: Drill, name: keyof typeof MODES, mode: Mode): Promise<void> {
  return drill.change({ ...MODES, [name]: mode });
}

export const CHANGED_DRILLS: Readonly<Record<string, Play>> = {
  'another takes the place, the mode is smaller now': async (drill) => {
    const names = ['ann', 'ben', 'kim'] as const;
    const [a, b, c] = [
      await drill.gather(names[0]),
      await drill.gather(names[1]),
      await drill.gather(names[2]),
    ];
    await queue(drill, a, 'ann', 'trio');
    await queue(drill, b, 'ben', 'trio');
    await queue(drill, c, 'kim', 'trio');
    await found(drill, a, b, c);
    await confirm(drill, b, 'ben');
    await confirm(drill, c, 'kim');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await changed(drill, 'trio', { ...MODES.trio, playersPerTeam: 2, minPlayersPerTeam: 2 });
      await queue(drill, late, 'eve', 'trio');
      await found(drill, late);
      await confirm(drill, late, 'eve');
      await playing(drill, b, c, late);
    });
    await waiting(drill, a);
  },
  'backfill, the mode was smaller': async (drill) => {
    const [a, b] = await game(drill, 'open');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await changed(drill, 'open', { ...MODES.open, teams: 2 });
      await queue(drill, late, 'eve', 'open');
      await drill.change(MODES);
      await playing(drill, a, b, late);
    });
  },
  "a bot's place, the mode has none now": async (drill) => {
    const [a, late] = [await drill.gather('ann'), await drill.gather('eve')];
    await queue(drill, a, 'ann', 'bots');
    await playing(drill, a);
    await drill.watched(async () => {
      await changed(drill, 'bots', { ...DUEL, allowBackfill: true });
      await queue(drill, late, 'eve', 'bots');
      await playing(drill, a, late);
    });
  },
  'join late, the mode allows it again': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    const lateJoin = (is: boolean) =>
      drill.until('the lobbies know', () =>
        [a, b].every((id) => (drill.lobby(id)?.part?.lateJoin !== false) === is),
      );
    await drill.watched(async () => {
      await changed(drill, 'duel', { ...DUEL, lateJoin: false });
      await lateJoin(false);
      await drill.change(MODES);
      await lateJoin(true);
      await drill.join(a, 'eve');
    });
    const match = drill.together(a, b);
    const isSeated = match?.participants.some(({ members }) => members.includes('eve' as PlayerId));
    drill.world.journal.check(isSeated === false, () => 'eve has a place that nobody gave her');
  },
};
