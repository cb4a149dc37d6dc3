// The actions of the players, drawn at random for the lobby's state as they know it; now and then
// an action that makes no sense. They pause between two requests when told to, and continue when
// told to.

import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from './client.ts';
import { CONFIGS, MODE_WEIGHTS } from './configs.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

type Move =
  | 'get'
  | 'create'
  | 'fresh'
  | 'join'
  | 'leave'
  | 'patch'
  | 'settings'
  | 'kick'
  | 'queue'
  | 'cancel'
  | 'confirm'
  | 'decline'
  | 'start'
  | 'end'
  | 'doom'
  | 'stream'
  | 'hangUp';

type Weights = Readonly<Partial<Record<Move, number>>>;

/** By status: what a host does, and what a guest does. */
const MOVES: Readonly<Record<string, readonly [host: Weights, guest: Weights]>> = {
  waiting: [
    { queue: 12, start: 2, settings: 2, kick: 1, patch: 2, leave: 1, fresh: 0.5, get: 1 },
    { leave: 2, patch: 4, get: 3 },
  ],
  in_queue: [
    { cancel: 3, leave: 0.5, patch: 2, settings: 2, kick: 0.5, get: 4, fresh: 0.2 },
    { leave: 1, patch: 3, get: 4 },
  ],
  match_found: [
    { confirm: 10, decline: 1, leave: 0.7, get: 4 },
    { confirm: 6, decline: 1, leave: 0.7, get: 4 },
  ],
  matched: [
    { get: 8, leave: 0.5, patch: 2, cancel: 1 },
    { get: 8, leave: 0.7, patch: 2 },
  ],
  starting: [
    { get: 8, leave: 0.5, patch: 2 },
    { get: 8, leave: 1 },
  ],
  in_game: [
    { end: 6, leave: 1, patch: 2, settings: 1, kick: 0.5, get: 5, fresh: 0.3 },
    { leave: 1, patch: 2, get: 5 },
  ],
};

const OUTSIDE: Weights = { create: 5, join: 8, get: 0.5, fresh: 1 };
/** Mostly refused. A refused request must change nothing. */
const NONSENSE: Weights = {
  create: 1,
  join: 1,
  kick: 1,
  queue: 1,
  cancel: 1,
  confirm: 1,
  decline: 1,
  start: 1,
  end: 1,
  doom: 0.5,
};
const STREAMS: Weights = { stream: 5, hangUp: 2 };

class Actor {
  readonly client: Client;
  readonly #config: string;
  readonly #world: World;
  readonly #random: Random;

  constructor(world: World, config: string, id: string, random: Random) {
    this.#world = world;
    this.#config = config;
    this.#random = random;
    this.client = new Client(world, config, id, random.fork());
  }

  async step(): Promise<void> {
    if (this.client.inDoubt) {
      await this.client.get();
      return;
    }
    await this.#do(this.#choose());
  }

  #choose(): Move {
    const { view, isHost } = this.client;
    const usual = view === null ? OUTSIDE : MOVES[view.status]?.[isHost ? 0 : 1];
    const kind = this.#random.weighted({ usual: 90, nonsense: 4, stream: 6 });
    const weights = { usual: usual ?? OUTSIDE, nonsense: NONSENSE, stream: STREAMS }[
      kind ?? 'usual'
    ];
    return this.#random.weighted(weights) ?? 'get';
  }

  async #do(move: Move): Promise<void> {
    const { client } = this;
    switch (move) {
      case 'create':
        return client.create(false);
      case 'fresh':
        return client.create(true);
      case 'join':
        return this.#join();
      case 'kick':
        return client.kick(this.#someoneElse());
      case 'queue':
        return client.queue(this.#random.weighted(MODE_WEIGHTS) ?? '');
      case 'end':
        return client.endMatch();
      case 'stream':
        return client.listener.listen();
      case 'hangUp':
        return client.listener.hangUp();
      default:
        return client[move]();
    }
  }

  async #join(): Promise<void> {
    const invitation = this.#random.pick(this.#world.board.of(this.#config));
    await (invitation === undefined
      ? this.client.create(false)
      : this.client.join(invitation, this.#random.chance(0.5) ? 'code' : 'id'));
  }

  #someoneElse(): string {
    const others = this.client.view?.players.filter(({ id }) => id !== this.client.id) ?? [];
    return this.#random.pick(others)?.id ?? 'nobody';
  }
}

export class Traffic {
  readonly #world: World;
  readonly #actors: readonly Actor[];
  readonly #pauseMs: number;
  #loops: Promise<void>[] = [];
  #isOver = false;
  #random: Random;

  /** `players` in each of the configs; the same names in all. */
  constructor(world: World, options: { players: number; pauseMs: number; random: Random }) {
    const { players, pauseMs, random } = options;
    this.#world = world;
    this.#pauseMs = pauseMs;
    this.#random = random;
    this.#actors = Object.keys(CONFIGS).flatMap((config) =>
      Array.from(
        { length: players },
        (_, index) => new Actor(world, config, `p${index}`, random.fork()),
      ),
    );
  }

  get clients(): readonly Client[] {
    return this.#actors.map(({ client }) => client);
  }

  start(): void {
    this.#isOver = false;
    this.#loops = this.#actors.map((actor) => this.#loop(actor, this.#random.fork()));
  }

  async #loop(actor: Actor, random: Random): Promise<void> {
    while (!this.#isOver) {
      await sleep(random.between(0, 2 * this.#pauseMs));
      await this.#world.up.passed();
      if (!this.#isOver) {
        await actor.step();
      }
    }
  }

  /** Resolves when no request is pending any more. Streams stay as they are. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    const lost = this.#actors.filter(({ client }) => client.inDoubt);
    await Promise.all(lost.map(({ client }) => client.get()));
  }

  /** Every stream ends for good. */
  hangUp(): void {
    this.clients.forEach(({ listener }) => listener.hangUp());
  }
}
