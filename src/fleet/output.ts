// The last of what a server printed: how much of it is kept, and cut where a character begins.
// Imports nothing: the agent runs this file as it is.

/** Of what a server printed, so much is kept with it. */
export const MAX_OUTPUT_BYTES = 4096;
/** Characters of the name of a signal. */
export const MAX_SIGNAL = 16;
/** Characters of what a fleet says of an ending. */
export const MAX_DETAIL = 512;

/** The last so many bytes of the text as UTF-8, without the rest of a character that was cut. */
export function lastBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= limit ? text : decodedTail(bytes.subarray(bytes.length - limit));
}

/** The text of bytes that may begin in the middle of a character. */
export function decodedTail(bytes: Uint8Array): string {
  const begin = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return new TextDecoder().decode(bytes.subarray(Math.max(0, begin)));
}
