// Two hundred players behind one address do what games do: streams, lobbies, joins by code, state, polls and
// heartbeats. Then the line drops and all of them come back at once, again and again.

import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { call, eachOf, type Answered, type From } from './caller.ts';

export interface Household {
  readonly players: number;
  readonly requests: number;
  /** Number of answers by status, streams included. */
  readonly statuses: Readonly<Record<number, number>>;
}

export interface Living {
  readonly from: From;
  readonly config: string;
  readonly players: number;
  /** How often the line drops. */
  readonly storms: number;
  readonly seconds: number;
}

export async function household(options: Living): Promise<Household> {
  const { from, config, players, storms, seconds } = options;
  const statuses: Record<number, number> = {};
  const count = (status: number): void => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const ask = async (line: string, player: string, body?: object): Promise<Answered> => {
    const answered = await call(from, line, player, body);
    count(answered.status);
    return answered;
  };
  const path = `/lobbies/${config}`;
  const names = Array.from({ length: players }, (_, index) => `player-${index}`);
  const open = (): Promise<readonly IncomingMessage[]> =>
    Promise.all(names.map((name) => stream(from, `${path}/me/events`, name, count)));

  let streams = await open();
  // In each pair, one player creates a lobby and the other types its code, sometimes wrong.
  await eachOf(Array.from({ length: players / 2 }).keys(), players, async (pair) => {
    const [host = '', guest = ''] = names.slice(pair * 2, pair * 2 + 2);
    const made = await ask(`POST ${path}`, host, { name: 'Den', isPrivate: true });
    const { code } = JSON.parse(made.text) as { readonly code: string };
    if (pair % 5 === 0) {
      await call(from, `POST ${path}/join`, guest, { code: `${code}X` });
    }
    await ask(`POST ${path}/join`, guest, { code });
    await ask(`PATCH ${path}/me`, guest, { state: { isReady: true } });
  });
  for (let storm = 0; storm < storms; storm += 1) {
    streams.forEach((one) => one.destroy());
    streams = await open();
    await Promise.all(names.map((name) => ask(`GET ${path}/me`, name)));
  }
  const until = Date.now() + seconds * 1_000;
  while (Date.now() < until) {
    await Promise.all([
      ...names.map((name) => ask(`GET ${path}/me`, name)),
      ...names.map((name) => ask(`POST ${path}/me/heartbeat`, name)),
      sleep(1_000),
    ]);
  }
  await Promise.all(names.map((name) => ask(`DELETE ${path}/me`, name)));
  streams.forEach((one) => one.destroy());
  const requests = Object.values(statuses).reduce((sum, one) => sum + one, 0);
  return { players, requests, statuses };
}

/** Resolves with the first byte of the stream, or with the refusal. */
function stream(
  { url, key, address }: From,
  path: string,
  player: string,
  count: (status: number) => void,
): Promise<IncomingMessage> {
  const { hostname: host, port } = new URL(url);
  const headers = {
    accept: 'text/event-stream',
    'api-key': key,
    'x-player-id': player,
    ...(address === null ? {} : { 'x-real-ip': address }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path: `/v3${path}`, headers, agent: false }, (response) => {
      count(response.statusCode ?? 0);
      response.on('error', () => undefined);
      response.resume();
      resolve(response);
    });
    asked.on('error', reject);
    asked.end();
  });
}
