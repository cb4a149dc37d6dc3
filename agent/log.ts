// The log of our Node programs: one JSON object on each line, as that of the service (src/common/log.ts). At a terminal
// the lines are plain text for people. LOG=json or LOG=text says which.

type Level = 'info' | 'warn' | 'error';
type Told = Readonly<Record<string, string | number | null>> & { readonly message: string };

export const isJson = ((): boolean => {
  const { LOG = process.stdout.isTTY ? 'text' : 'json' } = process.env;
  return LOG !== 'text';
})();

/**
 * Text that players or programs wrote, on one line and without anything that a terminal obeys. What cannot be shown is
 * written as in JSON, so a line of JSON stays what it is.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (found) =>
    found.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** A line of the log. `from`: the program. As text, only the message is shown. */
export function lineOf(from: string, level: Level, event: string, told: string | Told): string {
  const facts = typeof told === 'string' ? { message: told } : told;
  const line = { time: new Date().toISOString(), level, event, from, ...facts };
  return printable(isJson ? JSON.stringify(line) : `${from}: ${facts.message}`);
}

/** Writes a line to the log. Errors and warnings go to stderr. */
export function log(...line: Parameters<typeof lineOf>): void {
  const [, level] = line;
  (level === 'info' ? console.log : console.error)(lineOf(...line));
}

/** Logs an error that is a bug, or a broken machine. */
export function logError(message: string, error: unknown): void {
  const stack = (error instanceof Error ? error.stack : undefined) ?? String(error);
  log(
    'agent',
    'error',
    'failed',
    isJson ? { message, stack } : `${message}: ${stack.replace(/\n\s*/g, ' | ')}`,
  );
}
