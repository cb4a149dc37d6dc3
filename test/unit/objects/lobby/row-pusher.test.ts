// The Directory shows no private lobby, whatever becomes of the answers to what it is told.

import { expect, it } from 'vitest';
import type { CreateInput } from '../../../../src/objects/contracts/lobby';
import { Alone } from '../../../support/alone';
import { plainLobby } from '../../../../proof/sim/scenario';

it('takes a lobby that turned private out of the Directory, also if the answer about its public row was lost', async () => {
  const alone = new Alone();
  const where = { project: 'dev', id: alone.id, player: 'ann' } as CreateInput;
  await alone.actor.create({ ...plainLobby(where), isPrivate: true });
  const turn = (isPrivate: boolean) =>
    alone.actor.execute({ type: 'settings', player: where.player, patch: { isPrivate } });
  await turn(false);
  alone.losesRows = true;
  await alone.pass(1_000);
  expect(alone.rows.at(-1)?.view).not.toBeNull();
  alone.losesRows = false;
  await turn(true);
  await alone.pass(10_000);
  expect(alone.rows.at(-1)?.view).toBeNull();
});
