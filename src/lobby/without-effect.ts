// Settings of a config that are saved and do nothing (decision 61), or hardly what is meant: each is told, with the
// reason. Pure.

import { isObject } from '../common/json';
import { type Warning, warning } from '../common/shape';
import { type Mode, playersOf, type RoleCounts, sizeOf } from '../match/rules/mode';
import { CONFIRMATION_OFF } from '../match/rules/defaults';
import type { ConfigFields } from './config';
import { DEFAULT_HEARTBEAT_TIMEOUT_SECONDS, DEFAULT_QUEUE_PRESENCE_SECONDS } from './defaults';
import { hasShortTeams, leastOf, startsShort } from '../match/rules/sizes';

type Path = readonly string[];
/** `usual`: the setting's value if it is left out. `waitsFor`: the field that would make it count. */
type Ineffective = readonly [
  isIdle: boolean,
  at: Path,
  usual: unknown,
  waitsFor: Path,
  why: string,
];

/**
 * The settings in a valid body that do nothing. A setting with its usual value is not told if the field it waits for is
 * there too: a body that repeats an answer names all settings.
 */
export function withoutEffect(
  {
    heartbeat,
    matchmaking: { modes },
    serverSettings: { matchOnStart },
  }: Pick<ConfigFields, 'heartbeat' | 'matchmaking' | 'serverSettings'>,
  body: unknown,
): readonly Warning[] {
  const [beat, presence] = [DEFAULT_HEARTBEAT_TIMEOUT_SECONDS, DEFAULT_QUEUE_PRESENCE_SECONDS];
  const hasModes = Object.keys(modes).length > 0;
  const idle: readonly Ineffective[] = [
    [!heartbeat, ['heartbeatTimeout'], beat, ['heartbeat'], 'unless heartbeat is true'],
    ...['results', 'hostSteers'].map((name): Ineffective => {
      const why = 'without a mode and with matchOnStart false: no game has a match';
      return [
        !hasModes && matchOnStart === false,
        ['serverSettings', name],
        undefined,
        ['matchmaking'],
        why,
      ];
    }),
    [!hasModes, ['queuePresenceSeconds'], presence, ['matchmaking'], 'without a mode'],
    ...Object.entries(modes).flatMap(([name, mode]) =>
      idleIn(mode).map(([isIdle, at, usual, waitsFor, why]): Ineffective => {
        const place = ['matchmaking', 'modes', name];
        return [isIdle, [...place, ...at], usual, [...place, ...waitsFor], why];
      }),
    ),
  ];
  return idle.flatMap(([isIdle, at, usual, waitsFor, why]) => {
    const sent = sentAt(body, at);
    const isTold = isIdle && sent !== null;
    return isTold && (sent !== usual || sentAt(body, waitsFor) === null)
      ? [warning(at, `has no effect ${why}`)]
      : [];
  });
}

/** Modes whose results rate teams of unequal numbers as unequally strong, so ratings drift if such teams win as often. */
export function unevenlyRated(modes: ConfigFields['matchmaking']['modes']): readonly Warning[] {
  return Object.entries(modes).flatMap(([name, mode]) => {
    const hasBots = mode.steps?.at(-1)?.bots === true;
    const isUneven = mode.playersPerTeam > 1 && hasShortTeams(mode);
    if (mode.rating === undefined || !isUneven || (mode.sameSize && !hasBots)) {
      return [];
    }
    const why = hasBots ? 'bots are not rated' : 'teams may start uneven: set sameSize';
    const whole = `${why}. A team of fewer players is expected to lose, so ratings drift if it does not`;
    return [warning(['matchmaking', 'modes', name, 'rating'], whole)];
  });
}

/** Modes of one ladder, in any config, whose ratings decay differently: only one of them counts. `of`: the config that is saved. */
export function decaysApart(
  configs: readonly Pick<ConfigFields, 'name' | 'matchmaking'>[],
  of: string,
): readonly Warning[] {
  const all = configs.flatMap(({ name: config, matchmaking }) =>
    Object.entries(matchmaking.modes).flatMap(([mode, { rating }]) =>
      rating ? [{ config, mode, field: rating.field, decay: JSON.stringify(rating.decay) }] : [],
    ),
  );
  return all.flatMap(({ config, mode, field, decay }) => {
    const other = all.find((each) => each.field === field && each.decay !== decay);
    const why = `differs from that of ${other?.config} / ${other?.mode}, which has the same ladder: the last one listed counts`;
    const path = ['matchmaking', 'modes', mode, 'rating', 'decay'];
    return config === of && other !== undefined ? [warning(path, why)] : [];
  });
}

function idleIn(mode: Mode): readonly Ineffective[] {
  const isOff = !mode.matchConfirmation.enabled;
  const roleTeams = Object.values(mode.teamComposition ?? {});
  const lacksNone = (roles: RoleCounts): boolean =>
    leastOf(Object.values(roles), mode) === sizeOf(roles);
  const isFull = roleTeams.length > 0 && roleTeams.every(lacksNone);
  const { timeoutSeconds } = CONFIRMATION_OFF;
  const switched = ['matchConfirmation', 'enabled'];
  const unless = 'unless matchConfirmation is enabled';
  const once = 'beside teamComposition: a short team lacks no role that it has once';
  const isAlone = playersOf(mode) === 1 && mode.rules.length > 0;
  const rules = ['rules', 'matchmakingRules'].map((name): Ineffective => {
    return [isAlone, [name], undefined, [name], 'where one player is a whole match'];
  });
  return [
    [isOff, ['onDecline'], 'return', ['matchConfirmation'], unless],
    [isOff, ['declineCooldown'], undefined, ['matchConfirmation'], unless],
    [isOff, ['matchConfirmation', 'timeoutSeconds'], timeoutSeconds, switched, unless],
    [isOff, ['matchConfirmation', 'showsAccepted'], false, switched, unless],
    [isOff, ['matchConfirmation', 'each'], 'party', switched, unless],
    [!startsShort(mode), ['sameSize'], false, ['minPlayersPerTeam'], 'where every match is full'],
    [isFull, ['minPlayersPerTeam'], mode.playersPerTeam, ['teamComposition'], once],
    ...rules,
  ];
}

/** Null if the body has nothing there. */
function sentAt(body: unknown, at: Path): unknown {
  return at.reduce<unknown>(
    (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : null),
    body,
  );
}
