// The term of a game that a player hosts (record 0069), in the state of its server. Pure.

import type { ServerBlock, ServerStatus } from '../../fleet/port';
import type { PlayerId } from '../../common/ids';

/** The player who hosts (record 0069). */
export interface Hosting {
  /** Null: nobody is elected yet. */
  readonly id: PlayerId | null;
  /** Why this one is elected, for operators. */
  readonly why: string;
  /** Why the last one is it no more, while nobody is elected. */
  readonly lost?: string;
  /** Who may host this game no more. */
  readonly barred: readonly PlayerId[];
  /** Who says that the host is unreachable. */
  readonly votes: readonly PlayerId[];
  /** Whether the host of an earlier term was ready. */
  readonly ran: boolean;
}

/** The part of a server's state that a term depends on. */
interface Hosted {
  readonly hosting?: Hosting;
  readonly run: number;
  readonly status: ServerStatus;
  readonly accepted: boolean;
  readonly order: { readonly options?: { readonly autoRestart?: boolean | undefined } };
}

/** Each run of a game that a player hosts is a term. */
export function termOf({ run }: Pick<Hosted, 'run'>): number {
  return run + 1;
}

/** A player who is to host has not said yet that the game is ready. */
export function isElected({ hosting, status, accepted }: Hosted): boolean {
  return hosting !== undefined && status === 'launching' && accepted;
}

/** Who hosts, and why, for operators. */
export function hostedBy(instance: Hosted): string | undefined {
  const { hosting } = instance;
  return hosting && `term ${termOf(instance)}: ${hosting.id ?? 'nobody yet'} (${hosting.why})`;
}

export function serviceOf({ hosting, order }: Hosted): ServerBlock['service_type'] {
  const other = order.options?.autoRestart === true ? 'persistent_world' : 'match_based';
  return hosting === undefined ? other : 'player_hosted';
}
