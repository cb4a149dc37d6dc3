// A lobby of many players who all listen while they change their states: what that costs the service, how long a change
// takes, when everybody has heard of it, and what a stranger in a lobby of its own notices.

import { setTimeout as sleep } from 'node:timers/promises';

import { cpuMs } from '../cpu.ts';

export interface Crowd {
  readonly players: number;
  /** Changes a second, of all players together. */
  readonly rate: number;
  readonly seconds: number;
  /** Whether the streams ask for changes, and the requests for short answers. */
  readonly changes: boolean;
  /** Whoever watches, of a game that the host starts. Absent: nobody, and no game. */
  readonly spectators?: number;
}

export interface Figures {
  /** What the streams brought, bytes a second. */
  readonly bytesASecond: number;
  readonly cpuMsASecond: number;
  readonly patch: Quantiles;
  /** From the request until every stream has brought the change. */
  readonly heard: Quantiles;
  /** The requests of the stranger, meanwhile and before. */
  readonly stranger: Quantiles;
  readonly strangerAlone: Quantiles;
  readonly refused: number;
  /** Until a hundred joins, all at once, had been answered. */
  readonly joinedMs: number;
}

export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

export function quantiles(of: readonly number[]): Quantiles {
  const sorted = of.toSorted((a, b) => a - b);
  const at = (part: number): number => {
    const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    return Math.round((found ?? NaN) * 10) / 10;
  };
  return { p50: at(0.5), p99: at(0.99) };
}

/** Every so many changes, it is measured when all have heard. */
const SAMPLE = 10;
const ALONE_MS = 2_000;
const STRANGER_MS = 40;

interface Answer {
  readonly status: number;
  readonly body: { readonly revision?: number; readonly code?: string };
}

export class Caller {
  readonly #url: string;
  readonly #player: string;

  constructor(url: string, player: string) {
    this.#url = url;
    this.#player = player;
  }

  async ask(
    method: string,
    path: string,
    body?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const headers = { 'api-key': 'client_dev_key', 'x-player-id': this.#player, ...more };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${this.#url}/v3${path}`, { method, headers, ...sent });
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text) as Answer['body'] };
  }

  /** Opens the player's stream, and calls `hear` with the bytes of each piece, the newest revision in it, and its text. */
  async listen(
    path: string,
    signal: AbortSignal,
    hear: (bytes: number, revision: number, text: string) => void,
  ): Promise<void> {
    const headers = { 'api-key': 'client_dev_key', 'x-player-id': this.#player };
    const response = await fetch(`${this.#url}/v3${path}`, { headers, signal });
    const follow = async (): Promise<void> => {
      // A piece may end in the middle of a line.
      let tail = '';
      for await (const piece of response.body ?? []) {
        const text = tail + Buffer.from(piece).toString('latin1');
        const ids = [...text.matchAll(/^id: (\d+)\n/gm)].map(([, id]) => Number(id));
        hear(piece.length, Math.max(0, ...ids), text);
        tail = text.slice(text.lastIndexOf('\n') + 1).slice(-40);
      }
    };
    follow().catch(() => undefined);
  }
}

function stateOf(index: number): object {
  return { name: `Player ${index}`, ready: false, mmr: 1_200 + index, skin: 'x'.repeat(90) };
}

export async function runCrowd(
  service: { readonly url: string; readonly pid: number; readonly serverKey?: string },
  crowd: Crowd,
): Promise<Figures> {
  const config = `crowd-${crypto.randomUUID().slice(0, 8)}`;
  const { players, rate, seconds, changes, spectators } = crowd;
  const watchers = Array.from(
    { length: spectators ?? 0 },
    (_, index) => new Caller(service.url, `${config}-watcher-${index}`),
  );
  if (spectators !== undefined) {
    const headers = { 'api-key': service.serverKey ?? '', 'content-type': 'application/json' };
    const body = JSON.stringify({ spectators: { max: Math.max(1, spectators) } });
    const path = `${service.url}/v3/lobby-configs/${config}`;
    const saved = await fetch(path, { method: 'PUT', headers, body });
    if (!saved.ok) {
      throw new Error(`the config was not saved: ${await saved.text()}`);
    }
  }
  const callers = Array.from(
    { length: players },
    (_, index) => new Caller(service.url, `${config}-${index}`),
  );
  const [host, ...guests] = callers;
  const made = { name: 'Crowd', maxPlayers: players, state: stateOf(0) };
  const founded = await host?.ask('POST', `/lobbies/${config}`, made);
  const code = founded?.body.code;
  const joinsAt = performance.now();
  await Promise.all(
    guests.map((guest, index) =>
      guest.ask('POST', `/lobbies/${config}/join`, { code, state: stateOf(index + 1) }),
    ),
  );
  const joinedMs = Math.round(performance.now() - joinsAt);

  let bytes = 0;
  const newest = callers.map(() => 0);
  const waiting = new Set<{ readonly revision: number; readonly heard: () => void }>();
  const end = new AbortController();
  const query = changes ? '?changes=1' : '';
  await Promise.all(
    callers.map((caller, index) =>
      caller.listen(`/lobbies/${config}/me/events${query}`, end.signal, (length, revision) => {
        bytes += length;
        newest[index] = Math.max(newest[index] ?? 0, revision);
        const all = waiting.size === 0 ? 0 : Math.min(...newest);
        waiting.forEach((each) => each.revision <= all && each.heard());
      }),
    ),
  );

  if (spectators !== undefined) {
    await host?.ask('POST', `/lobbies/${config}/me/start`);
  }
  for (const watcher of watchers) {
    await watcher.ask('POST', `/lobbies/${config}/join`, { code, as: 'spectator' });
    await watcher.listen(`/lobbies/${config}/me/events${query}`, end.signal, (length) => {
      bytes += length;
    });
  }

  const stranger = new Caller(service.url, `${config}-stranger`);
  await stranger.ask('POST', `/lobbies/${config}-other`, { name: 'Alone' });
  const strange = async (until: () => boolean): Promise<readonly number[]> => {
    const took: number[] = [];
    while (!until()) {
      const since = performance.now();
      await stranger.ask('PATCH', `/lobbies/${config}-other/me`, { state: { n: took.length } });
      took.push(performance.now() - since);
      await sleep(STRANGER_MS);
    }
    return took;
  };
  const aloneUntil = performance.now() + ALONE_MS;
  const strangerAlone = await strange(() => performance.now() >= aloneUntil);

  const from = { bytes, cpu: (await cpuMs(service.pid)).all, at: performance.now() };
  const patch: number[] = [];
  const heard: number[] = [];
  const under = new Set<Promise<void>>();
  let refused = 0;
  const change = async (index: number): Promise<void> => {
    const since = performance.now();
    const prefer = changes ? { prefer: 'return=minimal' } : undefined;
    const body = { state: { n: index } };
    const caller = callers[index % players];
    const answer = await caller?.ask('PATCH', `/lobbies/${config}/me`, body, prefer);
    patch.push(performance.now() - since);
    const revision = answer?.body.revision;
    if (answer?.status !== 200 || revision === undefined) {
      refused += 1;
      return;
    }
    if (index % SAMPLE === 0) {
      await new Promise<void>((resolve) => {
        const sample = {
          revision,
          heard: () => {
            waiting.delete(sample);
            heard.push(performance.now() - since);
            resolve();
          },
        };
        waiting.add(sample);
        if (Math.min(...newest) >= revision) {
          sample.heard();
        }
      });
    }
  };
  let isOver = false;
  const beside = strange(() => isOver);
  for (let index = 0; index < rate * seconds; index += 1) {
    await sleep(Math.max(0, from.at + (index * 1_000) / rate - performance.now()));
    const one = change(index).finally(() => under.delete(one));
    under.add(one);
  }
  const took = (performance.now() - from.at) / 1_000;
  const cpu = (await cpuMs(service.pid)).all - from.cpu;
  const all = bytes - from.bytes;
  await Promise.race([Promise.all(under), sleep(15_000)]);
  isOver = true;
  const besides = await beside;
  end.abort();
  await Promise.all(callers.map((caller) => caller.ask('DELETE', `/lobbies/${config}/me`)));
  return {
    bytesASecond: Math.round(all / took),
    cpuMsASecond: Math.round(cpu / took),
    patch: quantiles(patch),
    heard: quantiles(heard),
    stranger: quantiles(besides),
    strangerAlone: quantiles(strangerAlone),
    refused,
    joinedMs,
  };
}
