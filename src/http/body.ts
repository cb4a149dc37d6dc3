// Reads bodies and queries: limits their size, parses JSON or JSON lines, and applies the schemas. A POST without a
// body, with `{}` and without a content type are the same (decision 2).

import type { Later } from '../common/later';
import type * as z from 'zod';
import { bytesUpTo } from '../common/bytes';
import { isObject } from '../common/json';
import { BODY_LIMIT_MS, MAX_BODY_BYTES } from '../common/limits';
import { within } from '../objects/kit/within';
import { refusal, type Reply } from '../lobby/refusals';
import { type Issue, parseWith } from '../common/shape';
import { ok } from '../common/result';

/** Deeper JSON is refused, because stored JSON must be copied and printed recursively. */
const MAX_DEPTH = 64;

export const TOO_LARGE = refusal('PAYLOAD_TOO_LARGE', `The body is over ${MAX_BODY_BYTES} bytes`);

const TOO_SLOW = refusal(
  'REQUEST_TIMEOUT',
  `The body did not arrive within ${BODY_LIMIT_MS / 1000} seconds`,
);

/** The sender is gone, so nobody reads this answer, and it is no error of the service. */
const BROKEN_OFF = refusal('VALIDATION_ERROR', 'The body ended early');

/** Reads a body without an announced length, and stops at the limit. */
async function gathered(body: ReadableStream): Promise<Reply<Uint8Array>> {
  const bytes = await bytesUpTo(MAX_BODY_BYTES, body as ReadableStream<Uint8Array>);
  return bytes === null ? TOO_LARGE : ok(bytes);
}

/** Reads a body in one piece, which is faster. HTTP makes sure that it has the announced length. */
async function whole(request: Request): Promise<Reply<Uint8Array>> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > MAX_BODY_BYTES ? TOO_LARGE : ok(bytes);
}

/** As far as the request announces how long its body is. */
export function isTooLarge({ headers }: Pick<Request, 'headers'>): boolean {
  return Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
}

const NOTHING = new Uint8Array();

/** Refuses PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and VALIDATION_ERROR for a body that ended early. */
async function bytesOf(request: Request, later: Later): Promise<Reply<Uint8Array>> {
  const announced = request.headers.get('content-length');
  if (isTooLarge(request)) {
    return TOO_LARGE;
  }
  if (announced === '0' || request.body === null) {
    return ok(NOTHING);
  }
  const reading = announced === null ? gathered(request.body) : whole(request);
  const told = reading.catch(() => BROKEN_OFF);
  return within({ later }, BODY_LIMIT_MS, told).catch(() => TOO_SLOW);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))
  );
}

/**
 * Parses an object. An empty text is `{}`. Fields that are null at the top level count as absent, because
 * serializers of game engines write them that way. Inside of `state` and `settings` null keeps its meaning. `what` is
 * the text's name in a refusal.
 */
function parseObject(text: string, what = 'The body'): Reply<Readonly<Record<string, unknown>>> {
  if (text.trim() === '') {
    return ok({});
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const where = /at position \d+|[Ee]nd of JSON input/.exec(String(error))?.[0];
    return refusal(
      'VALIDATION_ERROR',
      `${what} is not valid JSON${where === undefined ? '' : ` (${where.replace(/^[Ee]/, 'e')})`}`,
    );
  }
  if (isDeeperThan(MAX_DEPTH, value)) {
    return refusal('VALIDATION_ERROR', `${what} is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (!isObject(value)) {
    return refusal('VALIDATION_ERROR', `${what} must be a JSON object`);
  }
  const entries = Object.entries(value);
  const given = entries.filter(([, field]) => field !== null);
  return ok(given.length === entries.length ? value : Object.fromEntries(given));
}

function newDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
}

/** The decoder. A decoder that failed must not be used again. */
let decoder = newDecoder();

async function readText(request: Request, later: Later): Promise<Reply<string>> {
  const bytes = await bytesOf(request, later);
  if (!bytes.ok) {
    return bytes;
  }
  try {
    return ok(decoder.decode(bytes.value));
  } catch {
    decoder = newDecoder();
    return refusal('VALIDATION_ERROR', 'The body is not UTF-8 text');
  }
}

/** Reads the body as an object. Refuses PAYLOAD_TOO_LARGE, and VALIDATION_ERROR if it is no object. */
export async function readObject(
  request: Request,
  later: Later,
): Promise<Reply<Readonly<Record<string, unknown>>>> {
  const text = await readText(request, later);
  return text.ok ? parseObject(text.value) : text;
}

/** Reads the body with its schema. Refuses VALIDATION_ERROR with a detail that names the field. */
export async function readBody<T>(
  request: Request,
  schema: z.ZodType<T>,
  later: Later,
): Promise<Reply<T>> {
  const sent = await readObject(request, later);
  return sent.ok ? validate(sent.value, schema) : sent;
}

/**
 * Reads a body of JSON lines, an object a line, with the schema of the list of them. Empty lines do not count. Refuses
 * VALIDATION_ERROR with a detail that names the line and the field.
 */
export async function readLines<T>(
  request: Request,
  schema: z.ZodType<T>,
  later: Later,
): Promise<Reply<T>> {
  const text = await readText(request, later);
  if (!text.ok) {
    return text;
  }
  const objects: unknown[] = [];
  const numbers: number[] = [];
  for (const [at, line] of text.value.split('\n').entries()) {
    if (line.trim() !== '') {
      const read = parseObject(line, `Line ${at + 1}`);
      if (!read.ok) {
        return read;
      }
      objects.push(read.value);
      numbers.push(at + 1);
    }
  }
  const read = parseWith(schema, objects);
  const named = (_: string, at: string, field: string): string =>
    `line ${numbers[Number(at)]}${field === '' ? '' : `: ${field}`}`;
  return read.ok
    ? read
    : invalid(
        read.refusal.map(({ path, message }) => {
          return { path: path.replace(/^\[(\d+)\]\.?(.*)$/, named), message };
        }),
      );
}

/** Reads the query. Empty parameters count as absent, and only the first of a repeated parameter counts. */
export function readQuery<T>(url: URL, schema: z.ZodType<T>): Reply<T> {
  const given = new Map<string, string>();
  for (const [key, value] of url.searchParams) {
    if (value !== '' && !given.has(key)) {
      given.set(key, value);
    }
  }
  return validate(Object.fromEntries(given), schema);
}

/** Refuses VALIDATION_ERROR with a detail that names every invalid field. */
function validate<T>(value: unknown, schema: z.ZodType<T>): Reply<T> {
  const result = parseWith(schema, value);
  return result.ok ? result : invalid(result.refusal);
}

/** The refusal for these issues. Its detail is one line with all issues, and `issues` is for programs. */
export function invalid(issues: readonly Issue[]): ReturnType<typeof refusal> {
  const details = issues.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  const { refusal: told } = refusal('VALIDATION_ERROR', details.join('; '));
  return { ok: false, refusal: { ...told, issues } };
}
