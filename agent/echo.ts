// Where players measure how far away this machine is: what comes by UDP goes back with another first byte, and every HTTP
// request gets an empty answer that any page may read. A port of its own, because the agent's API is kept off open networks.
// Anybody can forge the sender of a packet, so no answer may be a question to another echo: the two would never stop.

import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';

import { log, logError } from './log.ts';
import { ration } from './ration.ts';

/** Longer packets get no answer, so nobody gains by sending in the name of another. */
const MOST_BYTES = 64;
/** A question's first byte lacks this bit, and the first byte of its answer has it. */
const ANSWER = 0x80;
const MOST_A_SECOND = 1_000;

const HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'timing-allow-origin': '*',
};

/** Answers on that port by TCP and UDP. If the port is taken, the log says so, and games go on. */
export function answerEchoes(host: string, port: number): void {
  const failed = (error: Error): void => logError(`no echo on ${host}:${port}`, error);
  const http = createServer((request, response) => {
    request.resume();
    response.writeHead(204, HEADERS);
    response.end();
  });
  http.on('error', failed);
  http.listen(port, host, () =>
    log('agent', 'info', 'echo_ready', `players can measure at ${host}:${port}, by HTTP and UDP`),
  );
  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  udp.on('error', failed);
  const mayAnswer = ration(MOST_A_SECOND);
  udp.on('message', (message, { address, port: from }) => {
    const [first = ANSWER, ...rest] = message.subarray(0, MOST_BYTES + 1);
    if (message.length <= MOST_BYTES && first < ANSWER && mayAnswer()) {
      udp.send(Buffer.from([first | ANSWER, ...rest]), from, address);
    }
  });
  udp.bind(port, host);
}
