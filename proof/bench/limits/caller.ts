// A client that costs as little as possible: keep-alive connections, whole answers, and an address as a proxy would
// report it.

import { Agent, request } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export interface From {
  readonly url: string;
  readonly key: string;
  /** The client address that the proxy reports. Null: none. */
  readonly address: string | null;
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 1_024 });

/** `line` is a request line such as `GET /lobbies/x/me`. Rejects if the connection breaks. */
export function call(
  { url, key, address }: From,
  line: string,
  player: string,
  body?: object,
): Promise<Answered> {
  const [method = '', path = ''] = line.split(' ');
  const { hostname: host, port } = new URL(url);
  const headers = {
    'api-key': key,
    'x-player-id': player,
    ...(address === null ? {} : { 'x-real-ip': address }),
  };
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const options = { agent, host, port, method, path: `/v3${path}`, headers };
    const asked = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - begun });
      });
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Runs all tasks, this many at once. */
export async function eachOf<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
