// A collector of traces that takes what opentelemetry-proto 1 says of OTLP as JSON, and nothing else: ids in hex, 64-bit numbers and
// enumerations as the protocol writes them, no field that it does not name.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

const traceId = z.string().regex(/^(?!0{32})[\da-f]{32}$/);
const spanId = z.string().regex(/^(?!0{16})[\da-f]{16}$/);
/** fixed64, which JSON writes as a string. */
const nanos = z.string().regex(/^[1-9]\d{17,18}$/);
const attributes = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ boolValue: z.boolean() }),
      z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
      z.strictObject({ doubleValue: z.number() }),
    ]),
  }),
);

const Span = z
  .strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.int().min(0).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    events: z.array(z.strictObject({ timeUnixNano: nanos, name: z.string().min(1), attributes })),
    links: z.array(z.strictObject({ traceId, spanId })),
    status: z.strictObject({
      code: z.int().min(0).max(2).optional(),
      message: z.string().optional(),
    }),
  })
  .refine((span) => BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));

export type CollectedSpan = z.infer<typeof Span>;

const Export = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string() }), spans: z.array(Span) }),
      ),
    }),
  ),
});

/** The spans of an export. Throws if it is not one. */
function spansIn(body: unknown): readonly CollectedSpan[] {
  const { resourceSpans } = Export.parse(body);
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export class Collector {
  /** Of each call that it took. */
  readonly calls: (readonly CollectedSpan[])[] = [];
  /** Why it refused others. */
  readonly wrong: string[] = [];
  readonly #server = createServer((request, response) => {
    void this.#taken(request).then((status) => response.writeHead(status).end('{}'));
  });

  async #taken(request: Parameters<Parameters<typeof createServer>[1] & {}>[0]): Promise<number> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) {
      text += String(chunk);
    }
    const { method, url, headers } = request;
    const asked = `${method} ${url} ${String(headers['content-type'])} ${String(headers['x-token'])}`;
    try {
      if (asked !== 'POST /v1/traces application/json a b') {
        throw new Error(asked);
      }
      this.calls.push(spansIn(JSON.parse(text)));
      return 200;
    } catch (error) {
      this.wrong.push(String(error));
      return 400;
    }
  }

  /** The spans of each trace, by its id. A span that is told again counts once. */
  get traces(): ReadonlyMap<string, readonly CollectedSpan[]> {
    const spans = new Map(this.calls.flat().map((span) => [span.traceId + span.spanId, span]));
    return Map.groupBy(spans.values(), (span) => span.traceId);
  }

  async open(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
