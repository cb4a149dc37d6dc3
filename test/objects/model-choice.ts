// Chooses who does what in a step: mostly something that can be done as the model stands, so that
// sequences get somewhere; now and then anything by anybody.

import type { Model, Room } from './lobby-model';

type Kind =
  | 'create'
  | 'join'
  | 'read'
  | 'patch'
  | 'leave'
  | 'settings'
  | 'kick'
  | 'start'
  | 'end_match'
  | 'queue'
  | 'cancel'
  | 'confirm'
  | 'decline'
  | 'heartbeat'
  | 'admin_read'
  | 'admin_delete';

/** As drawn at random: numbers to choose by. */
export interface Step {
  readonly kind: Kind;
  readonly config: string;
  readonly who: number;
  readonly whom: number;
  /** What else there is to choose. */
  readonly dice: number;
}

/** As it is done. */
export interface Choice extends Step {
  readonly player: string;
  readonly target: string;
}

const HOST_ONLY: ReadonlySet<Kind> = new Set([
  'settings',
  'kick',
  'start',
  'end_match',
  'queue',
  'cancel',
]);

/** Where a command can do something, and what to do instead where it cannot. */
const NEEDS: Readonly<Partial<Record<Kind, readonly [Room['status'], Kind]>>> = {
  start: ['waiting', 'end_match'],
  end_match: ['in_game', 'create'],
  queue: ['waiting', 'end_match'],
  cancel: ['in_queue', 'queue'],
  confirm: ['match_found', 'queue'],
  decline: ['match_found', 'confirm'],
};

function pick(from: readonly string[], number: number): string {
  return from[number % from.length] ?? '';
}

/** Who could do this now, in a lobby of that config. */
function able(model: Model, players: readonly string[], step: Step): readonly string[] {
  const rooms = [...model.rooms.values()].filter(({ config }) => config === step.config);
  if (step.kind === 'create') {
    // A few lobbies with players in them tell more than one for each.
    const enough = rooms.length >= 3 && step.dice % 5 !== 0;
    return enough ? [] : players.filter((player) => model.roomOf(step.config, player) === null);
  }
  if (step.kind === 'join') {
    const open = rooms.some(
      (room) => room.players.size < room.max && ['waiting', 'in_game'].includes(room.status),
    );
    return open ? players.filter((player) => model.roomOf(step.config, player) === null) : [];
  }
  const status = NEEDS[step.kind]?.[0];
  const fitting = rooms.filter((room) => status === undefined || room.status === status);
  if (step.kind === 'kick') {
    return fitting.filter((room) => room.players.size > 1).map(({ host }) => host);
  }
  const single = fitting.filter((room) => room.players.size === 1);
  if (step.kind === 'queue' && single.length > 0 && step.dice % 4 !== 0) {
    return single.map(({ host }) => host);
  }
  return HOST_ONLY.has(step.kind)
    ? fitting.map(({ host }) => host)
    : fitting.flatMap((room) => [...room.players.keys()]);
}

/** What to do instead where nobody can do it now. */
function instead(kind: Kind): Kind {
  const other = kind === 'create' ? 'join' : kind === 'join' ? 'queue' : 'create';
  return NEEDS[kind]?.[1] ?? other;
}

export function chosen(model: Model, players: readonly string[], drawn: Step): Choice {
  if (drawn.dice % 10 >= 8) {
    const [player, target] = [pick(players, drawn.who), pick(players, drawn.whom)];
    return { ...drawn, player, target };
  }
  let step = drawn;
  let who = able(model, players, step);
  for (let tries = 0; who.length === 0 && tries < 6; tries += 1) {
    step = { ...step, kind: instead(step.kind) };
    who = able(model, players, step);
  }
  const player = pick(who.length === 0 ? players : who, step.who);
  const others = [...(model.roomOf(step.config, player)?.players.keys() ?? [])].slice(1);
  return { ...step, player, target: pick(others.length === 0 ? players : others, step.whom) };
}
