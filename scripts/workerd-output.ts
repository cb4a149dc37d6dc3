// Filters workerd's output for operators.

import { isJson, lineOf } from '../agent/log.ts';

/** `workerd/io/io-context.c++:12: error: NOSENTRY ...`: a note of the runtime to its developers. */
const NOTE = /^\S+\.c\+\+:\d+: \w+: .*\bNOSENTRY\b/;
/** Addresses in workerd's binary, which has no names for them. */
const STACK = /^stack:(?: \S+@[0-9a-f]+)+ *$/;

/**
 * A line of workerd as operators get it: Muster's log as it is, and errors of the runtime as lines of the log. Null: it
 * is of no use to them.
 */
export function forOperators(line: string): string | null {
  if (NOTE.test(line) || STACK.test(line) || line === '') {
    return null;
  }
  return isLogged(line) || !isJson ? line : lineOf('service', 'error', 'runtime', line);
}

function isLogged(line: string): boolean {
  return line.startsWith('{"');
}
