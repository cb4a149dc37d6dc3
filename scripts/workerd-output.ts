// Filters workerd's output for operators.

import { isJson, lineOf, printable } from '../agent/log.ts';

/** `workerd/io/io-context.c++:12: error: NOSENTRY ...`: a note of the runtime to its developers. */
const NOTE = /^\S+\.c\+\+:\d+: \w+: .*\bNOSENTRY\b/;
/** Addresses in workerd's binary, which has no names for them, and the reference of an error. */
const STACK = /^stack:(?: \S+@[0-9a-f]+)+ *(?:; sentryErrorContext = \w+; wdErrId = \w+)?$/;
/** A network of workerd refused an address. Whoever asked for it says so in a line of the log. */
const REFUSED = /^\S+\.c\+\+:\d+: error: e = \S+: failed: connecting to \S+ is not allowed$/;

/**
 * A line of workerd as operators get it: Muster's log as it is, and errors of the runtime as lines of the log. Null: it
 * is of no use to them.
 */
export function forOperators(line: string): string | null {
  if ([NOTE, STACK, REFUSED].some((useless) => useless.test(line)) || line === '') {
    return null;
  }
  if (isLogged(line)) {
    return isJson ? printable(line) : asText(line);
  }
  return isJson ? lineOf('service', 'error', 'runtime', line) : printable(line);
}

/** A line of the log for people at a terminal: `service: server_ended config=main build=default`. */
export function asText(line: string): string {
  try {
    const {
      time: _,
      level,
      event,
      ...facts
    } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const said = Object.entries(facts).map(([name, value]) => `${name}=${shown(value)}`);
    const mark = level === 'info' ? '' : `${String(level)} `;
    return printable(['service:', `${mark}${String(event)}`, ...said].join(' '));
  } catch {
    // Something else than the log begins like it.
    return printable(line);
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}

/** Whether it is a line of Muster's log. */
export function isLogged(line: string): boolean {
  return line.startsWith('{"');
}
