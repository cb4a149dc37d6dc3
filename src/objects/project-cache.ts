// The project's document as this isolate last saw it. Configs and builds change rarely and are
// read by every request and every lobby; a few seconds of age are allowed, a round trip each is
// not. The isolate that saved a change sees it at once.

import { Fresh } from '../fresh';
import { defaultConfig, type LobbyConfig } from '../lobby/config';
import { isPlayground, playgroundOf, ruledBy } from '../lobby/playground';
import type { Peers } from './peers';
import type { ProjectDocument } from './project/contract';

const documents = new Fresh<ProjectDocument>({
  size: 200,
  maxAgeMs: 3_000,
  refreshAfterMs: 2_500,
  outranks: (set, fetched) =>
    set.revision > fetched.revision || (set.keys?.revision ?? 0) > (fetched.keys?.revision ?? 0),
});

/** The project's document, at most 3 s old. */
export function projectDocument(
  peers: Pick<Peers, 'project'>,
  project: string,
  now: number,
): Promise<ProjectDocument> {
  return documents.get(project, now, () => peers.project(project).document());
}

/** What a save just answered: seen by this isolate from now on. */
export function rememberProject(project: string, document: ProjectDocument, now: number): void {
  documents.set(project, document, now);
}

/**
 * The config of a name, or of an id; `__proto__` is a name like any other. Without one the defaults (spec:
 * Lobby config; decision 1). One that is not enabled reads like that too, but for its build: what it has
 * begun to launch must not run on another one (decision 22).
 */
export function configOf(document: ProjectDocument, nameOrId: string): LobbyConfig {
  const config = savedConfig(document, nameOrId);
  if (config?.enabled === true) {
    return config;
  }
  const defaults = defaultConfig(config?.name ?? nameOrId);
  return config === null
    ? defaults
    : { ...defaults, enabled: false, serverSettings: config.serverSettings };
}

/**
 * The config as saved, enabled or not; by name first, then by id. A playground has the config that
 * it is of, under its own name.
 */
export function savedConfig(document: ProjectDocument, nameOrId: string): LobbyConfig | null {
  const { configs } = document;
  if (isPlayground(nameOrId)) {
    const played = savedConfig(document, ruledBy(nameOrId));
    return played === null ? null : { ...played, name: playgroundOf(played.name) };
  }
  if (Object.hasOwn(configs, nameOrId)) {
    return configs[nameOrId] ?? null;
  }
  return Object.values(configs).find((config) => config.id === nameOrId) ?? null;
}
