// Kills the service by SIGKILL and starts it again on the same data: at a random instant, or just
// as a request of some kind is on its way or a server is being started. Now and then a game server dies too, or the agent,
// which is gone for a while.

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Running } from '../../scripts/start.ts';
import { gameServersOfService } from '../../test/support/processes.ts';
import type { TwoInstances } from './cluster.ts';
import { BLOWS } from './images.ts';
import { EVERYWHERE } from './log.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Requests at which it prefers to strike, and the start of a server. */
const HOT = [
  'queue',
  'confirm',
  'create',
  'join by id',
  'start',
  'end-match',
  'leave',
  'cancel',
  'launch',
];
/** How long it waits for such a request, and at most how long after that it strikes. */
const WAIT_MS = 300;
const UNDER_WAY_MS = 20;
/** How long a container takes to start. */
const STARTING_MS = 1_500;
const GAME_SERVER_CHANCE = 0.2;
const AGENT_CHANCE = 0.2;
/** How long the agent is gone, at most. The service may be killed meanwhile. */
const AGENT_GONE_MS = 2_500;
/** The answers that must come between two kills. With fewer, there is too little to lose. */
const ANSWERS = 40;
const MOST_PATIENCE_MS = 1_500;

export interface Killing {
  readonly random: Random;
  /** From the start of the service to the next kill, at least and at most. */
  readonly afterMs: readonly [number, number];
  /** Two instances, which are struck in several ways. Null: the service is one, and killed. */
  readonly instances: TwoInstances | null;
}

export class Killer {
  readonly #world: World;
  readonly #running: Running;
  readonly #killing: Killing;
  #answeredBefore = 0;

  constructor(world: World, running: Running, killing: Killing) {
    this.#world = world;
    this.#running = running;
    this.#killing = killing;
  }

  get leastMs(): number {
    return this.#killing.afterMs[0];
  }

  /** Waits, kills, and resolves when the service accepts requests again. */
  async strike(): Promise<void> {
    const { tally, log, up } = this.#world;
    const { random, afterMs } = this.#killing;
    if (random.chance(GAME_SERVER_CHANCE)) {
      await this.#killGameServer();
    }
    const agentIsBack = random.chance(AGENT_CHANCE) ? this.#killAgent() : null;
    await sleep(random.between(...afterMs));
    await this.#untilAnswered();
    if (random.chance(0.5)) {
      await this.#untilAsked(random.pick(HOT) ?? '', WAIT_MS);
      await sleep(random.between(0, UNDER_WAY_MS));
    }
    const { blow = null, isGentle = false } = this.#killing.instances?.next() ?? {};
    if (!isGentle) {
      up.close();
    }
    log.note([EVERYWHERE], `--- ${blow ?? 'SIGKILL of the service'}`);
    await this.#running.service.kill();
    tally.kills += 1;
    await this.#running.service.start();
    log.note([EVERYWHERE], '--- the service is back');
    await agentIsBack;
    this.#answeredBefore = tally.done;
    up.open();
  }

  async #untilAnswered(): Promise<void> {
    const until = performance.now() + MOST_PATIENCE_MS;
    const { tally } = this.#world;
    while (tally.done < this.#answeredBefore + ANSWERS && performance.now() < until) {
      await sleep(10);
    }
  }

  async #untilAsked(kind: string, mostMs: number): Promise<void> {
    const signal = AbortSignal.timeout(mostMs);
    await once(this.#world.asked, kind, { signal }).catch(() => null);
  }

  /** Half of the time as it starts a server. Resolves when it answers again. */
  async #killAgent(): Promise<void> {
    const { log, tally } = this.#world;
    const { random } = this.#killing;
    if (random.chance(0.5)) {
      await this.#untilAsked('launch', AGENT_GONE_MS);
      await sleep(random.between(0, random.chance(0.5) ? UNDER_WAY_MS : STARTING_MS));
    } else {
      await sleep(random.between(0, AGENT_GONE_MS));
    }
    log.note([EVERYWHERE], '--- SIGKILL of the agent');
    await this.#running.agent.kill();
    tally.agentKills += 1;
    await sleep(random.between(0, AGENT_GONE_MS));
    await this.#running.agent.start();
    log.note([EVERYWHERE], '--- the agent is back');
  }

  async #killGameServer(): Promise<void> {
    const { random } = this.#killing;
    const { url, images, log, tally } = this.#world;
    const [instance = '', [pid] = []] = random.pick([...(await gameServersOfService(url))]) ?? [];
    if (pid === undefined) {
      return;
    }
    const isContainer = images?.has(instance) === true;
    const blow = (isContainer ? random.pick(BLOWS) : null) ?? 'process';
    log.note([EVERYWHERE], `--- end of game server ${instance} (pid ${pid}) by its ${blow}`);
    tally.serverKills += 1;
    tally.containerKills += isContainer ? 1 : 0;
    const doomed = isContainer ? await images.strike(instance, pid, blow) : pid;
    try {
      if (doomed !== null) {
        process.kill(doomed, 'SIGKILL');
      }
    } catch {
      // It ended by itself meanwhile.
    }
  }
}
