// No stream goes back: `lobby_updated` is newer than what the stream showed of that lobby, `connected` not older.

import { isLobby } from '../api.ts';
import type { Case } from '../case.ts';
import { keyOf } from '../stories.ts';

export function checkStreams({ history, findings }: Case): void {
  const last = new Map<number, { readonly key: string; readonly revision: number }>();
  for (const { stream, who, event, data } of history.events) {
    if (!isLobby(data)) {
      if (event === 'lobby_deleted' || event === 'connected') {
        last.delete(stream);
      }
      continue;
    }
    const before = last.get(stream);
    const { id, revision } = data;
    const key = keyOf(data);
    if (before?.key === key) {
      const least = before.revision + (event === 'connected' ? 0 : 1);
      findings.check(
        'forward only',
        revision >= least,
        () =>
          `the stream ${stream} of ${who} goes from revision ${before.revision} of lobby ${id} to ${revision}`,
      );
    }
    last.set(stream, { key, revision });
  }
}
