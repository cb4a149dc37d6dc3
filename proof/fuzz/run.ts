// Sends requests and judges the answers. A fault is an answer of 5xx that is no refusal, one that the
// description does not state, one that is no error body, a silence, or a text that is another's.

import { description } from './description.ts';
import { made, type Made } from './requests.ts';
import { LIMIT_MS, volley } from './volley.ts';
import { closeIdle, send, sendAlone, type Answer } from './wire.ts';
import { FOREIGN, PRIVATE, World } from './world.ts';
import { isOfWrangler } from './wrangler.ts';

export interface Fuzzing {
  readonly requests: number;
  readonly seed: number;
  /** Number of the first request. */
  readonly from?: number;
  /** Under `wrangler dev`. */
  readonly isEdge?: boolean;
  readonly tell?: (line: string) => void;
}

export interface Fuzzed {
  /** Each with the number that reproduces it. */
  readonly faults: readonly string[];
  readonly statuses: Readonly<Record<number, number>>;
  /** Answers that the proxy of `wrangler dev` gave by itself. */
  readonly proxys: number;
  readonly operations: number;
  readonly ms: number;
}

const MENDED_EACH = 50;
const MOST_FAULTS = 50;
/** Refusals that mean: not now. */
const PASSING = /"code":"(OVERLOADED|CLOSED|LAUNCH_FAILED|CODES_EXHAUSTED|SERVERS_EXHAUSTED)"/;

export async function fuzz({
  requests,
  seed,
  from = 0,
  isEdge = false,
  tell,
}: Fuzzing): Promise<Fuzzed> {
  const begun = performance.now();
  const api = await description();
  const world = await World.made(isEdge);
  const faults: string[] = [];
  const statuses: Record<number, number> = {};
  const insiders = new Set<string>();
  let proxys = 0;
  const shoot = async (index: number): Promise<void> => {
    if (index % MENDED_EACH === 0) {
      await world.mended();
    }
    const request = made(seed, index, api, world);
    const player = /x-player-id: (\S+)/.exec(request.label)?.[1] ?? '';
    if (request.isOperators && request.label.includes('/den/join')) {
      // The server key may bring anybody into the private lobby.
      insiders.add(player);
    }
    const answer = await ask(request, world);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    const isProxys = isEdge && isOfWrangler(request, answer);
    const wrong = isProxys ? null : wrongIn(request, answer, insiders.has(player));
    proxys += isProxys ? 1 : 0;
    if (wrong !== null) {
      faults.push(`${index}: ${wrong}: ${request.label}`);
      tell?.(faults.at(-1) ?? '');
    }
    if (index % 10_000 === 0 && index > from) {
      tell?.(`${index}: ${JSON.stringify(statuses)}, ${faults.length} faults`);
    }
  };
  try {
    await volley({ from, count: requests }, () => faults.length >= MOST_FAULTS, shoot);
    faults.push(...(await world.aftermath()));
  } finally {
    closeIdle();
    await world.end();
  }
  const ms = performance.now() - begun;
  return { faults, statuses, proxys, operations: api.operations.length, ms };
}

function ask({ bytes, isHead, isWhole }: Made, { service }: World): Promise<Answer> {
  const sending = { port: service.port, bytes, isHead, limitMs: LIMIT_MS };
  return isWhole ? send(sending) : sendAlone(sending);
}

function wrongIn(request: Made, answer: Answer, isInsider: boolean): string | null {
  const { status, head, body, isHung, isStream } = answer;
  const { operation, isOperators, isWhole, isHead } = request;
  const shown = head + body;
  if (shown.includes(FOREIGN)) {
    return `${status} shows what is of another project`;
  }
  if (shown.includes(PRIVATE) && !isOperators && !isInsider) {
    return `${status} shows a private lobby`;
  }
  if (isHung) {
    return 'no answer';
  }
  if (status === 0) {
    return isWhole ? 'closed without an answer' : null;
  }
  // The runtime refuses invalid methods.
  if (status >= 500 && status !== 501 && !PASSING.test(body)) {
    return `${status} ${body.slice(0, 200)}`;
  }
  if (operation === null || isStream) {
    return null;
  }
  if (!operation.stated.has(status)) {
    return `${status} is not stated for ${operation.method} ${operation.path}: ${body.slice(0, 200)}`;
  }
  const isProblem = /"error":".*"detail":.*"status":\d+,"code":"[A-Z_]+"/s.test(body);
  return status >= 400 && !isHead && !isProblem
    ? `${status} without an error body: ${body.slice(0, 200)}`
    : null;
}
