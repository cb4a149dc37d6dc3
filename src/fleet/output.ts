// The end of a server's output, cut at the start of a character. It imports nothing, because the agent runs it as it is.

export const MAX_OUTPUT_BYTES = 4096;
/** Longest name of a signal, in characters. */
export const MAX_SIGNAL = 16;
/** Longest detail that a fleet gives about an ending, in characters. */
export const MAX_DETAIL = 512;

/** What terminals obey, such as colours (ECMA-48): commands with their parameters, texts for the terminal, and short ones. */
const [ESCAPE, BELL] = ['\u001b', '\u0007'];
const ESCAPES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)|[ -/]*[0-~])`,
  'g',
);

/** The text as a page shows it, without colours. */
export function uncoloured(text: string): string {
  return text.replace(ESCAPES, '');
}

/** The last `limit` bytes of the text as UTF-8, without the rest of a character that was cut. */
export function lastBytes(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= limit ? text : decodedTail(bytes.subarray(bytes.length - limit));
}

/** Decodes bytes that may begin in the middle of a character. */
export function decodedTail(bytes: Uint8Array): string {
  const begin = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return new TextDecoder().decode(bytes.subarray(Math.max(0, begin)));
}
