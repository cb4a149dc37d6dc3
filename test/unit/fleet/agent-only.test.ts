// What of a build only local agents do: other fleets say so when it is saved.

import { expect, it } from 'vitest';
import { parseBuild } from '../../../src/fleet/build';
import { fleetsAmong, problemsOf } from '../../../src/fleet/fleets';
import { simulatedFleet } from '../../../src/fleet/simulated';

const cloud = { name: 'cloud', group: null, regions: [], projects: [] };
const fleets = fleetsAmong(
  [
    { route: { ...cloud, name: 'box' }, fleet: { ...simulatedFleet, tells: true } },
    { route: cloud, fleet: simulatedFleet },
  ],
  () => 0,
);

it.each<[object, readonly string[]]>([
  [{ launch: { command: 'a' }, ports: [{ name: 'a', internal_port: 1 }] }, []],
  [
    { launch: { keep: 'world', files: { 'a.cfg': '' } } },
    ['launch.files, launch.keep: no effect on the fleet cloud, which is no local agent'],
  ],
  [
    {
      ports: [
        { name: 'a', fixed: 9 },
        { name: 'b', offset: 1 },
      ],
    },
    ['ports[].offset, ports[].fixed: no effect on the fleet cloud, which is no local agent'],
  ],
  [
    { launch: { ready: { line: 'listening' } } },
    ['launch.ready: no effect on the fleet cloud, which is no local agent'],
  ],
])('%j', async (body, expected) => {
  const parsed = parseBuild('arena', body);
  const build = parsed.ok ? { ...parsed.value, version: 1 } : null;
  expect(build && (await problemsOf(fleets, 'dev', build))).toEqual(expected);
});
