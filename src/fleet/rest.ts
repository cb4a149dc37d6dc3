// A fleet behind a small HTTP protocol, which the local agent and every `http` fleet implement:
//   POST   {url}/servers       LaunchSpec -> 200 or 201 `{state, ports}`, else `{error, detail}`:
//                              503 `no_capacity`, 4xx `refused`, 410 `stopped`
//   GET    {url}/servers/{id}  -> 200 `{state, ports}`, 404 `{error: "unknown"}`
//   DELETE {url}/servers/{id}  -> 200 gone, 202 ending; also for an id that never existed
// and optionally:
//   GET    {url}/servers/{id}/logs?limit=200  -> 200 `{logs: [{timestamp, message}]}`
//   POST   {url}/check         `{build}` -> 200 `{problem}`: a text or null
// Any other answer counts as silence, for example a 503 or 404 of a proxy in between.

import { isObject } from '../common/json';
import { lastBytes, MAX_DETAIL, MAX_OUTPUT_BYTES, MAX_SIGNAL } from './output';
import type {
  Ending,
  Fleet,
  Inspection,
  Launched,
  LaunchFailure,
  LogLine,
  Port,
  ServerStatus,
} from './port';

export interface TimeLimits {
  /** Milliseconds that a launch may take to answer. */
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

export interface RestFleetOptions {
  readonly url: string;
  /** The name of the receiver, for messages. */
  readonly who: string;
  /** The headers that authenticate us to the fleet. */
  readonly credentials: (question: Question) => Promise<Readonly<Record<string, string>>>;
  readonly timeLimits?: TimeLimits | undefined;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** decision 37; docs/internals/design.md: A game server. */
export function restFleet(options: RestFleetOptions): Fleet {
  const { who, credentials, timeLimits = TIME_LIMITS } = options;
  const base = options.url.replace(/\/+$/, '');

  async function call(question: Question, limitMs: number): Promise<Answer> {
    const { method, path, body, requestId } = question;
    const response = await fetch(base + path, {
      method,
      ...(body === '' ? {} : { body }),
      headers: {
        'content-type': 'application/json',
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        ...(await credentials(question)),
      },
      // Redirects are not followed, because only the operator may say where requests go.
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    return { status: response.status, body: parsed(await response.text()) };
  }

  function server(instanceId: string): string {
    return `/servers/${encodeURIComponent(instanceId)}`;
  }

  return {
    tells: true,

    async launch(spec): Promise<Launched> {
      try {
        const { requestId } = spec;
        const body = JSON.stringify(spec);
        const question = { method: 'POST', path: '/servers', body, requestId } as const;
        const { status, body: said } = await call(question, timeLimits.launchMs);
        if (status === 200 || status === 201) {
          return { ok: true, ports: portsIn(said, who) };
        }
        return { ok: false, reason: failureOf(status, said), detail: detailOf(status, said) };
      } catch (error) {
        return { ok: false, reason: 'unreachable', detail: messageOf(error) };
      }
    },

    async inspect(instanceId): Promise<Inspection> {
      const question = { method: 'GET', path: server(instanceId), body: '' } as const;
      const { status, body } = await call(question, timeLimits.askMs);
      if (status === 404 && errorOf(body) === 'unknown') {
        return { state: 'unknown', ports: [] };
      }
      if (status !== 200) {
        throw new Error(`the ${who} did not report on ${instanceId}: ${detailOf(status, body)}`);
      }
      const state = stateIn(body, who);
      const ending = state === 'running' ? undefined : endingIn(body);
      return { state, ports: portsIn(body, who), ending };
    },

    async stop(instanceId): Promise<void> {
      const question = { method: 'DELETE', path: server(instanceId), body: '' } as const;
      const { status, body } = await call(question, timeLimits.askMs);
      if (status !== 200 && status !== 202) {
        throw new Error(`the ${who} did not stop ${instanceId}: ${detailOf(status, body)}`);
      }
    },

    async logs(instanceId, limit): Promise<readonly LogLine[] | null> {
      const path = `${server(instanceId)}/logs?limit=${limit}`;
      const { status, body } = await call({ method: 'GET', path, body: '' }, timeLimits.askMs);
      return status === 200 ? linesIn(body, limit) : none(status, body);
    },

    async check(build): Promise<string | null> {
      const question = { method: 'POST', path: '/check', body: JSON.stringify({ build }) } as const;
      const { status, body } = await call(question, Math.min(timeLimits.askMs, CHECK_MS));
      const problem = isObject(body) ? body['problem'] : undefined;
      return status === 200 && typeof problem === 'string' ? problem : null;
    },
  };
}

/** A receiver without the logs route answers some 4xx. Any other answer counts as silence. */
function none(status: number, body: unknown): null {
  if (status >= 400 && status < 500) {
    return null;
  }
  throw new Error(detailOf(status, body));
}

function linesIn(body: unknown, limit: number): readonly LogLine[] | null {
  const lines = isObject(body) ? body['logs'] : undefined;
  return Array.isArray(lines) ? lines.filter(isLine).slice(-limit) : null;
}

function isLine(value: unknown): value is LogLine {
  return (
    isObject(value) &&
    typeof value['message'] === 'string' &&
    typeof value['timestamp'] === 'string' &&
    !Number.isNaN(Date.parse(value['timestamp']))
  );
}

/** The ending in an answer. A field that is missing or has another type is not known. */
function endingIn(body: unknown): Ending {
  const { exit_code: code, signal, output, detail } = isObject(body) ? body : {};
  return {
    exit_code: Number.isSafeInteger(code) ? Number(code) : null,
    signal: typeof signal === 'string' ? signal.slice(0, MAX_SIGNAL) : null,
    output: typeof output === 'string' ? lastBytes(output, MAX_OUTPUT_BYTES) : null,
    detail: typeof detail === 'string' ? detail.slice(0, MAX_DETAIL) : null,
  };
}

/** Why a launch failed. Only an error that the fleet itself names counts. */
function failureOf(status: number, body: unknown): LaunchFailure {
  const error = errorOf(body);
  if (status === 503 && error === 'no_capacity') {
    return 'no_capacity';
  }
  if (status === 410 && error === 'stopped') {
    return 'ended';
  }
  const isRefused = error === 'refused' || error === 'unauthorized';
  return isRefused && status >= 400 && status < 500 ? 'refused' : 'unreachable';
}

function errorOf(body: unknown): string {
  return isObject(body) && typeof body['error'] === 'string' ? body['error'] : '';
}

function detailOf(status: number, body: unknown): string {
  const detail = isObject(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
  return detail === '' ? `status ${status}` : detail;
}

function stateIn(body: unknown, who: string): ServerStatus {
  const state = isObject(body) ? body['state'] : undefined;
  if (state === 'launching' || state === 'running' || state === 'stopped') {
    return state;
  }
  throw new Error(`the ${who} answered without a state`);
}

function portsIn(body: unknown, who: string): readonly Port[] {
  const ports = isObject(body) ? body['ports'] : undefined;
  if (Array.isArray(ports) && ports.every(isPort)) {
    return ports;
  }
  throw new Error(`the ${who} answered without ports`);
}

function isPort(value: unknown): value is Port {
  return (
    isObject(value) &&
    typeof value['name'] === 'string' &&
    typeof value['host'] === 'string' &&
    Number.isInteger(value['external_port']) &&
    Number.isInteger(value['internal_port']) &&
    typeof value['protocol'] === 'string' &&
    typeof value['tls_enabled'] === 'boolean'
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
