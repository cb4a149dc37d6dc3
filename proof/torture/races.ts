// `npm run torture:races -- --count 10000`: a cancel against a match, over real HTTP. One lobby waits
// in the queue; at the same moment the other one enters and the first one cancels. Each race must
// end in one way: cancelled (200, it waits, the other still searches) or matched (409, both play on
// one server); never both, never neither. The moment of the cancel is moved so that both ways are
// taken about as often: there the cancel comes while the match is being formed.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { choice, commandLine, number, word } from '../../scripts/flags.ts';
import { Player } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import type { Placement } from '../../scripts/service.ts';
import { Aim, Racer, RACES, timed } from './racer.ts';
import { Random } from './random.ts';
import { operatorOf } from './world.ts';

export interface RaceOptions {
  readonly count: number;
  readonly seed: number;
  /** Pairs of lobbies that race at the same time. */
  readonly lanes?: number;
  /** The bundle. Absent: it is made. */
  readonly worker?: string;
  /** Default: `box`. */
  readonly placement?: Placement;
  readonly tell?: (line: string) => void;
}

export interface RaceReport {
  readonly cancelled: number;
  readonly matched: number;
  /** Races in which either request was sent before the other one was answered. */
  readonly overlapped: number;
  /** The problems, a sentence each. */
  readonly both: readonly string[];
  readonly neither: readonly string[];
  readonly seconds: number;
}

/** A stream remembers all it has shown: it is opened anew after so many races. */
const RACES_A_STREAM = 100;

interface Score {
  started: number;
  cancelled: number;
  matched: number;
  overlapped: number;
  /** How many there were when last told. */
  told: number;
  readonly both: string[];
  readonly neither: string[];
}

export async function races(options: RaceOptions): Promise<RaceReport> {
  const { count, seed, lanes = 16, tell = () => undefined } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-races-'));
  const service = await startService({
    port: 0,
    dataDir,
    devKeys: true,
    env: { FLEET: 'simulated', LIMITS: 'off' },
    placement: options.placement ?? 'box',
    ...(options.worker === undefined ? {} : { worker: options.worker }),
  });
  const begun = performance.now();
  const score: Score = {
    started: 0,
    cancelled: 0,
    matched: 0,
    overlapped: 0,
    told: 0,
    both: [],
    neither: [],
  };
  const aim = new Aim();
  try {
    const rules = [{ type: 'equals', field: 'lane' }];
    const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules } };
    const config = { timeout: 24 * 3_600, matchmaking: { modes } };
    await operatorOf(service).ok('PUT', `/lobby-configs/${RACES}`, config);
    const random = new Random(seed);
    const running = Array.from({ length: lanes }, async (_, index) => {
      const lane = new Lane(service.url, index, { aim, random: random.fork() });
      await lane.open();
      while (score.started < count) {
        score.started += 1;
        await lane.race(score);
        const done = score.cancelled + score.matched;
        if (done >= score.told + 1_000) {
          score.told = done;
          tell(`${done} races: ${score.cancelled} cancelled, ${score.matched} matched`);
        }
      }
      lane.close();
    });
    await Promise.all(running);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { cancelled, matched, overlapped, both, neither } = score;
  return { cancelled, matched, overlapped, both, neither, seconds };
}

/** Two lobbies that fit only each other, and race again and again. */
class Lane {
  readonly #name: string;
  readonly #aim: Aim;
  readonly #random: Random;
  readonly #canceller: Racer;
  readonly #other: Racer;
  #races = 0;

  constructor(url: string, index: number, { aim, random }: { aim: Aim; random: Random }) {
    this.#name = `lane${index}`;
    this.#aim = aim;
    this.#random = random;
    this.#canceller = new Racer(new Player(url, `${this.#name}-canceller`));
    this.#other = new Racer(new Player(url, `${this.#name}-other`));
  }

  async open(): Promise<void> {
    await Promise.all([this.#canceller.open(this.#name), this.#other.open(this.#name)]);
  }

  close(): void {
    this.#canceller.close();
    this.#other.close();
  }

  async race(score: Score): Promise<void> {
    this.#races += 1;
    if (this.#races % RACES_A_STREAM === 0) {
      await Promise.all([this.#canceller.listen(), this.#other.listen()]);
    }
    const { revision: before } = await this.#canceller.queue();
    const lag = this.#aim.lag(this.#random);
    const [enter, cancel] = await Promise.all([
      timed(Math.max(0, -lag), () => this.#other.queue()),
      timed(Math.max(0, lag), () => this.#canceller.cancel()),
    ]);
    score.overlapped += enter.from < cancel.to && cancel.from < enter.to ? 1 : 0;
    const { status, revision } = enter.answer;
    if (status !== 'in_queue') {
      score.neither.push(`${this.#name}: the other queued and was shown ${status}`);
    }
    if (cancel.answer === 200) {
      this.#aim.tell('cancelled');
      await this.#afterCancel(score);
    } else {
      this.#aim.tell('matched');
      await this.#afterRefusal(score, cancel.answer, [before, revision]);
    }
  }

  /** One lobby waits. The other still searches, which its own cancel shows. */
  async #afterCancel(score: Score): Promise<void> {
    const answer = await this.#other.cancel();
    const lobbies = await Promise.all([this.#canceller.read(), this.#other.read()]);
    const seen = lobbies.map(({ status }) => status).join(' and ');
    if (answer === 200 && seen === 'waiting and waiting') {
      score.cancelled += 1;
    } else {
      score.both.push(`${this.#name}: cancelled; then the other ${answer}, ${seen}`);
      await this.#reopen();
    }
  }

  /** Both play in one match on one server. `after`: the revisions of both as they queued. */
  async #afterRefusal(
    score: Score,
    status: number,
    after: readonly [number, number],
  ): Promise<void> {
    await Promise.all([
      this.#canceller.shows('in_game', after[0]),
      this.#other.shows('in_game', after[1]),
    ]);
    const lobbies = await Promise.all([this.#canceller.read(), this.#other.read()]);
    const [one, two] = lobbies;
    const play = lobbies.every((lobby) => lobby.status === 'in_game' && lobby.server !== null);
    const isSame =
      one.matchId === two.matchId && one.server?.instance_id === two.server?.instance_id;
    if (status === 409 && play && isSame) {
      score.matched += 1;
      await this.#end(two.revision);
      return;
    }
    const seen = lobbies.map((lobby) => `${lobby.status} ${String(lobby.matchId)}`).join(' and ');
    score.neither.push(`${this.#name}: cancel answered ${status}, then ${seen}`);
    await this.#reopen();
  }

  async #end(after: number): Promise<void> {
    await this.#canceller.end();
    if (!(await this.#other.shows('waiting', after))) {
      throw new Error(`${this.#name}: the match was ended, and the other lobby still plays`);
    }
  }

  /** After a violation the lane goes on with new lobbies. */
  async #reopen(): Promise<void> {
    await Promise.all([this.#canceller.leave(), this.#other.leave()]);
    await this.open();
  }
}

async function main(): Promise<void> {
  const { flags } = commandLine({
    command: 'npm run torture:races --',
    about: 'Two lobbies that fit: one queues while the other cancels. Each race ends in one way.',
    flags: {
      count: number(1_000, 'races'),
      seed: number(Math.floor(Math.random() * 2 ** 31), 'what chance begins with'),
      lanes: number(16, 'races at once'),
      placement: choice(['box', 'objects'], 'box', 'all actors in one object, or an object each'),
      worker: word(null, 'a bundle that was made before'),
    },
  });
  const report = await races({
    count: flags.count,
    seed: flags.seed,
    lanes: flags.lanes,
    placement: flags.placement,
    ...(flags.worker === null ? {} : { worker: flags.worker }),
    tell: (line) => console.log(line),
  });
  const { cancelled, matched, overlapped, both, neither, seconds } = report;
  [...both, ...neither].slice(0, 20).forEach((what) => console.log(`VIOLATION ${what}`));
  console.log(
    `races: seed ${flags.seed}, ${cancelled + matched + both.length + neither.length} in ${seconds} s: ` +
      `${cancelled} cancelled, ${matched} matched, ${both.length} both, ${neither.length} neither; ` +
      `in ${overlapped} both requests were under way at once`,
  );
  process.exit(both.length + neither.length > 0 ? 1 : 0);
}

if (import.meta.main) {
  await main();
}
