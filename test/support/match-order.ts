// The order of a match for its server.

import type { InstanceId, MatchId } from '../../src/common/ids';
import type { LaunchOrder } from '../../src/objects/contracts/server';

export const matchOrder: LaunchOrder = {
  instanceId: 'server-1' as InstanceId,
  project: 'dev',
  owner: { kind: 'match', id: 'match-1' as MatchId },
  name: 'server',
  region: 'eu',
  build: 'game',
  computeSize: 'small',
  customData: {},
  ttlSeconds: null,
  matchId: 'match-1',
};
