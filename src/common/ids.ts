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

/**
 * Joins the parts of an object's name so that `a/b` + `c` can never equal `a` + `b/c`.
 * Names stay under 1,024 bytes, because the platform does not tell an object a longer name.
 */
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
  const printable = /^[^\p{C}\p{Zl}\p{Zp}\ufffd]+$/u.test(text);
  const isShort = text.length <= MAX_PLAYER_ID_LENGTH;
  const isNamed = text !== '.' && text !== '..';
  return isNamed && printable && (isShort || Array.from(text).length <= MAX_PLAYER_ID_LENGTH);
}
