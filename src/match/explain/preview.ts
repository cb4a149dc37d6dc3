// Whether two lobbies would match, and why not, for the config editor: the mode may not be saved yet. Stores nothing.

import type { Preview } from '../../../packages/js/src/dashboard-types';
import * as z from 'zod';
import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import { type JsonObject, isObject } from '../../common/json';
import { DEFAULT_REGION, MAX_PLAYERS } from '../../common/limits';
import { ticketOf } from '../ticket/aggregate';
import { type Mode, playersOf } from '../rules/mode';
import { type Rule, typeOf } from '../rules/registry';
import type { PairAt } from '../rules/rule-type';
import { must } from '../../common/result';
import { compileRules } from '../rules/rules';
import { wholeNumber } from '../../common/shape';
import { likelySet } from './set';
import { earliest, openingOf, waysOf } from './ways';

const MAX_WAIT_SECONDS = 86_400;

const object = z.custom<JsonObject>(isObject, 'must be an object');

const PreviewSide = z.object({
  players: wholeNumber(1, MAX_PLAYERS).default(1),
  /** The state of every player of the lobby. */
  state: object.default({}),
  region: z.string().max(64).default(DEFAULT_REGION),
  settings: object.default({}),
  waitSeconds: z
    .number('must be a number')
    .min(0, 'must not be negative')
    .max(MAX_WAIT_SECONDS)
    .default(0),
});

export const PreviewBody = z.object({ mode: object, a: PreviewSide, b: PreviewSide });

type PreviewSide = z.infer<typeof PreviewSide>;

export function preview(mode: Mode, sides: Record<'a' | 'b', PreviewSide>, now: number): Preview {
  const a = ticket('a', sides.a, mode, now);
  const b = ticket('b', sides.b, mode, now);
  const nothing = {
    refused: { a: a.ok ? null : a.refusal.detail, b: b.ok ? null : b.refusal.detail },
    rules: [],
    passInSeconds: null,
    matchesNow: false,
    matchPlayers: playersOf(mode),
    players: sides.a.players + sides.b.players,
  };
  if (!a.ok || !b.ok) {
    return nothing;
  }
  const rules = compileRules(mode);
  // The elder is tried as the anchor first (spec: Rule semantics 6).
  const isElder = a.value.startedAt <= b.value.startedAt;
  const [elder, younger] = isElder ? [a.value, b.value] : [b.value, a.value];
  const ways = waysOf(rules, { anchor: elder, candidate: younger, mode, now });
  const passesNow = ways.some(({ rejecting }) => rejecting.length === 0);
  const openings = passesNow ? [now] : ways.map((way) => openingOf(rules, way));
  const passesAt = earliest(openings);
  const { pair, rejecting } = must(ways[Math.max(0, openings.indexOf(passesAt))], 'a way');
  return {
    ...nothing,
    rules: mode.rules.map((rule, index) => ({
      index,
      type: rule.type,
      passes: !rejecting.includes(index),
      because: because(rule, pair),
    })),
    passInSeconds: passesAt === null ? null : (passesAt - now) / 1000,
    matchesNow: passesNow && formsNow(mode, pair, now),
    players: elder.members.length + younger.members.length,
  };
}

/** The rule, and how far apart the two are or what it read of them. */
function because(rule: Rule, pair: PairAt): string {
  const { short, seen, lacks, distance } = typeOf(rule).words;
  const apart = distance?.(rule, pair) ?? null;
  if (apart !== null) {
    return `${short(rule)}: ${round(apart.gap)} apart, ${round(apart.limit)} allowed now`;
  }
  const read = [pair.anchor, pair.candidate].flatMap((each) => {
    const value = seen(rule, each) ?? (lacks(rule, each) ? 'missing' : null);
    return value === null ? [] : [typeof value === 'object' ? value.join(', ') : String(value)];
  });
  return [short(rule), read.join(' and ')].filter((part) => part !== '').join(': ');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function ticket(
  name: 'a' | 'b',
  side: PreviewSide,
  mode: Mode,
  now: number,
): ReturnType<typeof ticketOf> {
  const { players, state, region, settings, waitSeconds } = side;
  const lobby = {
    id: name as TicketId,
    lobbyId: name as LobbyId,
    startedAt: now - waitSeconds * 1000,
    players: Array.from({ length: players }, (_, index) => ({
      id: `${name}${index + 1}` as PlayerId,
      state,
      isHost: index === 0,
    })),
    region,
    settings,
  };
  return ticketOf(lobby, mode);
}

/**
 * Whether the two make a match by themselves, where the rules let the anchor choose the other: sizes, roles, regions and
 * evenness decide too.
 */
function formsNow(mode: Mode, { anchor, candidate }: PairAt, now: number): boolean {
  const found = likelySet(mode, [anchor, candidate], now);
  // One that fills the mode plays without the other; and an elder that is enough alone does not wait to be chosen.
  const isFull = anchor.members.length + candidate.members.length === playersOf(mode);
  const isChosen =
    isFull || anchor.startedAt <= candidate.startedAt || likelySet(mode, [candidate], now) === null;
  return found?.tickets.length === 2 && found.tooUneven === null && isChosen;
}
