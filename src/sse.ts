// Framing of server-sent events (decision 24): one event is one block of single-line fields,
// non-ASCII escaped, so that no client's line or character decoder can split it wrongly.

/** A comment line: clients skip it, and a dead connection shows by it. */
export const SSE_COMMENT = ':\n\n';

/**
 * The comment with which a client's stream ends that a newer one of the same player replaced.
 * Clients that come back by themselves read it: two of them would replace each other for ever.
 */
export const SSE_REPLACED = ': replaced\n\n';

/** The same of a stream whose player token is over: the client comes back with a new one. */
export const SSE_EXPIRED = ': token expired\n\n';

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

/** JSON on a single line of ASCII. */
export function singleLine(data: object | null): string {
  return ascii(JSON.stringify(data));
}

/**
 * `event`, optional `id` (the lobby's revision) and `data`, which is single-line JSON or empty. In parts, so that
 * nobody copies a large `data` to join them.
 */
export function sseParts(event: string, data: string, id: number | null): readonly string[] {
  if (/[\r\n]/.test(event)) {
    throw new Error('an event name holds no line break');
  }
  const idLine = id === null ? '' : `id: ${id}\n`;
  return [`event: ${event}\n${idLine}data: `, data, '\n\n'];
}

/** The same with `data` as a value; undefined: none. */
export function sseFrame(event: string, data: object | null | undefined, id?: number): string {
  return sseParts(event, data === undefined ? '' : singleLine(data), id ?? null).join('');
}
