// The rows of a queue's journal, and the lines in them.

import type { PoolLine, QueueLine } from '../../match/replay/lines';
import type { Ring } from '../kit/ring';
import type { Bucket } from './trends';

export type Line = PoolLine | QueueLine;
export type Formed = Extract<QueueLine, { k: 'formed' }>;

export interface RowHead {
  readonly at: number;
  /** How many tickets waited when the row began. */
  readonly waiting: number;
  /** The current step of the trends. */
  readonly trend: Bucket | null;
}

export type JournalRows = Pick<Ring<RowHead>, 'at' | 'back' | 'last' | 'lastWhere' | 'on'>;

/** The lines of those kinds in the text of a row, oldest first. */
export function linesOf(text: string, kinds: RegExp): Line[] {
  const lines = text.split('\n').filter((line) => kinds.test(line));
  return lines.map((line) => JSON.parse(line) as Line);
}
