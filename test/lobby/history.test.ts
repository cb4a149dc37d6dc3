// What a change of a lobby was, as its history tells it.

import { expect, it } from 'vitest';
import type { InstanceId } from '../../src/ids';
import { launchFailed, start } from '../../src/lobby/game';
import { happenings } from '../../src/lobby/history';
import { must } from '../../src/result';
import { lobbyOf, player, run, T0 } from '../support/lobbies';

const instanceId = 'server-1' as InstanceId;

it('names the mode that is entered, the server of a start, and why that failed', () => {
  const lobby = lobbyOf('alice');
  const queued = run(lobby, { type: 'enter', player: player('alice'), mode: 'duel' });
  const entered = happenings(lobby, { lobby: queued, debts: [], news: [] }, {}, T0);
  expect(entered).toMatchObject([{ kind: 'entered', detail: 'duel' }]);

  const begun = start(lobby, instanceId, T0);
  const change = must(begun.ok ? begun.value : null, 'a start');
  expect(happenings(lobby, change, {}, T0)).toMatchObject([
    { kind: 'started', detail: 'server server-1' },
  ]);

  const starting = must(change.lobby, 'a lobby that starts');
  const over = must(launchFailed(starting, instanceId, T0), 'a failed launch');
  expect(happenings(starting, over, { detail: 'exit code 3' }, T0)).toMatchObject([
    { kind: 'returned', reason: 'launch_failed', detail: 'exit code 3' },
  ]);
});
