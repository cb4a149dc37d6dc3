// What an actor tells the relay between it and a player's client: events, whole each, and at the
// end a farewell. Over a socket each is one text; within a process they are handed over as they are.

import { singleLine } from './sse';

/** One event as the client gets it; `data` is JSON on one line, in ASCII, or empty. */
export interface Message {
  readonly event: string;
  /** The lobby's revision, where the event shows a lobby. */
  readonly id: number | null;
  readonly data: string;
  /** The mode in whose queue the lobby that is shown waits; null: in none. */
  readonly queue: string | null;
  /** Where in `data` a ticket for the player's seat goes; absent where there is no game. */
  readonly seat?: SeatIn;
}

/**
 * Of an event that ends at the relay: the player is answered with the lobby at the revision `id`, and all
 * that was said before is as old (decision 39).
 */
export const ANSWERED = 'answered';

/** A seat in the game that the event shows, of the player whose line it is. */
export interface SeatIn {
  /** Index in `data` where members of the server's object may be added. */
  readonly at: number;
  readonly of: object;
}

/**
 * Why an actor ended a line (decision 23). `left`: the player is in the lobby no more, bind to the
 * seat. `kicked`: the same, and the player was shown a lobby without itself. `seated`: the player has
 * a lobby, bind to it. `replaced`: a newer stream of the same player took over, the client's stream ends.
 */
export const FAREWELLS = ['left', 'kicked', 'seated', 'replaced'] as const;
export type Farewell = (typeof FAREWELLS)[number];

export type Heard = Message | Farewell;

/** `data` undefined: an event without any. */
export function message(
  event: string,
  data: object | null | undefined,
  shown: { readonly id?: number; readonly queue?: string | null } = {},
): Message {
  const { id = null, queue = null } = shown;
  return { event, id, queue, data: data === undefined ? '' : singleLine(data) };
}

/** As a text: a farewell is its word, an event begins with a line of JSON. */
export function written(heard: Heard): string {
  if (typeof heard === 'string') {
    return heard;
  }
  const { event, id, queue, data, seat } = heard;
  const head = seat === undefined ? [event, id, queue] : [event, id, queue, seat];
  return `${JSON.stringify(head)}\n${data}`;
}

/** Null: no text that `written` makes, as of another version of the service. */
export function readHeard(text: string): Heard | null {
  const end = text.indexOf('\n');
  if (end < 0) {
    return FAREWELLS.find((word) => word === text) ?? null;
  }
  type Head = [string, number | null, string | null, SeatIn?];
  const [event, id, queue, seat] = JSON.parse(text.slice(0, end)) as Head;
  const said = { event, id, queue, data: text.slice(end + 1) };
  return seat === undefined ? said : { ...said, seat };
}
