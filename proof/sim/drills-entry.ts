// Drills of coming into a lobby and into the queue, and out of both again.

import type { PlayerId } from '../../src/common/ids';
import {
  by,
  DUEL,
  game,
  MODES,
  pair,
  playing,
  queue,
  says,
  shows,
  state,
  waiting,
  type Play,
} from './drill-steps';

export const ENTRY_DRILLS: Readonly<Record<string, Play>> = {
  create: async (drill) => {
    await drill.watched(() => drill.gather('ann'));
  },
  'create afresh': async (drill) => {
    const old = await drill.gather('ann');
    await drill.watched(async () => {
      await drill.replace('ann', old);
      await drill.until('the old lobby is gone', () => drill.lobby(old) === null);
    });
  },
  join: async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => drill.join(id, 'ben'));
  },
  watch: async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => drill.watch(id, 'ben'));
    await drill.command(id, by('ben', 'leave'), (lobby) => lobby?.spectators?.length === 0);
    await drill.gather('ben');
  },
  'change sides': async (drill) => {
    const id = await drill.gather('ann', 'ben');
    await drill.watched(() => drill.watch(id, 'ben'));
    await drill.watched(async () => {
      await drill.join(id, 'ben');
      await drill.until('he plays', () => drill.lobby(id)?.players.length === 2);
    });
  },
  'quick join': async (drill) => {
    await drill.watched(async () => {
      await Promise.all(['ann', 'ben', 'eve'].map((player) => drill.quickJoin(player)));
      await drill.until('all are in one lobby', () => {
        const [first, ...others] = [...drill.always.lobbies.values()];
        return first?.players.length === 3 && others.length === 0;
      });
    });
  },
  'join by key': async (drill) => {
    await drill.watched(async () => {
      await Promise.all(['ann', 'ben', 'eve'].map((player) => drill.joinByKey(player, 'den')));
      await drill.until('all are in one lobby', () => {
        const [first, ...others] = [...drill.always.lobbies.values()];
        return first?.players.length === 3 && others.length === 0;
      });
    });
  },
  leave: async (drill) => {
    const id = await drill.gather('ann', 'ben');
    drill.ledger.removalAsked('ben' as PlayerId, id);
    await drill.watched(() =>
      drill.command(id, by('ben', 'leave'), (lobby) => lobby?.players.length === 1),
    );
    await drill.watched(() => drill.gather('ben'));
  },
  kick: async (drill) => {
    const id = await drill.gather('ann', 'ben');
    drill.ledger.removalAsked('ben' as PlayerId, id);
    const kick = { type: 'kick', player: 'ann' as PlayerId, target: 'ben' as PlayerId } as const;
    await drill.watched(() => drill.command(id, kick, (lobby) => lobby?.players.length === 1));
    await drill.watched(() => drill.gather('ben'));
  },
  enter: async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() => queue(drill, id, 'ann', 'duel'));
  },
  cancel: async (drill) => {
    const [a] = await pair(drill, 'duel');
    await drill.watched(() =>
      drill.command(a, by('ann', 'cancel'), (lobby) => lobby?.search === null),
    );
  },
  'a state changes in the queue': async (drill) => {
    const [a, b] = await pair(drill, 'close');
    await drill.watched(() => state(drill, a, 'ann', 1_000));
    await state(drill, b, 'ben', 1_020);
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'close');
      await playing(drill, a, b);
    });
  },
  'join with attributes': async (drill) => {
    await drill.change(MODES, ['mmr']);
    await says(drill, 'ben', 1_000);
    const id = await drill.gather('ann');
    await drill.watched(async () => {
      await Promise.all([drill.join(id, 'ben'), says(drill, 'ben', 1_020)]);
      await shows(drill, id, 'ben', 1_020);
    });
  },
  'attributes change': async (drill) => {
    await drill.change(MODES, ['mmr']);
    const [a, b] = await pair(drill, 'close', 1_000);
    await drill.watched(async () => {
      await says(drill, 'ann', 1_020);
      await shows(drill, a, 'ann', 1_020);
      await queue(drill, b, 'ben', 'close');
      await playing(drill, a, b);
    });
  },
  'a mode changes': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(() => drill.change({ duel: { ...DUEL, timeout: 800 } }));
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  'a mode opens its matches': async (drill) => {
    await drill.change({ ...MODES, open: { ...MODES.open, allowBackfill: false } });
    const [a, b] = await game(drill, 'open');
    const late = await drill.gather('eve');
    await queue(drill, late, 'eve', 'open');
    await drill.watched(async () => {
      await drill.change({ ...MODES, open: { ...MODES.open, lateJoin: false } });
      await playing(drill, a, b, late);
      await drill.until('nobody joins them late', () =>
        [a, b, late].every((lobby) => drill.lobby(lobby)?.part?.lateJoin === false),
      );
    });
  },
  'a mode is taken away': async (drill) => {
    const [a] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await drill.change({});
      await waiting(drill, a);
    });
  },
  'nobody is there any more': async (drill) => {
    const id = await drill.gather('ann');
    const hangUp = await drill.listen(id, 'ann');
    await queue(drill, id, 'ann', 'minutes');
    await drill.watched(async () => {
      await hangUp();
      await waiting(drill, id);
    });
  },
  'a search times out': async (drill) => {
    const [a] = await pair(drill, 'short');
    await drill.watched(() => waiting(drill, a));
  },
};
