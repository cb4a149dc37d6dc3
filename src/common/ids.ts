// Branded identifiers, and the encoding of object names. src/objects/contracts/peers.ts decides the parts of each name.

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
