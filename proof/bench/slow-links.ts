// Links that take time, in front of a service and between two pages of one machine: each way takes half of a round trip.
// A new connection takes a round trip more, as it does on a real network.

import { createSocket, type Socket } from 'node:dgram';
import { connect, createServer, type AddressInfo, type Socket as Connection } from 'node:net';

function pass(from: Connection, to: Connection, ms: number, firstMs: number): void {
  const openAt = Date.now() + firstMs;
  from.on('data', (data) => {
    setTimeout(() => to.write(data), Math.max(ms, openAt + ms - Date.now()));
  });
  from.on('close', () => setTimeout(() => to.destroy(), ms));
  from.on('error', () => {});
}

export interface SlowService {
  readonly url: string;
  close(): void;
}

/** The service, `roundTripMs` away. */
export async function slowService(url: string, roundTripMs: number): Promise<SlowService> {
  const { hostname, port } = new URL(url);
  const all = new Set<Connection>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    pass(near, far, roundTripMs / 2, roundTripMs);
    pass(far, near, roundTripMs / 2, 0);
    all.add(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    close: () => {
      all.forEach((each) => each.destroy());
      server.close();
    },
  };
}

/** Runs in a page, which has `portFor` of its `SlowAddresses`: its connections to other pages go by the stand-ins. */
export const BY_STAND_INS = `
const { setRemoteDescription, addIceCandidate } = RTCPeerConnection.prototype;
const slow = async (text) => {
  const parts = text.split(' ');
  parts[5] = await window.portFor(parts[4], Number(parts[5]));
  return parts.join(' ');
};
RTCPeerConnection.prototype.setRemoteDescription = async function ({ type, sdp }) {
  const lines = sdp.split('\\r\\n').filter((line) => !line.includes(' tcptype '));
  const slower = lines.map((line) => (line.startsWith('a=candidate:') ? slow(line) : line));
  return setRemoteDescription.call(this, { type, sdp: (await Promise.all(slower)).join('\\r\\n') });
};
RTCPeerConnection.prototype.addIceCandidate = async function (init) {
  return init.candidate.includes(' tcptype ')
    ? undefined
    : addIceCandidate.call(this, { ...init, candidate: await slow(init.candidate) });
};
`;

/** Stand-ins for addresses of UDP, `roundTripMs` away from each other. What comes to one goes to the address that it stands for. */
export class SlowAddresses {
  readonly #roundTripMs: number;
  readonly #standIns = new Map<string, Promise<Socket>>();
  /** Nothing gets through. */
  isCut = false;

  constructor(roundTripMs: number) {
    this.#roundTripMs = roundTripMs;
  }

  async portFor(address: string, port: number): Promise<number> {
    return (await this.#standInFor(address, port)).address().port;
  }

  #standInFor(address: string, port: number): Promise<Socket> {
    const key = `${address} ${port}`;
    const known = this.#standIns.get(key) ?? this.#open(address, port);
    this.#standIns.set(key, known);
    return known;
  }

  async #open(address: string, port: number): Promise<Socket> {
    const socket = createSocket('udp4');
    socket.on('message', (data, from) => {
      if (this.isCut) {
        return;
      }
      setTimeout(() => {
        void this.#standInFor(from.address, from.port).then((own) => own.send(data, port, address));
      }, this.#roundTripMs / 2);
    });
    await new Promise<void>((resolve) => socket.bind(0, resolve));
    return socket;
  }

  async close(): Promise<void> {
    for (const socket of this.#standIns.values()) {
      (await socket).close();
    }
    this.#standIns.clear();
  }
}
