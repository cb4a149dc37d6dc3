// The lightest client that still speaks real HTTP, because it shares the machine with the service. It keeps
// connections, and searches streams without parsing them.

import { Agent, request } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 512 });

export class Target {
  readonly #host: string;
  readonly #port: number;
  readonly #key: string;

  constructor(url: string, key: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
    this.#key = key;
  }

  #options(method: string, path: string, player: string): RequestOptions {
    return {
      agent,
      host: this.#host,
      port: this.#port,
      method,
      path: `/v3${path}`,
      headers: { 'api-key': this.#key, 'x-player-id': player },
    };
  }

  /** Resolves with any status. Rejects if the connection breaks. */
  ask(method: string, path: string, player: string, body: string | null = null): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const options = this.#options(method, path, player);
      const req = request(options, (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      req.on('error', reject);
      req.end(body ?? undefined);
    });
  }

  /** Like `ok`, but while the service says that it is behind, it asks again a little later. */
  async patiently(method: string, path: string, player: string, body: object): Promise<void> {
    for (;;) {
      const { status, text } = await this.ask(method, path, player, JSON.stringify(body));
      if (status < 300) {
        return;
      }
      if (status !== 503) {
        throw new Error(`${method} ${path} -> ${status} ${text}`);
      }
      await sleep(100);
    }
  }

  /** Like `ask`, but rejects with any status other than 2xx. */
  async ok(method: string, path: string, player: string, body: unknown = null): Promise<string> {
    const sent = body === null ? null : JSON.stringify(body);
    const { status, text } = await this.ask(method, path, player, sent);
    if (status >= 300) {
      throw new Error(`${method} ${path} -> ${status} ${text}`);
    }
    return text;
  }

  /** Passes on each chunk of the player's event stream as it arrives. Returns a function that closes the stream. */
  listen(config: string, player: string, hear: (chunk: string) => void): () => void {
    const req = request(
      this.#options('GET', `/lobbies/${config}/me/events`, player),
      (response) => {
        response.setEncoding('latin1');
        response.on('data', hear);
        response.on('error', () => undefined);
      },
    );
    req.on('error', () => undefined);
    req.end();
    return () => req.destroy();
  }
}
