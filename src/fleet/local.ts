// The fleet of one machine: speaks to the agent (fleet/), which starts a process a server.
// The agent answers by instance id, so every call here may be repeated.

import { isObject } from '../json';
import type { Fleet, Inspection, Launched, LaunchFailure, Port, ServerStatus } from './port';

export interface LocalFleetOptions {
  /** Address of the agent. */
  readonly url: string;
  /** Bearer secret the agent was started with. */
  readonly secret: string;
  readonly timeLimits?: { readonly launchMs: number; readonly askMs: number } | undefined;
}

const TIME_LIMITS = { launchMs: 10_000, askMs: 5_000 };

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** decision 37; architecture: Fleets. Which answer means what is told at the top of fleet/http.ts. */
export function localFleet({ url, secret, timeLimits = TIME_LIMITS }: LocalFleetOptions): Fleet {
  const base = url.replace(/\/+$/, '');

  async function call(path: string, init: RequestInit, limitMs: number): Promise<Answer> {
    const response = await fetch(base + path, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(limitMs),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text) };
  }

  function server(instanceId: string): string {
    return `/servers/${encodeURIComponent(instanceId)}`;
  }

  return {
    async launch(spec): Promise<Launched> {
      try {
        const init = { method: 'POST', body: JSON.stringify(spec) };
        const { status, body } = await call('/servers', init, timeLimits.launchMs);
        if (status === 200 || status === 201) {
          return { ok: true, ports: portsIn(body) };
        }
        return { ok: false, reason: failureOf(status, body), detail: detailOf(status, body) };
      } catch (error) {
        return { ok: false, reason: 'unreachable', detail: messageOf(error) };
      }
    },

    async inspect(instanceId): Promise<Inspection> {
      const { status, body } = await call(server(instanceId), { method: 'GET' }, timeLimits.askMs);
      if (status === 404 && errorOf(body) === 'unknown') {
        return { state: 'unknown', ports: [] };
      }
      if (status !== 200) {
        throw new Error(`the agent did not tell of ${instanceId}: ${detailOf(status, body)}`);
      }
      return { state: stateIn(body), ports: portsIn(body) };
    },

    async stop(instanceId): Promise<void> {
      const init = { method: 'DELETE' };
      const { status, body } = await call(server(instanceId), init, timeLimits.askMs);
      if (status !== 200 && status !== 202) {
        throw new Error(`the agent did not stop ${instanceId}: ${detailOf(status, body)}`);
      }
    },
  };
}

/** Only what the agent itself says counts: a 503 or 404 of something in between tells nothing. */
function failureOf(status: number, body: unknown): LaunchFailure {
  const error = errorOf(body);
  if (status === 503 && error === 'no_capacity') {
    return 'no_capacity';
  }
  const refused = error === 'refused' || error === 'stopped' || error === 'unauthorized';
  return refused && status < 500 ? 'refused' : 'unreachable';
}

function errorOf(body: unknown): string {
  return isObject(body) && typeof body['error'] === 'string' ? body['error'] : '';
}

function detailOf(status: number, body: unknown): string {
  const detail = isObject(body) && typeof body['detail'] === 'string' ? body['detail'] : '';
  return detail === '' ? `status ${status}` : detail;
}

function stateIn(body: unknown): ServerStatus {
  const state = isObject(body) ? body['state'] : undefined;
  if (state === 'launching' || state === 'running' || state === 'stopped') {
    return state;
  }
  throw new Error('the agent answered without a state');
}

function portsIn(body: unknown): readonly Port[] {
  const ports = isObject(body) ? body['ports'] : undefined;
  if (Array.isArray(ports) && ports.every(isPort)) {
    return ports;
  }
  throw new Error('the agent answered without ports');
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
