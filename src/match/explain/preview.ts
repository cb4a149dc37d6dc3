// Whether two lobbies would match, and why not. The config editor asks this of a mode that may not be saved yet. It
// uses the tickets, rules and pool of a queue, and stores nothing.

import * as z from 'zod';
import type { LobbyId, PlayerId, TicketId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import { isObject } from '../../common/json';
import { DEFAULT_REGION, MAX_PLAYERS } from '../../common/limits';
import { ticketOf } from '../ticket/aggregate';
import { makePool } from '../waiting/make-pool';
import { type Mode, playersOf } from '../rules/mode';
import { type Rule, typeOf } from '../rules/registry';
import { compileRules } from '../rules/rules';
import { wholeNumber } from '../../common/shape';
import type { Ticket } from '../ticket/ticket';

/** A little more than a short match takes to start once it is possible (docs/internals/design.md A5). */
const PATIENCE_MS = 200;
const MAX_WAIT_SECONDS = 86_400;
const FOREVER_SECONDS = 2 * MAX_WAIT_SECONDS;

const object = z.custom<JsonObject>(isObject, 'must be an object');

const Side = z.object({
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

export const PreviewBody = z.object({ mode: object, a: Side, b: Side });

export interface RuleVerdict {
  readonly index: number;
  readonly type: Rule['type'];
  readonly passes: boolean;
  /** The values that decide, in words. */
  readonly because: string;
}

export interface Preview {
  /** Why a lobby cannot queue. Null if it can. */
  readonly refused: { readonly a: string | null; readonly b: string | null };
  /** Empty if one of them cannot queue. */
  readonly rules: readonly RuleVerdict[];
  /**
   * Seconds until all rules let them through if both go on waiting; 0 is now. Null if one of them times out first, or if
   * it is not known because an expression reads waitSeconds.
   */
  readonly passInSeconds: number | null;
  /** The two would make a match now, by themselves. */
  readonly matchesNow: boolean;
  /** Players of a full match. */
  readonly matchPlayers: number;
  /** Players of the two together. */
  readonly players: number;
}

type Side = z.infer<typeof Side>;

function ticket(name: 'a' | 'b', side: Side, mode: Mode, now: number): ReturnType<typeof ticketOf> {
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

export function preview(
  mode: Mode,
  sides: { readonly a: Side; readonly b: Side },
  now: number,
): Preview {
  const a = ticket('a', sides.a, mode, now);
  const b = ticket('b', sides.b, mode, now);
  const nothing = {
    rules: [],
    passInSeconds: null,
    matchesNow: false,
    matchPlayers: playersOf(mode),
    players: sides.a.players + sides.b.players,
  };
  if (!a.ok || !b.ok) {
    const refused = { a: a.ok ? null : a.refusal.detail, b: b.ok ? null : b.refusal.detail };
    return { ...nothing, refused };
  }
  // The elder is the anchor (spec: Rule semantics 6).
  const pair =
    a.value.startedAt <= b.value.startedAt
      ? ([a.value, b.value] as const)
      : ([b.value, a.value] as const);
  return {
    ...nothing,
    refused: { a: null, b: null },
    rules: verdicts(mode, pair, now),
    passInSeconds: passIn(mode, pair, now),
    matchesNow: formsNow(mode, pair, now),
    players: a.value.members.length + b.value.members.length,
  };
}

type Pair = readonly [anchor: Ticket, candidate: Ticket];

function passIn(mode: Mode, [anchor, candidate]: Pair, now: number): number | null {
  const rules = compileRules(mode);
  if (rules.passes(anchor, candidate, now)) {
    return 0;
  }
  const at = rules.opensAt(anchor, candidate);
  return at === null || !rules.passes(anchor, candidate, at) ? null : (at - now) / 1000;
}

/** Asks a pool of these two, because sizes, roles and regions decide too. */
function formsNow(mode: Mode, pair: Pair, now: number): boolean {
  if (compileRules(mode).rejections(...pair, now).length > 0) {
    return false;
  }
  // The rules were asked under the mode's own timeout. Here nobody may time out.
  const pool = makePool({ ...mode, rules: [], timeout: FOREVER_SECONDS });
  pair.forEach((each) => pool.restore(each));
  const first = pool.sweep(now);
  const settled = first.matches.length > 0 ? first : pool.advance(now + PATIENCE_MS);
  return settled.matches.length > 0;
}

function verdicts(mode: Mode, [anchor, candidate]: Pair, now: number): readonly RuleVerdict[] {
  const rejected = new Set(compileRules(mode).rejections(anchor, candidate, now));
  return mode.rules.map((rule, index) => ({
    index,
    type: rule.type,
    passes: !rejected.has(index),
    because: typeOf(rule).words.because(rule, { anchor, candidate, mode, now }),
  }));
}
