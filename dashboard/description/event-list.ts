// The events of the stream as the API description tells them (spec: Events; decision 25).

import { singleLine, sseParts } from '../../src/common/sse';
import type { JsonSchema } from './document';
import { FOUND, LOBBY_ID, QUEUED, STATS } from './examples';
import type { AnswerName } from './answers';

function carries(name: AnswerName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const NONE: JsonSchema = { type: 'null' };

/** Event name to the schema of its data. */
export const EVENTS: Readonly<Record<string, JsonSchema>> = {
  connected: carries('Connected'),
  lobby_updated: carries('Lobby'),
  lobby_changed: carries('LobbyChange'),
  queue_stats: carries('QueueStatsEvent'),
  matchmaking_timeout: carries('MatchmakingEnded'),
  signal: carries('Signal'),
  signals_lost: NONE,
  lobby_deleted: carries('LobbyGone'),
  replaced: NONE,
  ping: NONE,
};

/**
 * One event of the stream, as OpenAPI 3.2 describes server-sent events: its fields are text, and that of `data` is JSON, whose
 * schema depends on `event`.
 */
export const EVENT: JsonSchema = {
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { type: 'string', enum: Object.keys(EVENTS) },
    id: { type: 'string', description: 'Revision of the lobby.' },
    data: { type: 'string', contentMediaType: 'application/json' },
  },
  oneOf: Object.entries(EVENTS).map(([event, contentSchema]) => ({
    properties: { event: { const: event }, data: { contentSchema } },
  })),
};

/** Shown as it would come over the wire; the comment line is what keeps the line alive. */
export const STREAM_EXAMPLE = [
  sseFrame('connected', null),
  ':\n\n',
  sseFrame('lobby_updated', QUEUED, QUEUED.revision),
  sseFrame('queue_stats', STATS),
  sseFrame('lobby_updated', FOUND, FOUND.revision),
  sseFrame('matchmaking_timeout', { id: LOBBY_ID, mode: 'duel', reason: 'confirm_timeout' }),
  sseFrame('signal', { from: 'bob', data: { offer: 'v=0...' } }),
  sseFrame('ping', null),
].join('');

/** The event as one text. */
function sseFrame(event: string, data: object | null, id?: number): string {
  return sseParts(event, singleLine(data), id ?? null).join('');
}
