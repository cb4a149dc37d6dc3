// Events that a set of runs must reach, because a simulation proves nothing about a state that it
// never reaches. They are names of counts in the journal, and each occurs hundreds of times in
// 10,000 seeds.

import { RULE_TYPES } from '../../src/match/rules/registry';
import { KINDS, type Placement } from './parts';

const MODES = [
  'confirmation',
  'no confirmation',
  'backfill allowed',
  'backfilled',
  'roles',
  'parties',
  'one lobby',
  'partial',
  'sizes that relax',
  'bots',
  'version',
  'players excluded',
  'onDecline requeue',
  'onDecline refill',
  'refilled',
  'refilled, and launches',
  'several rules',
  ...RULE_TYPES.map(({ type }) => `rule ${type}`),
];

/** The phase that a match ended in, and the reason. */
const ENDS = [
  'confirming, declined',
  'confirming, confirm_timeout',
  'confirming, player_left',
  'launching, launch_failed',
  'running, game_ended',
  'running, launch_failed',
];

const REASONS = ['timeout', 'unmatchable', 'config_changed'];

const HAPPENINGS = [
  'a game server dies',
  'a config is saved',
  'a mode changed while lobbies were queued',
  'a mode changed while a match was being formed',
  'all objects restart',
  'documents cannot be reached',
  'all clocks jump on',
  'all clocks jump back',
  'one clock jumps on',
  'one clock jumps back',
  ...['waiting', 'in_queue', 'in_game'].map((status) => `a lobby is deleted that is ${status}`),
  'a hold is refused',
  'a queued party is away',
  'a commit comes too late',
  'a running match has no room any more',
  'a lobby lets go of a match nobody opened',
  'a lobby that takes several regions is queued',
  'the backend says something of a player',
  'a game steers',
  'a match of named lobbies is made',
  'a matcher outside makes a match',
  'a rematch is made',
  'rematch is said',
  'no_rematch is said',
  'a booked lobby is in the match',
  'a booked lobby is free again',
  'a lobby moves to another config',
  'a player follows a lobby that has moved',
  'a lobby is watched',
  'a watched lobby moves',
  'a player begins to watch',
  'a spectator begins to play',
  'a signal is heard in its lobby',
  'a signal is heard in another lobby',
  'most players say what the result is',
  'several modes are searched, a match takes a lobby out of other queues',
  'several modes are searched, a mode drops out of a search',
  'several modes are searched, it is over',
];

/** Calls by which objects keep their protocols; each is also met doubled or late. */
const CALLS = [
  'lobby.hold',
  'lobby.release',
  'lobby.book',
  'lobby.unbook',
  'lobby.rematch',
  'lobby.matchUpdate',
  'lobby.refresh',
  'lobby.returned',
  'lobby.serverReport',
  'lobby.knows',
  'seat.claim',
  'seat.release',
  'directory.allocate',
  'directory.put',
  'directory.remove',
  'queue.enter',
  'queue.leave',
  'queue.offer',
  'queue.modeChanged',
  'match.open',
  'match.make',
  'match.rematch',
  'match.admit',
  'match.outcome',
  'match.confirm',
  'match.decline',
  'match.left',
  'match.roster',
  'match.modeChanged',
  'match.end',
  'match.serverReport',
  'server.launch',
  'server.stop',
  'server.report',
  'fleet.launch',
  'fleet.stop',
  'fleet.inspect',
  'project.serverChanged',
  'players.read',
  'lobby.attributes',
  'ratings.rate',
  'players.rated',
  'match.rated',
];

/** Too rare to be doubled in a short set of runs. */
const SELDOM_DOUBLED: ReadonlySet<string> = new Set([
  'lobby.book',
  'lobby.unbook',
  'lobby.rematch',
  'match.make',
  'match.rematch',
  'ratings.rate',
  'players.rated',
  'match.rated',
  'match.admit',
  'match.outcome',
  'match.decline',
  'match.roster',
  'match.modeChanged',
]);

/** On a box only what comes from outside goes over a network. */
const FROM_OUTSIDE = ['server.report', 'fleet.launch', 'fleet.stop', 'fleet.inspect'];

const WHERE = [
  'before a request',
  'before its alarm',
  'at an await',
  'after saving, before telling',
];
const EVERYWHERE = [...WHERE, 'in a restart', 'idle'];
/** Few seeds rate a match while something crashes. A drill crashes the ladder at every point. */
const OBJECTS = KINDS.filter((kind) => kind !== 'fleet' && kind !== 'ratings');

/** Every object crashes at every point; a seat, a directory and records have no alarm that matters. */
const CRASHES = OBJECTS.flatMap((kind) =>
  EVERYWHERE.filter(
    (where) => where !== 'before its alarm' || !['seat', 'directory', 'players'].includes(kind),
  ).map((where) => `${kind} ${where}`),
);

/** A box crashes as a whole; its actors are let go one by one, but for those whose timers run. */
const BOX_CRASHES = [
  ...[...WHERE, 'at random', 'in a restart'].map((where) => `box ${where}`),
  ...OBJECTS.filter((kind) => kind !== 'queue' && kind !== 'match').map((kind) => `${kind} idle`),
];

/**
 * Each needs a message that is late, or an object that is away while others go on. On a box
 * nothing comes between two actors but a transaction that fails.
 */
const SELDOM_ON_A_BOX: ReadonlySet<string> = new Set([
  'happened: a commit comes too late',
  'happened: a running match has no room any more',
  'happened: a lobby lets go of a match nobody opened',
  'call: match.outcome',
  'races: given up',
  'happened: a mode changed while a match was being formed',
]);

const FAULTS = ['requests lost', 'replies lost', 'requests doubled', 'requests late'];

const OF_BOTH: readonly string[] = [
  ...MODES.map((what) => `match: ${what}`),
  ...ENDS.map((what) => `ended: ${what}`),
  ...REASONS.map((what) => `returned: ${what}`),
  ...HAPPENINGS.map((what) => `happened: ${what}`),
  ...CALLS.map((what) => `call: ${what}`),
  ...FAULTS,
  ...['lobby', 'directory', 'queue', 'match', 'server', 'project'].map(
    (kind) => `crash: ${kind} in an abort`,
  ),
  'fleet failures',
  'races: matched',
  'races: given up',
];

const TO_REACH: Readonly<Record<Placement, readonly string[]>> = {
  box: [
    ...OF_BOTH.filter((what) => !SELDOM_ON_A_BOX.has(what)),
    ...FROM_OUTSIDE.map((what) => `again: ${what}`),
    ...BOX_CRASHES.map((what) => `crash: ${what}`),
    'lobbies asked together',
    'happened: lobbies that were asked together run again alone',
  ],
  objects: [
    ...OF_BOTH,
    ...CALLS.filter((what) => !SELDOM_DOUBLED.has(what)).map((what) => `again: ${what}`),
    ...CRASHES.map((what) => `crash: ${what}`),
  ],
};

/** How often these runs came by each event that is wanted. */
export function reachedOf(
  counts: Readonly<Record<string, number>>,
  placement: Placement,
): Readonly<Record<string, number>> {
  return Object.fromEntries(TO_REACH[placement].map((what) => [what, counts[what] ?? 0]));
}

/** The events that these runs did not reach. */
export function unreached(
  counts: Readonly<Record<string, number>>,
  placement: Placement,
): readonly string[] {
  return TO_REACH[placement].filter((what) => (counts[what] ?? 0) === 0);
}
