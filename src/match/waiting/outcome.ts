// What one event of the pool brings about, while it is being gathered.

import type { Dropped, PoolOutcome } from '../pool';
import type { BackfillProposal, Proposal } from './proposal';

export class Outcome implements PoolOutcome {
  readonly matches: Proposal[] = [];
  readonly backfills: BackfillProposal[] = [];
  readonly dropped: Dropped[] = [];
}
