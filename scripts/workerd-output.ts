// Filters workerd's output for operators.

/** `workerd/io/io-context.c++:12: error: NOSENTRY ...`: a note of the runtime to its developers. */
const NOTE = /^\S+\.c\+\+:\d+: \w+: .*\bNOSENTRY\b/;
/** Addresses in workerd's binary, which has no names for them. */
const STACK = /^stack:(?: \S+@[0-9a-f]+)+ *$/;

/** Whether a line of workerd is useful to an operator. Muster's log is, and errors of the runtime are. */
export function isForOperators(line: string): boolean {
  return !NOTE.test(line) && !STACK.test(line);
}
