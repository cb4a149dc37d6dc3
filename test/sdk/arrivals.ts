// Stands between the clients of a harness and the service, in a thread that does nothing else, and says
// when bytes arrived: an answer by the header `x-arrived`, what a stream says by a line `arrived: `.
// A client whose own thread stalls can so be told from a service that speaks too early. This thread may
// be held up as well, and then cannot know when the bytes came: it gives the earliest and latest instant.

import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { AddressInfo } from 'node:net';

const LINE_FEED = 10;
const TICK_MS = 1;

export interface Arrivals {
  readonly url: string;
  stop(): Promise<void>;
}

/** Between which instants something has arrived: epoch ms. */
export interface Arrival {
  readonly earliest: number;
  readonly latest: number;
}

/** From what the thread wrote; what nobody noted arrives as it is read. */
export function arrivalOf(text: string | null): Arrival {
  const now = instant();
  const [earliest = now, latest = now] = text?.split(' ').map(Number) ?? [];
  return { earliest, latest };
}

/** Epoch ms with fractions: the same in every thread. */
export function instant(): number {
  return performance.timeOrigin + performance.now();
}

/** Passes everything on to the service at `target`. */
export async function startArrivals(target: string): Promise<Arrivals> {
  const worker = new Worker(new URL(import.meta.url), { workerData: target });
  const url = await new Promise<string>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    url,
    stop: async () => {
      await worker.terminate();
    },
  };
}

/** Timers come just before a look at what has arrived: what the look after `looks[0]` missed came later. */
let looks: readonly [number, number] = [instant(), instant()];

function stamp(): string {
  return `${looks[0]} ${instant()}`;
}

/** A line must not come in the middle of another one. */
function passStamped(from: IncomingMessage, to: ServerResponse): void {
  let isNewLine = true;
  from.on('data', (chunk: Buffer) => {
    to.write(isNewLine ? Buffer.concat([Buffer.from(`arrived: ${stamp()}\n`), chunk]) : chunk);
    isNewLine = chunk.at(-1) === LINE_FEED;
  });
  from.on('end', () => to.end());
  from.on('error', () => to.destroy());
}

function serve(target: string): void {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true });
  setInterval(() => {
    looks = [looks[1], instant()];
  }, TICK_MS);
  const server = createServer((asked, answer) => {
    const { method = 'GET', url = '/', headers } = asked;
    const onward = request({ hostname, port, agent, method, path: url, headers }, (response) => {
      const { statusCode = 500, headers: given } = response;
      answer.writeHead(statusCode, { ...given, 'x-arrived': stamp() });
      if (given['content-type'] === 'text/event-stream') {
        answer.flushHeaders();
        passStamped(response, answer);
      } else {
        response.pipe(answer);
      }
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1', () => {
    const { port: own } = server.address() as AddressInfo;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(`http://127.0.0.1:${own}`);
  });
}

if (!isMainThread && typeof workerData === 'string') {
  serve(workerData);
}
