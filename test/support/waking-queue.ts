// A queue over saved rows whose slices run when the test says so.

import { expect } from 'vitest';
import type { TicketId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import { compare, parseJournal } from '../../dashboard/replay/replay';
import type { Ticket } from '../../src/match/ticket/ticket';
import type {
  Backfill,
  MatchRpc,
  Roster,
  SavedMode,
  SavedNow,
} from '../../src/objects/contracts/match';
import type { ProjectDocument, ProjectRpc } from '../../src/objects/contracts/project';
import type { HoldReply, LobbyRpc } from '../../src/objects/contracts/lobby';
import type { PartySnapshot } from '../../src/objects/contracts/party';
import type { TicketRow } from '../../src/objects/contracts/queue';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import { QueueActor } from '../../src/objects/queue/actor';
import type { ProposalRow } from '../../src/objects/queue/rows';
import { fakePorts } from '../fleet/ports.ts';
import { mode, ticket } from '../match/support/make';

export const NOW = 1_800_000_000_000;
export const DUEL = mode({ playersPerTeam: 1, timeout: 600 });
export const APART: Mode = { ...DUEL, rules: [{ type: 'equals', field: 'name' }] };
const SAVED = { revision: 1, modeRevision: 1, gaveUp: 0 };

/** Ids are in the opposite order of the waits, so the youngest rows are read first. */
export function waiting(count: number, stateOf: (index: number) => object = () => ({})): Ticket[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `t${String(count - index).padStart(4, '0')}`;
    return ticket(id, { at: NOW - 60_000 + index, state: stateOf(index) as Ticket['state'] });
  });
}

export function rowsOf(rules: Mode, tickets: readonly Ticket[]): Map<string, unknown> {
  const rows = tickets.map((one) => [`ticket:${one.id}`, { ...SAVED, ticket: one }] as const);
  return new Map<string, unknown>([['meta', { mode: rules, modeRevision: 1, seq: 0 }], ...rows]);
}

export interface Woken {
  readonly queue: QueueActor;
  /** Lets one slice run. */
  slice(): void;
  /** Runs slices until the queue is awake. Returns how many. */
  wakeUp(): Promise<number>;
  settle(): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Stalls the process for so long. */
  stall(ms: number): void;
  readonly opened: Roster[];
  readonly returned: string[];
  readonly refreshed: string[];
  /** Lobbies that came into running matches. */
  readonly admitted: Backfill[];
  readonly saved: Map<string, unknown>;
  /** Modes that matches were told, with their revisions. */
  readonly told: (readonly [number, Mode])[];
  /** Matches that were called. */
  readonly matches: Set<string>;
  /** Rows written in each stretch that is one transaction. */
  readonly stretches: number[];
}

export interface Peers {
  /** Instead of holding at once. */
  readonly hold?: (id: TicketId, held: HoldReply) => Promise<HoldReply>;
  /** Instead of acknowledging a release at once. Resolves to whether the lobby still searches. */
  readonly release?: () => Promise<boolean>;
  /** Whether the lobby still searches, instead of that it does. */
  readonly refresh?: () => boolean;
  /** What the Match of a new roster answers, instead of opening at once. */
  readonly open?: () => Promise<'opened' | 'aborted'>;
  /** What a running match does before it answers that the party has come in. */
  readonly admit?: (backfill: Backfill, saved?: SavedNow) => Promise<void>;
  /** The document as the cache has it. */
  readonly document?: () => Promise<ProjectDocument>;
  /** The document as it is. */
  readonly project?: () => Promise<ProjectDocument>;
  /** How long launches pause: none do by default. */
  readonly launchPause?: ProjectRpc['launchPause'];
  /** What the Match answers to a queue that woke, instead of `aborted` at once. */
  readonly outcome?: () => Promise<'aborted' | 'over'>;
}

/** A queue over rows, whose slices run when the test says so. */
export function wake(
  before: Map<string, unknown>,
  rows = 4,
  { hold, release, refresh, open, admit, outcome, document, project, launchPause }: Peers = {},
): Woken {
  const admitted: Backfill[] = [];
  const stretches: number[] = [];
  let written = 0;
  const opened: Roster[] = [];
  const returned: string[] = [];
  const refreshed: string[] = [];
  const told: (readonly [number, Mode])[] = [];
  const matches = new Set<string>();
  const timers: (() => void)[] = [];
  /** Tickets with rows of their own, and those in the row of a proposal. */
  const saved = (): readonly TicketRow[] => {
    const own = [...fake.ports.store.list<TicketRow>('ticket:')];
    const proposals = [...fake.ports.store.list<ProposalRow>('proposal:')];
    const newcomers = proposals.flatMap(([, { newcomers: rows = [] }]) => rows);
    return [...own.map(([, row]) => row), ...newcomers];
  };
  const lobby = {
    hold: async ({ ticketId }: { readonly ticketId: TicketId }) => {
      const one = saved().find(({ ticket: { id } }) => id === ticketId)?.ticket;
      if (one === undefined) {
        return { held: false, searches: false };
      }
      const players = one.players.map((id) => ({ id, state: {} }));
      const party = { lobbyId: one.lobbyId, ticketId, name: '', host: one.players[0] ?? '' };
      const { startedAt } = one;
      const held: HoldReply = {
        held: true,
        party: { ...party, startedAt, settings: {}, players } as PartySnapshot,
      };
      return hold === undefined ? held : hold(ticketId, held);
    },
    release: release ?? (async () => true),
    returned: async (id: string) => void returned.push(id),
    refresh: async (id: string) => {
      refreshed.push(id);
      return refresh?.() ?? true;
    },
  };
  const match = {
    open: async (roster: Roster) => {
      opened.push(roster);
      return open?.() ?? 'opened';
    },
    admit: async (backfill: Backfill, saved?: SavedNow) => {
      admitted.push(backfill);
      await admit?.(backfill, saved);
      return null;
    },
    modeChanged: async ({ rules, revision }: SavedMode) => {
      told.push([revision, rules]);
    },
    outcome: outcome ?? (async () => 'aborted'),
  };
  const fake = fakePorts({
    name: 'studio',
    document: { revision: 0, configs: {}, builds: {} },
    saved: before,
    peers: {
      lobby: () => lobby as unknown as LobbyRpc,
      match: (id) => {
        matches.add(id);
        return match as unknown as MatchRpc;
      },
      project: () => ({ document: project ?? document, launchPause }) as unknown as ProjectRpc,
    },
  });
  const { store } = fake.ports;
  const ports: ActorPorts = {
    ...fake.ports,
    document: document ?? ((of) => fake.ports.document(of)),
    store: {
      ...store,
      put: (key, value) => {
        written += 1;
        store.put(key, value);
      },
      atomically: (run) => {
        written = 0;
        const done = run();
        stretches.push(written);
        return done;
      },
    },
    name: ['studio', 'arena', 'duel'],
    later: (ms, run) => {
      if (ms > 0) {
        return fake.ports.later(ms, run);
      }
      const timer = (): void => run();
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        timers.splice(Math.max(0, at), at < 0 ? 0 : 1);
      };
    },
  };
  const queue = new QueueActor(ports, undefined, rows);
  const slice = (): void => timers.shift()?.();
  const settle = async (): Promise<void> => {
    let turns = 0;
    do {
      slice();
      await fake.pass(0);
      turns += 1;
      expect(turns).toBeLessThan(500);
    } while (timers.length > 0);
  };
  const wakeUp = async (): Promise<number> => {
    for (let slices = 0; ; slices += 1) {
      const { reading, work } = await queue.report(null);
      if (reading === null && work?.toArm === 0 && work.searches === 0) {
        return slices;
      }
      expect(slices).toBeLessThan(1000);
      slice();
    }
  };
  return {
    queue,
    slice,
    wakeUp,
    settle,
    pass: (ms) => fake.pass(ms),
    stall: (ms) => fake.stall(ms),
    opened,
    returned,
    refreshed,
    admitted,
    told,
    matches,
    stretches,
    saved: fake.saved,
  };
}

/** What is different when the queue's journal is played again, and what the journal lacks. */
export async function gapsIn({ queue }: Woken): Promise<readonly number[]> {
  const { text, mode: rules } = await queue.journal(null);
  const head = { k: 'journal', version: 1, config: 'arena', mode: 'duel', rules, waiting: 0 };
  const { differences, gaps } = compare(parseJournal(`${JSON.stringify(head)}\n${text}`));
  return [differences, gaps];
}

export const entry = (one: Ticket, rules: Mode, revision = 1, modeRevision = 1) => ({
  ticket: one,
  revision,
  mode: rules,
  modeRevision,
});
