// Framing of server-sent events (decision 24): one event is one block of single-line fields,
// non-ASCII escaped, so that no client's line or character decoder can split it wrongly.

import type { Json } from './json';

/** A comment line: clients skip it, and a dead connection shows by it. */
export const SSE_COMMENT = ':\n\n';

function ascii(text: string): string {
  return text.replace(
    /[\u0080-\uffff\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `event`, optional `id` (the lobby's revision) and single-line JSON `data`. */
export function sseFrame(event: string, data: Json | undefined, id?: number): string {
  if (/[\r\n]/.test(event)) {
    throw new Error('an event name holds no line break');
  }
  const text = data === undefined ? '' : ascii(JSON.stringify(data));
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${text}\n\n`;
}
