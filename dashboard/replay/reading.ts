// Reads the lines of a journal. A file may be spoilt, of another release, or made by somebody who means ill. So every line
// is checked before it is played, and the first that is wrong is named.

import * as z from 'zod';
import { MAX_MATCH_LOBBIES, MAX_PLAYERS } from '../../src/common/limits';
import type { JournalHead, Line } from '../../src/match/journal/lines';
import { must } from '../../src/common/result';
import { parseMode } from '../../src/match/rules/schema';

/** The last instant that a clock can show, epoch ms. */
const LAST = 8.64e15;
/** A clock that is set back leaves tickets behind that are younger than now, but not by more. */
const A_DAY_MS = 24 * 3_600_000;
/** A queue keeps up to 40 MiB of its journal. */
const MOST_CHARACTERS = 256 * 1024 * 1024;
/** Of one ticket: a lobby has no more of it. */
const MOST_REGIONS = 100;
const MOST_AVOIDED = 50 * MAX_PLAYERS;

const isText = z.string();
const isAt = z.number().min(0).max(LAST);
const isCount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const isPlace = z.int().min(0).max(MAX_MATCH_LOBBIES);
const textsOf = (max: number): z.ZodType => z.array(isText).max(max);
/** Filled in, as every mode is that a queue is given: an older release may have left fields out. */
const isMode = z.unknown().transform((value, { issues }) => {
  const mode = parseMode(value);
  if (mode.ok) {
    return mode.value;
  }
  const [first] = mode.refusal;
  const { path, message } = must(first, 'what is wrong with a mode');
  issues.push({ code: 'custom', input: value, path: [path], message });
  return z.NEVER;
});
const isScalar = z.union([isText, z.number()]);
const isState = z.record(
  z.string(),
  z.union([isScalar, z.boolean(), z.array(isScalar).max(MOST_AVOIDED)]),
);
const isRoles = z.record(z.string(), z.unknown()).nullable();

const AVOIDER = { players: textsOf(MAX_PLAYERS), avoids: textsOf(MOST_AVOIDED).optional() };

const isTicket = z.looseObject({
  id: isText,
  lobbyId: isText,
  startedAt: isAt,
  members: z
    .array(z.looseObject({ id: isText, roles: textsOf(MAX_PLAYERS) }))
    .min(1)
    .max(MAX_PLAYERS),
  ...AVOIDER,
  region: isText,
  acceptableRegions: textsOf(MOST_REGIONS),
  pings: z
    .array(z.object({ region: isText, worst: z.number(), sum: z.number() }))
    .max(MOST_REGIONS)
    .optional(),
  state: isState,
  pace: z.number().min(0).optional(),
  metadata: z.record(z.string(), z.unknown()),
});

const isOpenMatch = z.looseObject({
  matchId: isText,
  startedAt: isAt,
  anchor: isTicket,
  region: isText,
  version: isText.nullable(),
  open: z
    .array(
      z.looseObject({
        name: isText.nullable(),
        slots: isPlace,
        roles: z.record(z.string(), isPlace).nullable(),
        here: z.looseObject(AVOIDER).optional(),
      }),
    )
    .max(MAX_MATCH_LOBBIES),
  kicked: textsOf(MOST_AVOIDED).optional(),
  forming: z.array(z.array(isTicket).max(MAX_MATCH_LOBBIES)).max(MAX_MATCH_LOBBIES).optional(),
});

const isIds = textsOf(MAX_MATCH_LOBBIES);
const lineOf = (shape: z.ZodRawShape): z.ZodType => z.looseObject({ t: isAt, ...shape });
const comes = z
  .looseObject({ t: isAt, ticket: isTicket })
  .refine(({ t, ticket }) => ticket.startedAt <= t + A_DAY_MS, {
    path: ['ticket', 'startedAt'],
    message: 'is long after the line itself',
  });

/** What a replay reads of each kind. A line of any other kind says nothing to it. */
const LINES = new Map<string, z.ZodType>([
  ['enter', comes],
  ['refresh', comes],
  ['leave', lineOf({ id: isText })],
  ['commit', lineOf({ ids: isIds })],
  ['release', lineOf({ ids: isIds })],
  ['advance', lineOf({})],
  ['sweep', lineOf({})],
  ['offer', lineOf({ match: isOpenMatch })],
  ['withdraw', lineOf({ matchId: isText })],
  ['match', lineOf({ tickets: isIds })],
  ['fill', lineOf({ matchId: isText, ticket: isText, team: isPlace, roles: isRoles })],
  ['drop', lineOf({ id: isText })],
  [
    'formed',
    lineOf({
      matchId: isText,
      parties: z.array(z.looseObject({ ticketId: isText })).max(MAX_MATCH_LOBBIES),
    }),
  ],
  ['failed', lineOf({ matchId: isText, reason: isText })],
  ['anew', lineOf({ mode: isMode, before: isMode.nullable(), free: isCount, taken: isCount })],
]);
const HEAD = z.looseObject({
  version: z.literal(1, 'is another version than 1, which is all that this release reads'),
  config: isText,
  mode: isText,
  rules: isMode,
  waiting: isCount,
});

/** Throws if the text is no journal, or a line of it is spoilt. A last line that was cut off is ignored. */
export function readJournal(text: string): {
  readonly head: JournalHead;
  readonly lines: readonly Line[];
} {
  if (text.length > MOST_CHARACTERS) {
    throw new Error('this is no journal of a queue: it is larger than any that a queue keeps');
  }
  const lines: Line[] = [];
  let head: JournalHead | null = null;
  let [number, from] = [0, 0];
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const line = parsed(text.slice(from, end < 0 ? undefined : end));
    number += 1;
    from = end < 0 ? text.length : end + 1;
    const kind = typeof line === 'object' && line !== null ? Reflect.get(line, 'k') : undefined;
    if (head === null) {
      if (kind !== 'journal') {
        throw new Error('this is no journal of a queue: its first line says what it is');
      }
      head = checked<JournalHead>(HEAD, line, number);
    } else if (kind === 'journal') {
      throw new Error(`line ${number} begins another journal: read one at a time`);
    } else if (typeof kind === 'string') {
      const shape = LINES.get(kind);
      if (shape !== undefined) {
        lines.push(checked<Line>(shape, line, number));
      }
    } else if (line !== undefined || end >= 0) {
      throw new Error(`line ${number} is spoilt: it is no line of a journal`);
    }
  }
  if (head === null) {
    throw new Error('this is no journal of a queue: it is empty');
  }
  return { head, lines };
}

/** Undefined if it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function checked<T>(shape: z.ZodType, line: unknown, number: number): T {
  const { data, error } = shape.safeParse(line);
  const [first] = error?.issues ?? [];
  if (first !== undefined) {
    throw new Error(`line ${number} is spoilt: ${first.path.join('.')}: ${first.message}`);
  }
  return data as T;
}
