// The project's document as this isolate last saw it. Configs and builds change rarely and are
// read by every request and every lobby; a few seconds of age are allowed, a round trip each is
// not. The isolate that saved a change sees it at once.

import { defaultConfig, type LobbyConfig } from '../lobby/config';
import { Lru } from '../lru';
import type { Peers } from './at';
import type { ProjectDocument } from './contracts';

const MAX_AGE_MS = 3_000;
const MAX_PROJECTS = 200;

interface Entry {
  readonly document: ProjectDocument;
  readonly at: number;
}

const entries = new Lru<Entry>(MAX_PROJECTS);

/**
 * The project's document, at most 3 s old.
 * Results are shared between requests, never promises: one request must not wait on another's I/O.
 */
export async function projectDocument(
  peers: Pick<Peers, 'project'>,
  project: string,
  now: number,
): Promise<ProjectDocument> {
  const before = entries.get(project);
  if (before !== undefined && Math.abs(now - before.at) < MAX_AGE_MS) {
    return before.document;
  }
  const document = await peers.project(project).document();
  const current = entries.get(project);
  if (
    current !== undefined &&
    current !== before &&
    current.document.revision > document.revision
  ) {
    return current.document;
  }
  rememberProject(project, document, now);
  return document;
}

/** What a save just answered: seen by this isolate from now on. */
export function rememberProject(project: string, document: ProjectDocument, now: number): void {
  entries.set(project, { document, at: now });
}

/**
 * The config of a name, or of an id; `__proto__` is a name like any other. Without one, and for
 * one that is not enabled, the defaults (spec: Lobby config; decisions 1 and 22).
 */
export function configOf(document: ProjectDocument, nameOrId: string): LobbyConfig {
  const config = savedConfig(document, nameOrId);
  return config?.enabled === true ? config : defaultConfig(config?.name ?? nameOrId);
}

/** The config as saved, enabled or not; by name first, then by id. */
export function savedConfig(document: ProjectDocument, nameOrId: string): LobbyConfig | null {
  const { configs } = document;
  if (Object.hasOwn(configs, nameOrId)) {
    return configs[nameOrId] ?? null;
  }
  return Object.values(configs).find((config) => config.id === nameOrId) ?? null;
}
