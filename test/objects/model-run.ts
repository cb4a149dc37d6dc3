// Runs one sequence of commands on the service and on the model side by side.

import { abortAllDurableObjects } from 'cloudflare:test';
import { expect } from 'vitest';
import { seatShare } from '../../src/objects/contracts/peers';
import { ask, SERVER, until, type Answered, type Asked } from '../http/support';
import { actorAt } from '../support/actors';
import { Model, NEVER, PAIR, type Founding, type Room, type Rules } from './lobby-model';
import { chosen, type Choice, type Step } from './model-choice';
import { looksLike, Rising, type Shown } from './model-shown';

function printed({ players, match, ...room }: Room): string {
  return JSON.stringify([room, [...players], match?.rooms.length]);
}

const PROJECT = 'dev';
const PLAYERS = 5;
/** Wrong joins of one player are bounded; beyond that the service says 429. */
const MAX_WRONG_JOINS = 18;
const SETTLE_MS = 20_000;
let runs = 0;

export interface RunOptions {
  /** Chance, after each step, that objects are thrown out of memory. */
  readonly forgetting: number;
  readonly seed: number;
}

export class Run {
  readonly outcomes: string[] = [];
  refused = 0;
  evictions = 0;
  readonly #model: Model;
  readonly #players: readonly string[];
  readonly #configs: readonly string[];
  readonly #options: RunOptions;
  /** Every lobby there ever was in this run. */
  readonly #known: { readonly id: string; readonly code: string; readonly config: string }[] = [];
  readonly #wrongJoins = new Map<string, number>();
  readonly #rising = new Rising();
  #random: number;

  constructor(rules: Readonly<Record<string, Rules>>, options: RunOptions) {
    runs += 1;
    this.#model = new Model(rules);
    this.#configs = Object.keys(rules);
    this.#players = Array.from({ length: PLAYERS }, (_, index) => `r${runs}-p${index}`);
    this.#options = options;
    this.#random = options.seed;
  }

  /** In [0, 1), the same for the same seed. */
  #chance(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random / 2 ** 32;
  }

  async all(steps: readonly Step[]): Promise<void> {
    const trace: string[] = [];
    try {
      for (const step of steps) {
        trace.push(await this.#one(step));
      }
      await this.#everybody();
      await this.#cleanUp();
    } catch (error) {
      await this.#cleanUp();
      throw new Error(`after:\n${trace.slice(-15).join('\n')}\n${String(error)}`, {
        cause: error,
      });
    }
  }

  async #one(step: Step): Promise<string> {
    const forgets = this.#chance() < this.#options.forgetting;
    const inMidst = forgets && this.#chance() < 0.5;
    const before = new Map([...this.#model.rooms.values()].map((room) => [room, printed(room)]));
    const choice = chosen(this.#model, this.#players, step);
    const outcome = `${choice.kind} ${await this.#do(choice)}`;
    if (inMidst) {
      await this.#forget(step.config);
    }
    await this.#touched(before, choice);
    if (forgets && !inMidst) {
      await this.#forget(step.config);
    }
    this.outcomes.push(outcome);
    this.refused += outcome.endsWith(' ok') ? 0 : 1;
    const { config, player, target } = choice;
    return `${config} ${player} (${target}): ${outcome}${forgets ? ' (forgotten)' : ''}`;
  }

  /** Looks at the caller's lobby, at all that changed, and now and then at all there are. */
  async #touched(before: ReadonlyMap<Room, string>, choice: Choice): Promise<void> {
    const mine = this.#model.roomOf(choice.config, choice.player);
    const everything = this.#chance() < 0.15;
    for (const room of new Set([...before.keys(), ...this.#model.rooms.values()])) {
      const changed = !this.#model.rooms.has(room.id) || before.get(room) !== printed(room);
      if (everything || changed || room === mine) {
        await this.#settled(room);
      }
    }
  }

  /** Asks both, and holds the answers against each other. */
  async #do(choice: Choice): Promise<string> {
    const { kind, config, dice, player, target } = choice;
    const model = this.#model;
    const me = `lobbies/${config}/me`;
    const asked = (line: string, body?: object): Promise<Answered<Shown>> =>
      this.#ask(line, body === undefined ? { player } : { player, body });
    switch (kind) {
      case 'create':
        return this.#create(config, player, dice);
      case 'join':
        return this.#join(choice);
      case 'read': {
        const expected = model.heartbeat(config, player);
        return this.#same(expected, await asked(`GET ${me}`));
      }
      case 'patch': {
        const state = { [`k${dice % 3}`]: dice % 4 === 0 ? null : dice };
        const expected = model.patch(config, player, state);
        return this.#same(expected, await asked(`PATCH ${me}`, { state }));
      }
      case 'leave':
        return this.#leave(config, player);
      case 'settings': {
        const patch = [
          { name: `n${dice}` },
          { maxPlayers: 1 + (dice % 5) },
          { isPrivate: dice % 2 === 0 },
          { allowLateJoin: dice % 2 === 0 },
        ][dice % 4] as { maxPlayers?: number; allowLateJoin?: boolean };
        const { maxPlayers, allowLateJoin, ...rest } = patch;
        const expected = model.settings(config, player, {
          ...rest,
          ...(maxPlayers === undefined ? {} : { max: maxPlayers }),
          ...(allowLateJoin === undefined ? {} : { lateJoin: allowLateJoin }),
        });
        return this.#same(expected, await asked(`PATCH ${me}/settings`, patch));
      }
      case 'kick': {
        const expected = model.kick(config, player, target);
        return this.#same(expected, await asked(`DELETE ${me}/players/${target}`));
      }
      case 'start': {
        const expected = model.start(config, player);
        const answer = await asked(`POST ${me}/start`);
        if (expected === 'ok') {
          expect(answer.body).toMatchObject({ status: 'in_game', server: expect.anything() });
        }
        return this.#same(expected, answer);
      }
      case 'end_match': {
        const expected = model.endMatch(config, player);
        return this.#same(expected, await asked(`POST ${me}/end-match`));
      }
      case 'queue': {
        const mode = { 0: NEVER, 1: NEVER, 2: 'unknown' }[dice % 9] ?? PAIR;
        const expected = model.queue(config, player, mode);
        const answer = await asked(`POST ${me}/matchmaking`, { mode });
        if (expected === 'ok') {
          expect(answer.body).toMatchObject({ status: 'in_queue', matchmaking: { mode } });
        }
        return this.#same(expected, answer);
      }
      case 'cancel': {
        const expected = model.cancel(config, player);
        return this.#same(expected, await asked(`DELETE ${me}/matchmaking`));
      }
      case 'confirm':
      case 'decline': {
        const expected = model.answer(config, player, kind);
        const method = kind === 'confirm' ? 'POST' : 'DELETE';
        return this.#same(expected, await asked(`${method} ${me}/confirm-match`));
      }
      case 'heartbeat': {
        const expected = model.heartbeat(config, player);
        return this.#same(expected, await asked(`POST ${me}/heartbeat`));
      }
      default:
        return this.#admin(choice);
    }
  }

  /** A busy machine refuses work as overload, which changes nothing, and is asked again. */
  #ask(line: string, asked: Asked): Promise<Answered<Shown>> {
    return until(
      () => ask<Shown>(line, asked),
      ({ body }) => (body as unknown as { code?: string } | null)?.code !== 'OVERLOADED',
    );
  }

  #same(expected: string, { status, body }: Answered<Shown>): string {
    const code = status < 300 ? 'ok' : ((body as unknown as { code?: string }).code ?? 'none');
    expect(code).toBe(expected);
    return code;
  }

  async #create(config: string, player: string, dice: number): Promise<string> {
    const founding: Founding = {
      name: `n${dice}`,
      max: [1, 2, 3, 4, 4][dice % 5] ?? 4,
      isPrivate: dice % 3 === 0,
      lateJoin: dice % 5 !== 0,
      forceFresh: dice % 7 === 0,
    };
    const { name, max, isPrivate, lateJoin, forceFresh } = founding;
    const expected = this.#model.create(config, player, forceFresh);
    const body = { name, maxPlayers: max, isPrivate, allowLateJoin: lateJoin, forceFresh };
    // A config with ten codes: those of lobbies whose end was cut short come back a little later.
    const answer = await until(
      () => this.#ask(`POST lobbies/${config}`, { player, body }),
      ({ status }) => this.evictions === 0 || status !== 503,
    );
    if (expected === 'ok' && answer.status === 201) {
      const { id, code } = answer.body;
      // No live lobby of the config has that code.
      expect(this.#model.byCode(config, code)).toBeNull();
      this.#known.push({ id, code, config });
      this.#model.founded({ id, code, config }, player, founding);
    }
    return this.#same(expected, answer);
  }

  async #join({ config, whom, dice, player }: Choice): Promise<string> {
    // Mostly a lobby that lives; now and then one that is over, or is in the other config.
    const live = this.#known.filter(
      ({ id, config: home }) => home === config && this.#model.rooms.has(id),
    );
    const among = dice % 10 < 8 && live.length > 0 ? live : this.#known;
    const target = among[whom % Math.max(1, among.length)];
    if (target === undefined) {
      return 'ok';
    }
    const byCode = dice % 2 === 0;
    const room = byCode
      ? this.#model.byCode(config, target.code)
      : (this.#model.rooms.get(target.id) ?? null);
    const wrong = this.#wrongJoins.get(`${config} ${player}`) ?? 0;
    if (room === null && byCode && wrong >= MAX_WRONG_JOINS) {
      return 'ok';
    }
    const expected = this.#model.join(config, player, room, byCode);
    const body = byCode ? { code: target.code.toLowerCase() } : { lobbyId: target.id };
    const answer = await this.#ask(`POST lobbies/${config}/join`, { player, body });
    if (expected === 'LOBBY_NOT_FOUND') {
      this.#wrongJoins.set(`${config} ${player}`, wrong + 1);
    }
    return this.#same(expected, answer);
  }

  async #leave(config: string, player: string): Promise<string> {
    const room = this.#model.roomOf(config, player);
    const expected = this.#model.leave(config, player);
    const answer = await this.#ask(`DELETE lobbies/${config}/me`, { player });
    if (expected === 'ok' && room !== null && !this.#model.rooms.has(room.id)) {
      expect(answer.body).toEqual({ status: 'lobby_deleted' });
    }
    return this.#same(expected, answer);
  }

  async #admin({ kind, config, whom }: Choice): Promise<string> {
    const target = this.#known[whom % Math.max(1, this.#known.length)];
    if (target === undefined) {
      return 'ok';
    }
    const room = this.#model.rooms.get(target.id) ?? null;
    const lives = room !== null && room.config === config;
    const line = `lobbies/${config}/${target.id}`;
    if (kind === 'admin_delete' && lives) {
      this.#model.remove(room);
    }
    const method = kind === 'admin_delete' ? 'DELETE' : 'GET';
    const answer = await this.#ask(`${method} ${line}`, { key: SERVER });
    return this.#same(lives ? 'ok' : 'LOBBY_NOT_FOUND', answer);
  }

  /** Objects vanish from memory: all at once, or those this config's requests go through. */
  async #forget(config: string): Promise<void> {
    this.evictions += 1;
    if (this.#chance() < 0.15) {
      await abortAllDurableObjects();
      return;
    }
    const actors = [
      ...[...this.#model.rooms.keys()].map((id) => actorAt('lobby', id)),
      ...this.#players.map((player) => actorAt('seat', PROJECT, config, seatShare(player))),
      actorAt('directory', PROJECT, config),
      actorAt('queue', PROJECT, config, PAIR),
    ].filter(() => this.#chance() < 0.5);
    await Promise.all(
      actors.map((actor) =>
        actor.evict().catch((error: unknown) => {
          // One that is out of memory already is as good as evicted.
          expect(String(error)).toContain('not currently running');
        }),
      ),
    );
  }

  /** The lobby stands as the model says, at once or once what was set going has ended. */
  async #settled(room: Room): Promise<void> {
    const live = this.#model.rooms.has(room.id);
    const line = `GET lobbies/${room.config}/${room.id}`;
    const answer = await until(
      () => ask<Shown>(line, { key: SERVER }),
      ({ status, body }) => {
        const stands = status === 200 && body.status === room.status;
        return live ? stands && body.currentPlayers === room.players.size : status === 404;
      },
      SETTLE_MS,
    );
    if (live) {
      looksLike(room, answer.body);
      this.#rising.check(answer.body);
    }
  }

  /** Every lobby, and where each player is, as the service tells it. */
  async #everybody(): Promise<void> {
    for (const room of this.#model.rooms.values()) {
      await this.#settled(room);
    }
    for (const config of this.#configs) {
      for (const player of this.#players) {
        const room = this.#model.roomOf(config, player);
        const { status, body } = await ask<Shown>(`GET lobbies/${config}/me`, { player });
        expect([player, status, room === null ? null : body.id]).toEqual([
          player,
          room === null ? 404 : 200,
          room?.id ?? null,
        ]);
      }
    }
  }

  async #cleanUp(): Promise<void> {
    for (const { id, config } of this.#known) {
      await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER });
    }
  }
}
