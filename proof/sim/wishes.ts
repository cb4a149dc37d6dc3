// What a player may do next, given what it sees, and how likely.

import type { Status } from '../../src/lobby/lobby';
import type { LobbyView } from '../../src/lobby/view';

export type Wish =
  | 'create'
  | 'fresh'
  | 'join'
  | 'joinCode'
  | 'read'
  | 'wait'
  | 'state'
  | 'settings'
  | 'kick'
  | 'leave'
  | 'queue'
  | 'move'
  | 'cancel'
  | 'confirm'
  | 'decline'
  | 'start'
  | 'end_match'
  | 'heartbeat';

type Weights = Readonly<Record<Wish, number>>;

const NONE: Weights = {
  create: 0,
  fresh: 0,
  join: 0,
  joinCode: 0,
  read: 0,
  wait: 0,
  state: 0,
  settings: 0,
  kick: 0,
  leave: 0,
  queue: 0,
  move: 0,
  cancel: 0,
  confirm: 0,
  decline: 0,
  start: 0,
  end_match: 0,
  heartbeat: 0,
};

function weights(some: Partial<Weights>): Weights {
  return { ...NONE, ...some };
}

/** Things people do at the wrong moment. */
const SLIPS = { join: 1, create: 1, fresh: 1, queue: 1, start: 1, end_match: 1, confirm: 1 };

/** The main interest of the players of a seed. */
export type Theme = 'mixed' | 'party' | 'race' | 'backfill' | 'crowd';

const OUTSIDE: Readonly<Record<Theme, Weights>> = {
  mixed: weights({ create: 60, join: 22, joinCode: 10, fresh: 5, read: 3 }),
  party: weights({ create: 30, join: 50, joinCode: 15, fresh: 3, read: 2 }),
  race: weights({ create: 1 }),
  backfill: weights({ create: 80, join: 20 }),
  crowd: weights({ create: 35, join: 65 }),
};

const HOST: Readonly<Record<Status, Weights>> = {
  waiting: weights({
    ...SLIPS,
    queue: 60,
    start: 8,
    state: 6,
    settings: 6,
    kick: 4,
    leave: 5,
    wait: 8,
    fresh: 3,
    heartbeat: 1,
  }),
  in_queue: weights({
    ...SLIPS,
    cancel: 18,
    state: 8,
    settings: 6,
    kick: 4,
    leave: 6,
    wait: 52,
    fresh: 2,
  }),
  match_found: weights({ ...SLIPS, confirm: 58, decline: 12, leave: 4, wait: 14, cancel: 2 }),
  matched: weights({ ...SLIPS, wait: 60, leave: 4, end_match: 3, settings: 3 }),
  starting: weights({ ...SLIPS, wait: 60, leave: 6, end_match: 4 }),
  in_game: weights({ ...SLIPS, end_match: 25, wait: 40, leave: 8, state: 4, settings: 3, kick: 3 }),
};

const GUEST: Readonly<Record<Status, Weights>> = {
  waiting: weights({ ...SLIPS, wait: 60, state: 15, leave: 8, read: 10 }),
  in_queue: weights({ ...SLIPS, wait: 60, state: 10, leave: 8, cancel: 1 }),
  match_found: weights({ ...SLIPS, confirm: 45, decline: 10, leave: 6, wait: 30 }),
  matched: weights({ ...SLIPS, wait: 60, leave: 5 }),
  starting: weights({ ...SLIPS, wait: 60, leave: 5 }),
  in_game: weights({ ...SLIPS, wait: 60, leave: 8, state: 6 }),
};

/** Only entering and cancelling, and leaving the matches that result. */
const RACE: Readonly<Record<Status, Weights>> = {
  waiting: weights({ queue: 1 }),
  in_queue: weights({ cancel: 70, read: 20, leave: 3, state: 7 }),
  match_found: weights({ confirm: 40, decline: 40, leave: 10, read: 10 }),
  matched: weights({ read: 1 }),
  starting: weights({ read: 1 }),
  in_game: weights({ end_match: 90, leave: 10 }),
};

/** Long games, with players who come and go. */
const BACKFILL: Readonly<Record<Status, Weights>> = {
  waiting: weights({ queue: 85, leave: 5, state: 5, settings: 5 }),
  in_queue: weights({ wait: 80, cancel: 8, leave: 4, state: 8 }),
  match_found: weights({ confirm: 85, decline: 5, leave: 5, read: 5 }),
  matched: weights({ wait: 90, leave: 10 }),
  starting: weights({ wait: 1 }),
  in_game: weights({ wait: 68, leave: 20, kick: 4, end_match: 3, state: 5 }),
};

/** Lobbies of two in long games, one of whom goes; others want to come in. */
const CROWD: Readonly<Record<Status, Weights>> = {
  ...BACKFILL,
  waiting: weights({ queue: 60, wait: 40 }),
  in_game: weights({ wait: 60, leave: 38, kick: 2 }),
};

/** Of whoever watches, whatever the lobby does. The rest they try in vain. */
const WATCHES: Weights = weights({
  ...SLIPS,
  join: 25,
  joinCode: 3,
  state: 1,
  kick: 1,
  cancel: 1,
  decline: 1,
  read: 20,
  wait: 30,
  heartbeat: 10,
  leave: 12,
});

/** The same, of a game that hosts start. */
const STARTS: Weights = weights({ start: 60, wait: 30, settings: 5, leave: 5 });

interface Interests {
  readonly theme: Theme;
  readonly starts: boolean;
  readonly watches: number;
}

export function wishesOf(
  player: string,
  view: LobbyView | null,
  scenario: Interests & { readonly wanders: boolean },
): Weights {
  const wishes = plainly(player, view, scenario);
  const isHost = view?.status === 'waiting' && view.host === player;
  const move = view?.currentSpectators === undefined ? 30 : 100;
  return scenario.wanders && isHost ? { ...wishes, move } : wishes;
}

function plainly(
  player: string,
  view: LobbyView | null,
  { theme, starts, watches }: Interests,
): Weights {
  if (view === null) {
    return OUTSIDE[theme];
  }
  if (view.as === 'spectator') {
    return WATCHES;
  }
  if (starts && view.status === 'waiting' && view.host === player) {
    return STARTS;
  }
  if (theme === 'crowd') {
    const isAlone = view.status === 'waiting' && view.players.length === 1;
    return isAlone ? weights({ wait: 90, queue: 10 }) : CROWD[view.status];
  }
  if (theme === 'race') {
    return RACE[view.status];
  }
  if (theme === 'backfill') {
    return BACKFILL[view.status];
  }
  const usual = (view.host === player ? HOST : GUEST)[view.status];
  return watches > 0 && view.status === 'waiting' ? { ...usual, join: 12 } : usual;
}
