// One request by its number: of the description, for the most part; then spoilt here and there, from
// its values to its bytes. The same seed and number make the same request, but for ids and codes,
// which the service draws.

import type { Random } from '../torture/random.ts';
import type { Description, Operation } from './description.ts';
import { hostile, pick, spoilt, valueOf } from './values.ts';
import { CLIENT_KEY, SERVER_KEY, type World } from './world.ts';
import { randomOf } from './volley.ts';

export interface Made {
  readonly label: string;
  readonly bytes: Buffer;
  readonly isHead: boolean;
  /** A GET or HEAD that announces a body, which nobody reads. */
  readonly isReadWithBody: boolean;
  /** Unmutated, headers and path included, so its answer must be documented. */
  readonly operation: Operation | null;
  readonly isOperators: boolean;
  /** It is complete HTTP, so it must be answered. */
  readonly isWhole: boolean;
}

const BODY = /^(Transfer-Encoding|Content-Length: [^0])/;

const CONFIGS = ['arena', 'arena', 'arena', 'ranked', 'ranked', 'den', 'open', 'a b', '__proto__'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'FOO'];
const PATHS = [
  '/',
  '/health',
  '/v3',
  '/v3/',
  '/docs',
  '/openapi.json',
  '/dashboard/',
  '/..//..',
  '*',
];
const STRANGE_PATHS = [
  '%00',
  '%E0%A4%A',
  '%2e%2e',
  '//',
  ';a=b',
  '%',
  '?',
  '#',
  '\u00e9',
  '+',
  '%ff',
];

export function made(seed: number, index: number, from: Description, world: World): Made {
  const random = randomOf(seed, index);
  const operation = pick(random, random.chance(0.5) ? from.players : from.operations);
  const player = playerId(random);
  const key = keyOf(random, operation);
  let isStrange = false;
  let method = operation.method;
  let path = pathOf(random, operation, world) + queryOf(random, operation);
  if (random.chance(0.03)) {
    isStrange = true;
    method = pick(random, METHODS);
  }
  if (random.chance(0.04)) {
    isStrange = true;
    const at = random.whole(0, path.length);
    path = random.chance(0.2)
      ? pick(random, PATHS)
      : path.slice(0, at) + pick(random, STRANGE_PATHS) + path.slice(at);
  }
  const headers: string[] = [`Host: 127.0.0.1:${world.service.port}`];
  if (key !== null) {
    headers.push(`api-key: ${key}`);
  }
  if (player !== null) {
    headers.push(`x-player-id: ${player}`);
  }
  if (random.chance(0.1)) {
    isStrange = true;
    headers.push(strangeHeader(random));
  }
  if (random.chance(0.005)) {
    isStrange = true;
    headers[0] = `Host: ${pick(random, ['evil.test', 'a b', '', '127.0.0.1:99999', '[::1', 'localhost'])}`;
  }
  const body = bodyOf(random, operation, from, world);
  const framed = frame(random, body, method);
  const lines = [`${method} ${path.replaceAll(/[\s\u0080-\uffff]/g, '%20')} HTTP/1.1`, ...headers];
  const head = Buffer.from([...lines, ...framed.headers, '', ''].join('\r\n'), 'utf8');
  let bytes: Buffer = Buffer.concat([head, framed.body]);
  let isWhole = framed.isWhole;
  if (random.chance(0.03)) {
    isWhole = false;
    bytes = flipped(random, bytes);
  }
  return {
    label: lines.join(' | ').slice(0, 300),
    bytes,
    isHead: method === 'HEAD',
    isReadWithBody: /^(GET|HEAD)$/.test(method) && framed.headers.some((each) => BODY.test(each)),
    operation: isStrange || !isWhole ? null : operation,
    isOperators: bytes.includes(SERVER_KEY),
    isWhole,
  };
}

function keyOf(random: Random, { isOperators }: Operation): string | null {
  if (random.chance(0.03)) {
    return pick(random, [null, '', 'wrong', 'x'.repeat(400), 'client_dev_key', 'server_dev_key']);
  }
  return random.chance(isOperators ? 0.8 : 0.1) ? SERVER_KEY : CLIENT_KEY;
}

function playerId(random: Random): string | null {
  if (random.chance(0.03)) {
    return pick(random, [
      null,
      '',
      ' ',
      'é',
      '\u2028',
      'x'.repeat(129),
      '%00',
      'a\tb',
      '__proto__',
    ]);
  }
  return `p${random.whole(0, 19)}`;
}

function pathOf(random: Random, { path }: Operation, { ids }: World): string {
  const prefix = random.chance(0.1) ? '/api/v3' : '/v3';
  const isOutside = /^\/(health|metrics|\.well-known)/.test(path);
  return (
    (isOutside ? '' : prefix) +
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      if (random.chance(0.03)) {
        return encodeURIComponent(wellFormed(String(hostile(random)).slice(0, 300))) || '%20';
      }
      switch (name) {
        case 'config':
          return encodeURIComponent(pick(random, CONFIGS));
        case 'playerId':
          return `p${random.whole(0, 19)}`;
        case 'id':
          return path.includes('players') ? `p${random.whole(0, 19)}` : pick(random, ids);
        default:
          return encodeURIComponent(
            pick(random, ['arena', 'ranked', 'default', 'b1', 'b2', 'toString']),
          );
      }
    })
  );
}

function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/g, '?');
}

function queryOf(random: Random, { parameters }: Operation): string {
  const given = parameters.flatMap(({ name, in: place, schema = {} }) => {
    if (place !== 'query' || random.chance(0.6)) {
      return [];
    }
    const value = random.chance(0.1) ? hostile(random) : valueOf(random, schema, {}, 1);
    const text = wellFormed(typeof value === 'string' ? value : JSON.stringify(value));
    return [`${name}=${encodeURIComponent(text.slice(0, 2_000))}`];
  });
  if (random.chance(0.02)) {
    given.push(...given, 'limit=1&limit=2', '__proto__=1');
  }
  return given.length === 0 ? '' : `?${given.join('&')}`;
}

function strangeHeader(random: Random): string {
  return pick(random, [
    'Origin: https://evil.test',
    'Origin: null',
    'Expect: 100-continue',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'If-Match: "3"',
    'If-Match: *',
    'Last-Event-ID: 99999999999999999999',
    'Authorization: Bearer a.b.c',
    'Authorization: Basic Og==',
    'x-player-token: eyJhbGciOiJub25lIn0.e30.',
    'x-player-id: p1',
    'api-key: wrong',
    'Range: bytes=0-',
    'Accept: text/event-stream',
    'Sec-Fetch-Site: cross-site',
    `Cookie: ${'a'.repeat(9_000)}`,
    'Access-Control-Request-Method: DELETE',
    'X-HTTP-Method-Override: DELETE',
    'X-Forwarded-For: 1.2.3.4, ::1',
    'Content-Encoding: gzip',
  ]);
}

function bodyOf(
  random: Random,
  { body: schema, examples, path }: Operation,
  { schemas }: Description,
  { codes, ids }: World,
): Buffer {
  if (schema === null && random.chance(0.95)) {
    return Buffer.alloc(0);
  }
  let value: unknown;
  if (random.chance(0.05)) {
    value = hostile(random);
  } else if (path.endsWith('/join') && random.chance(0.7)) {
    value = random.chance(0.5) ? { code: pick(random, codes) } : { lobbyId: pick(random, ids) };
  } else if (path.endsWith('/matchmaking') && random.chance(0.7)) {
    value = { mode: pick(random, ['duel', 'confirmed']) };
  } else if (examples.length > 0 && random.chance(0.4)) {
    value = pick(random, examples);
  } else {
    value = valueOf(random, schema ?? {}, schemas);
  }
  const text = JSON.stringify(value) ?? 'null';
  return Buffer.from(random.chance(0.06) ? spoilt(random, text) : text, 'utf8');
}

interface Framed {
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly isWhole: boolean;
}

function frame(random: Random, body: Buffer, method: string): Framed {
  if (body.length === 0 && random.chance(0.9)) {
    const isBare = method === 'GET' || method === 'HEAD' || random.chance(0.5);
    return { headers: isBare ? [] : ['Content-Length: 0'], body, isWhole: true };
  }
  const types = [
    'application/json',
    'application/json',
    'text/plain',
    'application/json; charset=x',
  ];
  const headers = [`Content-Type: ${pick(random, types)}`];
  if (random.chance(0.1)) {
    const at = random.whole(0, body.length);
    const parts = [body.subarray(0, at), body.subarray(at)].filter(({ length }) => length > 0);
    const chunks = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']);
    const all = [...chunks, '0\r\n\r\n'].map((part) => Buffer.from(part));
    headers.push('Transfer-Encoding: chunked');
    return { headers, body: Buffer.concat(all), isWhole: true };
  }
  const isWhole = !random.chance(0.01);
  const lies = [-1, 0, body.length + 5, 2 ** 53, 1e20, body.length - 1];
  headers.push(`Content-Length: ${isWhole ? body.length : pick(random, lies)}`);
  return { headers, body, isWhole };
}

function flipped(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = random.whole(1, 6); times > 0; times -= 1) {
    copy[random.whole(0, copy.length - 1)] = random.whole(0, 255);
  }
  const cut = random.chance(0.2) ? random.whole(0, copy.length) : copy.length;
  return copy.subarray(0, cut);
}
