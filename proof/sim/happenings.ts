// Events from outside: game servers die, administrators save and delete, clocks jump, machines
// restart.

import { DEFAULT_BUILD } from '../../src/common/limits';
import { ONLY } from '../../src/fleet/fleets';
import type { BuildLaunch } from '../../src/fleet/port';
import { playersOf, type Mode } from '../../src/match/rules/mode';
import type { ConfigDraft } from '../../src/objects/contracts/project';
import type { Always } from './always';
import { answerOf, asked } from './history';
import type { Ledger } from './ledger';
import { Broken } from './parts';
import type { Random } from './random';
import { HOOK } from './receiver';
import { CONFIG, REGION, type Scenario, onDeclineOf, YARD } from './scenario';
import { withFewerWatching } from './seldom';
import { NEXT, type World } from './world';

const WEIGHTS = {
  serverCrash: 5,
  adminDelete: 1,
  saveConfig: 2,
  clockJump: 2,
  crashOne: 4,
  evictIdle: 2,
  restartAll: 1,
  documentsGone: 1,
};

/** Longer than the platform tries an alarm again. */
const LONGEST_OUTAGE_MS = 300_000;

/** By then the warm servers of a build run, in most weather. */
const WARMING_MS = 8_000;

/** How servers are launched. Tried until it is saved. */
export async function saveLaunch(world: World, launch: BuildLaunch): Promise<void> {
  const peers = world.peersOf(world.client('admin'));
  const build = { name: DEFAULT_BUILD, label: null, status: 'ready', ports: [] } as const;
  for (;;) {
    try {
      await peers.project(world.project).saveBuild({ ...build, launch });
      return;
    } catch (error) {
      if (!(error instanceof Broken)) {
        throw error;
      }
    }
  }
}

/** How the build of the seed is launched. */
export function launchOf({ room, warm }: Pick<Scenario, 'room' | 'warm'>): BuildLaunch {
  return {
    ...(room && { capacitySeconds: room.capacitySeconds }),
    ...(room?.next && { fleets: [ONLY, NEXT] }),
    ...(warm > 0 && { warm: { [REGION]: warm } }),
  };
}

export class Happenings {
  readonly #world: World;
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #always: Always;
  readonly #scenario: Scenario;

  constructor(of: {
    world: World;
    random: Random;
    ledger: Ledger;
    always: Always;
    scenario: Scenario;
  }) {
    this.#world = of.world;
    this.#random = of.random;
    this.#ledger = of.ledger;
    this.#always = of.always;
    this.#scenario = of.scenario;
  }

  /** The config the run starts with, and its hooks; tried until they are saved. */
  async found(): Promise<void> {
    await this.#save(this.#scenario.config);
    if (this.#scenario.wanders) {
      await this.#save({ ...withFewerWatching(this.#scenario.config), name: YARD });
    }
    if (this.#scenario.warm > 0) {
      // Its servers read the document at once, and whoever shares their isolate would not know of the hooks.
      await this.#setHooks();
      await this.saveBuild();
      await this.#world.loop.sleep(WARMING_MS);
    } else {
      await this.saveBuild();
      await this.#setHooks();
    }
  }

  async #setHooks(): Promise<void> {
    const peers = this.#world.peersOf(this.#world.client('admin'));
    const project = peers.project(this.#world.project);
    while (this.#scenario.hooks) {
      try {
        await asked(
          this.#world.history,
          { who: null, does: 'PUT /v3/projects/hooks', body: { url: HOOK.url } },
          {
            ask: () => project.changeSecrets({ act: 'set hooks', hook: HOOK }),
            answer: () => ({ status: 200, body: {} }),
          },
        );
        return;
      } catch (error) {
        if (!(error instanceof Broken)) {
          throw error;
        }
      }
    }
  }

  /** The fleet has room for some servers, and matches wait for it. */
  async saveBuild(): Promise<void> {
    const { room, warm } = this.#scenario;
    if (room !== null) {
      this.#world.fleet.places = room.places;
      this.#world.next.places = room.next ?? 0;
    }
    if (room !== null || warm > 0) {
      await saveLaunch(this.#world, launchOf(this.#scenario));
    }
  }

  async #save(draft: ConfigDraft): Promise<void> {
    const peers = this.#world.peersOf(this.#world.client('admin'));
    for (;;) {
      try {
        const reply = await asked(
          this.#world.history,
          { who: null, does: `PUT /v3/lobby-configs/${draft.name}`, body: draft },
          {
            ask: () => peers.project(this.#world.project).saveConfigs([draft], null),
            answer: answerOf,
          },
        );
        this.#world.journal.check(reply.ok, () => 'a config was refused');
        return;
      } catch (error) {
        if (!(error instanceof Broken)) {
          throw error;
        }
      }
    }
  }

  /** Goes on until told to stop. */
  async go(isOver: () => boolean): Promise<void> {
    const { happenings } = this.#scenario;
    if (happenings === 0) {
      return;
    }
    while (!isOver()) {
      await this.#world.loop.sleep(this.#random.between(100, 4_000) / happenings);
      if (!isOver()) {
        await this.#one();
      }
    }
  }

  async #one(): Promise<void> {
    const { fleet, nodes } = this.#world;
    const what = this.#random.weighted(WEIGHTS);
    const awake = [...nodes.values()].filter(({ isAwake, kind }) => isAwake && kind !== 'fleet');
    switch (what) {
      case 'serverCrash': {
        const alive = fleet.alive();
        if (alive.length > 0) {
          this.#said('a game server dies');
          fleet.crash(this.#random.pick(alive));
        }
        return;
      }
      case 'adminDelete':
        return this.#delete();
      case 'saveConfig':
        this.#said('a config is saved');
        return this.#save(this.#changed());
      case 'clockJump':
        return this.#jump();
      case 'crashOne':
        if (this.#world.weather.rates.crash > 0 && awake.length > 0) {
          this.#random.pick(awake).crash('at random');
        }
        return;
      case 'evictIdle':
        awake.filter(({ isIdle }) => isIdle).forEach((node) => node.crash('idle'));
        return;
      case 'documentsGone':
        if (this.#world.weather.rates.crash > 0) {
          this.#said('documents cannot be reached');
          const ends = this.#world.loop.now + this.#random.between(1_000, LONGEST_OUTAGE_MS);
          this.#world.documentsGoneUntil = Math.max(this.#world.documentsGoneUntil, ends);
        }
        return;
      case 'restartAll':
        if (this.#world.weather.rates.crash > 0) {
          this.#said('all objects restart');
          awake.forEach((node) => node.crash('in a restart'));
        }
        return;
    }
  }

  #said(what: string): void {
    this.#world.journal.count(`happened: ${what}`);
  }

  /** Moves the clocks of all objects, as on a single machine, or one clock by a little. */
  #jump(): void {
    const { journal, nodes } = this.#world;
    const all = [...new Set([...nodes.values()].map(({ machine }) => machine))];
    const isWide = this.#random.chance(0.5);
    const ms = isWide ? this.#random.between(-20_000, 40_000) : this.#random.between(-2_000, 2_000);
    journal.count('clock jumps');
    this.#said(`${isWide ? 'all clocks jump' : 'one clock jumps'} ${ms < 0 ? 'back' : 'on'}`);
    journal.say(() => `*** ${isWide ? 'all clocks jump' : 'a clock jumps'} by ${ms.toFixed(0)} ms`);
    for (const machine of isWide ? all : [this.#random.pick(all)]) {
      machine.jump(ms);
    }
    if (isWide) {
      this.#world.jumped += ms;
    }
    this.#world.setBack += Math.max(0, -ms);
    this.#world.history?.note({ clock: ms });
  }

  async #delete(): Promise<void> {
    const ids = [...this.#always.lobbies.keys()];
    if (ids.length === 0) {
      return;
    }
    const id = this.#random.pick(ids);
    this.#said(`a lobby is deleted that is ${this.#always.lobbies.get(id)?.status}`);
    const { createdAt: before, config = CONFIG } = this.#always.lobbies.get(id) ?? {};
    this.#ledger.endAsked(id);
    const { project, journal } = this.#world;
    try {
      const peers = this.#world.peersOf(this.#world.client('admin'));
      await asked(
        this.#world.history,
        { who: null, does: `DELETE /v3/lobbies/${config}/${id}` },
        {
          ask: () => peers.lobby(id).adminDelete(project, config),
          answer: (found) =>
            found ? { status: 200, body: { status: 'lobby_deleted', id } } : answerOf(null),
        },
      );
      // A pending request to create it may have founded it anew, as another lobby.
      const after = this.#always.lobbies.get(id);
      journal.check(
        after === undefined || after.createdAt !== before || after.config !== config,
        () => `lobby ${id} is there after its deletion was acknowledged`,
      );
    } catch (error) {
      if (!(error instanceof Broken)) {
        throw error;
      }
    }
  }

  #changed(): ConfigDraft {
    const { config } = this.#scenario;
    const random = this.#random;
    const saved = Object.entries(config.matchmaking.modes);
    const modes = saved.map(([name, mode]): [string, Mode] => {
      const timeout = random.pick([4, 15, 60]);
      const changed = {
        ...mode,
        timeout,
        maxPartySize: random.chance(0.3) ? 1 : mode.maxPartySize,
        allowBackfill: random.chance(0.3) ? !mode.allowBackfill : mode.allowBackfill,
        lateJoin: random.chance(0.7),
        ...onDeclineOf(random),
      };
      // No draw of its own moves the others.
      return [name, timeout === 15 ? smaller(changed) : changed];
    });
    const kept = modes.filter(() => random.chance(0.8));
    return {
      ...config,
      enabled: random.chance(0.9),
      matchmaking: { modes: Object.fromEntries(kept) },
    };
  }
}

/** The mode with a place less in each team. */
function smaller(mode: Mode): Mode {
  const playersPerTeam = Math.max(1, mode.playersPerTeam - 1);
  const [minPlayersPerTeam, maxPartySize] = [mode.minPlayersPerTeam, mode.maxPartySize].map(
    (size) => Math.min(size, playersPerTeam),
  );
  return mode.teamComposition !== null || playersOf(mode) - mode.teams < 2
    ? mode
    : ({ ...mode, playersPerTeam, minPlayersPerTeam, maxPartySize } as Mode);
}
