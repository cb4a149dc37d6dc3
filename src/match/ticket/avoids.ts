// Whom the players of a lobby avoid (docs/internals/design.md A22). It counts in both directions, not within the lobby.

import { isPlayerId, type PlayerId } from '../../common/ids';
import type { Json } from '../../common/json';
import type { Ticket } from './ticket';
import type { Mode } from '../../../packages/js/src/admin-types';

/** Of one list. */
const MOST_NAMED = 50;
/** So many ids are compared for one look at a ticket. */
const IDS_PER_LOOK = 8;

/** Whether it is a list of players to avoid, or nothing. */
export function isAvoidList(value: Json | undefined): value is PlayerId[] | null | undefined {
  const isList = Array.isArray(value) && value.length <= MOST_NAMED;
  const isOfIds = isList && value.every((each) => typeof each === 'string' && isPlayerId(each));
  return isOfIds || value === undefined || value === null;
}

export const AVOID_LIST = `must be a list of at most ${MOST_NAMED} player ids`;

/** All that the lists name but the lobby's own players, each once. */
export function avoiding(
  lists: readonly (Json | undefined)[],
  own: readonly PlayerId[],
): Pick<Ticket, 'avoids'> {
  const named = new Set(lists.flatMap((list) => (isAvoidList(list) ? (list ?? []) : [])));
  own.forEach((id) => named.delete(id));
  return named.size === 0 ? {} : { avoids: [...named] };
}

export type Avoider = Pick<Ticket, 'players' | 'avoids'>;

/** One names a player of the other. */
export function avoidEachOther(one: Avoider, other: Avoider): boolean {
  return (
    other.players.some((id) => one.avoids?.includes(id)) ||
    one.players.some((id) => other.avoids?.includes(id))
  );
}

/** What that costs, in looks. */
export function looksToAsk(one: Avoider, other: Avoider): number {
  const pairs = (a: Avoider, b: Avoider): number => a.players.length * (b.avoids?.length ?? 0);
  return 1 + (pairs(one, other) + pairs(other, one)) / IDS_PER_LOOK;
}

/** For each lobby, by its place in the list: the places of the lobbies that it forms such a pair with. */
export function avoidedAmong(all: readonly Avoider[]): readonly ReadonlySet<number>[] {
  const places = new Map(all.flatMap(({ players }, at) => players.map((id) => [id, at] as const)));
  const found = all.map(() => new Set<number>());
  for (const [at, { avoids = [] }] of all.entries()) {
    const others = avoids.flatMap((id) => places.get(id) ?? []).filter((other) => other !== at);
    for (const other of others) {
      found[at]?.add(other);
      found[other]?.add(at);
    }
  }
  return found;
}

/** The state field, and the key of a lobby's settings, with whom players avoid; undefined if no rule reads it. */
export function avoidFieldOf({ rules }: Mode): string | undefined {
  return rules.find((rule) => rule.type === 'avoid')?.field;
}
