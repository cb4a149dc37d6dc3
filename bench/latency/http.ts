// The lightest client that still speaks real HTTP: it shares the machine with the service, and what
// it takes of it the service has not. Connections are kept; streams are searched, not parsed.

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

  /** Any status resolves; a connection that breaks rejects. */
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

  /** As `ok`, but asks again, a little later, while the service says that it is behind. */
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

  /** As `ask`, but anything else than a 2xx rejects. */
  async ok(method: string, path: string, player: string, body: unknown = null): Promise<string> {
    const sent = body === null ? null : JSON.stringify(body);
    const { status, text } = await this.ask(method, path, player, sent);
    if (status >= 300) {
      throw new Error(`${method} ${path} -> ${status} ${text}`);
    }
    return text;
  }

  /** Hands over each chunk of the player's event stream as it comes; answers how to hang up. */
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
