// Framing of server-sent events (decision 24). An event is one block of single-line fields. Non-ASCII characters
// are escaped, so that no client's line or character decoder can split an event wrongly.

/** A comment line. Clients skip it, and writing it reveals a dead connection. */
export const SSE_COMMENT = ':\n\n';

/** Follows the event `replaced`, for clients of earlier versions, which look for this comment instead. */
export const SSE_REPLACED = ': replaced\n\n';

/** The last comment of a stream whose player token expired. The client reconnects with a new token. */
export const SSE_EXPIRED = ': token expired\n\n';

const measured = new WeakMap<object, number>();

/** Bytes of a value in an event, with escapes; answers are not larger. Each is measured once, so it must not change. */
export function sseBytes(value: object): number {
  const known = measured.get(value);
  if (known !== undefined) {
    return known;
  }
  const bytes = sseTextBytes(JSON.stringify(value));
  measured.set(value, bytes);
  return bytes;
}

/** Bytes of a text within such JSON. */
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
  return JSON.stringify(data).replace(
    /[\u0080-\uffff\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * The event's frame: `event`, optionally `id` (the lobby's revision), and `data`, which is single-line JSON.
 * It is in parts, so that a large `data` is not copied to join them. `isNameLast`: with `event` last. The hosted
 * service's SDK takes a read that ends after a line for the end of the event, once it has read the event's name.
 */
export function sseParts(event: string, data: string, id: number | null, isNameLast = false) {
  if (/[\r\n]/.test(event)) {
    throw new Error('an event name holds no line break');
  }
  const idLine = id === null ? '' : `id: ${id}\n`;
  const nameLine = `event: ${event}\n`;
  return isNameLast
    ? [`${idLine}data: `, data, `\n${nameLine}\n`]
    : [`${nameLine}${idLine}data: `, data, '\n\n'];
}
