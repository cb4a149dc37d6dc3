// Reads a mode of a lobby config: the mode with every default filled in, or everything that is wrong with it (spec:
// Matchmaking mode, Rule types; decisions 27 and 33). Reading a mode that was read before changes nothing.

import * as z from 'zod';
import { FILL } from '../ticket/aggregate';
import { MAX_MATCH_LOBBIES, MAX_RULES } from '../../common/limits';
import { CONFIRMATION_OFF, MODE_DEFAULTS } from './defaults';
import { field, MAX_FIELD_LENGTH } from './rule-type';
import { type Mode, MOST_ROLES, MOST_TEAMS, playersOf, type RoleCounts, sizeOf } from './mode';
import { RULE_TYPES, type Rule, ruleSchemas } from './registry';
import { present } from '../../common/named';
import type { Result } from '../../common/result';
import {
  closed,
  flag,
  type Issue,
  listOf,
  object,
  oneOf,
  parseWith,
  mapOf,
  text,
  wholeNumber,
} from '../../common/shape';
import { fewestOf } from './sizes';

const MAX_TIMEOUT_SECONDS = 24 * 60 * 60;
const MAX_CONFIRM_SECONDS = 60 * 60;
const MAX_ROLES = 20;
const MAX_STEPS = 10;
/** As many as lobbies, because each player may come alone (decision 5). */
const MAX_MATCH_PLAYERS = MAX_MATCH_LOBBIES;

const ruleSchema: z.ZodType<Rule> = z.discriminatedUnion('type', ruleSchemas(), {
  error: (issue) =>
    issue.code === 'invalid_union'
      ? `unknown rule type: must be one of ${RULE_TYPES.map(({ type }) => type).join(', ')}`
      : 'must be an object with a type',
});

const roleName = (name: string): string | null => {
  if (name === '' || name.length > MAX_FIELD_LENGTH) {
    return `a name has 1 to ${MAX_FIELD_LENGTH} characters`;
  }
  return name === '__proto__' ? 'this name is reserved' : null;
};

const team: z.ZodType<RoleCounts> = mapOf(wholeNumber(1, MAX_MATCH_PLAYERS), MAX_ROLES, (name) =>
  name === FILL ? `${FILL} is the wildcard, not a role` : roleName(name),
).refine((roles) => Object.keys(roles).length > 0, 'must name at least one role');

const composition = mapOf(team, MAX_MATCH_PLAYERS, roleName).refine(
  (teams) => Object.keys(teams).length > 0,
  'must name at least one team',
);

const rules = listOf(ruleSchema, MAX_RULES).nullish();

const confirmation = object({
  enabled: flag().nullish(),
  timeoutSeconds: wholeNumber(1, MAX_CONFIRM_SECONDS).nullish(),
  showsAccepted: flag().nullish(),
  each: oneOf(['party', 'player']).nullish(),
}).transform(({ enabled, timeoutSeconds, showsAccepted, each }) => ({
  enabled: enabled ?? CONFIRMATION_OFF.enabled,
  timeoutSeconds: timeoutSeconds ?? CONFIRMATION_OFF.timeoutSeconds,
  ...(showsAccepted === true ? { showsAccepted } : {}),
  ...(each === 'player' ? { each } : {}),
}));

/** The field and its uncertainty are state keys, and a part of an object's name. */
const rating = closed({
  field: z
    .string('must be a string')
    .regex(/^[A-Za-z]\w{0,49}$/, 'must be a letter, then up to 49 letters, digits and _'),
  system: oneOf(['openskill']),
  decay: z.exactOptional(closed({ afterDays: wholeNumber(1, 3_650), sigma: wholeNumber(1, 400) })),
});

/** A step says what it changes: what is absent stays as it was. */
const sizeStep = closed({
  afterSeconds: wholeNumber(1, MAX_TIMEOUT_SECONDS),
  minPlayersPerTeam: z.exactOptional(wholeNumber(1, MAX_MATCH_PLAYERS)),
  minTeams: z.exactOptional(wholeNumber(1, MAX_MATCH_PLAYERS)),
  bots: z.exactOptional(z.literal(true, 'must be true')),
  minHumans: z.exactOptional(wholeNumber(1, MAX_MATCH_PLAYERS)),
});

const MAX_REFILL_SECONDS = 300;
const MAX_COOLDOWN_SECONDS = 600;
const MAX_RECONNECT_SECONDS = 3_600;

/** Seconds. */
const targetWait = z
  .number('must be a number')
  .min(0.1, 'must be at least 0.1')
  .max(MAX_TIMEOUT_SECONDS, `must be at most ${MAX_TIMEOUT_SECONDS}`);

const modeInput = object({
  teams: wholeNumber(1, MAX_MATCH_PLAYERS).nullish(),
  playersPerTeam: wholeNumber(1, MAX_MATCH_PLAYERS).nullish(),
  minPlayersPerTeam: wholeNumber(1, MAX_MATCH_PLAYERS).nullish(),
  minTeams: wholeNumber(1, MAX_MATCH_PLAYERS).nullish(),
  steps: listOf(sizeStep, MAX_STEPS).nullish(),
  sameSize: flag().nullish(),
  timeout: wholeNumber(1, MAX_TIMEOUT_SECONDS).nullish(),
  maxPartySize: wholeNumber(1, MAX_MATCH_PLAYERS).nullish(),
  allowBackfill: flag().nullish(),
  rules,
  matchmakingRules: rules,
  matchConfirmation: confirmation.nullish(),
  teamComposition: composition.nullish(),
  excludedFromQueue: listOf(text(MAX_FIELD_LENGTH), MAX_ROLES).nullish(),
  useVersionFromState: field.nullish(),
  onDecline: oneOf(['return', 'requeue', 'refill']).nullish(),
  refillSeconds: wholeNumber(1, MAX_REFILL_SECONDS).nullish(),
  declineCooldown: wholeNumber(1, MAX_COOLDOWN_SECONDS).nullish(),
  explainsWait: flag().nullish(),
  lateJoin: flag().nullish(),
  rating: rating.nullish(),
  targetWait: targetWait.nullish(),
  rematch: oneOf(['avoid']).nullish(),
  matcher: oneOf(['external']).nullish(),
  bellSeconds: wholeNumber(1, MAX_TIMEOUT_SECONDS).nullish(),
  reconnectSeconds: wholeNumber(1, MAX_RECONNECT_SECONDS).nullish(),
});
type ModeInput = z.infer<typeof modeInput>;

export const modeSchema: z.ZodType<Mode> = modeInput.transform((input, context) => {
  const { rating: ladder, targetWait: wait, steps, sameSize, rematch } = input;
  const refills = input.onDecline === 'refill';
  const mode = {
    ...completed(input),
    ...present({
      rating: ladder,
      targetWait: wait,
      steps: steps && steps.length > 0 ? steps : null,
      sameSize: sameSize || null,
      refillSeconds: refills ? (input.refillSeconds ?? MODE_DEFAULTS.refillSeconds) : null,
      rematch,
      matcher: input.matcher,
      declineCooldown: input.declineCooldown,
      bellSeconds: input.bellSeconds,
      reconnectSeconds: input.reconnectSeconds,
    }),
  };
  for (const [holds, path, message] of demandsOf(mode, input)) {
    if (!holds) {
      context.addIssue({ code: 'custom', path, message });
    }
  }
  return mode;
});

/** A mode, or everything that is wrong with it. Paths begin at the mode. */
export function parseMode(body: unknown): Result<Mode, readonly Issue[]> {
  return parseWith(modeSchema, body);
}

/** Fills in defaults (decision 27); teams and their size follow from teamComposition if given. */
function completed(input: ModeInput): Mode {
  const teamComposition = input.teamComposition ?? null;
  const sizes = Object.values(teamComposition ?? {}).map(sizeOf);
  const teams = teamComposition === null ? (input.teams ?? MODE_DEFAULTS.teams) : sizes.length;
  const playersPerTeam =
    teamComposition === null
      ? (input.playersPerTeam ?? MODE_DEFAULTS.playersPerTeam)
      : Math.max(...sizes);
  return {
    teams,
    playersPerTeam,
    minPlayersPerTeam: input.minPlayersPerTeam ?? playersPerTeam,
    minTeams: input.minTeams ?? teams,
    timeout: input.timeout ?? MODE_DEFAULTS.timeout,
    maxPartySize: input.maxPartySize ?? playersPerTeam,
    allowBackfill: input.allowBackfill ?? false,
    rules: input.rules ?? input.matchmakingRules ?? [],
    matchConfirmation: input.matchConfirmation ?? CONFIRMATION_OFF,
    teamComposition,
    excludedFromQueue: input.excludedFromQueue ?? [],
    useVersionFromState: input.useVersionFromState ?? null,
    onDecline: input.onDecline ?? MODE_DEFAULTS.onDecline,
    explainsWait: input.explainsWait ?? MODE_DEFAULTS.explainsWait,
    lateJoin: input.lateJoin ?? MODE_DEFAULTS.lateJoin,
  };
}

type Demand = readonly [holds: boolean, path: PropertyKey[], message: string];

/** Without these, a mode is valid part by part but can never match or start. */
function demandsOf(mode: Mode, input: ModeInput): readonly Demand[] {
  const { teams, playersPerTeam, teamComposition, useVersionFromState: version } = mode;
  const sizeField = teamComposition === null ? 'playersPerTeam' : 'teamComposition';
  const ofTeam = `must be at most the ${playersPerTeam} players in a team`;
  const isRead = (input.rules ?? null) === null || (input.matchmakingRules ?? null) === null;
  const players = playersOf(mode);
  const tooMany = `makes a match of ${players} players; at most ${MAX_MATCH_PLAYERS} are allowed`;
  const roleTeams = Object.values(teamComposition ?? {});
  const isEven = roleTeams.every((wanted) => sizeOf(wanted) === playersPerTeam);
  const roles = new Set(roleTeams.flatMap((wanted) => Object.keys(wanted)));
  const why = 'are allowed, as beyond that a match could stay unfound';
  const manyTeams = `has ${roleTeams.length} teams: at most ${MOST_TEAMS} ${why}`;
  const manyRoles = `names ${roles.size} roles: at most ${MOST_ROLES} ${why}`;
  const isEqualled = mode.rules.some((rule) => rule.type === 'equals' && rule.field === version);
  const unequalled = `needs an equals rule on the field ${version ?? ''}`;
  const noRefill = 'needs onDecline: refill';
  const noDuel = 'needs a mode of two teams of one player: elsewhere nobody has one opponent';
  const hasDistance = mode.rules.some(({ type }) => type === 'difference');
  const countOf = (of: Rule['type']): number => mode.rules.filter(({ type }) => type === of).length;
  const isRated = mode.rules.every(
    (rule) =>
      rule.type !== 'balance' || rule.win === undefined || rule.field === mode.rating?.field,
  );
  const agreed = (['teams', 'playersPerTeam'] as const).map((size): Demand => {
    const isSo = teamComposition === null || (input[size] ?? mode[size]) === mode[size];
    return [isSo, [size], `contradicts teamComposition, which makes it ${mode[size]}`];
  });
  return [
    ...agreed,
    [isRead, ['matchmakingRules'], 'is another name for rules: use only one of them'],
    [mode.minPlayersPerTeam <= playersPerTeam, ['minPlayersPerTeam'], ofTeam],
    [mode.minTeams <= teams, ['minTeams'], `must be at most the ${teams} teams in the mode`],
    ...demandsOfSteps(mode),
    [mode.sameSize !== true || isEven, ['sameSize'], 'needs a teamComposition of equal teams'],
    [mode.maxPartySize <= playersPerTeam, ['maxPartySize'], ofTeam],
    [mode.rating === undefined || teams > 1, ['rating'], 'needs a mode with two teams or more'],
    [players <= MAX_MATCH_PLAYERS, [sizeField], tooMany],
    [roleTeams.length <= MOST_TEAMS, ['teamComposition'], manyTeams],
    [roles.size <= MOST_ROLES, ['teamComposition'], manyRoles],
    ...mode.excludedFromQueue.map((role, index): Demand => {
      const path = ['excludedFromQueue', index];
      return [!roles.has(role), path, `${role} is a role that the teams need`];
    }),
    ...(['balance', 'latency', 'avoid'] as const).map((type): Demand => {
      return [countOf(type) <= 1, ['rules'], `has more than one ${type} rule`];
    }),
    [
      countOf('latency') === 0 || countOf('region') === 0,
      ['rules'],
      'has a latency rule, which asks for a region in common itself: remove the region rule',
    ],
    [mode.refillSeconds !== undefined || !input.refillSeconds, ['refillSeconds'], noRefill],
    [isRated, ['rules'], `balance by win needs the mode's rating, on the same field`],
    [(mode.targetWait ?? 0) <= mode.timeout, ['targetWait'], 'must not be above the timeout'],
    [(mode.bellSeconds ?? 0) < mode.timeout, ['bellSeconds'], 'must be below the timeout'],
    [mode.targetWait === undefined || hasDistance, ['targetWait'], 'needs a difference rule'],
    [mode.rematch === undefined || (teams === 2 && playersPerTeam === 1), ['rematch'], noDuel],
    [version === null || isEqualled, ['useVersionFromState'], unequalled],
  ];
}

/** Steps come one after the other before the timeout, and no minimum rises. */
function demandsOfSteps(mode: Mode): readonly Demand[] {
  let before = { ...mode, afterSeconds: 0 };
  return (mode.steps ?? []).flatMap((step, index, all): readonly Demand[] => {
    const path = ['steps', index];
    const is = { ...before, ...step };
    const was = before;
    before = is;
    const fallen = (['minPlayersPerTeam', 'minTeams'] as const).map((size): Demand => {
      return [is[size] <= was[size], [...path, size], `must not be above the ${was[size]} before`];
    });
    const isOne = step.minPlayersPerTeam !== undefined || step.minTeams !== undefined;
    const at = [...path, 'afterSeconds'];
    const { bots, minHumans = 1 } = step;
    const few =
      was.teamComposition === null
        ? was.minTeams * was.minPlayersPerTeam
        : fewestOf(Object.values(was.teamComposition).map(Object.values<number>), was);
    return [
      ...fallen,
      [isOne || bots === true, path, 'must name minPlayersPerTeam, minTeams or bots'],
      [!isOne || !bots, [...path, 'bots'], 'fill every team: leave out its minima'],
      [!bots || all[index + 1] === undefined, [...path, 'bots'], 'must be the last step'],
      [bots === true || step.minHumans === undefined, [...path, 'minHumans'], 'needs bots: true'],
      [minHumans <= few, [...path, 'minHumans'], `must not be above the ${few} players before`],
      [is.afterSeconds > was.afterSeconds, at, 'must be later than the step before'],
      [is.afterSeconds < mode.timeout, at, 'must be below the timeout'],
    ];
  });
}
