// What the fleets of others have in common (Agones, Gameye, Edgegap): how they are asked, what their refusals mean, and
// what a container is told where nobody writes files for it. Always: neither the token nor a part of it is in an error.

import * as z from 'zod';
import { musterJson, musterVariables, fillerOf } from './muster-json';
import { MAX_DETAIL } from './output';
import type { Launched, LaunchFailure, LaunchSpec, Port } from './port';
import { portVariable } from './ports';
import { own } from '../common/named';
import { messageOf, refuse, type Result } from '../common/result';
import { askJson, OWN_FETCHER, TIME_LIMITS } from './rest';
import type { Fetcher, RestAnswer, TimeLimits } from './rest';

export interface ProviderOptions {
  readonly url: string;
  readonly token: string;
  readonly timeLimits?: TimeLimits | undefined;
  /** How the API is reached. Absent: by the platform's own fetch, which must trust the API's CA. */
  readonly fetcher?: Fetcher | undefined;
}

export interface ProviderAnswer extends RestAnswer {
  /** The message in it, in one line, or its status. */
  readonly said: string;
  /** Whether the provider itself said it, and not a proxy in between. */
  readonly isOwn: boolean;
}

type RequestLine = `${'GET' | 'POST' | 'DELETE'} ${string}`;
type AskProvider = (line: RequestLine, body?: object) => Promise<ProviderAnswer>;

const Said = z.object({ message: z.string().min(1) });

/** Asks as the documents of the providers say, with this word before the token. Throws if nobody answers in time. */
export function asker(options: ProviderOptions, scheme: 'Bearer' | 'token'): AskProvider {
  const { token, timeLimits = TIME_LIMITS, fetcher = OWN_FETCHER } = options;
  const base = options.url.replace(/\/+$/, '');
  const headers = { authorization: `${scheme} ${token}`, accept: 'application/json' };
  const hidden = (text: string): string =>
    text.replaceAll(token, '(token)').replaceAll(/\s+/g, ' ').slice(0, MAX_DETAIL);
  return async (line, body) => {
    const [method = 'GET', path = ''] = line.split(' ');
    const init = { method, body: body === undefined ? '' : JSON.stringify(body), headers };
    const limitMs = method === 'POST' ? timeLimits.launchMs : timeLimits.askMs;
    // A token that can be no header is quoted in the platform's own error.
    const answer = await askJson(fetcher, base + path, init, limitMs).catch((error: unknown) =>
      Promise.reject(new Error(hidden(messageOf(error)))),
    );
    const message = Said.safeParse(answer.body).data?.message;
    const said = hidden(message ?? `status ${answer.status}`);
    return { ...answer, said, isOwn: message !== undefined };
  };
}

/** Why a launch failed. What a proxy said, a 429 and a 5xx leave open what came of it. `full`: its answers for no room. */
export function failureOf({ status, isOwn }: ProviderAnswer, full: number[] = []): LaunchFailure {
  if (!isOwn || status < 400 || status >= 500 || status === 429) {
    return 'unreachable';
  }
  return full.includes(status) ? 'no_capacity' : 'refused';
}

/** A launch whose outcome nobody knows. */
export function unreachable(error: unknown): Launched {
  return { ok: false, reason: 'unreachable', detail: messageOf(error) };
}

/** decision 37: an id runs once. */
export function hasEnded(what: string): Launched {
  return { ok: false, reason: 'ended', detail: `the ${what} of this instance has already ended` };
}

/** What a cloud is to run, by the names that it has there, and what the container is told. */
export interface CloudOrder<Place> {
  readonly place: Place;
  readonly application: string;
  /** The tag of the image. */
  readonly version: string | undefined;
  readonly args: readonly string[];
  /** Without empty values, which not every cloud takes. */
  readonly env: Readonly<Record<string, string>>;
}

/** Linux allows 128 KiB for one variable, with its name. */
const MAX_TOLD_BYTES = 120 * 1024;

/** The order, or why the cloud cannot launch this. `places`: what the cloud has for each region. */
export function cloudOrder<Place>(
  spec: LaunchSpec,
  places: Readonly<Record<string, Place>>,
): Result<CloudOrder<Place>, Extract<Launched, { ok: false }>> {
  const { region, build } = spec;
  const { args = [], env = {}, image = '', fleetName } = build.launch;
  const refused = { ok: false, reason: 'refused' } as const;
  const place = own(places, region);
  if (place === undefined) {
    const detail = `the fleet has no location for the region ${region}`;
    return refuse({ ...refused, detail, ofOrder: true });
  }
  const [, name, version] = /^(?:.*\/)?([^/:@]+)(?::([^/@]+))?(?:@.*)?$/.exec(image) ?? [];
  const application = fleetName ?? name;
  if (application === undefined) {
    return refuse({ ...refused, detail: `build ${build.name} names no image` });
  }
  const settings = JSON.stringify(musterJson(spec));
  if (new TextEncoder().encode(settings).length > MAX_TOLD_BYTES) {
    const detail = `what the game server is to be told is over ${MAX_TOLD_BYTES} bytes`;
    return refuse({ ...refused, detail, ofOrder: true });
  }
  const unnumbered = build.ports.find((port) => port.internal_port === undefined);
  if (unnumbered !== undefined) {
    return refuse({ ...refused, detail: `port ${unnumbered.name} has no internal_port` });
  }
  const numbers = build.ports.map((port) => [port.name, String(port.internal_port)] as const);
  const first = numbers[0]?.[1] ?? '';
  const values = [
    ...numbers.map(([port, number]) => [`port:${port}`, number] as const),
    ...(first === '' ? [] : [['port', first] as const]),
    ...Object.entries({ host: '0.0.0.0', region, instance_id: spec.serverId }),
  ];
  const fill = fillerOf(new Map(values));
  const variables = {
    ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, fill(text)])),
    ...musterVariables(spec, '0.0.0.0'),
    ...Object.fromEntries(numbers.map(([port, number]) => [portVariable(port), number])),
    MUSTER_PORT: first,
    MUSTER_JSON: settings,
  };
  const given = Object.entries(variables).filter(([, text]) => text !== '');
  return {
    ok: true,
    value: { place, application, version, args: args.map(fill), env: Object.fromEntries(given) },
  };
}

/** A port without a name of its own. The build's ports name it by its number (ports.ts). */
export function cloudPort(host: string, numbers: [number, number], protocol: string): Port {
  const [internal_port, external_port] = numbers;
  return { name: 'game', host, external_port, internal_port, protocol, tls_enabled: false };
}
