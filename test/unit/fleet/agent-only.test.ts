// What of a build only local agents do: other fleets say so when it is saved.

import { expect, it } from 'vitest';
import { parseBuild } from '../../../src/fleet/build';
import { fleetsAmong, problemsOf } from '../../../src/fleet/fleets';
import { agentOnly } from '../../../src/fleet/agent-only';
import { simulatedFleet } from '../../../src/fleet/simulated';

const cloud = { name: 'cloud', group: null, regions: [], projects: [] };
const fleets = fleetsAmong(
  [
    { route: { ...cloud, name: 'box' }, fleet: simulatedFleet },
    { route: cloud, fleet: { ...simulatedFleet, check: agentOnly } },
  ],
  () => 0,
);

it.each<[object, readonly string[]]>([
  [{ launch: { command: 'a' }, ports: [{ name: 'a', internal_port: 1 }] }, []],
  [
    { launch: { keep: 'world', files: { 'a.cfg': '' } } },
    ['cloud: only local agents do launch.files and launch.keep'],
  ],
  [
    {
      ports: [
        { name: 'a', fixed: 9 },
        { name: 'b', offset: 1 },
      ],
    },
    ['cloud: only local agents do ports[].offset and ports[].fixed'],
  ],
])('%j', async (body, expected) => {
  const parsed = parseBuild('arena', body);
  const build = parsed.ok ? { ...parsed.value, version: 1 } : null;
  expect(build && (await problemsOf(fleets, 'dev', build))).toEqual(expected);
});
