// Attributes: what a project's backend says of a player, in state keys that players cannot write (decision 46). Rules,
// expressions and clients read them there like any other key. Pure.

import { jsonBytes, mergeJson, type Json, type JsonObject } from '../common/json';
import { MAX_ATTRIBUTES_BYTES } from '../common/limits';
import type { Mode } from '../match/rules/mode';
import { refreshed, touch, unseen } from './change';
import type { Change } from './command';
import { isPromised, UNTOLD, type KnownAttributes, type Lobby, type Player } from './lobby';
import { ok } from '../common/result';
import { refusal, type Refusal, type Reply } from './refusals';
import { deviationFields, uncertaintyOf } from '../match/ticket/ticket';

/** A player's record. Its revision rises with every change, also across a removal. */
export type Attributes = { readonly revision: number; readonly attributes: JsonObject };

/** State keys that players cannot write. The value is for players about whom the backend has said nothing; null: none. */
export type Trusted = ReadonlyMap<string, Json>;
export const NONE_TRUSTED: Trusted = new Map();

/** FIELD_NOT_YOURS if a player's body has a trusted key, even one that is null. Else null. */
export function notYours(state: JsonObject | null, trusted: Trusted): Refusal | null {
  const key = Object.keys(state ?? {}).find((each) => trusted.has(each));
  const detail = `state.${key}: only the game's backend can set this field`;
  return key === undefined ? null : { code: 'FIELD_NOT_YOURS', detail };
}

/** State fields that an expression computes with or orders by. */
const NUMBERS = /[ab]\.state\.(\w+)\s*[-+*/<>]|[-+*/<>]=?\s*[ab]\.state\.(\w+)/g;

/** Fields that rules read as numbers, although players can write them: they can choose whom they meet. */
export function playersWrite(
  modes: Readonly<Record<string, Pick<Mode, 'rules' | 'rating'>>>,
  trusted: Pick<Trusted, 'has'>,
): readonly string[] {
  const rated = Object.values(modes).flatMap(({ rating }) =>
    rating === undefined ? [] : [rating.field, uncertaintyOf(rating.field)],
  );
  const rules = Object.values(modes).flatMap((mode) => mode.rules);
  const read = rules.flatMap((rule) =>
    rule.type === 'difference' || rule.type === 'balance'
      ? [rule.field]
      : rule.type === 'expression'
        ? Array.from(rule.cel.matchAll(NUMBERS), ([, left, right]) => left ?? right ?? '')
        : [],
  );
  return [...new Set([...read, ...deviationFields(rules)])].filter(
    (field) => !trusted.has(field) && !rated.includes(field),
  );
}

/** The attributes after a change. Null removes a key. Refuses VALIDATION_ERROR if they are too large. */
export function changedAttributes(before: JsonObject | null, patch: JsonObject): Reply<JsonObject> {
  const value = mergeJson(before, patch);
  return jsonBytes(value) <= MAX_ATTRIBUTES_BYTES
    ? ok(value)
    : refusal('VALIDATION_ERROR', `attributes: more than ${MAX_ATTRIBUTES_BYTES} bytes of JSON`);
}

/**
 * The player's state with its trusted keys as the backend says them. A key that the backend says nothing of is
 * removed: the player may have written it before it became trusted. The same object if nothing changes.
 */
export function derivedState(
  state: JsonObject | null,
  trusted: Trusted,
  given: KnownAttributes | undefined,
): JsonObject | null {
  if (trusted.size === 0) {
    return state;
  }
  const starts = Object.fromEntries([...trusted].filter(([, start]) => start !== null));
  const said = given === undefined ? {} : mergeJson({ ...starts, ...given.record }, given.claim);
  const ours = Object.entries(said).filter(([key]) => trusted.has(key));
  const all = Object.entries(state ?? {});
  const theirs = all.filter(([key]) => !trusted.has(key));
  const before = new Map(all);
  const isSame =
    all.length === theirs.length + ours.length &&
    ours.every(([key, value]) => JSON.stringify(before.get(key)) === JSON.stringify(value));
  return isSame ? state : Object.fromEntries([...theirs, ...ours]);
}

/** The lobby with newer attributes of some players in its memory. Players see nothing yet. Null: nothing is newer. */
export function remembering(lobby: Lobby, known: ReadonlyMap<string, Attributes>): Change | null {
  const players = lobby.players.map((player): Player => {
    const { given } = player;
    const news = known.get(player.id);
    return news === undefined || news.revision <= (given?.revision ?? UNTOLD)
      ? player
      : {
          ...player,
          given: { revision: news.revision, record: news.attributes, claim: given?.claim ?? {} },
        };
  });
  return players.every((player, at) => player === lobby.players[at])
    ? null
    : unseen({ ...lobby, players });
}

/**
 * The change with every player's trusted keys as the backend says them, and the ticket refreshed, which keeps its
 * wait. While the lobby is held, or in a match or game, the change stays as it is: what was made with a number
 * keeps it until the lobby waits or searches again.
 */
export function withAttributes(change: Change, trusted: Trusted, now: number): Change {
  const { lobby } = change;
  const isFree = lobby?.status === 'waiting' || lobby?.status === 'in_queue';
  if (lobby === null || trusted.size === 0 || !isFree || isPromised(lobby)) {
    return change;
  }
  const players = lobby.players.map((player): Player => {
    const state = derivedState(player.state, trusted, player.given);
    return state === player.state ? player : { ...player, state };
  });
  if (players.every((player, at) => player === lobby.players[at])) {
    return change;
  }
  const next = refreshed(touch(lobby, { players }, now));
  const news = change.news.filter((each) => each.kind !== 'updated' || each.lobby !== lobby);
  return { ...next, debts: [...change.debts, ...next.debts], news: [...news, ...next.news] };
}
