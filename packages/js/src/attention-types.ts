// What the dashboard asks for first: what needs an operator.

import type { Ended, InQueue } from './dashboard-types';

/** The answer of `GET /admin/attention`. */
export interface AttentionView {
  /** Every mode, in the last hour and in the day before it. */
  readonly modes: readonly (InQueue & { readonly hour: Ended; readonly before: Ended })[];
  /** Servers that launch and are late, such as to open their ports; the newest, at most ten. */
  readonly late: readonly {
    readonly id: string;
    readonly build: string | null;
    readonly detail: string;
  }[];
  /** Servers that crashed in the middle of a game, in the last hour; the newest, at most ten. */
  readonly crashed: AttentionView['late'];
  /**
   * The fleets that do not answer, and what happened instead. `until`: they answer, and are asked last until then. `drains`: they
   * take no launches, and say how to undo that.
   */
  readonly fleets: readonly {
    readonly name: string;
    readonly detail: string;
    readonly until?: string;
    readonly drains?: true;
  }[];
  /** Changes that Muster refused to save because they broke what always holds; newest first, at most twenty. */
  readonly broken: readonly BrokenInvariant[];
  /** On several machines: what was wrong with the bucket in the last hour. Null: nothing. */
  readonly bucket: string | null;
}

/** A fault of Muster, with what a report of it needs. */
export interface BrokenInvariant {
  readonly at: string;
  readonly actor: string;
  readonly id: string;
  /** The sentences that did not hold. */
  readonly which: readonly string[];
  /** The state before and after, as JSON without tokens, cut off where it is long. */
  readonly rows: string;
}
