// Tests that begin on data of an earlier version need its commit, which a shallow clone has not.

import { isCloned } from '../../scripts/earlier.ts';
import { noteMissing } from '../support/tools.ts';

/** Whether this clone has the commit of that version. Call it where the tests are defined. */
export function cloned(version: string): boolean {
  const isHere = isCloned(version);
  if (!isHere && process.env['REQUIRE_TOOLS'] === '1') {
    throw new Error(`this clone has no ${version}: git fetch --unshallow`);
  }
  if (!isHere) {
    noteMissing(`the commit of ${version}`, 'git fetch --unshallow');
  }
  return isHere;
}
