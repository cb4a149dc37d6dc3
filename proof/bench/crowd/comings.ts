// Many who come and go at once: players who join a lobby within five seconds while all listen, those who leave it together,
// and as many lobbies of one player each that are one match with a real game server.

import { setTimeout as sleep } from 'node:timers/promises';

import type { Player } from '../../../scripts/player.ts';
import { cpuMs } from '../cpu.ts';
import { Caller, quantiles, type Quantiles } from './crowd.ts';

export interface Comings {
  /** The requests of those who join. */
  readonly join: Quantiles;
  /** From the first to the last of them, of the service. */
  readonly joinCpuMs: number;
  /** From the last join until everybody has heard of it. */
  readonly allCameMs: number;
  /** Half of the players leave at once: until all are answered, and until everybody else has heard of the last. */
  readonly left: Quantiles;
  readonly allLeftMs: number;
  /** From the last request to queue until every stream has shown the address. */
  readonly matchMs: number;
}

interface Service {
  readonly url: string;
  readonly pid: number;
  readonly operator: Player;
}

const JOINS_MS = 5_000;
const GIVE_UP_MS = 60_000;

/** Each caller's stream, and the wait until all of some have shown what fits. */
class Ears {
  readonly #end = new AbortController();
  readonly #newest = new Map<Caller, number>();
  readonly #waiting = new Set<() => void>();

  async open(caller: Caller, path: string, fits?: RegExp): Promise<void> {
    this.#newest.set(caller, 0);
    await caller.listen(path, this.#end.signal, (_, revision, text) => {
      const shows = fits === undefined ? revision : Number(fits.test(text));
      this.#newest.set(caller, Math.max(this.#newest.get(caller) ?? 0, shows));
      this.#waiting.forEach((look) => look());
    });
  }

  /** Resolves with the time once all of them have shown that revision. */
  until(of: readonly Caller[], revision: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const look = (): void => {
      if (of.every((caller) => (this.#newest.get(caller) ?? 0) >= revision)) {
        this.#waiting.delete(look);
        resolve(performance.now());
      }
    };
    this.#waiting.add(look);
    look();
    return Promise.race([promise, sleep(GIVE_UP_MS, NaN, { ref: false })]);
  }

  close(): void {
    this.#end.abort();
  }
}

export async function runComings(
  service: Service,
  { players, changes }: { readonly players: number; readonly changes: boolean },
): Promise<Comings> {
  const name = `comings-${crypto.randomUUID().slice(0, 8)}`;
  const callers = Array.from(
    { length: players },
    (_, at) => new Caller(service.url, `${name}-${at}`),
  );
  const come = await joinsAndLeaves(service, { name, callers, changes });
  const matchMs = await match(service, { name: `${name}-match`, callers, changes });
  return { ...come, matchMs };
}

interface Scene {
  readonly name: string;
  readonly callers: readonly Caller[];
  readonly changes: boolean;
}

async function joinsAndLeaves({ pid }: Service, { name, callers, changes }: Scene) {
  const path = `/lobbies/${name}`;
  const events = `${path}/me/events${changes ? '?changes=1' : ''}`;
  const state = (at: number): object => ({ name: `Player ${at}`, skin: 'x'.repeat(90) });
  const [host, ...guests] = callers;
  const made = { name: 'Comings', maxPlayers: callers.length, state: state(0) };
  const code = (await host?.ask('POST', path, made))?.body.code;
  const ears = new Ears();
  await (host && ears.open(host, events));
  const joins: number[] = [];
  const from = { at: performance.now(), cpu: (await cpuMs(pid)).all };
  let newest = 0;
  let answeredAt = 0;
  const under = guests.map(async (guest, at) => {
    await sleep(((at + 1) * JOINS_MS) / callers.length);
    const since = performance.now();
    const { body } = await guest.ask('POST', `${path}/join`, { code, state: state(at + 1) });
    answeredAt = performance.now();
    joins.push(answeredAt - since);
    newest = Math.max(newest, body.revision ?? 0);
    await ears.open(guest, events);
  });
  await Promise.all(under);
  const allCameMs = (await ears.until(callers, newest)) - answeredAt;
  const joinCpuMs = (await cpuMs(pid)).all - from.cpu;

  const leaves: number[] = [];
  const [stay, go] = [callers.slice(0, callers.length / 2), callers.slice(callers.length / 2)];
  const leftAt = performance.now();
  await Promise.all(
    go.map(async (caller) => {
      await caller.ask('DELETE', `${path}/me`);
      leaves.push(performance.now() - leftAt);
    }),
  );
  const all = (await ears.until(stay, newest + go.length)) - leftAt;
  ears.close();
  await Promise.all(stay.map((caller) => caller.ask('DELETE', `${path}/me`)));
  const rounded = { allCameMs: Math.round(allCameMs), allLeftMs: Math.round(all), joinCpuMs };
  return { join: quantiles(joins), left: quantiles(leaves), ...rounded };
}

async function match({ operator }: Service, { name, callers, changes }: Scene): Promise<number> {
  const path = `/lobbies/${name}`;
  const mode = { teams: callers.length, playersPerTeam: 1, timeout: 120 };
  await operator.ok('PUT', `/lobby-configs/${name}`, { matchmaking: { modes: { all: mode } } });
  const ears = new Ears();
  for (const caller of callers) {
    await caller.ask('POST', path, { name: 'One' });
    await ears.open(caller, `${path}/me/events${changes ? '?changes=1' : ''}`, /"external_port"/);
  }
  await Promise.all(
    callers.map((caller) => caller.ask('POST', `${path}/me/matchmaking`, { mode: 'all' })),
  );
  const since = performance.now();
  const matchMs = Math.round((await ears.until(callers, 1)) - since);
  ears.close();
  await Promise.all(callers.map((caller) => caller.ask('DELETE', `${path}/me`)));
  return matchMs;
}
