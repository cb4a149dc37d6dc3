// Configs under which lobbies were lately created or joined through this isolate. A config name
// needs no saved config (spec: Lobby config), so only its use tells of it; the dashboard shows
// these beside the saved ones. A convenience: another isolate may have seen others.

import { isPlayground } from '../../lobby/playground';
import { Lru } from '../../lru';

const MAX_PROJECTS = 100;
const MAX_NAMES = 20;

const seen = new Lru<readonly string[]>(MAX_PROJECTS);
const told = new Set<(project: string) => void>();

/** Phantom players are counted nowhere among the real ones. */
export function noteConfig(project: string, config: string): void {
  if (isPlayground(config)) {
    return;
  }
  const names = seen.get(project) ?? [];
  if (names[0] !== config) {
    seen.set(project, [config, ...names.filter((name) => name !== config)].slice(0, MAX_NAMES));
  }
  if (!names.includes(config)) {
    told.forEach((tell) => tell(project));
  }
}

/** The newest first. */
export function seenConfigs(project: string): readonly string[] {
  return seen.get(project) ?? [];
}

/** Calls `tell` when a config is seen that was not; answers how to end that. */
export function whenSeen(tell: (project: string) => void): () => void {
  told.add(tell);
  return () => told.delete(tell);
}
