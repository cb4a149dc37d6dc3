// Teeworlds' own server-info query, protocol 0.7: a token is fetched first, then the info, both by
// connection-less datagrams. Only what a test needs to know of the answer is read.

import { createSocket, type Socket } from 'node:dgram';

export interface TeeworldsInfo {
  readonly version: string;
  readonly name: string;
  readonly map: string;
  readonly gameType: string;
}

const CONTROL = 0x04;
/** Connection-less, and the version of the packet. */
const CONNECTIONLESS = 0x21;
const TOKEN_MESSAGE = 5;
/** A request for a token is as long as this, so that nobody can be flooded with longer answers. */
const REQUEST_PADDING = 512;
const OURS = Buffer.from('4d757374', 'hex');
const RESEND_MS = 200;

/** Asks until it is answered; rejects at the deadline. */
export async function teeworldsInfo(
  { host, port }: { readonly host: string; readonly port: number },
  withinMs = 10_000,
): Promise<TeeworldsInfo> {
  const socket = createSocket('udp4');
  const tokenRequest = Buffer.concat([
    Buffer.from([CONTROL, 0, 0, 0xff, 0xff, 0xff, 0xff, TOKEN_MESSAGE]),
    OURS,
    Buffer.alloc(REQUEST_PADDING - OURS.length),
  ]);
  const ask = (): void => socket.send(tokenRequest, port, host);
  const again = setInterval(ask, RESEND_MS);
  let deadline: NodeJS.Timeout | undefined;
  try {
    ask();
    return await new Promise<TeeworldsInfo>((resolve, reject) => {
      deadline = setTimeout(() => reject(new Error(`no server info in ${withinMs} ms`)), withinMs);
      socket.on('error', reject);
      socket.on('message', (data) => {
        const info = heard(data, { socket, host, port });
        if (info !== null) {
          resolve(info);
        }
      });
    });
  } finally {
    clearTimeout(deadline);
    clearInterval(again);
    socket.close();
  }
}

/** The info, or null: a token then is answered with the request for the info. */
function heard(
  data: Buffer,
  { socket, host, port }: { readonly socket: Socket; readonly host: string; readonly port: number },
): TeeworldsInfo | null {
  if (data[0] === CONTROL && data[7] === TOKEN_MESSAGE) {
    const theirs = data.subarray(8, 12);
    const header = Buffer.concat([Buffer.from([CONNECTIONLESS]), theirs, OURS]);
    const request = Buffer.concat([
      header,
      Buffer.from('ffffffff', 'hex'),
      Buffer.from('gie3\x01'),
    ]);
    socket.send(request, port, host);
    return null;
  }
  const payload = data.subarray(9);
  if (data[0] !== CONNECTIONLESS || payload.toString('latin1', 4, 8) !== 'inf3') {
    return null;
  }
  // A number of one byte, then texts that end with a zero.
  const [version = '', name = '', , map = '', gameType = ''] = payload
    .toString('utf8', 9)
    .split('\0');
  return { version, name, map, gameType };
}
