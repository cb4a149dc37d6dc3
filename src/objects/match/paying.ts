// What a match owes others besides its lobbies and its launch: it is paid without the match changing.

import type { MatchId } from '../../common/ids';
import { assertNever } from '../../common/result';
import type { Host } from '../contracts/host';
import type { MatchDebt } from './debts';
import { tellBots } from './launch';
import { offerNow } from './room';
import type { Match } from './state';

type Paid = Extract<MatchDebt, { readonly to: 'queue' | 'bots' | 'server' }>;

export async function payFor(
  host: Host,
  { id, match }: { readonly id: MatchId; readonly match: Match },
  debt: Paid,
): Promise<void> {
  switch (debt.to) {
    case 'queue': {
      const { project, config, mode } = match.roster;
      return host.peers.queue(project, config, mode).offer(id, offerNow(match, id));
    }
    case 'bots':
      return tellBots(host, match);
    case 'server':
      return host.peers.server(match.instanceId).stop(true);
    default:
      return assertNever(debt);
  }
}
