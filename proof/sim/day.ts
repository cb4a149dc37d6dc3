// A day of a queue, recorded: the real Queue actor with its real pool, driven by a generator on a
// virtual clock. The lobbies and matches that it asks are made up: most hold, some have moved on, some
// cancel while they wait. Now and then the object sleeps and wakes. What it keeps is its journal.
// `npm run record -- 20000 > journal.jsonl`

import type { LobbyId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { Hold } from '../../src/lobby/queueing';
import type { Mode } from '../../src/match/rules/mode';
import type { JournalHead } from '../../src/match/journal/lines';
import type { Ticket } from '../../src/match/ticket/ticket';
import type { HoldReply } from '../../src/objects/contracts/lobby';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import { QueueActor } from '../../src/objects/queue/actor';
import { Loop } from './loop';
import { Random } from './random';

const EPOCH = 1_800_000_000_000;
const DAY_MS = 24 * 3_600_000;
const REGIONS = ['eu-west', 'us-east', 'asia'] as const;

export const DAYS_MODE: Mode = {
  teams: 2,
  playersPerTeam: 3,
  minPlayersPerTeam: 2,
  minTeams: 2,
  timeout: 120,
  maxPartySize: 3,
  allowBackfill: false,
  rules: [
    { type: 'difference', field: 'mmr', maxDifference: 120 },
    { type: 'region', minOverlap: 1 },
  ],
  matchConfirmation: { enabled: false, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
};

export interface Day {
  /** JSON lines, as GET /v3/admin/journal answers them. */
  readonly text: string;
  readonly entries: number;
  /** Rows of the journal, and bytes of them, at the day's end. */
  readonly rows: number;
  readonly bytes: number;
}

/** More come in the evening than in the morning. */
function instantOf(random: Random): number {
  for (;;) {
    const at = random.below(DAY_MS);
    const busy = 0.55 - 0.45 * Math.cos((2 * Math.PI * at) / DAY_MS);
    if (random.below(1_000) < busy * 1_000) {
      return at;
    }
  }
}

function ticketOf(index: number, at: number, random: Random): Ticket {
  const size = random.below(10) < 7 ? 1 : 1 + random.below(3);
  const players = Array.from({ length: size }, (_, place) => `p${index}-${place}` as PlayerId);
  const mmr = 1000 + [0, 0, 0, 0].reduce<number>((sum) => sum + random.below(300), 0);
  const first = REGIONS[random.below(3)] ?? 'eu-west';
  return {
    id: `t${index}` as TicketId,
    lobbyId: `l${index}` as LobbyId,
    startedAt: EPOCH + at,
    members: players.map((id) => ({ id, roles: [] })),
    players,
    region: first,
    acceptableRegions: random.below(4) === 0 ? [] : [first],
    state: { mmr },
    metadata: {},
  };
}

export async function recordDay(entries: number, seed: number): Promise<Day> {
  const random = new Random(seed, 3);
  const loop = new Loop(new Random(seed, 4));
  const rows = new Map<string, string>();
  const tickets = new Map<LobbyId, Ticket>();
  const gone = new Set<TicketId>();
  let alarmAt: number | null = null;
  let uuids = 0;
  let life = 0;

  const lobby = (id: LobbyId) => ({
    hold: async ({ ticketId }: Hold): Promise<HoldReply> => {
      const ticket = tickets.get(id);
      if (ticket?.id !== ticketId || gone.has(ticketId) || random.below(50) === 0) {
        gone.add(ticketId);
        return { held: false, searches: false };
      }
      const players = ticket.players.map((player) => ({ id: player, state: null }));
      const { startedAt } = ticket;
      const party = { lobbyId: id, ticketId, name: '', settings: {}, startedAt, players };
      return { held: true, party: { ...party, host: ticket.players[0] as PlayerId } };
    },
    release: async ({ ticketId }: Hold) => !gone.has(ticketId),
    returned: async (ticketId: TicketId) => void gone.add(ticketId),
    refresh: async () => true,
  });
  const match = () => ({ open: async () => 'opened', outcome: async () => 'aborted' });

  const wake = (): QueueActor => {
    life += 1;
    const mine = life;
    const ports = {
      name: ['studio', 'arena', 'trio'],
      store: {
        get: (key: string) => parsed(rows.get(key)),
        put: (key: string, value: unknown) => void rows.set(key, JSON.stringify(value)),
        delete: (key: string) => void rows.delete(key),
        list: (prefix: string) =>
          [...rows]
            .filter(([key]) => key.startsWith(prefix))
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, text]) => [key, parsed(text)]),
        atomically: <T>(run: () => T) => run(),
        clear: () => rows.clear(),
        setAlarm: (at: number | null) => {
          alarmAt = at;
          const instant = at;
          if (instant !== null) {
            loop.at(instant - EPOCH, () => {
              if (alarmAt === instant) {
                alarmAt = null;
                void queue.alarm();
              }
            });
          }
        },
      },
      peers: { lobby, match },
      now: () => EPOCH + Math.floor(loop.now),
      behindMs: () => 0,
      uuid: () => {
        uuids += 1;
        return `m${uuids}` as MatchId;
      },
      random: () => random.below(1_000) / 1_000,
      background: (work: Promise<unknown>) => void work,
      later: (ms: number, run: () => void) => {
        const timer = loop.after(ms, () => (mine === life ? run() : undefined));
        return () => {
          timer.cancelled = true;
        };
      },
      lines: { open: () => undefined, all: () => [], watchers: () => [] },
      abort: (reason: string) => {
        throw new Error(reason);
      },
      log: () => undefined,
    } as unknown as ActorPorts;
    return new QueueActor(ports);
  };
  let queue = wake();

  const instants = Array.from({ length: entries }, () => instantOf(random)).toSorted(
    (a, b) => a - b,
  );
  for (const [index, at] of instants.entries()) {
    loop.at(at, () => {
      const ticket = ticketOf(index, at, random);
      tickets.set(ticket.lobbyId, ticket);
      void queue.enter({ ticket, revision: 1, mode: DAYS_MODE, modeRevision: 1 });
    });
    if (random.below(12) === 0) {
      const id = `t${index}` as TicketId;
      loop.at(at + random.below(60_000), () => {
        if (!gone.has(id)) {
          gone.add(id);
          void queue.leave(id);
        }
      });
    }
  }
  for (let hour = 3; hour < 24; hour += 5) {
    // The object sleeps when nothing has been under way for a while: its journal is written by then.
    const sleep = (): void => {
      const before = rows.size;
      loop.after(1_500, () => {
        if (rows.size === before) {
          queue = wake();
          void queue.stats();
        } else {
          sleep();
        }
      });
    };
    loop.at(hour * 3_600_000, sleep);
  }
  await loop.run(DAY_MS + 3_600_000, () => false);
  const journal = [...rows].filter(([key]) => key.startsWith('journal:'));
  const bytes = journal.reduce((sum, [, text]) => sum + text.length, 0);
  return { text: await textOf(queue), entries, rows: journal.length, bytes };
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

async function textOf(queue: QueueActor): Promise<string> {
  const first = await queue.journal(null);
  const head: JournalHead = {
    k: 'journal',
    version: 1,
    config: 'arena',
    mode: 'trio',
    rules: first.mode ?? DAYS_MODE,
    waiting: first.waiting,
  };
  let text = `${JSON.stringify(head)}\n${first.text}`;
  for (let next = first.next; next !== null;) {
    const part = await queue.journal(next);
    text += part.text;
    next = part.next;
  }
  return text;
}
