// A fleet behind a small HTTP protocol, which the local agent and every `http` fleet implement:
//   POST   {url}/servers       LaunchSpec -> 200 or 201 `{state, ports}`, else `{error, detail}`:
//                              503 `no_capacity`, 4xx `refused` (with `about: "order"` if the build is not at
//                              fault), 410 `stopped`
//   GET    {url}/servers/{id}  -> 200 `{state, ports}`, 404 `{error: "unknown"}`
//   DELETE {url}/servers/{id}  -> 200 gone, 202 ending; also for an id that never existed
// and optionally:
//   GET    {url}/servers/{id}/logs?limit=200  -> 200 `{logs: [{timestamp, message}]}`
//   POST   {url}/check         `{build}` -> 200 `{problem}`: a text or null
// Any other answer counts as silence, for example a 503 or 404 of a proxy in between. Calls to an `http` fleet are signed:
//   muster-timestamp   the time of signing, seconds since 1970
//   muster-nonce       a new value for each call
//   muster-signature   v1=hex(HMAC-SHA256(secret, timestamp \n nonce \n METHOD \n path \n body))
// with `path` below the fleet's url. The receiver refuses a wrong signature, a timestamp that is off by more than
// five minutes, and a nonce that it has seen, so nobody can replay a call.

import * as z from 'zod';
import { lastBytes, MAX_DETAIL, MAX_OUTPUT_BYTES, MAX_SIGNAL, uncoloured } from './output';
import { inTime } from '../common/later';
import { messageOf } from '../common/result';
import type { Fleet, Inspection, Launched, LaunchFailure, LogLine } from './port';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hmacOf } from '../common/signed';

export interface TimeLimits {
  readonly launchMs: number;
  /** Milliseconds for the other requests. */
  readonly askMs: number;
}

/** Time limit of a check. Somebody waits for the save of a build, and the warning is optional. */
const CHECK_MS = 2_000;

export const TIME_LIMITS: TimeLimits = { launchMs: 10_000, askMs: 5_000 };

/** The signed parts of a request. `path` is below the fleet's url. */
export interface Question {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Empty without a body. */
  readonly body: string;
  /** The id of the player's or operator's request that led to this one. */
  readonly requestId?: string | undefined;
}

interface RestFleetOptions extends Omit<SecretFleetOptions, 'secret'> {
  /** The name of the receiver, for messages. */
  readonly who: string;
  readonly credentials: (question: Question) => Promise<Readonly<Record<string, string>>>;
}

export interface RestAnswer {
  readonly status: number;
  /** Null if it is not JSON. */
  readonly body: unknown;
}

export interface Fetcher {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

export const OWN_FETCHER: Fetcher = { fetch: (url, init) => fetch(url, init) };

/** Asks a service that speaks JSON. Throws if it does not answer in time. */
export async function askJson(
  fetcher: Fetcher,
  url: string,
  init: { readonly method: string; readonly body: string; readonly headers: object },
  limitMs: number,
): Promise<RestAnswer> {
  const { method, body, headers } = init;
  const ask = async (signal: AbortSignal) => {
    const response = await fetcher.fetch(url, {
      method,
      ...(body === '' ? {} : { body }),
      headers: { 'content-type': 'application/json', ...headers },
      // Redirects are not followed, because only the operator may say where requests go.
      redirect: 'manual',
      signal,
    });
    return { status: response.status, text: await response.text() };
  };
  const { status, text } = await inTime(limitMs, ask);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    return { status, body: null };
  }
}

const said = z.string().catch('');
const Failed = z
  .object({ error: said, detail: said, drains: said, about: z.unknown().optional() })
  .catch({ error: '', detail: '', drains: '' });

const Stated = z.object({ state: z.enum(['launching', 'running', 'stopped']) });

const ToldPort = z.object({
  name: z.string(),
  host: z.string(),
  external_port: z.int(),
  internal_port: z.int(),
  protocol: z.string(),
  tls_enabled: z.boolean(),
});
const WithPorts = z.object({ ports: z.array(ToldPort) });

function told(change: (text: string) => string): z.ZodType<string | null> {
  return z.string().transform(change).nullable().catch(null);
}

/** The ending in an answer. A field that is missing or has another type is not known. */
const Ended = z.object({
  exit_code: z.int().nullable().catch(null),
  signal: told((text) => text.slice(0, MAX_SIGNAL)),
  output: told((text) => lastBytes(uncoloured(text), MAX_OUTPUT_BYTES)),
  detail: told((text) => text.slice(0, MAX_DETAIL)),
  asked: z.boolean().optional().catch(undefined),
});

const Line = z.object({
  message: z.string(),
  timestamp: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
});
const Logged = z.object({ logs: z.array(z.unknown()) });

const Checked = z.object({ problem: z.string().nullable().catch(null) });

/** decision 37; docs/internals/design.md: A game server. */
function restFleet(options: RestFleetOptions): Fleet {
  const { who, credentials, timeLimits = TIME_LIMITS } = options;
  const base = options.url.replace(/\/+$/, '');

  async function call(question: Question, limitMs: number): Promise<RestAnswer> {
    const { method, path, body, requestId } = question;
    const traced = requestId === undefined ? {} : { 'x-request-id': requestId };
    const headers = { ...traced, ...(await credentials(question)) };
    return askJson(OWN_FETCHER, base + path, { method, body, headers }, limitMs);
  }

  function server(instanceId: string): string {
    return `/servers/${encodeURIComponent(instanceId)}`;
  }

  /** What an answer says, or an error that says what is missing. */
  function read<T>(schema: z.ZodType<T>, body: unknown, missing: string): T {
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
      throw new Error(`the ${who} answered without ${missing}`);
    }
    return parsed.data;
  }

  return {
    tells: true,

    async launch(spec): Promise<Launched> {
      try {
        const question = { method: 'POST', path: '/servers', body: JSON.stringify(spec) } as const;
        const { launchMs } = timeLimits;
        const answer = await call({ ...question, requestId: spec.requestId }, launchMs);
        if (answer.status === 200 || answer.status === 201) {
          return { ok: true, ports: read(WithPorts, answer.body, 'ports').ports };
        }
        const failure = { reason: failureOf(answer), detail: detailOf(answer) };
        const ofOrder = Failed.parse(answer.body).about === 'order';
        return { ok: false, ...failure, ...(ofOrder && { ofOrder }) };
      } catch (error) {
        return { ok: false, reason: 'unreachable', detail: messageOf(error) };
      }
    },

    async inspect(instanceId): Promise<Inspection> {
      const question = { method: 'GET', path: server(instanceId), body: '' } as const;
      const answer = await call(question, timeLimits.askMs);
      const { status, body } = answer;
      const { error, drains } = Failed.parse(body);
      if (status === 404 && error === 'unknown') {
        return { state: 'unknown', ports: [], ...(drains !== '' && { drains }) };
      }
      if (status !== 200) {
        throw new Error(`the ${who} did not report on ${instanceId}: ${detailOf(answer)}`);
      }
      const { state } = read(Stated, body, 'a state');
      return { state, ports: read(WithPorts, body, 'ports').ports, ending: Ended.parse(body) };
    },

    async stop(instanceId): Promise<void> {
      const question = { method: 'DELETE', path: server(instanceId), body: '' } as const;
      const answer = await call(question, timeLimits.askMs);
      if (answer.status !== 200 && answer.status !== 202) {
        throw new Error(`the ${who} did not stop ${instanceId}: ${detailOf(answer)}`);
      }
    },

    async logs(instanceId, limit): Promise<readonly LogLine[] | null> {
      const path = `${server(instanceId)}/logs?limit=${limit}`;
      const answer = await call({ method: 'GET', path, body: '' }, timeLimits.askMs);
      const { status, body } = answer;
      // A receiver without the logs route answers some 4xx. Any other answer counts as silence.
      if (status !== 200 && (status < 400 || status >= 500)) {
        throw new Error(`the ${who} did not answer with lines: ${detailOf(answer)}`);
      }
      const logged = Logged.safeParse(body).data?.logs;
      const lines = logged?.flatMap((line) => Line.safeParse(line).data ?? []);
      return status === 200 ? (lines?.slice(-limit) ?? null) : null;
    },

    async check(build): Promise<string | null> {
      const question = { method: 'POST', path: '/check', body: JSON.stringify({ build }) } as const;
      const { status, body } = await call(question, Math.min(timeLimits.askMs, CHECK_MS));
      return status === 200 ? (Checked.safeParse(body).data?.problem ?? null) : null;
    },
  };
}

/** Why a launch failed. Only an error that the fleet itself names counts. */
function failureOf({ status, body }: RestAnswer): LaunchFailure {
  const { error } = Failed.parse(body);
  if (status === 503 && error === 'no_capacity') {
    return 'no_capacity';
  }
  if (status === 410 && error === 'stopped') {
    return 'ended';
  }
  const isRefused = error === 'refused' || error === 'unauthorized';
  return isRefused && status >= 400 && status < 500 ? 'refused' : 'unreachable';
}

function detailOf({ status, body }: RestAnswer): string {
  const { detail } = Failed.parse(body);
  return detail === '' ? `status ${status}` : detail;
}

export interface SecretFleetOptions {
  /** Address of the agent, or of the operator's receiver. */
  readonly url: string;
  /** The agent's bearer secret, or the one shared with the receiver: 32 random characters or more. */
  readonly secret: string;
  readonly timeLimits?: TimeLimits | undefined;
}

/** The agent of one machine (`agent/`), which starts a process for each server, and is idempotent by instance id. */
export function localFleet({ url, secret, timeLimits }: SecretFleetOptions): Fleet {
  const headers = { authorization: `Bearer ${secret}` };
  return restFleet({ url, who: 'agent', timeLimits, credentials: async () => headers });
}

export interface Signed extends Question {
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** The value of `muster-signature` for a call. */
export async function signature(secret: string, signed: Signed): Promise<string> {
  const { timestamp, nonce, method, path, body } = signed;
  const text = [timestamp, nonce, method, path, body].join('\n');
  return `v1=${bytesToHex(await hmacOf('SHA-256', secret, text))}`;
}

export async function signedHeaders(secret: string, question: Question) {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = crypto.randomUUID();
  return {
    'muster-timestamp': String(timestamp),
    'muster-nonce': nonce,
    'muster-signature': await signature(secret, { ...question, timestamp, nonce }),
  };
}

/** Any other fleet, at an address of the operator. Idempotent by instance id as long as the receiver is. */
export function httpFleet({ url, secret, timeLimits }: SecretFleetOptions): Fleet {
  const credentials = (question: Question) => signedHeaders(secret, question);
  return restFleet({ url, who: 'fleet', timeLimits, credentials });
}
