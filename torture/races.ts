// `npm run torture:races -- --count 10000`: a cancel against a match, over real HTTP. One lobby waits
// in the queue; at the same moment the other one enters and the first one cancels. Each race must
// end in one way: cancelled (200, it waits, the other still searches) or matched (409, both play on
// one server); never both, never neither. The moment of the cancel is moved so that both ways are
// taken about as often: there the race is closest.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { Player } from '../scripts/player.ts';
import type { Lobby } from '../scripts/player.ts';
import { startService } from '../scripts/service.ts';
import { Random } from './random.ts';
import { operatorOf } from './world.ts';

export interface RaceOptions {
  readonly count: number;
  readonly seed: number;
  /** Pairs of lobbies that race at the same time. */
  readonly lanes?: number;
  /** The bundle; made when absent. */
  readonly worker?: string;
  readonly tell?: (line: string) => void;
}

export interface RaceReport {
  readonly cancelled: number;
  readonly matched: number;
  /** What was wrong, a sentence each. */
  readonly both: readonly string[];
  readonly neither: readonly string[];
  readonly seconds: number;
}

const CONFIG = 'races';
const SETTLE_MS = 10_000;
const POLL_MS = 2;
/** How far the cancel is moved after each race, and shaken around that. */
const STEP_MS = 0.5;
const SHAKE_MS = 2;

interface Score {
  started: number;
  cancelled: number;
  matched: number;
  readonly both: string[];
  readonly neither: string[];
}

export async function races(options: RaceOptions): Promise<RaceReport> {
  const { count, seed, lanes = 8, tell = () => undefined } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-races-'));
  const service = await startService({
    port: 0,
    dataDir,
    env: { DEV_KEYS: 'true', FLEET: 'simulated' },
    ...(options.worker === undefined ? {} : { worker: options.worker }),
  });
  const begun = performance.now();
  const score: Score = { started: 0, cancelled: 0, matched: 0, both: [], neither: [] };
  try {
    const rules = [{ type: 'equals', field: 'lane' }];
    const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules } };
    const config = { timeout: 24 * 3_600, matchmaking: { modes } };
    await operatorOf(service.url).ok('PUT', `/lobby-configs/${CONFIG}`, config);
    const random = new Random(seed);
    const running = Array.from({ length: lanes }, async (_, index) => {
      const lane = new Lane(service.url, index, random.fork());
      await lane.open();
      while (score.started < count) {
        score.started += 1;
        await lane.race(score);
        if (score.started % 1_000 === 0) {
          tell(`${score.started} races: ${score.cancelled} cancelled, ${score.matched} matched`);
        }
      }
    });
    await Promise.all(running);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { cancelled, matched, both, neither } = score;
  return { cancelled, matched, both, neither, seconds };
}

/** Two lobbies that fit only each other, and race again and again. */
class Lane {
  readonly #name: string;
  readonly #random: Random;
  readonly #canceller: Player;
  readonly #other: Player;
  /** The cancel leaves so long after the other's request to queue; before it when negative. */
  #lagMs = 0;

  constructor(url: string, index: number, random: Random) {
    this.#name = `lane${index}`;
    this.#random = random;
    this.#canceller = new Player(url, `${this.#name}-canceller`);
    this.#other = new Player(url, `${this.#name}-other`);
  }

  async open(): Promise<void> {
    for (const player of [this.#canceller, this.#other]) {
      const body = { name: player.id, state: { lane: this.#name } };
      await player.ok('POST', `/lobbies/${CONFIG}`, body);
    }
  }

  async race(score: Score): Promise<void> {
    await this.#queue(this.#canceller);
    const lag = this.#lagMs + this.#random.between(-SHAKE_MS, SHAKE_MS);
    const [entered, cancelled] = await Promise.all([
      sleep(Math.max(0, -lag)).then(() => this.#queue(this.#other)),
      sleep(Math.max(0, lag)).then(() =>
        this.#canceller.call('DELETE', `/lobbies/${CONFIG}/me/matchmaking`),
      ),
    ]);
    if (entered.status !== 'in_queue') {
      score.neither.push(`${this.#name}: the other queued and was shown ${entered.status}`);
    }
    if (cancelled.status === 200) {
      this.#lagMs += STEP_MS;
      await this.#afterCancel(score);
    } else {
      this.#lagMs -= STEP_MS;
      await this.#afterRefusal(score, cancelled.status);
    }
  }

  #queue(player: Player): Promise<Lobby> {
    return player.ok('POST', `/lobbies/${CONFIG}/me/matchmaking`, { mode: 'duel' });
  }

  #read(player: Player): Promise<Lobby> {
    return player.ok('GET', `/lobbies/${CONFIG}/me`);
  }

  /** The one waits; the other still searches, which its own cancel shows. */
  async #afterCancel(score: Score): Promise<void> {
    const answer = await this.#other.call('DELETE', `/lobbies/${CONFIG}/me/matchmaking`);
    const lobbies = await Promise.all([this.#read(this.#canceller), this.#read(this.#other)]);
    const seen = lobbies.map(({ status }) => status).join(' and ');
    if (answer.status === 200 && seen === 'waiting and waiting') {
      score.cancelled += 1;
    } else {
      score.both.push(`${this.#name}: cancelled; then the other ${answer.status}, ${seen}`);
      await this.#reopen();
    }
  }

  /** Both play, in one match on one server. */
  async #afterRefusal(score: Score, status: number): Promise<void> {
    const until = performance.now() + SETTLE_MS;
    for (;;) {
      const lobbies = await Promise.all([this.#read(this.#canceller), this.#read(this.#other)]);
      const [one, two] = lobbies;
      const isSame =
        one.matchId === two.matchId && one.server?.instance_id === two.server?.instance_id;
      if (lobbies.every((lobby) => lobby.status === 'in_game') && isSame) {
        score.matched += 1;
        await this.#end();
        return;
      }
      if (performance.now() > until) {
        const seen = lobbies
          .map((lobby) => `${lobby.status} ${String(lobby.matchId)}`)
          .join(' and ');
        score.neither.push(`${this.#name}: cancel answered ${status}, then ${seen}`);
        await this.#reopen();
        return;
      }
      await sleep(POLL_MS);
    }
  }

  async #end(): Promise<void> {
    await this.#canceller.ok('POST', `/lobbies/${CONFIG}/me/end-match`);
    const until = performance.now() + SETTLE_MS;
    while ((await this.#read(this.#other)).status !== 'waiting') {
      if (performance.now() > until) {
        throw new Error(`${this.#name}: the match was ended, and the other lobby still plays`);
      }
      await sleep(POLL_MS);
    }
  }

  /** After a violation the lane goes on with new lobbies. */
  async #reopen(): Promise<void> {
    for (const player of [this.#canceller, this.#other]) {
      await player.ok('DELETE', `/lobbies/${CONFIG}/me`);
    }
    await this.open();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      lanes: { type: 'string', default: '8' },
      worker: { type: 'string' },
    },
  });
  const report = await races({
    count: Number(values.count),
    seed: Number(values.seed),
    lanes: Number(values.lanes),
    ...(values.worker === undefined ? {} : { worker: values.worker }),
    tell: (line) => console.log(line),
  });
  const { cancelled, matched, both, neither, seconds } = report;
  [...both, ...neither].slice(0, 20).forEach((what) => console.log(`VIOLATION ${what}`));
  console.log(
    `races: seed ${values.seed}, ${cancelled + matched + both.length + neither.length} in ${seconds} s: ` +
      `${cancelled} cancelled, ${matched} matched, ${both.length} both, ${neither.length} neither`,
  );
  process.exit(both.length + neither.length > 0 ? 1 : 0);
}

if (import.meta.main) {
  await main();
}
