// A server from its start on: it runs, is late, or is given up. While it runs, its ports are looked after.

import { NO_ENDING } from '../src/fleet/block.ts';
import { logError } from './log.ts';
import { endingOf } from './output.ts';
import type { Sockets } from './ports.ts';
import type { Readiness } from './ready.ts';
import { say } from './server.ts';
import type { Server } from './server.ts';
import type { AgentSettings } from './settings.ts';
import { waitForPorts, watchPorts } from './watch.ts';
import type { Place } from './watch.ts';

interface Start {
  readonly settings: Pick<AgentSettings, 'startMs' | 'lateMs'>;
  readonly place: Place;
  readonly sockets: Sockets;
  readonly readiness: Readiness;
  readonly logPath: string;
  /** Aborts when the server has ended. */
  readonly signal: AbortSignal;
  /** Called once it is ready, before that is reported. */
  readonly ready: () => Promise<void>;
  /** Call when there is something to report. */
  readonly changed: () => void;
}

/** Resolves with null once the server runs, or with the reason if it will not. */
export async function startOf(server: Server, start: Start): Promise<string | null> {
  const { settings, place, sockets, readiness, logPath, signal, changed } = start;
  let missing = 'it was not ready in time';
  const late = (why: string): void => {
    missing = why;
    say(server, 'server_late', why);
    void endingOf(logPath, null).then((soFar) => {
      if (server.state === 'launching' && !server.isEnding) {
        server.ending = { ...soFar, detail: why };
        changed();
      }
    });
  };
  const closed = (detail: string): void => {
    server.ending = { ...NO_ENDING, detail };
    changed();
    say(server, 'server_closed', detail);
  };
  const { startMs: withinMs, lateMs } = settings;
  const patience = { withinMs, lateMs, sockets, readiness, signal };
  const open = await waitForPorts(place, { ...patience, late });
  if (open === null || signal.aborted) {
    return missing;
  }
  await start.ready().catch((error: unknown) => logError('could not note that it runs', error));
  server.ending = NO_ENDING;
  server.ports = open;
  server.state = 'running';
  changed();
  say(server, 'server_running', 'is ready');
  void watchPorts({ ports: open, named: true }, { ...patience, late: closed });
  return null;
}
