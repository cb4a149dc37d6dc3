// The bill at the edge for whole scenarios: the billed units, counted on the real objects and
// multiplied by public list prices. docs/costs.md holds the output.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import { Bill } from './costs';
import { DUEL } from './drill-steps';
import { reasoned } from './reasons';
import { CONFIG } from './scenario';
import type { World } from './world';

/** List prices in USD a million, and what a month includes; November 2026. */
export const PRICES = {
  workerRequests: { each: 0.3, included: 10e6 },
  workerCpuMs: { each: 0.02, included: 30e6 },
  objectRequests: { each: 0.15, included: 1e6 },
  rowsWritten: { each: 1, included: 50e6 },
  gbSeconds: { each: 12.5, included: 400e3 },
} as const;
const BASE_USD = 5;

/** What the free plan allows in a day, from the same pages; November 2026. */
const FREE_A_DAY = [
  ['requests to the Worker', 'workerRequests', 100_000],
  ['requests to objects', 'objectRequests', 100_000],
  ['rows written', 'rowsWritten', 100_000],
  ['GB-s', 'gbSeconds', 13_000],
] as const;

type Unit = keyof typeof PRICES;
type Usage = Readonly<Record<Unit, number>>;

/**
 * Duration of an object's request or alarm, including its calls to others. A generous assumption.
 */
const ACTIVE_SECONDS = 0.02;
export const GB = 0.128;
/**
 * CPU time of a request, and of a comment or ping to a stream. Measured on a box, system calls
 * included.
 */
export const REQUEST_CPU_MS = 0.6;
const BEAT_CPU_MS = 0.1;
const BEAT_SECONDS = 10;
const GAME_MS = 300_000;
const MONTH_SECONDS = 30 * 86_400;
export const HOUR = 3_600;

/** The bill of one 1v1 match, from creating two lobbies to leaving them. */
interface MatchUsage {
  readonly asked: number;
  readonly calls: number;
  readonly alarms: number;
  /** How often an alarm was set. */
  readonly set: number;
  readonly rows: number;
  readonly workerRequests: number;
  /** Every call, row and alarm that was set, by step. */
  readonly ledger: ReadonlyMap<string, number>;
}

/** Each player: create, stream, queue, leave; one ends the game; the server reports that it runs. */
const WORKER_REQUESTS = 2 * 4 + 2;
/** The platform lets go of an object that is idle for this long, or sooner. */
const ASLEEP_MS = 70_000;
/** The objects that no other match calls. */
const OWN: ReadonlySet<string> = new Set(['lobby', 'match', 'server']);
/** Longer than an ended match or a stopped server is remembered. */
const AFTER_MS = 2 * HOUR * 1_000;

/** Objects of this match alone that have nothing under way are let go. Others are called all the time in a busy game. */
function letSleep(world: World): void {
  for (const node of world.nodes.values()) {
    if (OWN.has(node.kind) && node.isIdle) {
      node.crash('idle');
    }
  }
  world.loop.at(world.loop.now + ASLEEP_MS, () => letSleep(world));
}

/** Counted in the simulation, streams open all the time. `sleeps`: objects sleep while nobody calls them. */
async function matchUsage(sleeps: boolean): Promise<MatchUsage> {
  const bill = new Bill();
  const { loop, journal } = bill.world;
  await bill.open({ mode: DUEL });
  if (sleeps) {
    letSleep(bill.world);
  }
  const alarmsBefore = journal.counts.get('alarms') ?? 0;
  let [asked, calls, rows] = [0, 0, 0];
  const step = async (act: () => Promise<unknown>): Promise<void> => {
    const cost = await bill.count(act);
    asked += cost.asked;
    calls += cost.calls;
    rows += cost.rows;
  };
  const players = ['p1', 'p2'] as const;
  bill.ledger.clear();
  bill.step = 'create';
  await step(async () => {
    const ids = await Promise.all(players.map((player) => bill.create(player)));
    for (const [at, id] of ids.entries()) {
      const player = players[at] as PlayerId;
      const reply = await bill.peers(player).lobby(id).events(player, null);
      if (reply.ok) {
        reply.value.listen(
          () => {},
          () => {},
        );
      }
    }
    bill.step = 'queue';
    await Promise.all(ids.map((id, at) => bill.queue(id, players[at] ?? '', 'mode')));
    await bill.until(ids, 'in_game');
    bill.step = 'play';
    await loop.sleep(GAME_MS);
    bill.step = 'end';
    await bill.command(ids[0] as LobbyId, { type: 'end_match', player: 'p1' as PlayerId });
    await bill.until(ids, 'waiting');
    bill.step = 'leave';
    for (const [at, id] of ids.entries()) {
      const player = players[at] as PlayerId;
      await bill.command(id, { type: 'leave', player });
      // The relay goes to the seat.
      const seat = bill.peers(player).seat(bill.world.project, CONFIG, player);
      await seat.watch(player);
      await seat.where(player);
    }
  });
  bill.step = 'after';
  for (let left = AFTER_MS; left > 0; left -= GAME_MS) {
    await step(() => loop.sleep(GAME_MS));
  }
  const set = [...bill.ledger]
    .filter(([line]) => line.endsWith(' alarm'))
    .reduce((sum, [, count]) => sum + count, 0);
  const alarms = (journal.counts.get('alarms') ?? 0) - alarmsBefore;
  // An alarm that is set is billed as a row.
  return {
    asked,
    calls,
    alarms,
    set,
    rows: rows + set,
    workerRequests: WORKER_REQUESTS,
    ledger: bill.ledger,
  };
}

function usageOf(
  objectRequests: number,
  workerRequests: number,
  beats: number,
): Omit<Usage, 'rowsWritten'> {
  return {
    workerRequests,
    workerCpuMs: workerRequests * REQUEST_CPU_MS + beats * BEAT_CPU_MS,
    objectRequests,
    gbSeconds: objectRequests * ACTIVE_SECONDS * GB,
  };
}

function matches(count: number, { asked, calls, alarms, rows, workerRequests }: MatchUsage): Usage {
  const beats = (2 * (GAME_MS / 1_000 + 60)) / BEAT_SECONDS;
  return {
    ...usageOf(count * (asked + calls + alarms), count * workerRequests, count * beats),
    rowsWritten: count * rows,
  };
}

/** Streams that come back once an hour; a lobby wakes for that, and once a day for its alarm. */
function streaming(lobbies: number): Usage {
  const opened = (lobbies * 2 * MONTH_SECONDS) / HOUR;
  const alarms = lobbies * 30;
  const beats = (lobbies * 2 * MONTH_SECONDS) / BEAT_SECONDS;
  // The isolate may remember the lobby. Here the seat is always asked.
  return { ...usageOf(opened * 2 + alarms, opened, beats), rowsWritten: alarms };
}

/** A stream that keeps its object awake, as it was before record 0020. */
function awake(usage: Usage, objectSeconds: number): Usage {
  return { ...usage, gbSeconds: usage.gbSeconds + objectSeconds * GB };
}

function dollars(usage: Usage): number {
  const units = Object.keys(PRICES) as Unit[];
  return units.reduce((sum, unit) => {
    const { each, included } = PRICES[unit];
    return sum + (Math.max(0, usage[unit] - included) / 1e6) * each;
  }, BASE_USD);
}

function millions(count: number): string {
  return (count / 1e6).toFixed(2);
}

function row(title: string, usage: Usage, before: Usage): string {
  const cells = [
    title,
    millions(usage.workerRequests),
    millions(usage.workerCpuMs),
    millions(usage.objectRequests),
    millions(usage.rowsWritten),
    millions(usage.gbSeconds),
    dollars(usage).toFixed(0),
    dollars(before).toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** How many matches each allowance of the free plan is enough for: the table of "The free plan" in docs/costs.md. */
function freeDay(match: MatchUsage): string {
  const each = matches(1, match);
  const rows = FREE_A_DAY.map(([title, unit, allowed]) => {
    const enough = Math.floor(allowed / each[unit]).toLocaleString('en');
    return `| ${title} | ${allowed.toLocaleString('en')} | ${Number(each[unit].toFixed(2))} | ${enough} |`;
  });
  return ['| A day | Allowed | A 1v1 match | Matches |', '|---|--:|--:|--:|', ...rows].join('\n');
}

/** The tables of "The bill at the edge" and of "The free plan" in docs/costs.md. */
export async function edgeBill(): Promise<readonly [bill: string, free: string]> {
  const stayed = await matchUsage(false);
  const match = await matchUsage(true);
  const million = matches(1e6, match);
  const lobbies = streaming(1_000);
  // Half of the peak on average; each player a match and a minute between two.
  const played = ((10_000 / 2 / 2) * MONTH_SECONDS) / (GAME_MS / 1_000 + 60);
  const game = matches(played, match);
  const lobbySeconds = 2 * (GAME_MS / 1_000 + 60);
  const bill = [
    '| A 1v1 match | |',
    '|---|--:|',
    `| requests to the Worker | ${match.workerRequests} |`,
    `| asked of objects | ${match.asked} |`,
    `| calls between objects | ${match.calls} |`,
    `| alarms | ${match.alarms} |`,
    `| rows written, alarms included | ${match.rows} |`,
    `| of these, alarms that were set | ${match.set} |`,
    `| calls, if no object slept | ${stayed.calls} |`,
    `| rows, if no object slept | ${stayed.rows} |`,
    '',
    '| A month, in millions | Worker requests | Worker ms | Object requests | Rows | GB-s | USD | USD before |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    row('a million 1v1 matches', million, awake(million, 1e6 * lobbySeconds)),
    row('1,000 lobbies of two, streaming', lobbies, awake(lobbies, 1_000 * MONTH_SECONDS)),
    row('10,000 players at the peak', game, awake(game, played * lobbySeconds)),
    '',
    'Why each call, row and alarm of the match must be, if no object slept:',
    '',
    '| When | What | Times | Why |',
    '|---|---|--:|---|',
    ...reasoned(stayed.ledger),
  ].join('\n');
  return [bill, freeDay(match)];
}
