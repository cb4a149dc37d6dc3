// The scenario of a seed: its config and modes, the number of players, the duration, and the
// faults.

import type { Json, JsonObject } from '../../src/common/json';
import { type Mode, playersOf } from '../../src/match/rules/mode';
import type { Rule } from '../../src/match/rules/registry';
import type { CreateInput } from '../../src/objects/contracts/lobby';
import type { ConfigDraft } from '../../src/objects/contracts/project';
import { ratesOf, type Rates } from './faults';
import { Random } from './random';
import { RULE_SAMPLES } from './rule-samples';
import { hostingOf, quickOf, watchesOf, withKeptPlaces, withMatcher } from './seldom';
import type { Theme } from './wishes';
import { uncertaintyOf } from '../../src/match/ticket/ticket';

/** The config of a run, and the same by another name, which lobbies move to and from where `wanders`. */
export const [CONFIG, YARD] = ['arena', 'yard'] as const;
/** Of every lobby. */
export const REGION = 'us-east';
/** The state key that players cannot write, where a seed has one. */
export const TIER = 'tier';

/** The ladder of rated modes. No rule reads the field. */
export const RATING = { field: 'skill', system: 'openskill' } as const;
/** They stay trusted when a change of the config takes the rated modes away. */
const RATED = [RATING.field, uncertaintyOf(RATING.field)];

/** A lobby for four, named for its host. */
export function plainLobby(where: Pick<CreateInput, 'project' | 'id' | 'player'>): CreateInput {
  return {
    ...where,
    config: CONFIG,
    name: where.player,
    maxPlayers: 4,
    region: REGION,
    isPrivate: false,
    allowLateJoin: true,
    settings: {},
    state: null,
    forceFresh: false,
  };
}

export interface Scenario {
  readonly config: ConfigDraft;
  readonly players: number;
  /** Requests a player makes. */
  readonly requests: number;
  /** Chance that a player holds an event stream. */
  readonly streams: number;
  readonly rates: Rates;
  /** Happenings from outside: server crashes, config saves, deletions, clock jumps, restarts. */
  readonly happenings: number;
  /** From a launch to a running server, ms. */
  readonly startMs: number;
  readonly reports: boolean;
  readonly theme: Theme;
  /** Chance that a search is for all modes at once, some of them later. */
  readonly several: number;
  /** Chance that whoever would create or join a lobby makes a quick join, or a search. */
  readonly quick: number;
  /** The state of a player. */
  readonly stateOf: (random: Random) => JsonObject;
  /** Longest think time of a player, ms. */
  readonly thinkMs: number;
  /** Whether everything is taken down at the end, after which nothing may remain. */
  readonly closes: boolean;
  /** Of a lobby that is created. */
  readonly settings: JsonObject;
  /** Whether hosts start games, which have matches. */
  readonly starts: boolean;
  /** Changes that the backend makes of what it says of players; 0: no key is trusted. */
  readonly says: number;
  /** Whether games steer their places. */
  readonly steers: boolean;
  /** Whether the backend is told of matches. */
  readonly hooks: boolean;
  /** How many servers the fleet runs at once, and how long matches wait for a place, in seconds. Null: any number. */
  readonly room: {
    readonly places: number;
    readonly capacitySeconds: number;
    /** How many places another fleet has, which is asked after the first. Null: there is none. */
    readonly next: number | null;
  } | null;
  /** How many servers the build keeps warm. 0: none. */
  readonly warm: number;
  /** How many matches somebody makes of named lobbies; whether hosts move theirs to another config and back. */
  readonly makes: number;
  readonly wanders: boolean;
  /** How often a host is asked for a rematch. */
  readonly rematches: number;
  /** Chance that whoever joins a lobby watches it. 0: the config has no places for spectators. */
  readonly watches: number;
  readonly seed: number;
}

type Shape = Pick<
  Mode,
  'teams' | 'playersPerTeam' | 'minPlayersPerTeam' | 'minTeams' | 'maxPartySize' | 'steps'
>;

function shape(teams: number, players: number, least: Partial<Shape> = {}): Shape {
  return {
    teams,
    playersPerTeam: players,
    minPlayersPerTeam: players,
    minTeams: teams,
    maxPartySize: players,
    ...least,
  };
}

const SHAPES: readonly Shape[] = [
  shape(2, 1),
  shape(2, 1),
  shape(2, 2),
  shape(2, 2, { minPlayersPerTeam: 1 }),
  shape(3, 1, { minTeams: 3, steps: [{ afterSeconds: 2, minTeams: 2 }] }),
  shape(1, 3),
  shape(1, 4, { minPlayersPerTeam: 2 }),
  shape(1, 1),
];

const ROLES = { hunters: { hunter: 1 }, prey: { runner: 2 } };

const RULES: readonly Rule[] = RULE_SAMPLES.map(({ rule }) => rule);

/** A difference that widens so far and no further. */
const COMPARED = RULES.filter(({ type }) => type === 'difference');

/** One of two rules is about region or skill, because those combine with all others but latency. */
function rulesOf(random: Random): readonly Rule[] {
  if (!random.chance(0.6)) {
    return [];
  }
  const first = random.pick(RULES);
  const second = random.pick(
    RULES.filter(
      ({ type }) => type === 'difference' || (type === 'region' && first.type !== 'latency'),
    ),
  );
  return random.chance(0.25) && second.type !== first.type ? [first, second] : [first];
}

/** Where a match waits for ten seconds, the lobbies see who has accepted: no draw of its own moves the others. */
function confirmationOf(random: Random): Mode['matchConfirmation'] {
  const enabled = random.chance(0.4);
  const timeoutSeconds = random.pick([3, 10, 30]);
  const shows = timeoutSeconds === 10 ? { showsAccepted: true } : {};
  const asks = timeoutSeconds === 30 && random.chance(0.5) ? { each: 'player' as const } : {};
  return { enabled, timeoutSeconds, ...shows, ...asks };
}

function modeOf(random: Random): Mode {
  const version = random.chance(0.1);
  const roles = random.chance(0.25);
  const base = roles ? shape(2, 2, { minPlayersPerTeam: 2 }) : random.pick(SHAPES);
  return {
    ...base,
    timeout: random.pick([4, 15, 60, 900]),
    allowBackfill: random.chance(0.35),
    rules: version ? [{ type: 'equals', field: 'build' }] : rulesOf(random),
    matchConfirmation: confirmationOf(random),
    teamComposition: roles ? ROLES : null,
    excludedFromQueue: random.chance(0.1) ? ['spectator'] : [],
    useVersionFromState: version ? 'build' : null,
    ...onDeclineOf(random),
    ...(random.chance(0.1) ? { declineCooldown: 5 } : {}),
  };
}

/** What becomes of a match that a lobby declines. */
export function onDeclineOf(random: Random): Pick<Mode, 'onDecline' | 'refillSeconds'> {
  const onDecline = random.pick(['return', 'requeue', 'refill'] as const);
  return onDecline === 'refill'
    ? { onDecline, refillSeconds: random.pick([3, 20, 60]) }
    : { onDecline };
}

/** States that let most meet most, with what every rule type reads; a few miss a field. */
export function stateOf(modes: readonly Mode[]): (random: Random) => JsonObject {
  const roles = modes.some(({ teamComposition }) => teamComposition !== null);
  const excludes = modes.some(({ excludedFromQueue }) => excludedFromQueue.length > 0);
  return (random) => {
    const state: Record<string, Json> = {};
    for (const { states } of RULE_SAMPLES) {
      Object.assign(state, random.chance(0.95) ? random.pick(states) : {});
    }
    if (roles) {
      state['role'] = random.pick(['hunter', 'runner', 'runner', 'fill', ['runner', 'hunter']]);
    }
    if (excludes && random.chance(0.3)) {
      state['role'] = 'spectator';
    }
    return state;
  };
}

/** Matches anybody, and has a long timeout. */
const EASY: Partial<Mode> = {
  rules: [],
  useVersionFromState: null,
  teamComposition: null,
  timeout: 900,
};
const THEMED: Readonly<Record<Theme, Partial<Mode>>> = {
  mixed: {},
  party: {},
  race: { ...shape(2, 1), ...EASY },
  backfill: { ...shape(3, 2, { minTeams: 2, minPlayersPerTeam: 1 }), ...EASY, allowBackfill: true },
  crowd: {
    ...shape(1, 2),
    ...EASY,
    matchConfirmation: { enabled: false, timeoutSeconds: 30 },
    allowBackfill: true,
    reconnectSeconds: 90,
  },
};

/** A config with these modes in which nothing happens by itself. */
export function plainConfig(modes: Readonly<Record<string, Mode>>): ConfigDraft {
  return {
    name: CONFIG,
    enabled: true,
    timeout: 7_200,
    serverSettings: { serverSize: 'small', gameBuild: null },
    matchmaking: { modes },
    hostLeaveBehavior: 'promote',
    inviteCodeConfig: null,
    spectators: { max: 4, delaySeconds: 0 },
    heartbeat: false,
    heartbeatTimeout: 20,
    queuePresenceSeconds: 0,
    customProperties: {},
  };
}

/** In some modes bots take the places that are left after a while. Of a stream of its own, as the backend. */
function withBots(random: Random, modes: Record<string, Mode>): void {
  for (const [name, mode] of Object.entries(modes)) {
    const { steps = [], minTeams, minPlayersPerTeam, teamComposition, timeout } = mode;
    const few = teamComposition === null ? minTeams * minPlayersPerTeam : 2;
    const step = { afterSeconds: 3, bots: true as const };
    if (random.chance(0.2) && timeout > 3 && playersOf(mode) > 1) {
      const minHumans = random.chance(0.4) && few > 1 ? { minHumans: 2 } : {};
      modes[name] = { ...mode, steps: [...steps, { ...step, ...minHumans }] };
    }
  }
}

function roomOf(seed: number): Scenario['room'] {
  const places = new Random(seed, 34);
  return places.chance(0.3)
    ? {
        places: 1 + places.below(2),
        capacitySeconds: places.pick([0, 10, 60, 120]),
        next: places.chance(0.5) ? 1 + places.below(2) : null,
      }
    : null;
}

function someOf(random: Random, chance: number, least: number, kinds: number): number {
  return random.chance(chance) ? least + random.below(kinds) : 0;
}

/** Of all who may play. */
const TWO_TEAMS: JsonObject = {
  teams: [
    { name: 'odd', players: ['p1', 'p3', 'p5', 'p7', 'p9'] },
    { players: ['p2', 'p4', 'p6', 'p8'] },
  ],
};

function startsOf(random: Random) {
  const starts = random.chance(0.1);
  const settings = starts && random.chance(0.5) ? TWO_TEAMS : {};
  return { starts, settings, matchOnStart: starts ? { matchOnStart: true } : {} };
}

function themeOf(random: Random, crowds: Random): Theme {
  const drawn = random.weighted({ mixed: 40, party: 30, race: 18, backfill: 12 });
  return crowds.chance(0.04) ? 'crowd' : drawn;
}

/** How many players there are, and requests of each: at least that many, or twice that, and fewer than so many more. */
const USUAL = { atLeast: 2, players: 6, requests: 8 };
const MOST: Readonly<Record<Theme, typeof USUAL>> = {
  mixed: USUAL,
  party: USUAL,
  race: { atLeast: 2, players: 3, requests: 10 },
  backfill: USUAL,
  crowd: { atLeast: 4, players: 6, requests: 12 },
};

function firstOf(random: Random, theme: Theme): Mode {
  const { steps = [], ...mode } = modeOf(random);
  const stepped = steps.length > 0 && theme !== 'crowd' ? { steps } : {};
  return { ...mode, ...stepped, ...THEMED[theme] };
}

/** The whole run follows from its seed. */
export function scenarioOf(seed: number): Scenario {
  const random = new Random(seed, 0);
  // A stream of its own, so that the other choices of a seed stay what they were.
  const backend = new Random(seed, 9);
  const says = backend.chance(0.3) ? 4 + backend.below(12) : 0;
  const hooks = backend.chance(0.4);
  const isRated = backend.chance(0.4);
  const more = new Random(seed, 21);
  const several = more.chance(0.3) ? more.pick([0.5, 1]) : 0;
  const hosts = new Random(seed, 22);
  const hosting = hosts.chance(0.2) ? hostingOf(hosts) : {};
  const theme = themeOf(random, new Random(seed, 46));
  const most = MOST[theme];
  const { starts, settings, matchOnStart } = startsOf(new Random(seed, 45));
  const wanders = new Random(seed, 435).chance(0.12);
  const { watches, watched } = watchesOf(new Random(seed, 408), wanders);
  const first = firstOf(random, theme);
  const modes: Record<string, Mode> = { first };
  if (random.chance(0.25)) {
    modes['second'] = modeOf(random);
  }
  withBots(new Random(seed, 10), modes);
  const games = new Random(seed, 34);
  const steers = games.chance(0.4);
  if (several > 0) {
    modes['casual'] = {
      ...modeOf(more),
      ...shape(2, 1),
      ...EASY,
      timeout: more.pick([4, 60, 900]),
    };
  }
  if (isRated) {
    modes['first'] = { ...first, ...shape(2, 1), ...EASY, rating: RATING };
  }
  if (theme === 'backfill' && !isRated && new Random(seed, 44).chance(0.4)) {
    // Who comes into its games is compared with who is there.
    modes['first'] = { ...first, rules: COMPARED };
  }
  withKeptPlaces(games, modes);
  // As for `makes`: a stream by which planted bugs show where they did.
  withMatcher(new Random(seed, 504), modes);
  return {
    config: {
      name: CONFIG,
      enabled: true,
      timeout: random.chance(0.15) ? 40 : 7_200,
      serverSettings: {
        serverSize: 'small',
        gameBuild: random.chance(0.9) ? null : 'default',
        ...hosting,
        ...matchOnStart,
      },
      matchmaking: { modes },
      hostLeaveBehavior: random.pick(['promote', 'promote', 'delete']),
      inviteCodeConfig: random.chance(0.2)
        ? { type: 'numeric', length: random.pick([1, 4]), prefix: null }
        : null,
      heartbeat: random.chance(0.12),
      heartbeatTimeout: 20,
      queuePresenceSeconds: random.pick([0, 5, 30]),
      ...(says === 0 && !isRated ? {} : { trusted: isRated ? [TIER, ...RATED] : [TIER] }),
      ...watched,
      customProperties: {},
    },
    players: most.atLeast + random.below(most.players),
    requests: 2 * most.atLeast + random.below(most.requests),
    streams: Math.max(random.pick([0, 0, 0, 0.3]), 'hosting' in hosting ? 1 : 0),
    rates: ratesOf(random),
    happenings: random.pick([0, 0.5, 1, 2]),
    startMs: random.pick([0, 200, 3_000]),
    reports: random.chance(0.6),
    theme,
    several,
    quick: quickOf(new Random(seed, 23)),
    stateOf: stateOf(Object.values(modes)),
    thinkMs: theme === 'race' ? random.pick([4, 12, 100]) : random.pick([50, 400, 2_000]),
    closes: random.chance(0.1),
    settings,
    starts,
    says,
    hooks,
    steers,
    room: roomOf(seed),
    warm: someOf(new Random(seed, 41), 0.3, 1, 3),
    // Streams by which the seeds of test/sim/planted-seeds.ts make none, and so show what they showed.
    makes: someOf(new Random(seed, 308), 0.12, 4, 10),
    rematches: someOf(new Random(seed, 370), 0.12, 20, 40),
    wanders,
    watches,
    seed,
  };
}
