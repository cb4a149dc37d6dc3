// Framing of server-sent events (decision 24): one event is one block of single-line fields,
// non-ASCII escaped, so that no client's line or character decoder can split it wrongly.

/** A comment line: clients skip it, and a dead connection shows by it. */
export const SSE_COMMENT = ':\n\n';

/**
 * The comment with which a client's stream ends that a newer one of the same player replaced.
 * Clients that come back by themselves read it: two of them would replace each other for ever.
 */
export const SSE_REPLACED = ': replaced\n\n';

function ascii(text: string): string {
  return text.replace(
    /[\u0080-\uffff\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const measured = new WeakMap<object, number>();

/**
 * Bytes of a JSON value as an event carries it, escapes included; answers take no more. The value
 * must not change afterwards: each is measured once.
 */
export function sseBytes(value: object): number {
  const known = measured.get(value);
  if (known !== undefined) {
    return known;
  }
  const bytes = sseTextBytes(JSON.stringify(value));
  measured.set(value, bytes);
  return bytes;
}

/** The same of a text that is part of such JSON. */
export function sseTextBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    // An escape has six characters.
    bytes += text.charCodeAt(index) < 0x80 ? 0 : 5;
  }
  return bytes;
}

/** `event`, optional `id` (the lobby's revision) and single-line JSON `data`. */
export function sseFrame(event: string, data: object | null | undefined, id?: number): string {
  if (/[\r\n]/.test(event)) {
    throw new Error('an event name holds no line break');
  }
  const text = data === undefined ? '' : ascii(JSON.stringify(data));
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${text}\n\n`;
}

/**
 * Why an object ended a stream, for the relay between it and the client (decision 23).
 * `left`: the player is in the lobby no more, bind to the seat. `seated`: the player has a lobby,
 * bind to it. `replaced`: a newer stream of the same player took over, the client's stream ends.
 */
export const FAREWELLS = ['left', 'seated', 'replaced'] as const;
export type Farewell = (typeof FAREWELLS)[number];

/** The comment that ends an object's stream; without one the object broke off. */
export function farewell(reason: Farewell): string {
  return `: bye ${reason}\n\n`;
}

/** The farewell with which a text ends, or null. Ordinary comments and events are none. */
export function readFarewell(tail: string): Farewell | null {
  return (
    FAREWELLS.find(
      (reason) => tail.endsWith(`\n${farewell(reason)}`) || tail === farewell(reason),
    ) ?? null
  );
}
