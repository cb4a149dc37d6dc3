// A player: makes requests by what it last saw of its lobby, one after another, sometimes the same
// twice at once, and remembers what it was promised.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import type { Lobby } from '../../src/lobby/lobby';
import type { Reply } from '../../src/lobby/refusals';
import type { LobbyView } from '../../src/lobby/view';
import { rulesNow } from '../../src/objects/match/state';
import { watchedBy } from './always-spectators';
import { retrying, SimClient, type Crowd } from './client';
import { answerOf, asked } from './history';
import { Listener } from './listener';
import { Broken, isExplained } from './parts';
import { ROOMY } from './rooms';
import { CONFIG, plainLobby, YARD } from './scenario';
import { wishesOf, type Wish } from './wishes';

/** Whether the match, which decides, keeps a place of the lobby. */
function keepsPlace({ status, part, players }: Lobby, matches: Crowd['always']['matches']) {
  const match = part === null ? undefined : matches.get(part.matchId);
  const isGone = (id: PlayerId): boolean => players.every((each) => each.id !== id);
  const keeps = match !== undefined && rulesNow(match).reconnectSeconds !== undefined;
  return keeps && status === 'in_game' && part?.places.members.some(isGone) === true;
}

export class SimPlayer {
  readonly id: PlayerId;
  readonly #crowd: Crowd;
  readonly #client: SimClient;
  #counter = 0;

  constructor(id: PlayerId, crowd: Crowd) {
    this.id = id;
    this.#crowd = crowd;
    this.#client = new SimClient(id, crowd);
  }

  /** Its whole life: a number of requests, with pauses. */
  async play(): Promise<void> {
    const { world, random, scenario } = this.#crowd;
    const listens = random.chance(scenario.streams);
    for (let left = scenario.requests; left > 0; left -= 1) {
      await world.loop.sleep(random.between(0, scenario.thinkMs));
      const wish = random.weighted(wishesOf(this.id, this.#client.view, scenario));
      const again = random.chance(0.04) ? this.#grant(wish) : Promise.resolve();
      await Promise.all([this.#grant(wish), again]);
      const { lobby } = this.#client;
      if (listens && lobby !== null && random.chance(0.5)) {
        await this.#listen(lobby);
      }
    }
  }

  async #grant(wish: Wish): Promise<void> {
    try {
      await this.#do(wish);
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
      this.#crowd.world.journal.count('requests failed');
    }
  }

  async #do(wish: Wish): Promise<void> {
    const { random, world, scenario } = this.#crowd;
    const player = this.id;
    switch (wish) {
      case 'create':
        return this.#isQuick() ? this.#quick() : this.#create(false);
      case 'fresh':
        return this.#create(true);
      case 'join':
        return this.#isQuick() ? this.#quick() : this.#join();
      case 'joinCode':
        return this.#joinCode();
      case 'read':
        return this.#client.read();
      case 'wait':
        await world.loop.sleep(random.between(1, 2 * scenario.thinkMs));
        return this.#client.read();
      case 'state':
        return this.#state();
      case 'settings':
        return this.#settings();
      case 'kick':
        return this.#kick();
      case 'leave':
        return this.#leave();
      case 'cancel':
        return this.#cancel();
      case 'move': {
        const to = this.#client.view?.config === CONFIG ? YARD : CONFIG;
        await this.#client.execute({ type: 'move', player, to });
        return;
      }
      case 'queue': {
        const names = Object.keys(scenario.config.matchmaking.modes);
        const mode = random.pick(names);
        const isSeveral = scenario.several > 0 && random.chance(scenario.several);
        const others = names.filter((name) => name !== mode);
        const several = others.map((name) => {
          return { mode: name, afterSeconds: random.pick([0, 0, 1, 8]) };
        });
        await this.#client.execute({
          type: 'enter',
          player,
          mode,
          ...(isSeveral ? { others: several } : {}),
        });
        return;
      }
      default:
        await this.#client.execute({ type: wish, player });
    }
  }

  #isQuick(): boolean {
    const { random, scenario } = this.#crowd;
    return scenario.quick > 0 && random.chance(scenario.quick);
  }

  async #quick(): Promise<void> {
    const { world, random, ledger, always, scenario } = this.#crowd;
    const directory = () => this.#client.peers.directory(world.project, CONFIG);
    const map = random.pick(['dust', 'dust', 'dust', 'dust', 'ice']);
    const found = { places: 1, where: [{ key: 'map', text: map }], browseBy: ['map'] };
    const anywhere = { region: null, status: null };
    if (random.chance(0.1)) {
      const search = { ...found, sort: random.pick(['newest', 'players'] as const), after: null };
      const page = { ...anywhere, limit: 5, offset: 0, search };
      const { lobbies } = await retrying(() => directory().browse(page));
      const wrong = lobbies.find(({ settings }) => settings['map'] !== map);
      world.journal.count('happened: a search');
      world.journal.check(wrong === undefined, () => `${wrong?.id} was found by the map ${map}`);
      return;
    }
    if (random.chance(0.8)) {
      // Several at once.
      await world.loop.sleep(500 - (world.loop.now % 500));
    }
    const key = random.chance(0.3) ? map : null;
    const id = world.uuid() as LobbyId;
    const state = scenario.stateOf(random);
    const create = {
      ...plainLobby({ project: world.project, id, player: this.id }),
      maxPlayers: random.pick([2, ROOMY, ROOMY, ROOMY]),
      region: random.pick(['us-east', 'eu-west']),
      settings: { map },
      state,
    };
    if (key === null) {
      always.rooms.asked(id, map);
    } else {
      always.rooms.askedByKey(id, key);
    }
    const mark = ledger.mark(this.id);
    const body = { where: { map }, state, create };
    const sought = { ...anywhere, ...found };
    const join = () =>
      retrying(() =>
        key === null
          ? directory().quickJoin({ sought, create })
          : directory().joinByKey({ key, create }),
      );
    const [call, sent] = key === null ? ['/quick-join', body] : ['', { key, ...create }];
    const reply = await this.#asks(`POST /v3/lobbies/${CONFIG}${call}`, sent, join);
    world.journal.count(
      `${key === null ? 'quick join' : 'join by key'}: ${reply.ok ? 'done' : reply.refusal.code}`,
    );
    this.#client.came(reply, mark);
  }

  async #create(forceFresh: boolean): Promise<void> {
    const { world, random, ledger, always, scenario } = this.#crowd;
    const id = world.uuid() as LobbyId;
    if (forceFresh) {
      for (const lobby of always.lobbiesOf(this.id)) {
        ledger.endAsked(lobby.id);
      }
    }
    const body = {
      name: 'a lobby',
      maxPlayers: scenario.theme === 'crowd' ? 2 : 1 + random.below(4),
      region: random.pick(['us-east', 'eu-west']),
      isPrivate: random.chance(0.2),
      allowLateJoin: random.chance(0.7),
      settings: scenario.settings,
      state: scenario.stateOf(random),
      forceFresh,
    };
    const input = { id, project: world.project, config: CONFIG, player: this.id, ...body };
    // Without an answer it is unknown whether and when the old lobby is deleted.
    const settled = forceFresh ? ledger.freshAsked(this.id) : () => {};
    const mark = ledger.mark(this.id);
    const create = () =>
      this.#asks(`POST /v3/lobbies/${CONFIG}`, body, () =>
        retrying(() => this.#client.peers.lobby(id).create(input)),
      );
    const requests = random.chance(0.05) ? [create(), create()] : [create()];
    (await Promise.all(requests)).forEach((reply) => this.#client.came(reply, mark));
    settled();
  }

  async #join(): Promise<void> {
    const { always, ledger, random, world, scenario } = this.#crowd;
    const ids = [...always.lobbies.keys()];
    if (ids.length === 0) {
      return this.#create(false);
    }
    // Few lobbies keep a place, and many players want to come into those.
    const keeping = [...always.lobbies.values()]
      .filter((each) => keepsPlace(each, always.matches))
      .map(({ id: its }) => its);
    const isTold = keeping.length > 0 && random.chance(0.7);
    const [watched] = scenario.watches > 0 ? this.#own() : [];
    const isBack = watched !== undefined && random.chance(0.7);
    const id = isBack ? watched.id : random.pick(isTold ? keeping : ids);
    const state = scenario.stateOf(random);
    const { config = CONFIG } = always.lobbies.get(id) ?? {};
    const [as, settled] = this.#as(id);
    const input = { project: world.project, config, player: this.id, state, ...as };
    const mark = ledger.mark(this.id);
    const join = () =>
      this.#asks(`POST /v3/lobbies/${config}/join`, { lobbyId: id, state, ...as }, () =>
        retrying(() => this.#client.peers.lobby(id).join(input)),
      );
    const requests = random.chance(0.1) ? [join(), join()] : [join()];
    (await Promise.all(requests)).forEach((reply) => this.#client.came(reply, mark));
    settled();
  }

  async #joinCode(): Promise<void> {
    const { always, ledger, random, world } = this.#crowd;
    const lobbies = [...always.lobbies.values()];
    if (lobbies.length === 0) {
      return this.#create(false);
    }
    const { code, config } = random.pick(lobbies);
    const { peers } = this.#client;
    const guess = { code, player: this.id, address: null, limits: {} };
    const found = await retrying(() => peers.directory(world.project, config).find(guess));
    if (found.ok) {
      const [as, settled] = this.#as(found.value);
      const input = { project: world.project, config, player: this.id, state: null, ...as };
      const mark = ledger.mark(this.id);
      const join = () => retrying(() => peers.lobby(found.value).join(input));
      const does = `POST /v3/lobbies/${config}/join`;
      this.#client.came(await this.#asks(does, { code, state: null, ...as }, join), mark);
      settled();
    }
  }

  /** To play or to watch. Whoever plays there and joins to watch gives up the place: call the function with the outcome. */
  #as(id: LobbyId): readonly [how: { readonly as?: 'spectator' }, settled: () => void] {
    const { random, scenario, ledger } = this.#crowd;
    return scenario.watches > 0 && random.chance(scenario.watches)
      ? [{ as: 'spectator' }, ledger.removalAsked(this.id, id)]
      : [{}, () => {}];
  }

  /** Wherever it plays or watches. */
  #own(): readonly Lobby[] {
    const { always } = this.#crowd;
    return [...always.lobbiesOf(this.id), ...watchedBy(always, this.id)];
  }

  #asks(
    does: string,
    body: object,
    ask: () => Promise<Reply<LobbyView>>,
  ): Promise<Reply<LobbyView>> {
    const { history } = this.#crowd.world;
    return asked(history, { who: this.id, does, body }, { ask, answer: answerOf });
  }

  #name(): string {
    this.#counter += 1;
    return `${this.id}.${this.#counter}`;
  }

  async #state(): Promise<void> {
    const { random, ledger, scenario } = this.#crowd;
    const name = this.#name();
    const state: JsonObject = { ...scenario.stateOf(random), [name]: true };
    const view = await this.#client.command({ type: 'patch_state', player: this.id, state });
    if (view !== null) {
      ledger.members.get(`${this.id} ${view.id}`)?.keys.add(name);
    }
  }

  async #settings(): Promise<void> {
    const { random, ledger } = this.#crowd;
    const name = this.#name();
    const patch = {
      settings: { [name]: true },
      ...(random.chance(0.2) ? { isPrivate: random.chance(0.5) } : {}),
      ...(random.chance(0.2) ? { maxPlayers: 1 + random.below(4) } : {}),
    };
    const view = await this.#client.command({ type: 'settings', player: this.id, patch });
    if (view !== null) {
      const id = view.id as LobbyId;
      ledger.settings.set(id, (ledger.settings.get(id) ?? new Set()).add(name));
    }
  }

  async #kick(): Promise<void> {
    const { players = [], spectators = [] } = this.#client.view ?? {};
    const others = [...players, ...spectators].filter(({ id }) => id !== this.id);
    if (others.length > 0) {
      const target = this.#crowd.random.pick(others).id as PlayerId;
      const kick = { type: 'kick', player: this.id, target } as const;
      await this.#removing(target, () => this.#client.execute(kick));
    }
  }

  async #leave(): Promise<void> {
    await this.#removing(this.id, () => this.#client.execute({ type: 'leave', player: this.id }));
    this.#client.forget(this.#client.lobby);
  }

  /** The request may reach any of its lobbies, which the player may have left. */
  async #removing(target: PlayerId, ask: () => Promise<unknown>): Promise<void> {
    const { ledger, scenario } = this.#crowd;
    const settled: (() => void)[] = [];
    for (const lobby of this.#own()) {
      settled.push(ledger.removalAsked(target, lobby.id));
      if (target === this.id && scenario.config.hostLeaveBehavior === 'delete') {
        ledger.endAsked(lobby.id);
      }
    }
    try {
      await ask();
    } finally {
      settled.forEach((settle) => settle());
    }
  }

  /**
   * Races against a match: either the ticket is given up or it is matched, and the answer says
   * which.
   */
  async #cancel(): Promise<void> {
    const { always, world } = this.#crowd;
    const { tickets } = always;
    const [lobby] = always.lobbiesOf(this.id);
    const ticketId = lobby?.search?.ticketId;
    const before = new Map([...always.lobbies.keys()].map((id) => [id, tickets.givenBy(id)]));
    const reply = await this.#client.execute({ type: 'cancel', player: this.id });
    if (reply?.ok === true) {
      // Perhaps not the ticket it had when the request left: it may have been matched, come back
      // from that match, and search again. But one there is.
      const id = reply.value.lobby?.id as LobbyId;
      world.journal.check(
        tickets.givenBy(id) > (before.get(id) ?? 0),
        () => `${this.id} was told that ${id} has cancelled, and it gave up no ticket`,
      );
    }
    if (ticketId !== undefined && reply !== null && tickets.wasProposed(ticketId)) {
      world.journal.count(`races: ${tickets.fateOf(ticketId)}`);
    }
  }

  async #listen(lobby: LobbyId): Promise<void> {
    const { listeners, scenario, world, random, always } = this.#crowd;
    try {
      // In every other seed, one in two asks for changes, which takes no chance from what the seeds did before.
      const changes = scenario.seed % 2 === 0 && this.id.length % 2 === listeners.size % 2;
      const reply = await this.#client.peers.lobby(lobby).events(this.id, null, { changes });
      if (reply.ok) {
        const listener = new Listener(reply.value, {
          player: this.id,
          lobby,
          journal: world.journal,
          signals: always.signals,
          hear: world.history?.stream(this.id, CONFIG),
        });
        listeners.add(listener);
        if (random.chance(0.3)) {
          world.loop.after(random.between(100, 20_000), () => listener.leave());
        }
      }
    } catch (error) {
      if (!(error instanceof Broken)) {
        throw error;
      }
    }
  }
}
