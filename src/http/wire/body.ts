// Reads bodies and queries: limits their size, parses JSON or JSON lines, and applies the schemas. A POST without a
// body, with `{}` and without a content type are the same (decision 2). Refusals are thrown as Refused.

import type * as z from 'zod';
import { bytesUpTo } from '../../common/bytes';
import { isObject } from '../../common/json';
import { type Later, within } from '../../common/later';
import { BODY_LIMIT_MS, MAX_BODY_BYTES } from '../../common/limits';
import { type Issue, parseWith } from '../../common/shape';
import { refuse } from '../../common/result';
import { refuseWith, valid } from './answer';

/** Deeper JSON is refused, because stored JSON must be copied and printed recursively. */
const MAX_DEPTH = 64;

type Fields = Readonly<Record<string, unknown>>;

function tooLarge(): never {
  return refuseWith('PAYLOAD_TOO_LARGE', `The body is over ${MAX_BODY_BYTES} bytes`);
}

export function checkLength({ headers }: Pick<Request, 'headers'>): void {
  if (Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    tooLarge();
  }
}

/** Refuses PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and VALIDATION_ERROR for a body that ended early. */
export async function bytesOf(request: Request, later: Later): Promise<Uint8Array> {
  checkLength(request);
  const { body, headers } = request;
  const announced = headers.get('content-length');
  if (announced === '0' || body === null) {
    return new Uint8Array();
  }
  // Reading in one piece is faster. HTTP makes sure that the body has the announced length.
  const reading =
    announced === null
      ? bytesUpTo(MAX_BODY_BYTES, body as ReadableStream<Uint8Array>)
      : request.arrayBuffer().then((buffer) => new Uint8Array(buffer));
  const read = reading.catch(() => undefined);
  const bytes = await within({ later }, BODY_LIMIT_MS, read).catch(() =>
    refuseWith('REQUEST_TIMEOUT', `The body did not arrive within ${BODY_LIMIT_MS / 1000} seconds`),
  );
  if (bytes === undefined) {
    // The sender is gone, so nobody reads this answer, and it is no error of the service.
    return refuseWith('VALIDATION_ERROR', 'The body ended early');
  }
  return bytes === null || bytes.byteLength > MAX_BODY_BYTES ? tooLarge() : bytes;
}

function isDeeperThan(levels: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (levels === 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)))
  );
}

const SURROGATE = /\\u[dD][89a-fA-F]/;
/** Every escape, so that an escaped backslash begins none; of surrogates, whole pairs before single ones. */
const ESCAPES =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[^])/g;

/**
 * Half of a surrogate pair becomes U+FFFD, as it does in UTF-8: clients cut names in the middle of an emoji, and parsers of other
 * clients refuse a whole lobby for it (Godot's does).
 */
function wellFormed(json: string): string {
  return SURROGATE.test(json)
    ? json.replaceAll(ESCAPES, (all: string, half?: string) =>
        half === undefined ? all : '\\ufffd',
      )
    : json;
}

/**
 * An empty text is `{}`. Fields that are null at the top level count as absent, because serializers of game engines write
 * them so. Inside of `state` and `settings` null keeps its meaning. `what` names the text in a refusal.
 */
function parseObject(text: string, what = 'The body'): Fields {
  if (text.trim() === '') {
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(wellFormed(text));
  } catch (error) {
    const where = /at position \d+|[Ee]nd of JSON input/.exec(String(error))?.[0];
    const at = where === undefined ? '' : ` (${where.replace(/^E/, 'e')})`;
    return refuseWith('VALIDATION_ERROR', `${what} is not valid JSON${at}`);
  }
  if (isDeeperThan(MAX_DEPTH, value)) {
    return refuseWith('VALIDATION_ERROR', `${what} is nested deeper than ${MAX_DEPTH} levels`);
  }
  if (!isObject(value)) {
    return refuseWith('VALIDATION_ERROR', `${what} must be a JSON object`);
  }
  const entries = Object.entries(value);
  const present = entries.filter(([, field]) => field !== null);
  return present.length === entries.length ? value : Object.fromEntries(present);
}

const STRICT = { fatal: true, ignoreBOM: false };
/** A decoder that failed must not be used again. */
let decoder = new TextDecoder('utf-8', STRICT);

async function readText(request: Request, later: Later): Promise<string> {
  const bytes = await bytesOf(request, later);
  try {
    return decoder.decode(bytes);
  } catch {
    decoder = new TextDecoder('utf-8', STRICT);
    return refuseWith('VALIDATION_ERROR', 'The body is not UTF-8 text');
  }
}

/** Reads the body as an object. Refuses what `bytesOf` refuses, and VALIDATION_ERROR if it is no object. */
export async function readObject(request: Request, later: Later): Promise<Fields> {
  return parseObject(await readText(request, later));
}

/** Reads the body with its schema. Refuses VALIDATION_ERROR with a detail that names every invalid field. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>, later: Later) {
  return valid(parseWith(schema, await readObject(request, later)));
}

/** Reads JSON lines, an object a line, with the schema of their list. Empty lines do not count. A refusal names the line. */
export async function readLines<T>(request: Request, schema: z.ZodType<T>, later: Later) {
  const text = await readText(request, later);
  const lines = [...text.split('\n').entries()].filter(([, line]) => line.trim() !== '');
  const objects = lines.map(([at, line]) => parseObject(line, `Line ${at + 1}`));
  const read = parseWith(schema, objects);
  const named = (_: string, at: string, field: string): string =>
    `line ${(lines[Number(at)]?.[0] ?? 0) + 1}${field === '' ? '' : `: ${field}`}`;
  const onItsLine = (issue: Issue): Issue => {
    return { ...issue, path: issue.path.replace(/^\[(\d+)\]\.?(.*)$/, named) };
  };
  return valid(read.ok ? read : refuse(read.refusal.map(onItsLine)));
}

/** Reads the query. Empty parameters count as absent, and only the first of a repeated parameter counts. */
export function readQuery<T>(url: URL, schema: z.ZodType<T>): T {
  const present = [...url.searchParams].filter(([, value]) => value !== '');
  return valid(parseWith(schema, Object.fromEntries(present.toReversed())));
}
