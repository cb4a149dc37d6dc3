// What changed between two views of a lobby, as operations of RFC 6902 (decision 75). It knows the shape of a lobby: players by
// their ids, and states and settings by their keys, because those are large and change a little at a time. Whatever is
// the same object in both views costs no look into it. Applied in order, the operations give the new view byte for byte.

import type { LobbyOperation } from '../../packages/js/src/change-types';
import { isObject, type Json } from '../common/json';
import type { LobbyView } from './view';

type Member = Partial<LobbyView['players'][number]> & { readonly id: string };
type Keyed = Readonly<Record<string, unknown>>;

/** Null: only the whole view will do, because its keys would come in another order. What replaces `/server` comes last. */
export function operationsBetween(
  from: LobbyView,
  to: LobbyView,
): readonly LobbyOperation[] | null {
  if (!keepsOrder(from, to)) {
    return null;
  }
  const done: LobbyOperation[] = [];
  byKey('/', [from, to], done, (key) => {
    if (key === 'players') {
      ofPlayers('/players', [from.players, to.players], done);
    } else if (key === 'spectators') {
      ofPlayers('/spectators', [from.spectators ?? [], to.spectators ?? []], done);
    } else if (key === 'settings') {
      ofValue('/settings', from.settings, to.settings, done);
    }
    return ['players', 'spectators', 'settings', 'server'].includes(key);
  });
  if (!isSame(from.server, to.server)) {
    done.push(set('replace', '/server', to.server));
  }
  return done;
}

/** `path`: of the list. */
function ofPlayers(
  path: string,
  [from, to]: readonly [from: readonly Member[], to: readonly Member[]],
  done: LobbyOperation[],
): void {
  const there = new Set(to.map(({ id }) => id));
  const stayed = from.filter(({ id }) => there.has(id));
  if (stayed.some(({ id }, index) => to[index]?.id !== id)) {
    done.push(set('replace', path, to));
    return;
  }
  // From the end: a player who is removed moves up those behind.
  for (let index = from.length - 1; index >= 0; index -= 1) {
    if (!there.has(from[index]?.id ?? '')) {
      done.push({ op: 'remove', path: `${path}/${index}` });
    }
  }
  to.forEach((player, index) => {
    const before = stayed[index];
    if (before === undefined) {
      done.push(set('add', `${path}/-`, player));
      return;
    }
    const its = `${path}/${index}`;
    ofValue(`${its}/state`, before.state, player.state, done);
    if (before.isHost !== player.isHost) {
      done.push(set('replace', `${its}/isHost`, player.isHost));
    }
  });
}

/** What changed between two objects, unless their keys would come in another order. Between other values: the new one. */
function ofValue(path: string, from: unknown, to: unknown, done: LobbyOperation[]): void {
  if (from === to) {
    return;
  }
  if (isObject(from) && isObject(to) && keepsOrder(from, to)) {
    byKey(`${path}/`, [from, to], done);
  } else if (!isSame(from, to)) {
    done.push(set('replace', path, to));
  }
}

/** `isElsewhere`: the caller sees to the value of that key. */
function byKey(
  path: string,
  [from, to]: readonly [from: object, to: object],
  done: LobbyOperation[],
  isElsewhere: (key: string) => boolean = () => false,
): void {
  const [before, after] = [from as Keyed, to as Keyed];
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) {
      done.push({ op: 'remove', path: path + pointer(key) });
    }
  }
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) {
      done.push(set('add', path + pointer(key), value));
    } else if (!isElsewhere(key) && !isSame(before[key], value)) {
      done.push(set('replace', path + pointer(key), value));
    }
  }
}

/** Whether the keys of `to` are those of `from` that stay, and then the new ones. */
function keepsOrder(from: object, to: object): boolean {
  const after = Object.keys(to);
  const stayed = Object.keys(from).filter((key) => Object.hasOwn(to, key));
  return stayed.every((key, index) => after[index] === key);
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function set(op: 'add' | 'replace', path: string, value: unknown): LobbyOperation {
  return { op, path, value: value as Json };
}

/** A key as a part of a JSON pointer (RFC 6901). */
function pointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
