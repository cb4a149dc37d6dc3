// A bucket as S3 has it, simulated: what workerd's cluster mode asks of one, in memory, with the faults that buckets have.
// Programs share it over its port; `node proof/torture/s3.ts PORT` runs one, whose faults are set by
// `GET /__fault?kind=…&delayMs=…`.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `gone`: no connection is answered. `hang`: no request is. `denied`: 403. `full`: nothing can be written. `unconditional`:
 * conditions of writes are ignored. `failing`: 500.
 */
export type BucketFault =
  | 'none'
  | 'gone'
  | 'hang'
  | 'denied'
  | 'full'
  | 'unconditional'
  | 'failing';

interface Stored {
  readonly body: Buffer;
  readonly etag: string;
  readonly at: string;
}

interface Answered {
  readonly status: number;
  readonly head?: Readonly<Record<string, string>>;
  /** Of a refusal, its code. */
  readonly sent?: string | Buffer;
}

interface Counts {
  puts: number;
  gets: number;
  lists: number;
  deletes: number;
  /** Bytes of bodies that were written. */
  bytesUp: number;
}

const NOTHING: Counts = { puts: 0, gets: 0, lists: 0, deletes: 0, bytesUp: 0 };

export class Bucket {
  readonly #stored = new Map<string, Stored>();
  fault: BucketFault = 'none';
  /** How long each answer takes, in milliseconds. */
  delayMs = 0;
  counts: Counts = { ...NOTHING };

  /** Keys of what is stored. */
  get keys(): readonly string[] {
    return [...this.#stored.keys()];
  }

  get storedBytes(): number {
    return [...this.#stored.values()].reduce((sum, { body }) => sum + body.length, 0);
  }

  textOf(key: string): string | null {
    return this.#stored.get(key)?.body.toString() ?? null;
  }

  serve(request: IncomingMessage, answer: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://bucket');
    if (url.pathname === '/__fault') {
      this.fault = (url.searchParams.get('kind') ?? this.fault) as BucketFault;
      this.delayMs = Number(url.searchParams.get('delayMs') ?? this.delayMs);
      answer.end(`${JSON.stringify({ ...this.counts, keys: this.keys.length })}\n`);
      return;
    }
    if (this.fault === 'gone') {
      request.socket.destroy();
      return;
    }
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const run = (): void => this.#answer(request, answer, url, Buffer.concat(pieces));
      if (this.fault !== 'hang') {
        setTimeout(run, this.delayMs);
      }
    });
  }

  #answer(request: IncomingMessage, answer: ServerResponse, url: URL, body: Buffer): void {
    const { method = 'GET', headers } = request;
    const key = decodeURIComponent(url.pathname).split('/').slice(2).join('/');
    const { status, head = {}, sent } = this.#asked(method, key, url.searchParams, [headers, body]);
    const isError = status >= 400;
    const text = isError
      ? `<?xml version="1.0"?><Error><Code>${String(sent)}</Code><Message>${String(sent)}</Message></Error>`
      : sent;
    const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
    const type = isError ? { 'content-type': 'application/xml' } : {};
    answer.writeHead(status, { date: new Date().toUTCString(), ...type, ...length, ...head });
    answer.end(method === 'HEAD' ? undefined : text);
  }

  #asked(
    method: string,
    key: string,
    query: URLSearchParams,
    [headers, body]: readonly [IncomingHttpHeaders, Buffer],
  ): Answered {
    if (this.fault === 'denied') {
      return { status: 403, sent: 'AccessDenied' };
    }
    if (this.fault === 'failing') {
      return { status: 500, sent: 'InternalError' };
    }
    if (method === 'GET' && (key === '' || query.has('list-type'))) {
      this.counts.lists += 1;
      return { status: 200, head: { 'content-type': 'application/xml' }, sent: this.#list(query) };
    }
    if (method === 'POST' && query.has('delete')) {
      for (const [, name = ''] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) {
        this.#stored.delete(name);
      }
      return { status: 200, head: { 'content-type': 'application/xml' }, sent: '<DeleteResult/>' };
    }
    if (method === 'PUT' || method === 'DELETE') {
      return this.#write(method, key, headers, body);
    }
    return method === 'GET' || method === 'HEAD'
      ? this.#read(key, headers)
      : { status: 501, sent: 'NotImplemented' };
  }

  #write(method: string, key: string, headers: IncomingHttpHeaders, body: Buffer): Answered {
    const stored = this.#stored.get(key);
    const wanted = headers['if-match']?.replaceAll('"', '');
    const isHeld = this.fault !== 'unconditional';
    const isNew = stored === undefined;
    if (
      isHeld &&
      wanted !== undefined &&
      wanted !== stored?.etag &&
      !(isNew && method === 'DELETE')
    ) {
      return isNew
        ? { status: 404, sent: 'NoSuchKey' }
        : { status: 412, sent: 'PreconditionFailed' };
    }
    if (method === 'DELETE') {
      this.counts.deletes += 1;
      this.#stored.delete(key);
      return { status: 204 };
    }
    this.counts.puts += 1;
    this.counts.bytesUp += body.length;
    if (this.fault === 'full') {
      return { status: 507, sent: 'InsufficientStorage' };
    }
    if (isHeld && headers['if-none-match'] === '*' && !isNew) {
      return { status: 412, sent: 'PreconditionFailed' };
    }
    const etag = randomUUID();
    this.#stored.set(key, { body, etag, at: new Date().toISOString() });
    return { status: 200, head: { etag: `"${etag}"` }, sent: '' };
  }

  #read(key: string, headers: IncomingHttpHeaders): Answered {
    this.counts.gets += 1;
    const stored = this.#stored.get(key);
    if (stored === undefined) {
      return { status: 404, sent: 'NoSuchKey' };
    }
    const { body, at } = stored;
    const etag = `"${stored.etag}"`;
    if (headers['if-none-match'] === etag) {
      return { status: 304, head: { etag } };
    }
    const known = { etag, 'last-modified': new Date(at).toUTCString() };
    const range = /bytes=(\d+)-(\d*)/.exec(headers.range ?? '');
    if (range === null) {
      return { status: 200, head: known, sent: body };
    }
    const from = Number(range[1]);
    const part = body.subarray(from, range[2] ? Number(range[2]) + 1 : undefined);
    const within = `bytes ${from}-${from + part.length - 1}/${body.length}`;
    return { status: 206, head: { ...known, 'content-range': within }, sent: part };
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const most = Number(query.get('max-keys') ?? 1_000);
    const folders = new Set<string>();
    const found: string[] = [];
    for (const key of this.keys
      .filter((each) => each.startsWith(prefix) && each > after)
      .toSorted()) {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      if (end >= 0) {
        folders.add(key.slice(0, end + 1));
      } else {
        found.push(key);
      }
    }
    const page = found.slice(0, most);
    const isCut = found.length > most;
    const next = isCut
      ? `<NextContinuationToken>${escaped(page.at(-1) ?? '')}</NextContinuationToken>`
      : '';
    const contents = page.map((key) => {
      const { etag = '', at = '', body } = this.#stored.get(key) ?? {};
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${at}</LastModified><ETag>&quot;${etag}&quot;</ETag><Size>${body?.length ?? 0}</Size><StorageClass>STANDARD</StorageClass></Contents>`;
    });
    const above = [...folders].map(
      (each) => `<CommonPrefixes><Prefix>${escaped(each)}</Prefix></CommonPrefixes>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>${escaped(prefix)}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}${above.join('')}</ListBucketResult>`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export interface BucketServer {
  readonly bucket: Bucket;
  readonly port: number;
  /** The variables by which workerd reaches it. */
  readonly access: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves a new bucket on 127.0.0.1. `port` 0: a free one. */
export async function startBucket(port = 0): Promise<BucketServer> {
  const bucket = new Bucket();
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, answer) =>
    bucket.serve(request, answer),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    bucket,
    port: bound,
    access: {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${bound}`,
      AWS_REGION: 'auto',
      AWS_ACCESS_KEY_ID: 'simulated',
      AWS_SECRET_ACCESS_KEY: 'simulated',
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (import.meta.main) {
  const { port, access } = await startBucket(Number(process.argv[2] ?? 9_000));
  console.log(`a simulated bucket on port ${port}: ${JSON.stringify(access)}`);
}
