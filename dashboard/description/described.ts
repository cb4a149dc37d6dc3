// What the API description says of an endpoint besides what its route and schemas say already.

import type * as z from 'zod';
import type { RefusalCode } from '../../src/lobby/refusals';
import type { Rows } from '../field-table/row';
import type { AnswerName } from './answers';

export const TAGS = {
  Lobbies: 'Create, find and join lobbies.',
  'My lobby':
    'The lobby that the player in `x-player-id` is in. A player has at most one in each config.',
  Matchmaking: 'Queue the lobby, and accept or decline a match.',
  Servers: 'Game servers of lobbies and matches, and those that a backend starts.',
  Players: 'Tokens that prove who a player is, and the keys of seat tickets.',
  Configs: 'Lobby configs with their matchmaking modes, and settings of the project.',
  Builds: 'Versions of your game server that lobbies and matches launch.',
  Journal: 'What happened, and why: matches, lobbies and players, for a day.',
  Service: 'The service itself.',
} as const;

interface Sample {
  readonly summary: string;
  readonly value?: unknown;
  readonly query?: Readonly<Record<string, string | number>>;
}

export interface Described {
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly text?: string;
  readonly answer: AnswerName;
  /** 200 unless given. */
  readonly status?: 201;
  /** 200 with the same answer, too: what was asked for was there already. */
  readonly orOk?: true;
  readonly answers: unknown;
  /** Where the answer is text and not JSON: of which type, and what it is. */
  readonly plain?: { readonly type: string; readonly description: string };
  /** Beyond those every route of its kind has. */
  readonly errors?: readonly RefusalCode[];
  /** Where the route leaves reading the body to its handler: the schema that one uses. */
  readonly body?: () => z.ZodType;
  /** Its fields that the table of fields tells, by path. */
  readonly rows?: Rows;
  /** The same of the query. */
  readonly query?: () => z.ZodType;
  /** Requests to show and to test, by name; one without body or query when absent. */
  readonly samples?: Readonly<Record<string, Sample>>;
  /** Takes a `Prefer: return=minimal`. */
  readonly mayBeShort?: true;
  /** Answers with an `ETag`, or takes an `If-Match`. */
  readonly revision?: 'answers' | 'checks';
}

/** By the endpoint, as in the route table: `METHOD /path`. */
export type DescribedBy = Readonly<Record<string, Described>>;
