// What a line of the log that an actor writes is about: the parts of its name, and for a lobby, a match or a
// server, whose name is an id, where it belongs. Its rows say that, and are read only when there is a line.

import type { Facts } from '../../log';
import type { Store } from './ports';
import { getLarge } from './large';

const NAMED: Readonly<Record<string, readonly string[]>> = {
  lobby: ['lobbyId'],
  seat: ['project', 'config'],
  directory: ['project', 'config'],
  queue: ['project', 'config', 'mode'],
  match: ['matchId'],
  server: ['instanceId'],
  project: ['project'],
};

/** The row of such an actor that has its project and config. */
const HOMES: Readonly<Record<string, string>> = {
  lobby: 'home',
  match: 'roster',
  server: 'instance',
};

interface Home {
  readonly project?: string | undefined;
  readonly config?: string | undefined;
  readonly owner?: { readonly kind: string; readonly id?: string } | undefined;
}

export function aboutActor(kind: string, parts: readonly string[], rows: Store): Facts {
  const names = NAMED[kind] ?? [];
  const named = names.map((name, index) => [name, parts[index] ?? ''] as const);
  return { ...Object.fromEntries(named), ...homeOf(kind, rows) };
}

/** What a lobby, a match or the order of a server says of where it belongs. */
export function homeFacts({ project, config, owner }: Home): Facts {
  return {
    ...(project === undefined ? {} : { project }),
    ...(config === undefined ? {} : { config }),
    ...(owner?.id === undefined ? {} : { [`${owner.kind}Id`]: owner.id }),
  };
}

function homeOf(kind: string, rows: Store): Facts {
  const key = HOMES[kind];
  if (key === undefined) {
    return {};
  }
  try {
    const row = getLarge<Home & { readonly order?: Home }>(rows, key) ?? {};
    return homeFacts(row.order ?? row);
  } catch {
    // The line may be about the storage itself, or about an incarnation that has ended.
    return {};
  }
}
