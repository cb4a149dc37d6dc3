// What a service reaches outside, for as long as it is down: a backend that hears webhooks, and a fleet that launches.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Told {
  readonly type: string;
  readonly matchId: string;
}

const PORT = { external_port: 7_777, internal_port: 7_777, protocol: 'udp', tls_enabled: false };
const RUNNING = { state: 'running', ports: [{ name: 'game_udp', host: '127.0.0.1', ...PORT }] };

export class Outside {
  /** While it is not, webhooks are refused, and launches have no answer. */
  #isUp = false;
  readonly #unanswered = new Set<ServerResponse>();
  /** What the backend has taken: types by match, in order. */
  readonly heard = new Map<string, string[]>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #launched = new Set<string>();

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Is up from now on. Whoever waits for an answer is cut off, as by any server that starts again. */
  start(): void {
    this.#isUp = true;
    this.#unanswered.forEach((response) => response.destroy());
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** How many servers it has launched. */
  get launched(): number {
    return this.#launched.size;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const isHook = request.url === '/hook';
    if (!this.#isUp) {
      if (isHook) {
        response.writeHead(503).end();
      } else {
        this.#unanswered.add(response);
      }
      return;
    }
    if (isHook) {
      const { type, matchId } = JSON.parse(body) as Told;
      this.heard.set(matchId, [...(this.heard.get(matchId) ?? []), type]);
      response.end();
      return;
    }
    if (request.method === 'POST') {
      this.#launched.add((JSON.parse(body) as { readonly instanceId: string }).instanceId);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(RUNNING));
  }
}
