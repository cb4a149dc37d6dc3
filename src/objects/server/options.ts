// What may be asked of a server besides its build, when it is started and when it is started again.

import type { LogLine, PortConfig } from '../../fleet/port';
import type { LaunchOrder } from '../contracts';

/** What a server of the project may be asked to have besides; absent: as its build has it. */
export interface ServerOptions {
  readonly startupArgs?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly ports?: readonly PortConfig[] | undefined;
  /** It is launched again when it fails. */
  readonly autoRestart?: boolean | undefined;
}

/** What a restart changes; absent: as it was. */
export interface Restart {
  readonly order: Partial<
    Pick<LaunchOrder, 'name' | 'build' | 'computeSize' | 'customData' | 'ttlSeconds' | 'matchId'>
  >;
  readonly options: ServerOptions;
}

/** The last lines of one run. */
export interface ServerLogs {
  readonly lines: readonly LogLine[];
  /** Which run of the server printed them. */
  readonly runId: string;
  readonly fleet: string;
  readonly region: string;
}
