// The messages from an actor to the relay of a player's client: events, and a farewell last. On a socket each is a text.

import { singleLine } from './sse';

/** An event as the client gets it. `data` is JSON on one line, in ASCII: `null` for an event without data. */
export interface Message {
  readonly event: string;
  /** The lobby's revision, if the event shows a lobby. */
  readonly id: number | null;
  readonly data: string;
  /** The modes in whose queues the shown lobby waits, the first one first. Null: the lobby is not queued. */
  readonly queue: string | null;
  /** Where in `data` the player's seat ticket is inserted. Absent without a game. */
  readonly seat?: SeatIn;
}

/** Between the modes of `queue`. No mode has it in its name. */
export const QUEUES_APART = ',';

/** For the relay alone: the player's answer shows revision `id`. No event before this one is newer (decision 39). */
export const ANSWERED = 'answered';

/** The revision of an answer that the lobby is deleted: nothing is newer. */
export const LAST_REVISION = Number.MAX_SAFE_INTEGER;

/** The seat of the line's player in the game that the event shows. */
interface SeatIn {
  /** Index in `data` where members of the server's object may be added. Null: `data` does not show the server. */
  readonly at: number | null;
  readonly of: object;
}

/**
 * Why an actor ended a line (decision 23). `left`: the player is no longer in the lobby; bind to the seat. `kicked`:
 * the same, after an event with the lobby without the player. `seated`: the player has a lobby; bind to it.
 * `replaced`: a newer stream of the same player took over; end the client's stream.
 */
export const FAREWELLS = ['left', 'kicked', 'seated', 'replaced'] as const;
export type Farewell = (typeof FAREWELLS)[number];

export type Heard = Message | Farewell;

export function message(
  event: string,
  data: object | null,
  { id = null, queue = null }: Partial<Pick<Message, 'id' | 'queue'>> = {},
): Message {
  return { event, id, queue, data: singleLine(data) };
}

/** The last event of a stream that gives way to a newer one of its player (decision 78). */
export const REPLACED = message('replaced', null);

/** The last event of a stream whose box another machine takes over. */
export const MOVED = message('moved', null);

/** A message as text. A farewell is its word. An event begins with a line of JSON. */
export function written(heard: Heard): string {
  if (typeof heard === 'string') {
    return heard;
  }
  const { event, id, queue, data, seat } = heard;
  const head = seat === undefined ? [event, id, queue] : [event, id, queue, seat];
  return `${JSON.stringify(head)}\n${data}`;
}

/** Parses the text that `written` makes. Null for any other text, as from another version of the service. */
export function readHeard(text: string): Heard | null {
  const end = text.indexOf('\n');
  if (end < 0) {
    return FAREWELLS.find((word) => word === text) ?? null;
  }
  type Head = [string, number | null, string | null, SeatIn?];
  const [event, id, queue, seat] = JSON.parse(text.slice(0, end)) as Head;
  // Until the last object of an earlier version has ended, events without data come with an empty one.
  const said = { event, id, queue, data: text.slice(end + 1) || 'null' };
  return seat === undefined ? said : { ...said, seat };
}
