// Where players measure how far away this machine is: what comes by UDP goes back, and every HTTP request gets an empty
// answer that any page may read. A port of its own, because the agent's API is kept off open networks.

import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';

import { log, logError } from './log.ts';

/** Longer packets get no answer, so nobody gains by sending in the name of another. */
const MOST_BYTES = 64;

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
  udp.on('message', (message, { address, port: from }) => {
    if (message.length <= MOST_BYTES) {
      udp.send(message, from, address);
    }
  });
  udp.bind(port, host);
}
