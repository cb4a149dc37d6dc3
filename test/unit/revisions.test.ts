// The history of a config, by a project object that has just woken.

import { expect, it } from 'vitest';
import { defaultConfig } from '../../src/lobby/config';
import { Revisions } from '../../src/objects/project/revisions';
import { fakeHost } from '../fleet/host';

it('a save that finds the object not in memory is in the history once', () => {
  const { host } = fakeHost({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  const config = defaultConfig('arena');
  new Revisions(host).note('arena', 16, config, undefined);
  const woken = new Revisions(host);
  woken.note('arena', 17, config, undefined);
  expect(woken.of('arena').map(({ revision }) => revision)).toEqual([17, 16]);
});
