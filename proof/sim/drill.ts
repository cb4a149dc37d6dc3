// Drills: a short way through the service without chance, in which one object crashes at one given
// point. Run once for every point there is, a drill shows what each crash leaves and that somebody
// finishes it. The people of a drill insist: they ask again until it is done.

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import type { Command } from '../../src/lobby/command';
import type { Lobby } from '../../src/lobby/lobby';
import type { Mode } from '../../src/match/rules/mode';
import type { Match } from '../../src/objects/match/state';
import type { Reply } from '../../src/lobby/refusals';
import type { CreateInput, LobbyAnswer } from '../../src/objects/contracts/lobby';
import type { ConfigDraft } from '../../src/objects/contracts/project';
import { Always } from './always';
import { CALM } from './faults';
import { checkQuiet } from './finally';
import { checkOwed } from './owed';
import { checkLadders } from './ladders';
import { Ledger } from './ledger';
import { Moves } from './moves';
import { Broken, type CrashPoint, type Domain, type Placement } from './parts';
import { Random } from './random';
import { HOOK } from './receiver';
import { CONFIG, plainConfig, plainLobby, scenarioOf, YARD, type Scenario } from './scenario';
import { withFewerWatching } from './seldom';
import { ROOMY } from './rooms';
import { checkStrays } from './strays';
import { REAL, World } from './world';

export interface Point {
  readonly domain: Domain;
  readonly where: CrashPoint;
}

export interface DrillOptions {
  readonly seed: number;
  readonly placement: Placement;
  /** The box that crashes goes on elsewhere. */
  readonly moves?: boolean;
  /** The number of the watched point at which the object crashes. Null: none. */
  readonly crashAt: number | null;
  readonly tracing?: boolean;
}

export interface DrillOutcome {
  /** Every point of the watched part at which an object could have crashed. */
  readonly points: readonly Point[];
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

const PATIENCE_MS = 300_000;
const QUIET_MS = 200_000;
const PRESENCE_SECONDS = 5;

export class Drill {
  readonly world: World;
  readonly always: Always;
  readonly ledger = new Ledger();
  readonly points: Point[] = [];
  #scenario: Scenario;
  readonly #crashAt: number | null;
  #watching = false;

  constructor(modes: Readonly<Record<string, Mode>>, of: DrillOptions) {
    this.#scenario = {
      ...scenarioOf(1),
      config: { ...plainConfig(modes), queuePresenceSeconds: PRESENCE_SECONDS },
    };
    this.#crashAt = of.crashAt;
    this.world = new World({
      seed: of.seed,
      placement: of.placement,
      tracing: of.tracing === true,
      rates: CALM,
      makers: REAL,
      startMs: 200,
      reports: true,
      crashes: (domain, where) => this.#crashes(domain, where),
      moves: of.moves === true ? new Moves(new Random(of.seed, of.crashAt ?? 0), 1) : null,
    });
    const terms = {
      heartbeatConfigs: new Set<string>(),
      idleMs: 7_200_000,
      presenceMs: PRESENCE_SECONDS * 1_000,
    };
    this.always = new Always(this.world, this.ledger, terms);
    this.world.watcher = this.always;
  }

  #crashes(domain: Domain, where: CrashPoint): boolean {
    if (!this.#watching) {
      return false;
    }
    this.points.push({ domain, where });
    return this.points.length - 1 === this.#crashAt;
  }

  /** The part in which crashes happen. */
  async watched<T>(part: () => Promise<T>): Promise<T> {
    this.#watching = true;
    const result = await part();
    this.#watching = false;
    return result;
  }

  /** Plays the part, waits until the world is quiet, and checks it. */
  async run(play: (drill: Drill) => Promise<void>): Promise<DrillOutcome> {
    const { loop, journal } = this.world;
    let isOver = false;
    const playing = (async () => {
      await this.#save(this.#scenario.config);
      await play(this);
    })();
    playing.then(
      () => {
        isOver = true;
      },
      (error: unknown) => {
        isOver = true;
        journal.violation(`the drill threw: ${String(error)}`);
      },
    );
    await loop.run(PATIENCE_MS * 4, () => isOver);
    journal.check(isOver, () => 'the drill never ended');
    this.#watching = false;
    this.world.moves = null;
    await loop.run(loop.now + QUIET_MS, () => false);
    const { world, always, ledger } = this;
    const quiet = { world, always, ledger, scenario: this.#scenario, listeners: new Set<never>() };
    checkQuiet(quiet);
    checkLadders(quiet);
    await checkOwed(quiet, () => false);
    await checkStrays(quiet, () => false);
    return { points: this.points, violations: journal.violations, trace: journal.lines };
  }

  async #save(config: ConfigDraft): Promise<void> {
    const peers = this.world.peersOf(this.world.client('admin'));
    await this.insist(() => peers.project(this.world.project).saveConfigs([config], null));
  }

  /** There is one more config, which lobbies may move to. */
  async saveYard(): Promise<void> {
    this.#scenario = { ...this.#scenario, wanders: true };
    await this.#save({ ...withFewerWatching(this.#scenario.config), name: YARD });
  }

  /** The config is saved with these modes in the place of its own, and keys that players cannot write. */
  change(modes: Readonly<Record<string, Mode>>, trusted: readonly string[] = []): Promise<void> {
    return this.#save({ ...this.#scenario.config, matchmaking: { modes }, trusted });
  }

  /** From now on, games that hosts start have matches. */
  matchOnStart(): Promise<void> {
    const { config } = this.#scenario;
    const serverSettings = { ...config.serverSettings, matchOnStart: true };
    return this.#save({ ...config, serverSettings });
  }

  /** The backend is told of the matches that form from now on. */
  async hook(): Promise<void> {
    const peers = this.world.peersOf(this.world.client('admin'));
    const change = { act: 'set hooks', hook: HOOK } as const;
    await this.insist(() => peers.project(this.world.project).changeSecrets(change));
  }

  /** Waits until the condition holds. Throws if it never does. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const { loop } = this.world;
    for (const end = loop.now + PATIENCE_MS; !holds();) {
      if (loop.now > end) {
        throw new Error(`never: ${what}`);
      }
      await loop.sleep(20);
    }
  }

  /** Asks until there is an answer. */
  async insist<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof Broken)) {
          throw error;
        }
        await this.world.loop.sleep(50);
      }
    }
  }

  /** A lobby of its own for the player; the others join it. */
  async gather(host: string, ...guests: readonly string[]): Promise<LobbyId> {
    const id = await this.#create(host, {});
    for (const guest of guests) {
      await this.join(id, guest);
    }
    return id;
  }

  /** A fresh lobby in the place of the one the player hosts. */
  replace(host: string, old: LobbyId): Promise<LobbyId> {
    this.ledger.endAsked(old);
    return this.#create(host, { forceFresh: true });
  }

  /** A lobby of its own for the player in the other config. */
  gatherInYard(host: string): Promise<LobbyId> {
    return this.#create(host, { config: YARD });
  }

  async #create(host: string, how: Partial<CreateInput>): Promise<LobbyId> {
    const { world, ledger } = this;
    const id = world.uuid() as LobbyId;
    const player = host as PlayerId;
    const input = { ...plainLobby({ project: world.project, id, player }), ...how };
    const founded = await this.insist(() => this.#peers(host).lobby(id).create(input));
    world.journal.check(founded.ok, () => `${host} could not create a lobby`);
    ledger.joined(player, id, 0);
    return id;
  }

  async join(id: LobbyId, guest: string): Promise<void> {
    const { world, ledger } = this;
    const player = guest as PlayerId;
    const input = { project: world.project, config: CONFIG, player, state: null };
    const joined = await this.insist(() => this.#peers(guest).lobby(id).join(input));
    world.journal.check(joined.ok, () => `${guest} could not join`);
    ledger.joined(player, id, 0);
  }

  /** Joins to watch, or stands aside if the player is there. */
  async watch(id: LobbyId, who: string): Promise<void> {
    const { world, ledger } = this;
    const player = who as PlayerId;
    ledger.removalAsked(player, id);
    const place = { project: world.project, config: CONFIG, player, state: null };
    const ask = () =>
      this.#peers(who)
        .lobby(id)
        .join({ ...place, as: 'spectator' });
    const joined = await this.insist(ask);
    world.journal.check(joined.ok, () => `${who} could not watch`);
    const { spectators = [] } = this.lobby(id) ?? {};
    world.journal.check(
      spectators.some((each) => each.id === player),
      () => `${who} is not there`,
    );
  }

  /** By the map `dust`. Whoever was told nothing asks again, and may be in by then. */
  async quickJoin(player: string): Promise<void> {
    const { world } = this;
    const { project } = world;
    const id = world.uuid() as LobbyId;
    const settings = { map: 'dust' };
    const place = { project, id, player: player as PlayerId };
    const create = { ...plainLobby(place), maxPlayers: ROOMY, settings };
    const where = [{ key: 'map', text: 'dust' }];
    const sought = { region: null, status: null, places: 1, where, browseBy: ['map'] };
    this.always.rooms.asked(id, 'dust');
    const ask = () => this.#peers(player).directory(project, CONFIG).quickJoin({ sought, create });
    const joined = await this.insist(ask);
    const isIn = joined.ok || joined.refusal.code === 'ALREADY_IN_LOBBY';
    world.journal.check(isIn, () => `${player} got no place`);
  }

  /** By one key. Whoever was told nothing asks again, and may be in by then. */
  async joinByKey(player: string, key: string, config: string = CONFIG): Promise<void> {
    const { world } = this;
    const { project } = world;
    const id = world.uuid() as LobbyId;
    const create = { ...plainLobby({ project, id, player: player as PlayerId }), config };
    this.always.rooms.askedByKey(id, key);
    const joined = await this.insist(() =>
      this.#peers(player).directory(project, config).joinByKey({ key, create }),
    );
    const isIn = joined.ok || joined.refusal.code === 'ALREADY_IN_LOBBY';
    world.journal.check(isIn, () => `${player} got no place by the key`);
  }

  /** Moves the lobby, as an operator asks. */
  move(id: LobbyId, to: string): Promise<Reply<LobbyAnswer>> {
    const site = { project: this.world.project, config: CONFIG };
    return this.insist(() =>
      this.#peers('admin').lobby(id).operate(site, { type: 'move', to }, 'operator:key'),
    );
  }

  /** Opens the player's stream. Returns the function that closes it. */
  async listen(id: LobbyId, player: string): Promise<() => Promise<void>> {
    const stream = await this.insist(() =>
      this.#peers(player)
        .lobby(id)
        .events(player as PlayerId, null),
    );
    this.world.journal.check(stream.ok, () => `${player} could not listen`);
    return async () => {
      if (stream.ok) {
        await stream.value.hangUp();
      }
    };
  }

  /** Whether the player is in a lobby, as a request under that config finds it: perhaps in the one that it has moved to. */
  async isFound(player: string, config: string): Promise<LobbyId | null> {
    const { project } = this.world;
    const peers = this.#peers(player);
    const who = player as PlayerId;
    const id = await this.insist(() => peers.seat(project, config, who).where(who));
    if (id === null) {
      return null;
    }
    const to = await this.insist(() => peers.lobby(id).movedTo({ project, config }, who));
    const seen = await this.insist(() => peers.lobby(id).read(who, false, to ?? config));
    return seen.ok ? id : null;
  }

  /** Repeats the command until the lobby is in the wanted state. */
  async command(
    id: LobbyId,
    command: Command,
    until: (lobby: Lobby | null) => boolean,
  ): Promise<void> {
    const { loop } = this.world;
    for (const end = loop.now + PATIENCE_MS; ;) {
      await this.insist(() => this.#peers(command.player).lobby(id).execute(command));
      if (until(this.lobby(id))) {
        return;
      }
      if (loop.now > end) {
        throw new Error(`${command.type} never came about`);
      }
      await loop.sleep(50);
    }
  }

  #peers(player: string) {
    return this.world.peersOf(this.world.client(player));
  }

  lobby(id: LobbyId): Lobby | null {
    return this.always.lobbies.get(id) ?? null;
  }

  /** The match of all these lobbies, once it runs and they all show its server. */
  together(...ids: readonly LobbyId[]): Match | null {
    const lobbies = ids.map((id) => this.lobby(id));
    const matchIds = new Set(lobbies.map((lobby) => lobby?.part?.matchId));
    const [matchId] = matchIds;
    const playing = lobbies.every((lobby) => lobby?.status === 'in_game');
    return playing && matchIds.size === 1
      ? (this.always.matches.get(matchId as MatchId) ?? null)
      : null;
  }
}
