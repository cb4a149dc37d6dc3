// The histories of configs and builds, by a project object that has just woken.

import { expect, it } from 'vitest';
import { defaultBuild } from '../../../../src/fleet/build';
import { defaultConfig } from '../../../../src/lobby/config';
import { Revisions } from '../../../../src/objects/project/revisions';
import { fakePorts } from '../../../fleet/ports';

it('a save that finds the object not in memory is in the history once', () => {
  const { ports } = fakePorts({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  const config = defaultConfig('arena');
  new Revisions(ports, 'revision:').note('arena', 16, config, undefined);
  const woken = new Revisions(ports, 'revision:');
  woken.note('arena', 17, config, undefined);
  expect(woken.of('arena').map(({ revision }) => revision)).toEqual([17, 16]);
});

it('the first save of a build keeps what was there before, so it can be undone', () => {
  const { ports } = fakePorts({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  const [before, after] = [defaultBuild(), { ...defaultBuild(), version: 2 }];
  new Revisions(ports, 'revision of build:').keep(
    { default: before },
    { default: after },
    7,
    'operator:alice',
  );
  new Revisions(ports, 'revision of build:').keep({ default: after }, {}, 8, 'operator:bob');
  const found = new Revisions(ports, 'revision of build:').of('default');
  expect(found.map(({ revision, by, value }) => [revision, by, value])).toEqual([
    [8, 'operator:bob', null],
    [7, 'operator:alice', after],
    [6, null, before],
  ]);
  expect(new Revisions(ports, 'revision:').of('default')).toEqual([]);
});
