// Deliberate bugs of a lobby that others want as it is: it is booked for a match, or moves to another config (see bugs.ts).

import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Peers } from '../../src/objects/contracts/peers';
import type { SeatRpc } from '../../src/objects/contracts/seat';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { Overbooked } from './bugs-of-matches';
import { rewired } from './rewired';
import { YARD, type Scenario } from './scenario';
import { JOURNAL, REAL } from './world';

/** Moves to the other config without asking for the seats of its players there. */
function seatless(ports: ActorPorts): LobbyActor {
  const { peers } = ports;
  const seat = (...of: Parameters<Peers['seat']>): SeatRpc => {
    const real = peers.seat(...of);
    const claimed: SeatRpc['claim'] = () => Promise.resolve({ heldBy: null });
    return of[1] === YARD
      ? new Proxy(real, {
          get: (_, method: keyof SeatRpc) => (method === 'claim' ? claimed : real[method]),
        })
      : real;
  };
  return new LobbyActor(rewired(ports, { peers: { ...peers, seat } }), undefined, JOURNAL);
}

export const PARTY_BUGS = [
  {
    in: ({ makes }: Scenario) => makes > 0,
    name: 'book a lobby twice',
    makers: { ...REAL, lobby: (ports: ActorPorts) => new Overbooked(ports) },
  },
  {
    in: ({ wanders }: Scenario) => wanders,
    name: 'move without the seats',
    makers: { ...REAL, lobby: seatless },
  },
] as const;
