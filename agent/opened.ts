// Finds the ports that a server should have opened but has not, who has them instead, and the ports that it opened. The
// commonest mistake of a game server is to listen on a port of its own choice.

import type { Port } from '../src/fleet/port.ts';
import { socketHolder, isAlive, processesOf, shared, socketsOf } from './own.ts';
import type { RunMark } from './own.ts';
import { openSockets } from './ports.ts';
import type { OpenSocket, Sockets } from './ports.ts';

/** How many ports are listed. */
const MOST = 8;
const ROUND_MS = 50;
/** How often all processes are gone through for the ones of a server while a socket is not its own. */
const SEARCH_MS = 250;

const allSockets = shared(ROUND_MS, openSockets);

/** The sockets of this machine, among which are those of a server. `pid`: its program. */
export function processSockets(pid: number, mark: RunMark): Sockets {
  let own: readonly number[] = [pid];
  let held: ReadonlySet<string> | null = new Set();
  let searchedAt = -Infinity;
  const isHeld = ({ inode }: OpenSocket): boolean => held?.has(inode) === true;
  return {
    open: allSockets,
    ownIn: async (sockets) => {
      // Once the program has ended, the sockets of those that it left are no server's.
      if (!(await isAlive(pid))) {
        return [];
      }
      if (sockets.every(isHeld)) {
        return sockets;
      }
      held = await socketsOf(own);
      if (!sockets.every(isHeld) && performance.now() - searchedAt >= SEARCH_MS) {
        searchedAt = performance.now();
        own = await processesOf(mark);
        held = await socketsOf(own);
      }
      return held && sockets.filter(isHeld);
    },
    who: 'the process',
    numberOf: ({ external_port: port }) => port,
  };
}

/** Those of the open sockets that are on this port. */
export function socketsOn(
  port: Port,
  open: readonly OpenSocket[],
  { numberOf }: Sockets,
): readonly OpenSocket[] {
  return open.filter((one) => one.port === numberOf(port) && one.protocol === port.protocol);
}

/**
 * `UDP 20979 was not opened within 120 s; the process opened UDP 7777`, or `UDP 20979 is held by another program (pid 4711,
 * sauer_server)`.
 */
export async function unopened(
  missing: readonly Port[],
  sockets: Sockets,
  withinMs: number,
): Promise<string> {
  const open = await sockets.open();
  const own = open === null ? null : await sockets.ownIn(open);
  const holders = missing.map(async (port) => {
    const [other] = socketsOn(port, open ?? [], sockets).filter(
      (one) => own?.includes(one) === false,
    );
    const by = other && (await socketHolder(other.inode));
    const name = nameOf(port, sockets);
    return other && `${name} is held by another program${by ? ` (${by})` : ''}`;
  });
  const held = await Promise.all(holders);
  const names = missing.filter((_, at) => !held[at]).map((port) => nameOf(port, sockets));
  const were = `${names.join(' and ')} ${names.length === 1 ? 'was' : 'were'} not opened`;
  const late = names.length === 0 ? [] : [`${were} within ${withinMs / 1000} s`];
  const opened = own
    ?.filter(({ isConnected }) => !isConnected)
    .map(({ protocol, port }) => named(protocol, port));
  const instead = [...new Set(opened)].toSorted().slice(0, MOST).join(', ') || 'no port';
  const told = own === null ? [] : [`${sockets.who} opened ${instead}`];
  return [...held.filter((text) => text !== undefined), ...late, ...told].join('; ');
}

export function nameOf(port: Port, { numberOf }: Sockets): string {
  return named(port.protocol, numberOf(port));
}

function named(protocol: string, port: number): string {
  return `${protocol.toUpperCase()} ${port}`;
}
