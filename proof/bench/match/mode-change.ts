// What a changed mode costs its queue: N lobbies are queued, the config is saved, and the queue asks each lobby for
// its ticket again. Also reports the longest stretch in which nobody else was served.

import { DatabaseSync } from 'node:sqlite';
import type { LobbyId, PlayerId, TicketId } from '../../../src/common/ids';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import type { LobbyRpc } from '../../../src/objects/contracts/lobby';
import type { ActorPorts } from '../../../src/objects/contracts/actor-ports';
import { commandLine } from '../../../scripts/flags';
import { QueueActor } from '../../../src/objects/queue/actor';
import { storeIn } from './store-in';

const START = 1_800_000_000_000;

const MODE: Mode = {
  teams: 2,
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  minTeams: 2,
  timeout: 600,
  maxPartySize: 1,
  allowBackfill: false,
  rules: [{ type: 'equals', field: 'name' }],
  matchConfirmation: { enabled: false, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
};

/** A mode in which nobody fits anybody. */
function ticketOf(index: number): Ticket {
  const player = `player-${index}` as PlayerId;
  return {
    id: `ticket-${index}` as TicketId,
    lobbyId: `lobby-${index}` as LobbyId,
    startedAt: START,
    members: [{ id: player, roles: [] }],
    players: [player],
    region: 'eu-west',
    acceptableRegions: [],
    state: { name: index },
    metadata: {},
  };
}

/** Stands for calls that this queue never makes. */
function never(what: string): never {
  throw new Error(what);
}

async function measure(count: number): Promise<void> {
  const asked = new Set<LobbyId>();
  const peers = {
    lobby: (id: LobbyId) =>
      ({
        // As a lobby does, it sends its ticket before it answers.
        refresh: async (_: TicketId, mode: Mode, modeRevision: number) => {
          await new Promise<void>((resume) => {
            setImmediate(resume);
          });
          const ticket = ticketOf(Number(id.split('-')[1]));
          await queue.enter({ ticket, revision: 2, mode, modeRevision });
          asked.add(id);
          return true;
        },
      }) as unknown as LobbyRpc,
  };
  const ports: ActorPorts = {
    name: ['studio', 'arena', 'duel'],
    store: storeIn(new DatabaseSync(':memory:')),
    peers: peers as unknown as ActorPorts['peers'],
    now: () => START,
    uuid: () => 'uuid',
    random: () => 0.5,
    instanceId: () => never('a game server'),
    token: () => never('a token'),
    document: () => never('a document'),
    behindMs: () => 0,
    // Nobody looks at this queue.
    lines: {
      open: () => never('a line'),
      watch: () => never('a line'),
      all: () => [],
      watchers: () => [],
    },
    background: (work) => void work,
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    abort: never,
    log: () => undefined,
  };
  const queue = new QueueActor(ports);
  for (let index = 0; index < count; index += 1) {
    await queue.enter({ ticket: ticketOf(index), revision: 1, mode: MODE, modeRevision: 1 });
  }
  const began = performance.now();
  const changed = queue.modeChanged({ ...MODE, timeout: 900 }, 2);
  let longest = performance.now() - began;
  const isDone = (): boolean => asked.size === count;
  for (let last = performance.now(); !isDone(); last = performance.now()) {
    await new Promise<void>((resume) => {
      setImmediate(resume);
    });
    longest = Math.max(longest, performance.now() - last);
  }
  await changed;
  const ms = performance.now() - began;
  console.log(
    `${count} lobbies queued, a changed mode: all told anew after ${ms.toFixed(0)} ms; meanwhile others ` +
      `waited ${longest.toFixed(0)} ms at most`,
  );
}

const { words } = commandLine({
  command: 'npm run bench:mode-change --',
  about: 'What a changed mode costs its queue while lobbies are queued.',
  flags: {},
  words: { name: '[N ...]', says: 'queued lobbies, one run each (5000 20000)', least: 0, most: 10 },
});
const counts = words.map(Number);
if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
  console.error('N must be a whole number above zero');
  process.exit(2);
}
for (const count of counts.length === 0 ? [5_000, 20_000] : counts) {
  await measure(count);
}
