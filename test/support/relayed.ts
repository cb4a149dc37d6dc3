// The relay between a client and lines that the test controls. Works in Node and in workerd.

import { granted } from '../../src/http/wire/answer';
import { type Clock, later } from '../../src/common/later';
import type { Asking } from '../../src/common/quotas';
import type { PlayerCall } from '../../src/http/wire/call';
import { events } from '../../src/http/stream/events';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Farewell, Heard } from '../../src/common/line';
import type { Reply } from '../../src/lobby/refusals';
import type { FarEnd } from '../../src/objects/kit/ports';
import type { Peers } from '../../src/objects/contracts/peers';

/** A line whose actor is the test. */
export class Spoken implements FarEnd {
  hungUp = false;
  readonly #early: Heard[] = [];
  #hear: ((heard: Heard) => void) | null = null;
  #broken: (() => void) | null = null;
  #isBroken = false;

  constructor(...first: readonly Heard[]) {
    this.#early.push(...first);
  }

  say(heard: Heard): void {
    if (this.#hear === null) {
      this.#early.push(heard);
    } else {
      this.#hear(heard);
    }
  }

  break(): this {
    this.#isBroken = true;
    this.#broken?.();
    return this;
  }

  listen(hear: (heard: Heard) => void, broken: () => void): void {
    this.#hear = hear;
    this.#broken = broken;
    this.#early.splice(0).forEach(hear);
    if (this.#isBroken) {
      broken();
    }
  }

  async hangUp(): Promise<void> {
    this.hungUp = true;
  }
}

export interface Script {
  /** The answers of the seat, in order. The last one repeats. */
  readonly where: readonly (LobbyId | null)[];
  readonly watch: () => FarEnd;
  readonly lobby: readonly (() => Reply<FarEnd>)[];
  readonly stats?: () => Promise<object>;
  /** When the player's token is over; epoch ms. */
  readonly until?: number;
  readonly clock?: Clock;
  /** The project, and what its document says when it is asked; unless given, it cannot be asked. */
  readonly project?: { readonly name: string; readonly document: () => object };
  /** Whether the player's token is good. */
  readonly identify?: () => Reply<{ readonly player: PlayerId }>;
  /** The player's client is the hosted service's SDK: revisions of answers that its lobby hears of. */
  readonly answered?: number[];
  /** The caller in each scope of limits. */
  readonly asking?: Asking;
}

/** The nth entry of a list, or the last one beyond its end. */
function turn<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => {
    const value = list[Math.min(at, list.length - 1)];
    at += 1;
    return value as T;
  };
}

let players = 0;

/** Opens the stream of a player of its own. `watched`: how often the seat was listened to. */
export function relayed(script: Script): ReturnType<typeof relayedIn> {
  return relayedIn(`relayed-${players}`, script);
}

export async function relayedIn(
  config: string,
  script: Script,
): Promise<{
  readonly response: Response;
  readonly call: PlayerCall;
  readonly watched: () => number;
}> {
  const [where, answer] = [turn(script.where), turn(script.lobby)];
  let watched = 0;
  const seat = {
    where: async () => where(),
    watch: async () => {
      watched += 1;
      return { ok: true, value: script.watch() };
    },
  };
  const peers = {
    seat: () => seat,
    lobby: () => ({
      events: async () => answer()(),
      movedTo: async () => null,
      answered: async (_: PlayerId, revision: number) => void script.answered?.push(revision),
    }),
    project: () => ({ document: async () => script.project?.document() }),
    queue: () => ({
      stats: script.stats,
      shown: async (lobbies: readonly LobbyId[]) => ({
        stats: await script.stats?.(),
        waits: lobbies.map(() => null),
      }),
    }),
  } as unknown as Peers;
  players += 1;
  const call = {
    request: new Request('http://muster.test/'),
    url: new URL('http://muster.test/'),
    peers,
    project: script.project?.name ?? 'dev',
    config,
    player: `p${players}` as PlayerId,
    playerUntil: script.until ?? null,
    identify: async () => script.identify && granted(script.identify()),
    background: () => {},
    later,
    env: {},
    isSdk: script.answered !== undefined,
    asking: script.asking ?? {},
  } as unknown as PlayerCall;
  return { response: await events(call, script.clock), call, watched: () => watched };
}

/** A line that says this and no more, or says farewell, or breaks. */
export function line(first: Heard, then: Farewell | 'silence' | 'break' = 'silence'): Spoken {
  const spoken =
    then === 'silence' || then === 'break' ? new Spoken(first) : new Spoken(first, then);
  return then === 'break' ? spoken.break() : spoken;
}
