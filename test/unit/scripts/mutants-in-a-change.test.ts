// `npm run mutate -- --changed` tries the mutants of the lines that a change touches, and no others.

import { describe, expect, it } from 'vitest';
import { touchedIn, touches } from '../../../proof/mutation/changes.ts';

const DIFF = `diff --git a/src/lobby/a.ts b/src/lobby/a.ts
index 1111111..2222222 100644
--- a/src/lobby/a.ts
+++ b/src/lobby/a.ts
@@ -3 +3 @@ export function one() {
-  return 1;
+  return 2;
@@ -9,2 +8,0 @@
-gone
-gone
@@ -20,0 +19,4 @@ export const x = '@@ -1 +1 @@';
++++ b/src/no/file.ts of this text
+second
+third
+fourth
diff --git a/src/lobby/old.ts b/src/lobby/old.ts
deleted file mode 100644
--- a/src/lobby/old.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-was
-here
diff --git a/src/match/a name.ts b/src/match/a name.ts
new file mode 100644
--- /dev/null
+++ b/src/match/a name.ts\t
@@ -0,0 +1,2 @@
+new
+file
`;

it('reads from a difference which lines of each file are new, and none where lines went', () => {
  expect(touchedIn(DIFF)).toEqual({
    'src/lobby/a.ts': [
      [3, 3],
      [19, 22],
    ],
    'src/match/a name.ts': [[1, 2]],
  });
  expect(touchedIn('')).toEqual({});
});

/** A mutant from one line of an editor to another, which count from 1. */
function mutant(from: number, to: number, mutatorName = 'ConditionalExpression') {
  const at = (line: number) => ({ line: line - 1, column: 0 });
  return { mutatorName, location: { start: at(from), end: at(to) } };
}

describe('a mutant is tried', () => {
  const touched = [
    [3, 3],
    [19, 22],
  ] as const;
  it.each([
    [true, mutant(3, 3)],
    [true, mutant(2, 4)],
    [true, mutant(22, 30)],
    [true, mutant(1, 19)],
    [true, mutant(20, 40, 'BlockStatement')],
    [false, mutant(4, 18)],
    [false, mutant(1, 2)],
    [false, mutant(23, 23)],
    // The function around a line is another matter than the line.
    [false, mutant(1, 40, 'BlockStatement')],
  ])('%s: %j', (isTried, each) => {
    expect(touches(touched, each)).toBe(isTried);
    expect(touches([], each)).toBe(false);
  });
});
