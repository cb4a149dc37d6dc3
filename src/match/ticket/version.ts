// The build that a match runs on (spec: Rule semantics 9; decision 29).

import { DEFAULT_BUILD } from '../../common/limits';
import type { Mode } from '../rules/mode';
import { ok, refuse, type Result } from '../../common/result';
import { stateField, type Ticket } from './ticket';

/** The build that a ticket asks for. Null if the field is missing or a list. */
export function versionOf(ticket: Ticket, field: string | null): string | null {
  const version = field === null ? undefined : stateField(ticket, field);
  return version === undefined || typeof version === 'object' ? null : String(version);
}

/** Why a match has no build. Its lobbies return to `waiting`. */
export type NoBuild = 'version_missing' | 'build_missing' | 'build_not_ready';

export interface BuildChoice {
  readonly name: string;
  readonly status: 'ready' | 'not_ready';
}

/**
 * The name of the build to launch. `version` is the value of useVersionFromState that all matched
 * lobbies share, null when all lack it; `gameBuild` is the config's. A mode without
 * useVersionFromState takes gameBuild, else `default`; one with it never falls back to `default`.
 */
export function resolveBuild(
  mode: Pick<Mode, 'useVersionFromState'>,
  version: string | null,
  gameBuild: string | null,
  builds: readonly BuildChoice[],
): Result<string, NoBuild> {
  const name =
    mode.useVersionFromState === null ? (gameBuild ?? DEFAULT_BUILD) : (version ?? gameBuild);
  if (name === null) {
    return refuse('version_missing');
  }
  const build = builds.find((each) => each.name === name);
  if (build === undefined) {
    return refuse('build_missing');
  }
  return build.status === 'ready' ? ok(name) : refuse('build_not_ready');
}
