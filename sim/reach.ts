// What a set of runs must have come by: a simulation that never gets somewhere proves nothing about
// that place. Names of counts of the journal; each is met hundreds of times in 10,000 seeds.

import { KINDS } from './parts';

const MODES = [
  'confirmation',
  'no confirmation',
  'backfill allowed',
  'backfilled',
  'roles',
  'parties',
  'one lobby',
  'partial',
  'version',
  'players excluded',
  'onDecline requeue',
  'several rules',
  'rule difference',
  'rule equals',
  'rule not_equals',
  'rule region',
  'rule expression',
];

/** From which phase a match ended, and why. */
const ENDS = [
  'confirming, declined',
  'confirming, confirm_timeout',
  'confirming, player_left',
  'launching, launch_failed',
  'running, game_ended',
];

const REASONS = ['timeout', 'unmatchable', 'config_changed'];

const HAPPENINGS = [
  'a game server dies',
  'a config is saved',
  'a mode changed while lobbies were queued',
  'a mode changed while a match was being formed',
  'all objects restart',
  'all clocks jump on',
  'all clocks jump back',
  'one clock jumps on',
  'one clock jumps back',
  ...['waiting', 'in_queue', 'in_game'].map((status) => `a lobby is deleted that is ${status}`),
  'a hold is refused',
  'a commit comes too late',
  'a running match has no room any more',
  'a lobby lets go of a match nobody opened',
];

/** Calls by which objects keep their protocols; each is also met doubled or late. */
const CALLS = [
  'lobby.hold',
  'lobby.release',
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
  'queue.put',
  'queue.leave',
  'queue.offer',
  'queue.modeChanged',
  'match.open',
  'match.admit',
  'match.outcome',
  'match.confirm',
  'match.decline',
  'match.left',
  'match.roster',
  'match.end',
  'match.serverReport',
  'server.launch',
  'server.stop',
  'server.report',
  'fleet.launch',
  'fleet.stop',
  'fleet.inspect',
  'project.serverChanged',
];

/** Too rare to be doubled in a short set of runs. */
const SELDOM_DOUBLED: ReadonlySet<string> = new Set([
  'match.admit',
  'match.outcome',
  'match.decline',
  'match.roster',
]);

const WHERE = [
  'before a request',
  'before its alarm',
  'at an await',
  'after saving, before telling',
  'in a restart',
  'idle',
];

/** Every object crashes at every point; a seat and a directory have no alarm that matters. */
const CRASHES = KINDS.filter((kind) => kind !== 'fleet').flatMap((kind) =>
  WHERE.filter(
    (where) => where !== 'before its alarm' || !['seat', 'directory'].includes(kind),
  ).map((where) => `${kind} ${where}`),
);

const FAULTS = ['requests lost', 'replies lost', 'requests doubled', 'requests late'];

export const TO_REACH: readonly string[] = [
  ...MODES.map((what) => `match: ${what}`),
  ...ENDS.map((what) => `ended: ${what}`),
  ...REASONS.map((what) => `returned: ${what}`),
  ...HAPPENINGS.map((what) => `happened: ${what}`),
  ...CALLS.map((what) => `call: ${what}`),
  ...CALLS.filter((what) => !SELDOM_DOUBLED.has(what)).map((what) => `again: ${what}`),
  ...CRASHES.map((what) => `crash: ${what}`),
  ...FAULTS,
  'fleet failures',
  'races: matched',
  'races: given up',
];

/** What these runs have not come by. */
export function unreached(counts: Readonly<Record<string, number>>): readonly string[] {
  return TO_REACH.filter((what) => (counts[what] ?? 0) === 0);
}
