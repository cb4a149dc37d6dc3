// Branded identifiers, and the encoding of object names. src/objects/contracts/peers.ts decides the parts of each name.

import { MAX_PLAYER_ID_LENGTH } from './limits';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type LobbyId = Branded<'LobbyId'>;
export type PlayerId = Branded<'PlayerId'>;
export type TicketId = Branded<'TicketId'>;
export type MatchId = Branded<'MatchId'>;
export type MemberId = Branded<'MemberId'>;
export type InstanceId = Branded<'InstanceId'>;

/** Joins the parts so that `a/b` + `c` never equals `a` + `b/c`. Under 1,024 bytes: the platform tells an object no longer name. */
export function objectName(...parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/');
}

export function nameParts(name: string): readonly string[] {
  return name.split('/').map(decodeURIComponent);
}

/**
 * Whether the text has 1-128 printable characters, which may include spaces (decision 4), and can stand in a path, where
 * `.` and `..` mean other places. U+FFFD does not count as one: the runtime replaces bytes that are not UTF-8 with it, so
 * `zoé` and `zoè` in Latin-1 would be the same player (decision 48).
 */
export function isPlayerId(text: string): boolean {
  const isPrintable = /^[^\p{C}\p{Zl}\p{Zp}\ufffd]+$/u.test(text);
  const isNamed = text !== '.' && text !== '..';
  return isNamed && isPrintable && Array.from(text).length <= MAX_PLAYER_ID_LENGTH;
}
