// The line between a client and Muster, which a test can cut, or over which no stream gets through.

import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Line {
  /** `GET /path` of each request. */
  readonly asked: string[] = [];
  /** As some proxies do: the answer of a stream never arrives, though the connection stands. */
  holdsStreams = false;
  readonly #server: Server;

  private constructor(to: string) {
    this.#server = createServer((asked, answer) => {
      this.asked.push(`${asked.method} ${asked.url}`);
      if (this.holdsStreams && asked.url?.includes('/events') === true) {
        return;
      }
      const { method, headers } = asked;
      const passed = request(`${to}${asked.url}`, { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 500, got.headers);
        got.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      asked.pipe(passed);
    });
  }

  static async to(url: string): Promise<Line> {
    const line = new Line(url);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Breaks every connection. New ones are taken. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.close();
    this.cut();
  }
}
