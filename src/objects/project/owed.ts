// What a project owes: queues that check their tickets again, and warm servers to launch or to stop.

import { own } from '../../common/named';
import { ruledBy } from '../../lobby/playground';
import type { Host } from '../contracts/host';
import type { ProjectDocument } from '../contracts/project';
import type { RecheckDebt } from './changes';
import type { WarmDebt } from './warm';

export type ProjectDebt = RecheckDebt | WarmDebt;

export function keyOfDebt(debt: ProjectDebt): string {
  return 'warm' in debt ? `warm:${debt.warm}` : JSON.stringify([debt.config, debt.mode]);
}

export async function tellQueue(
  { peers }: Host,
  { configs, revision }: ProjectDocument,
  { project, config, mode }: RecheckDebt & { readonly project: string },
): Promise<void> {
  const saved = own(configs, ruledBy(config));
  const now = (saved?.enabled === true && own(saved.matchmaking.modes, mode)) || null;
  await peers.queue(project, config, mode).modeChanged(now, saved?.revision ?? revision);
}
