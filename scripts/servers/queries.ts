// One real question to each dedicated server, in its game's own protocol. What a server answers there nobody else would, so
// the answer says that players were sent to it. Ports are those of this machine.

import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { constants, inflateSync } from 'node:zlib';

import { teeworldsInfo } from './teeworlds-info.ts';

/** Asks the server whose first port that is, and returns what it said of itself, in a few words. */
export type Query = (port: number) => Promise<string>;

const HOST = '127.0.0.1';
const WITHIN_MS = 20_000;
const RESEND_MS = 700;

/** The first datagram that it sends back. It is asked again and again, because it may not be ready yet. */
function udp(port: number, question: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4');
  return new Promise<Buffer>((resolve, reject) => {
    const ask = (): void => socket.send(question, port, HOST);
    const again = setInterval(ask, RESEND_MS);
    const late = new Error(`UDP ${port} did not answer within ${WITHIN_MS} ms`);
    const timer = setTimeout(() => done(() => reject(late)), WITHIN_MS);
    const done = (settle: () => void): void => {
      clearInterval(again);
      clearTimeout(timer);
      socket.close();
      settle();
    };
    socket.on('error', () => undefined);
    socket.on('message', (answer) => done(() => resolve(answer)));
    ask();
  });
}

/** What it sends until that is enough. */
function tcp(port: number, question: Buffer, isEnough: RegExp): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, HOST);
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`TCP ${port} ${why}: ${JSON.stringify(text.slice(0, 200))}`));
    };
    const timer = setTimeout(() => fail(`did not answer within ${WITHIN_MS} ms`), WITHIN_MS);
    socket.setEncoding('latin1').on('data', (part) => {
      text += String(part);
      if (isEnough.test(text)) {
        clearTimeout(timer);
        socket.destroy();
        resolve(text);
      }
    });
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('closed'));
    socket.on('connect', () => socket.write(question));
  });
}

/** The answer as a regular expression finds it. Throws if it says something else. */
function found(text: string, sought: RegExp): string {
  const [, said] = sought.exec(text) ?? [];
  if (said === undefined) {
    throw new Error(`an answer of somebody else: ${JSON.stringify(text.slice(0, 200))}`);
  }
  return said;
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

/** Games on the engine of Quake III. */
const quake3: Query = async (port) => {
  const answer = await udp(port, Buffer.from('\xff\xff\xff\xffgetstatus', 'latin1'));
  return found(answer.toString('latin1'), /\\version\\([^\\]+)/);
};

/** Games on the engine of Cube 2 tell about themselves on the next port. They repeat the question first. */
const cube2: Query = async (port) => {
  const answer = await udp(port + 1, bytes('01 02 03'));
  return `protocol ${found(answer.toString('hex'), /^010203(.{2,})/)}`;
};

export const QUERIES: Readonly<Record<string, Query>> = {
  teeworlds: async (port) => (await teeworldsInfo({ host: HOST, port }, WITHIN_MS)).version,
  openarena: quake3,
  ioquake3: quake3,
  redeclipse: cube2,
  sauerbraten: cube2,
  /** A peer that is new gets its number by a control packet. */
  minetest: async (port) => {
    const answer = await udp(port, bytes('4f457403 0000 00 01'));
    return `peer ${Number.parseInt(found(answer.toString('hex'), /^4f45740300010003.{4}0001(.{4})$/), 16)}`;
  },
  /** A client of another version is told why it cannot join. */
  freeciv: async (port) => {
    const names = Buffer.from('muster\0none\0\0', 'latin1');
    const body = Buffer.concat([Buffer.from([4]), names, Buffer.alloc(12)]);
    const length = Buffer.from([0, body.length + 2]);
    const answer = await tcp(port, Buffer.concat([length, body]), /^[^]{99}/);
    const packed = Buffer.from(answer, 'latin1').subarray(2);
    const said = inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
    return found(said, /([\x20-\x7e]{20,})/);
  },
  bzflag: async (port) =>
    found(await tcp(port, Buffer.from('BZFLAG\r\n\r\n'), /^BZFS\d{4}/), /^(BZFS\d{4})/),
  armagetron: async (port) => {
    const answer = await udp(port, bytes('0034 0000 0000 0000'));
    return `server info ${found(answer.toString('hex'), /^(0032.{4})/)}`;
  },
  /** The ping of clients that list servers. */
  mumble: async (port) => {
    const answer = await udp(port, bytes('00000000 6d75737465720000'));
    return found(answer.toString('hex'), /^00(.{6})6d75737465720000/);
  },
  openttd: async (port) => found(await tcp(port, bytes('0300 07'), /\d\.\d+\0/), /(\d+\.\d+)\0/),
  hedgewars: async (port) =>
    found(await tcp(port, bytes(''), /CONNECTED\n.*\n/), /CONNECTED\n(.*)/),
  /** A number for the connection, and then the question for the version. */
  wesnoth: async (port) =>
    (await tcp(port, bytes('00000000'), /^[^]{4,}/)).length > 3 ? 'shook hands' : '',
  crossfire: async (port) => found(await tcp(port, bytes(''), /version \d+/), /(version [\d ]+)/),
  supertuxkart: async () => {
    const answer = await udp(2757, Buffer.from('\nstk-server'));
    return found(answer.toString('latin1'), /([\x20-\x7e]{8,})/);
  },
  warzone2100: async (port) => found(await tcp(port, Buffer.alloc(8), /^[^]{4}/), /^(WZLR)/),
  pioneers: async (port) => found(await tcp(port, bytes(''), /version/), /([^\n]*version[^\n]*)/),
  monopd: async (port) => found(await tcp(port, bytes(''), /version="[^"]+"/), /version="([^"]+)"/),
};
