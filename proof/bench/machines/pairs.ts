// Pairs of players who play on through a stop or a death of the owner, as games do with our client: whether each found its match,
// the same one, and one server.

import { isMusterError, MusterPlayer } from '../../../packages/js/src/index.ts';
import type { Lobby } from '../../../packages/js/src/index.ts';
import { CONFIG, MODE } from '../latency/pair.ts';

/** A pair that has not played by then is lost. It may meet more than one outage. */
const PATIENCE_MS = 180_000;
/** For reading what became of it. */
const READ_MS = 60_000;
const AGAIN_MS = 1_000;
const AWAY = ['UNAVAILABLE', 'NETWORK', 'TIMEOUT', 'OVERLOADED'] as const;

export interface Place {
  /** A list: the client tries on while the service moves. One address: a call that fails counts. */
  readonly url: string | readonly string[];
  readonly key: string;
}

export interface Tally {
  /** How many have begun, and how many of them are over. */
  pairs: number;
  over: number;
  /** Calls that failed. A patient pair looks what came of them. */
  failed: number;
  lost: number;
  /** The two were told different matches or servers. */
  split: number;
  /** A player was told two matches or two servers. */
  doubled: number;
  readonly tell: (line: string) => void;
  /** From the second search until both are in the game, ms. */
  readonly waits: number[];
  /** How long calls took, ms. */
  readonly calls: number[];
  /** When the last change was acknowledged, and the longest time between two since that was last reset. */
  acknowledgedAt: number;
  longestGapMs: number;
}

/** `tell` hears why, as soon as something is wrong. */
export function newTally(tell: Tally['tell']): Tally {
  return {
    pairs: 0,
    over: 0,
    failed: 0,
    lost: 0,
    split: 0,
    doubled: 0,
    tell,
    waits: [],
    calls: [],
    acknowledgedAt: performance.now(),
    longestGapMs: 0,
  };
}

/** Plays one pair, and tallies it. Never rejects. */
export async function playPair(place: Place, pair: string, tally: Tally): Promise<void> {
  tally.pairs += 1;
  const players = ['a', 'b'].map((each) => new Player(place, `${pair}-${each}`, tally));
  const [first, second] = players;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  try {
    await Promise.all(players.map((player) => player.create(pair, patience)));
    const games = Promise.all(players.map((player) => player.untilInGame(patience)));
    // Whatever fails first is told.
    void games.catch(() => undefined);
    await first?.search(patience);
    const asked = performance.now();
    await Promise.all([games, second?.search(patience)]);
    tally.waits.push(performance.now() - asked);
    await Promise.all(players.map((player) => player.look(patience)));
    const told = new Set(players.flatMap((player) => [...player.games]));
    if (told.size > 1) {
      const isDoubled = players.some((player) => player.games.size > 1);
      tally[isDoubled ? 'doubled' : 'split'] += 1;
      tally.tell(`${pair}: ${[...told].join(' and ')}`);
    }
  } catch (error) {
    tally.lost += 1;
    const signal = AbortSignal.timeout(READ_MS);
    const are = await Promise.all(players.map((player) => player.whereabouts(signal)));
    const stories = players.map((player) => player.story.join(', '));
    tally.tell([`${pair}: ${String(error)}; now ${are.join(' and ')}`, ...stories].join('\n  '));
  }
  await Promise.all(players.map((player) => player.leave(patience).catch(() => undefined)));
  tally.over += 1;
}

class Player {
  /** Matches with their servers, as this player was told. */
  readonly games = new Set<string>();
  /** What it did and heard, with the seconds since its beginning, in case the pair is lost. */
  readonly story: string[] = [];
  readonly #begun = performance.now();
  readonly #muster: MusterPlayer;
  readonly #isPatient: boolean;
  readonly #tally: Tally;
  readonly #hangUp = new AbortController();

  constructor({ url, key }: Place, player: string, tally: Tally) {
    this.#muster = new MusterPlayer({ url, key, config: CONFIG, player });
    this.#isPatient = typeof url !== 'string';
    this.#tally = tally;
  }

  create(pair: string, signal: AbortSignal): Promise<void> {
    const state = { pair };
    return this.#until(
      () => this.#muster.createLobby({ name: pair, state }, { signal }),
      (lobby) => lobby !== null,
      signal,
    );
  }

  search(signal: AbortSignal): Promise<void> {
    return this.#until(
      () => this.#muster.startMatchmaking(MODE, { signal }),
      (lobby) => lobby !== null && lobby.status !== 'waiting',
      signal,
    );
  }

  async leave(signal: AbortSignal): Promise<void> {
    this.#hangUp.abort();
    await this.#until(
      () => this.#muster.leaveLobby({ signal }),
      (lobby) => lobby === null,
      signal,
    );
  }

  async untilInGame(patience: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([patience, this.#hangUp.signal]);
    for await (const event of this.#muster.streamEvents({ signal })) {
      this.#note(`heard ${event.type}`, 'lobby' in event ? event.lobby : undefined);
      if (this.#isInGame('lobby' in event ? event.lobby : null)) {
        return;
      }
    }
    throw new Error(`${this.#muster.player} was not in a game in time`);
  }

  /** Reads once more which game it is in. */
  async look(signal: AbortSignal): Promise<void> {
    this.#isInGame(await this.#muster.findMyLobby({ signal }));
  }

  /** For people. */
  async whereabouts(signal: AbortSignal): Promise<string> {
    return this.#muster.findMyLobby({ signal }).then(
      (lobby) => (lobby === null ? 'in no lobby' : `${lobby.status} in ${lobby.id}`),
      (error: unknown) => String(error),
    );
  }

  #note(what: string, lobby?: Lobby | null): void {
    const seconds = ((performance.now() - this.#begun) / 1_000).toFixed(1);
    const state = lobby === undefined ? '' : ` (${lobby?.status ?? 'no lobby'})`;
    this.story.push(`${seconds} ${what}${state}`);
  }

  #isInGame(lobby: Lobby | null): boolean {
    const isIn = lobby?.status === 'in_game';
    if (isIn) {
      this.games.add(`${lobby.matchId} on ${lobby.server?.instance_id}`);
    }
    return isIn;
  }

  /**
   * Makes a call. A patient player whose call got no answer reads whether it was done, and calls again if not. It may also be done
   * after that, so another refusal is read in the same way.
   */
  async #until(
    call: () => Promise<unknown>,
    isDone: (lobby: Lobby | null) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const tally = this.#tally;
    let isInDoubt = false;
    for (;;) {
      const begun = performance.now();
      try {
        await call();
        const now = performance.now();
        tally.calls.push(now - begun);
        tally.longestGapMs = Math.max(tally.longestGapMs, now - tally.acknowledgedAt);
        tally.acknowledgedAt = now;
        this.#note('acknowledged');
        return;
      } catch (error) {
        tally.failed += 1;
        this.#note(String(error));
        const isAway = AWAY.some((code) => isMusterError(error, code));
        if (!this.#isPatient || !(isAway || isInDoubt)) {
          throw error;
        }
        isInDoubt = isAway;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * Math.random()));
      const lobby = await this.#muster.findMyLobby({ signal }).catch(() => undefined);
      this.#note('read', lobby);
      if (lobby !== undefined && isDone(lobby)) {
        return;
      }
    }
  }
}
