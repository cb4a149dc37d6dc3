// Saved state outlives releases: an actor may wake up with rows that an earlier version wrote. Before an actor is
// made, in either placement, the numbered steps of its kind migrate its rows, so nothing else knows earlier shapes.
// The list of steps is append only: a step that has shipped is never changed or removed, because its index is its
// number. The number of applied steps is saved beside the data, under `schema`.

import { defaultBuild, type Build } from '../../fleet/build';
import { defaultConfig, type LobbyConfig, parseConfig } from '../../lobby/config';
import type { Host } from '../host';
import { getLarge, putLarge } from '../kit/large';
import type { Kind } from '../peers';
import type { ProjectDocument } from '../project/contract';
import { configRevisions } from '../project/revisions';

const KEY = 'schema';
const DOCUMENT = 'document';

export type Migration = (host: Host) => void;

/** A kind without steps keeps nothing from before commit 490809c, the first that could be upgraded. */
export const MIGRATIONS: { readonly [K in Kind]?: readonly Migration[] } = {
  project: [documented],
  directory: [withCodes],
};

/** Applies the steps that this store does not have yet, in one transaction. An empty store stays empty. */
export function migrate(host: Host, steps: readonly Migration[] = []): void {
  const { store } = host;
  const applied = steps.length === 0 ? 0 : (store.get<number>(KEY) ?? 0);
  if (applied < steps.length && [...store.list('', { after: '', limit: 1 })].length > 0) {
    store.atomically(() => {
      for (const step of steps.slice(applied)) {
        step(host);
      }
      store.put(KEY, steps.length);
    });
  }
}

type EarlierBuild = Omit<Build, 'version' | 'label'> & { readonly version: string | number };

/**
 * Step 1 of a project: the version of a build was a text, which is its label now. Configs lacked settings that have
 * come since, and had no history. Each config without one gets its saved state as the oldest revision, dated now.
 */
function documented(host: Host): void {
  const saved = host.store.get<ProjectDocument>(DOCUMENT);
  if (saved === undefined) {
    return;
  }
  const builds = mapped(saved.builds, (build: EarlierBuild) => {
    const { version } = build;
    const numbered = typeof version === 'number' ? { version } : { version: 1, label: version };
    // A project that is of this release keeps the order of its fields: what came since is put at the end.
    return { ...build, ...defaultBuild(), ...build, ...numbered };
  });
  const configs = mapped(saved.configs, completed);
  host.store.put(DOCUMENT, { ...saved, builds, configs });
  const revisions = configRevisions(host);
  for (const [name, config] of Object.entries(configs)) {
    if (revisions.of(name).length === 0) {
      revisions.note(name, config.revision, config, undefined);
    }
  }
}

/** A config that is invalid by now keeps what it says. */
function completed(config: LobbyConfig): LobbyConfig {
  const { id, revision, name } = config;
  const parsed = parseConfig(name, config, config);
  const told = parsed.ok ? parsed.value : config;
  return { ...config, ...defaultConfig(name), ...told, id, revision };
}

/** Step 1 of a Directory: a lobby's code had a row of its own, and lies in the lobby's row now. */
function withCodes({ store }: Host): void {
  const codes = [...store.list<{ readonly lobbyId: string }>('code:')];
  for (const [key, coded] of codes) {
    const { lobbyId } = coded;
    const row = getLarge<object>(store, `row:${lobbyId}`) ?? { lobbyId, revision: 0, view: null };
    putLarge(store, `row:${lobbyId}`, { ...row, coded });
    store.delete(key);
  }
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
