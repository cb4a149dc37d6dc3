// What the API description says of an endpoint besides what its route and schemas say already.

import type * as z from 'zod';
import type { RefusalCode } from '../lobby/refusals';
import type { AnswerName } from './answers';

export const TAGS = {
  Lobbies: 'Create, find and join lobbies.',
  'My lobby': 'The lobby of the player in `x-player-id`: one at most in each config.',
  Matchmaking: 'Queue the lobby, and answer the match that was found.',
  Servers: 'Game servers: those of lobbies and matches, and those a backend starts itself.',
  Players: 'Who players are: tokens of players, and the keys of seat tickets.',
  Configs: 'Lobby configs with their matchmaking modes, and the project as a whole.',
  Builds: 'What lobbies and matches may launch, by name.',
  Journal: 'What happened, and why: matches, lobbies and players, for a day.',
  Service: 'The service itself.',
} as const;

export interface Sample {
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
  readonly answers: unknown;
  /** Beyond those every route of its kind has. */
  readonly errors?: readonly RefusalCode[];
  /** Where the route leaves reading the body to its handler: the schema that one uses. */
  readonly body?: () => z.ZodType;
  /** The same of the query. */
  readonly query?: () => z.ZodType;
  /** Requests to show and to test, by name; one without body or query when absent. */
  readonly samples?: Readonly<Record<string, Sample>>;
  /** Answers with an `ETag`, or takes an `If-Match`. */
  readonly revision?: 'answers' | 'checks';
}

/** By the endpoint, as in the route table: `METHOD /path`. */
export type DescribedBy = Readonly<Record<string, Described>>;
