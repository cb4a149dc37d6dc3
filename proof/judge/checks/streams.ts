// No stream goes back: `lobby_updated` and `lobby_changed` are newer than what the stream showed of that lobby, `connected`
// is not older. A change begins with what the stream showed.

import { isLobby } from '../api.ts';
import type { Case } from '../case.ts';
import type { Unled } from '../changes.ts';
import { keyOf } from '../stories.ts';

export function checkStreams({ history, findings }: Case): void {
  const last = new Map<number, { readonly key: string; readonly revision: number }>();
  for (const { stream, who, event, data } of history.events) {
    if (event === 'lobby_changed' && !isLobby(data)) {
      const why = (data as Unled).unled;
      findings.check('forward only', false, () => `the stream ${stream} of ${who}: ${why}`);
      continue;
    }
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
