// The row that a Directory keeps of a lobby.

import { sseBytes } from '../../common/sse';
import type { DirectoryRow, Founding } from './contract';

/** Largest view kept in memory. A larger one is read from storage when it is shown. Players choose its size. */
const KEPT_BYTES = 8 * 1024;

export interface Coded extends Founding {
  readonly code: string;
  readonly at: number;
  /** The revision of the first row, which came with the request for the code. A later one proves the founding. */
  readonly first?: number | undefined;
  /** The code was given out while it was unknown whether the lobby was already gone. The lobby is asked. */
  readonly unsure: boolean;
}

/** All that is saved of a lobby. */
export interface Listed extends DirectoryRow {
  readonly coded?: Coded | undefined;
}

export interface Kept extends Listed {
  /** False: the view in memory lacks the large fields, which only showing it needs. */
  readonly isWhole: boolean;
}

export function kept(row: Listed): Kept {
  const { view } = row;
  if (view === null || sseBytes(view) <= KEPT_BYTES) {
    return { ...row, isWhole: true };
  }
  const thin = { ...view, settings: {}, players: [], server: null, customProperties: {} };
  return { ...row, view: thin, isWhole: false };
}

/** The row of a lobby that learns its code only now. */
export function withCode(row: DirectoryRow | undefined, code: string): DirectoryRow | undefined {
  return row && { ...row, view: row.view && { ...row.view, code } };
}
