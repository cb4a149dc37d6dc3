// Names of configs with which lobbies were lately created or joined through this isolate. A name needs no saved config
// (spec: Lobby config), so only its use reveals it to the dashboard. Another isolate may have seen other names.

import { isPlayground } from '../../lobby/playground';
import { Lru } from '../../common/lru';
import type { ProjectDocument } from '../../objects/contracts/project';

const MAX_PROJECTS = 100;
const MAX_NAMES = 20;

const seen = new Lru<readonly string[]>(MAX_PROJECTS);
const listeners = new Set<(project: string) => void>();

/** Notes the use of a config. Playgrounds are left out, because phantom players never count as real ones. */
export function noteConfig(project: string, config: string): void {
  if (isPlayground(config)) {
    return;
  }
  const names = seen.get(project) ?? [];
  if (names[0] !== config) {
    seen.set(project, [config, ...names.filter((name) => name !== config)].slice(0, MAX_NAMES));
  }
  if (!names.includes(config)) {
    listeners.forEach((tell) => tell(project));
  }
}

/** The saved configs, then the others that were used, newest first. */
export function configNames(project: string, { configs }: Pick<ProjectDocument, 'configs'>) {
  return [...new Set([...Object.keys(configs), ...(seen.get(project) ?? [])])];
}

/** Calls `tell` when a config is seen for the first time. Returns a function that ends this. */
export function whenSeen(tell: (project: string) => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
