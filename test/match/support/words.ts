// The same mode in other words, and a pool that is spoken to in them: whatever it is told and says is put into the words of
// the first mode, so that the two can be compared event by event.

import type { Mode } from '../../../src/match/rules/mode';
import type { Rule } from '../../../src/match/rules/registry';
import type { OpenMatch, PoolOutcome } from '../../../src/match/pool';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { apartMs } from './oracle-avoid';
import type { PlainPool } from './trace';

export interface Words {
  readonly name: string;
  /** Null: this mode says nothing that the words change. */
  readonly mode: (mode: Mode) => Mode | null;
  readonly ticket?: (each: Ticket, mode: Mode) => Ticket;
  readonly match?: (match: OpenMatch) => OpenMatch;
  /** Of the names of regions. */
  readonly back?: (region: string) => string;
  /** By how much all instants are later, ms. */
  readonly laterMs?: number;
}

const same = <T>(each: T): T => each;

/** `mode`: in the first words. */
export function spokenTo(pool: PlainPool, words: Words, mode: Mode): PlainPool {
  const { ticket = same, match = same, back = same, laterMs = 0 } = words;
  const at = (ms: number): number => ms + laterMs;
  const told = (each: Ticket): Ticket => {
    const { startedAt } = each;
    return ticket({ ...each, startedAt: at(startedAt) }, mode);
  };
  const said = (out: PoolOutcome): PoolOutcome => ({
    ...out,
    matches: out.matches.map((each) => ({ ...each, region: back(each.region) })),
  });
  return {
    enter: (each, now) => said(pool.enter(told(each), at(now))),
    refresh: (each, now) => said(pool.refresh(told(each), at(now))),
    leave: (id) => pool.leave(id),
    commit: (ids) => pool.commit(ids),
    release: (ids, now) => said(pool.release(ids, at(now))),
    advance: (now) => said(pool.advance(at(now))),
    sweep: (now) => said(pool.sweep(at(now))),
    offer: (each, now) => {
      const { anchor, startedAt } = each;
      const whole = { ...each, anchor: told(anchor), startedAt: at(startedAt) };
      return said(pool.offer(match(whole), at(now)));
    },
    withdraw: (id) => pool.withdraw(id),
    nextAt: () => {
      const next = pool.nextAt();
      return next === null || next === 0 ? next : next - laterMs;
    },
    work: () => pool.work(),
    isLookedFor: (id) => pool.isLookedFor(id),
    overruns: () => pool.overruns(),
    has: (id) => pool.has(id),
    restore: (each) => pool.restore(told(each)),
    restoreReserved: (each, backfill) => pool.restoreReserved(told(each), backfill),
  };
}

/** A name that sorts among its like as it did. */
const named = (name: string): string => `z-${name}`;
const keysNamed = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [named(key), value]));

const rolesNamed = (each: Ticket): Ticket => ({
  ...each,
  members: each.members.map(({ id, roles }) => ({
    id,
    roles: roles.map((role) => (role === 'fill' ? role : named(role))),
  })),
});

const SCALE = 16;
type Measured = Extract<Rule, { readonly type: 'difference' | 'balance' }>;

const isMeasured = (rule: Rule): rule is Measured =>
  rule.type === 'difference' || (rule.type === 'balance' && rule.win === undefined);
const scaled = (rule: Measured): Measured => ({
  ...rule,
  ...(rule.maxDifference !== undefined && { maxDifference: SCALE * rule.maxDifference }),
  ...(rule.widenTo !== undefined && { widenTo: SCALE * rule.widenTo }),
  ...(rule.curve !== undefined && { curve: rule.curve.map(([s, each]) => [s, SCALE * each]) }),
});

/** The line to `widenTo`, or to twice the maximum, drawn as a curve. */
const drawn = (rule: Rule, { timeout }: Mode): Rule => {
  if (rule.type === 'difference' && rule.curve === undefined) {
    const { widenTo = 2 * rule.maxDifference, ...rest } = rule;
    return {
      ...rest,
      curve: [
        [0, rule.maxDifference],
        [timeout, widenTo],
      ],
    };
  }
  if ((rule.type === 'latency' || rule.type === 'balance') && rule.curve === undefined) {
    const { widenTo, ...rest } = rule;
    const from = (rule.type === 'latency' ? rule.maxMs : (rule.maxDifference ?? rule.win)) ?? 0;
    return widenTo === undefined
      ? rule
      : {
          ...rest,
          curve: [
            [0, from],
            [timeout, widenTo],
          ],
        };
  }
  return rule;
};

const reads = (mode: Mode, text: RegExp): boolean =>
  mode.rules.some((rule) => rule.type === 'expression' && text.test(rule.cel));

export const WORDS: readonly Words[] = [
  { name: 'years later', mode: same, laterMs: 1_800_000_000_000 },
  {
    name: 'regions by other names',
    mode: (mode) => (reads(mode, /egion/) ? null : mode),
    ticket: ({ pings, ...each }) => ({
      ...each,
      region: named(each.region),
      acceptableRegions: each.acceptableRegions.map(named),
      ...(pings && { pings: pings.map((ping) => ({ ...ping, region: named(ping.region) })) }),
    }),
    match: (match) => ({ ...match, region: named(match.region) }),
    back: (region) => region.replace(/^z-/, ''),
  },
  {
    name: 'teams and roles by other names',
    mode: ({ teamComposition, ...mode }) =>
      teamComposition && {
        ...mode,
        teamComposition: Object.fromEntries(
          Object.entries(teamComposition).map(([team, roles]) => [named(team), keysNamed(roles)]),
        ),
      },
    ticket: rolesNamed,
    match: (match) => ({
      ...match,
      open: match.open.map(({ name, roles, ...rest }) => ({
        ...rest,
        name: name && named(name),
        roles: roles && keysNamed(roles),
      })),
    }),
  },
  {
    name: 'teams of any players as teams of one role',
    // With roles, a set may be left out of whose splits one holds nobody who avoids another (docs/modes.md).
    mode: (mode) =>
      mode.teamComposition !== null || mode.teams > 12 || apartMs(mode) !== null
        ? null
        : {
            ...mode,
            teamComposition: Object.fromEntries(
              Array.from({ length: mode.teams }, (_, team) => [
                `team ${team}`,
                { any: mode.playersPerTeam },
              ]),
            ),
          },
    match: (match) => ({
      ...match,
      open: match.open.map(({ slots, ...rest }, team) => ({
        ...rest,
        slots,
        name: `team ${team}`,
        roles: { any: slots },
      })),
    }),
  },
  {
    name: 'numbers in another unit',
    mode: (mode) =>
      mode.rules.some(isMeasured) && !mode.rules.some((rule) => rule.type === 'expression')
        ? { ...mode, rules: mode.rules.map((rule) => (isMeasured(rule) ? scaled(rule) : rule)) }
        : null,
    ticket: (each, { rules }) => {
      const fields = rules
        .filter(isMeasured)
        .flatMap(({ field }) => [field, `${field}Uncertainty`]);
      const state = Object.entries(each.state).map(([key, value]) => [
        key,
        fields.includes(key) && typeof value === 'number' ? SCALE * value : value,
      ]);
      return {
        ...each,
        state: Object.fromEntries(state),
        ...(each.pace !== undefined && { pace: each.pace / SCALE }),
      };
    },
  },
  {
    name: 'lines drawn as curves',
    mode: (mode) => {
      const rules = mode.rules.map((rule) => drawn(rule, mode));
      return rules.some((rule, at) => rule !== mode.rules[at]) && mode.timeout > 0
        ? { ...mode, rules }
        : null;
    },
  },
];
