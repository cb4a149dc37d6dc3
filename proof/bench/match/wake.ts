// How a queue wakes up with saved tickets: a real queue object over rows in SQLite, as its ports keep them. Reports
// how long the first lobby that enters waits for its answer, the longest stretch in which nobody else was served, and
// when the queue knew all that opens next. Its journal has some thousand matches.

import { DatabaseSync } from 'node:sqlite';
import type { MatchId, TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { ActorPorts } from '../../../src/objects/contracts/actor-ports';
import type { Store } from '../../../src/objects/kit/ports';
import { commandLine } from '../../../scripts/flags';
import { A_DAY } from '../../../src/common/happening';
import { QueueActor } from '../../../src/objects/queue/actor';
import { NO_STATS } from '../../../src/lobby/view';
import { QueueJournal } from '../../../src/objects/queue/journal';
import { mode, ticket } from '../../../test/match/support/make';
import { random } from '../../../test/match/support/random';
import { storeIn } from './store-in';

const MODE: Mode = mode({
  playersPerTeam: 5,
  timeout: 3600,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }],
});

function portsOver(store: Store): ActorPorts {
  return {
    name: ['studio', 'arena', 'fives'],
    store,
    peers: {},
    now: () => Date.now(),
    behindMs: () => 0,
    lines: { all: () => [], watchers: () => [] },
    uuid: () => crypto.randomUUID(),
    random: () => 0.5,
    background: (work: Promise<unknown>) => void work,
    later: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms).unref();
      return () => clearTimeout(timer);
    },
    abort: (reason: string) => {
      throw new Error(reason);
    },
    log: () => {},
  } as unknown as ActorPorts;
}

const chance = random(31);
/** Parties of three in teams of five: nobody matches, so all tickets stay. */
const drawn = (): Ticket =>
  JSON.parse(
    JSON.stringify(
      ticket(crypto.randomUUID(), {
        size: 3,
        at: Date.now() - 1000,
        state: { mmr: chance.below(1_000_000) },
        regions: ['us-east'],
      }),
    ),
  ) as Ticket;

/** More matches than a queue's journal keeps. */
function play(ports: ActorPorts, matches: number): void {
  const journal = new QueueJournal(
    ports,
    A_DAY,
    () => NO_STATS,
    () => null,
  );
  const t = Date.now();
  for (let match = 0; match < matches; match += 1) {
    const parties = [drawn(), drawn()].map((entered) => {
      journal.note({ k: 'enter', t, ticket: entered });
      const { id: ticketId, lobbyId, startedAt, players } = entered;
      return { lobbyId, ticketId, startedAt, players };
    });
    const matchId = crypto.randomUUID() as MatchId;
    journal.note({ k: 'formed', t, matchId, kind: 'new', full: true, region: null, parties });
    journal.ride();
  }
}

async function measure(count: number): Promise<void> {
  const store = storeIn(new DatabaseSync(':memory:'));
  for (let index = 0; index < count; index += 1) {
    const one = drawn();
    const row = { ticket: one, revision: 1, modeRevision: 1, gaveUp: 0 };
    store.put(`ticket:${one.id}`, row);
  }
  play(portsOver(store), 4_000);
  store.put('meta', { mode: MODE, modeRevision: 1, seq: 0 });
  const began = performance.now();
  const queue = new QueueActor(portsOver(store));
  const built = performance.now() - began;
  await queue.enter({ ticket: drawn(), revision: 1, mode: MODE, modeRevision: 1 });
  const answered = performance.now() - began;
  let longest = 0;
  let all = 0;
  for (let last = performance.now(); ;) {
    await new Promise<void>((resume) => {
      setImmediate(resume);
    });
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = performance.now();
    const { reading, work } = await queue.report(null as TicketId | null);
    if (reading === null && work?.toArm === 0 && work.searches === 0) {
      all = performance.now() - began;
      break;
    }
  }
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  console.log(
    `${count} tickets: made after ${ms(built)}, first answer after ${ms(answered)}, all is known after ` +
      `${ms(all)}; meanwhile others waited ${ms(longest)} at most`,
  );
}

const { words } = commandLine({
  command: 'npm run bench:wake --',
  about: 'What a queue does that wakes with its tickets saved.',
  flags: {},
  words: {
    name: '[N ...]',
    says: 'saved tickets, one run each (1000 10000 100000)',
    least: 0,
    most: 10,
  },
});
const counts = words.map(Number);
if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
  console.error('N must be a whole number above zero');
  process.exit(2);
}
for (const count of counts.length === 0 ? [1000, 10_000, 100_000] : counts) {
  await measure(count);
}
