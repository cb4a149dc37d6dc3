// Asking the service through its front door, as a client would.

import { exports } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { serve } from '../../src/http/serve/serve';
import type { LobbyView } from '../../src/lobby/view';
import type { Env } from '../../src/objects/placement/env';
import { placeUnder } from '../support/peers';
import { expectDescribed } from './described-codes';
import { SERVER_KEY } from '../support/server-key';

export const CLIENT = 'client_dev_key';
export const SERVER = SERVER_KEY;

export interface Asked {
  readonly player?: string;
  /** The client key unless given; null sends none. */
  readonly key?: string | null;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface Problem {
  readonly error: string;
  readonly detail: string;
  readonly status: number;
  readonly code: string;
}

/** `GET /v3/lobbies/x/me`; a path that does not start with a slash is taken below /v3. */
export function requestOf(line: string, asked: Asked = {}): Request {
  const [method = 'GET', path = '/'] = line.split(' ');
  const headers = new Headers(asked.headers);
  const key = asked.key === undefined ? CLIENT : asked.key;
  if (key !== null) {
    headers.set('api-key', key);
  }
  if (asked.player !== undefined) {
    headers.set('x-player-id', asked.player);
  }
  const { body } = asked;
  if (typeof body === 'object') {
    headers.set('content-type', 'application/json');
  }
  return new Request(`http://muster.test${path.startsWith('/') ? path : `/v3/${path}`}`, {
    method,
    headers,
    body: typeof body === 'object' ? JSON.stringify(body) : (body ?? null),
  });
}

async function read<T>(response: Response): Promise<Answered<T>> {
  const text = await response.text();
  const body = (text === '' ? null : JSON.parse(text)) as T;
  return { status: response.status, headers: response.headers, body };
}

export async function ask<T = Problem>(line: string, asked: Asked = {}): Promise<Answered<T>> {
  return read(await fetchRaw(line, asked));
}

interface Entry {
  fetch(request: Request): Promise<Response>;
}

/**
 * Lets the event loop look at its timers. Requests that come over no socket keep it busy, and a box
 * would take itself for late.
 */
export function loopTurn(): Promise<void> {
  return new Promise((resume) => {
    setTimeout(resume, 0);
  });
}

export async function fetchRaw(line: string, asked: Asked = {}): Promise<Response> {
  await loopTurn();
  const request = requestOf(line, asked);
  const response = await (exports as unknown as { readonly default: Entry }).default.fetch(request);
  await expectDescribed(request, response);
  return response;
}

/** The answer under other settings, its body unread: streams go on. */
export function openUnder(
  settings: Partial<Env>,
  line: string,
  asked: Asked = {},
): Promise<Response> {
  return serve(requestOf(line, asked), placeUnder(settings, createExecutionContext()));
}

/** The same service under other settings, such as other keys. */
export async function askUnder<T = Problem>(
  settings: Partial<Env>,
  line: string,
  asked: Asked = {},
): Promise<Answered<T>> {
  const context = createExecutionContext();
  const place = placeUnder(settings, context);
  const answered = await read<T>(await serve(requestOf(line, asked), place));
  await waitOnExecutionContext(context);
  return answered;
}

let configs = 0;

/** A config name of its own for a test: objects live as long as the file. */
export function freshConfig(): string {
  configs += 1;
  return `test-${configs}`;
}

/** A lobby of the host's, already created. */
export async function createLobby(
  config: string,
  player: string,
  body: object = {},
): Promise<LobbyView> {
  const answer = await ask<LobbyView>(`POST lobbies/${config}`, {
    player,
    body: { name: 'Den', maxPlayers: 4, ...body },
  });
  if (answer.status !== 201) {
    throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

export async function joinLobby(config: string, player: string, code: string): Promise<LobbyView> {
  const answer = await ask<LobbyView>(`POST lobbies/${config}/join`, { player, body: { code } });
  if (answer.status !== 200) {
    throw new Error(`join answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body;
}

export async function saveConfig(name: string, body: object): Promise<void> {
  const answer = await ask(`PUT lobby-configs/${name}`, { key: SERVER, body });
  if (answer.status !== 200) {
    throw new Error(`saving answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

/** Asks until the answer fits; what happens elsewhere takes its moment. */
export async function until<T>(
  look: () => Promise<T>,
  fits: (value: T) => boolean,
  limitMs = 15_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await look();
    if (fits(value)) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error(`never came to fit: ${JSON.stringify(value)}`);
    }
    await new Promise((resume) => {
      setTimeout(resume, 20);
    });
  }
}

export async function mine(config: string, player: string): Promise<LobbyView> {
  return (await ask<LobbyView>(`GET lobbies/${config}/me`, { player })).body;
}
