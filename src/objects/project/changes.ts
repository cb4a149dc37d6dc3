// The differences that a save of configs makes: the changed configs, and the modes whose queues must be told.

import type { LobbyConfig } from '../../lobby/config';
import { playgroundOf } from '../../lobby/playground';

export interface QueueDebt {
  readonly config: string;
  readonly mode: string;
}

type Configs = Readonly<Record<string, LobbyConfig>>;

export type Named<T> = Readonly<Record<string, T>>;

export function own<T>(all: Named<T>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined;
}

/** The names of what was added, removed or changed. */
export function changedNames<T>(before: Named<T>, after: Named<T>): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => own(before, name) !== own(after, name),
  );
}

/** Modes whose config changed. Their queues check their tickets again. */
export function changedModes(before: Configs, after: Configs): readonly QueueDebt[] {
  const debts: QueueDebt[] = [];
  for (const config of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const old = own(before, config);
    const now = own(after, config);
    if (old === undefined || old === now) {
      continue;
    }
    for (const mode of Object.keys(old.matchmaking.modes)) {
      debts.push({ config, mode }, { config: playgroundOf(config), mode });
    }
  }
  return debts;
}
