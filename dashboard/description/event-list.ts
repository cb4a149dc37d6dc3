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
  moved: NONE,
  ping: NONE,
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
