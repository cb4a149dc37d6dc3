// The events of the stream as the API description tells them (spec: Events; decision 25).

import { singleLine, sseParts } from '../src/common/sse';
import type { JsonSchema } from './document';
import { FOUND, LOBBY_ID, QUEUED, STATS } from './examples';
import type { AnswerName } from './answers';

function carries(name: AnswerName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Event name to the schema of its data; null for an event without data. */
export const EVENTS: Readonly<Record<string, JsonSchema | null>> = {
  connected: carries('Connected'),
  lobby_updated: carries('Lobby'),
  queue_stats: carries('QueueStatsEvent'),
  matchmaking_timeout: carries('MatchmakingEnded'),
  signal: carries('Signal'),
  signals_lost: null,
  lobby_deleted: carries('LobbyGone'),
  ping: null,
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
  sseFrame('ping', undefined),
].join('');

/** The event as one text. Undefined `data` is empty. */
function sseFrame(event: string, data: object | null | undefined, id?: number): string {
  return sseParts(event, data === undefined ? '' : singleLine(data), id ?? null).join('');
}
