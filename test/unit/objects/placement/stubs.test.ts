// Stubs of actors, which answer any method of a contract.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { stubs, type Asked } from '../../../../src/objects/placement/at';

it('a stub that is awaited calls nobody', async () => {
  const calls: Asked[] = [];
  const stub = stubs(async (...asked) => void calls.push(asked))('seat', 'den');
  void Promise.resolve(stub);
  await stub.where('ann' as PlayerId);
  expect(calls).toEqual([['seat', 'den', 'where', ['ann']]]);
});
