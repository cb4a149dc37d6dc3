// The facts that say which actor wrote a line of the log: the parts of its name. A lobby, a match and a server are
// named by an id, so their project and config are read from their rows, and only when there is a line to write.

import type { Facts } from '../../common/log';
import { present } from '../../common/named';
import type { Store } from './ports';

const NAMED: Readonly<Record<string, readonly string[]>> = {
  lobby: ['lobbyId'],
  seat: ['project', 'config'],
  directory: ['project', 'config'],
  queue: ['project', 'config', 'mode'],
  match: ['matchId'],
  server: ['instanceId'],
  project: ['project'],
};

/** The row that holds the project and config of such an actor. */
const HOMES: Readonly<Record<string, string>> = {
  lobby: 'home',
  match: 'roster',
  server: 'instance',
};

interface Home {
  readonly project?: string | undefined;
  readonly config?: string | undefined;
  readonly owner?: { readonly kind: string; readonly id?: string } | undefined;
  readonly requestId?: string | undefined;
}

export function aboutActor(kind: string, parts: readonly string[], rows: Store): Facts {
  const names = NAMED[kind] ?? [];
  const named = Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
  const key = HOMES[kind];
  try {
    const row = (key && rows.get<Home & { readonly order?: Home }>(key)) || {};
    return { ...named, ...homeFacts(row.order ?? row) };
  } catch {
    // Reading may fail: the line may be about the storage itself, or about an incarnation that has ended.
    return named;
  }
}

/** The project, config, owner and request that a lobby's row, a match's row or a server's order names. */
export function homeFacts({ project, config, owner, requestId }: Home): Facts {
  const owned = owner?.id === undefined ? {} : { [`${owner.kind}Id`]: owner.id };
  return { ...present({ project, config }), ...owned, ...present({ requestId }) };
}
