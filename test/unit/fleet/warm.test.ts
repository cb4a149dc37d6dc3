// Which fleets keep servers warm for a build (record 0073), and what whoever saves it is told.

import { expect, it } from 'vitest';
import type { Build } from '../../../src/fleet/build';
import { parseBuild } from '../../../src/fleet/build';
import { fleetsAmong, problemsOf } from '../../../src/fleet/fleets';
import type { BuildLaunch, Fleet } from '../../../src/fleet/port';
import { agonesFleet } from '../../../src/fleet/agones';
import { simulatedFleet } from '../../../src/fleet/simulated';

const agones = agonesFleet({ url: 'https://k8s', token: 't', namespace: 'n', fleetName: 'f' });

function fleets(...all: readonly (readonly [string, readonly string[], Fleet])[]) {
  const listed = all.map(([name, regions, fleet]) => {
    return { fleet, route: { name, regions, group: null, projects: [] } };
  });
  return fleetsAmong(listed, () => 0);
}

function buildOf(launch: BuildLaunch): Build {
  return { name: 'game', version: 1, label: null, status: 'ready', launch, ports: [] };
}

it('warns of a region that no fleet serves', async () => {
  const box = fleets(['box', ['eu'], simulatedFleet]);
  expect(await problemsOf(box, 'dev', buildOf({ warm: { eu: 1 } }))).toEqual([]);
  expect(await problemsOf(box, 'dev', buildOf({ warm: { eu: 1, asia: 1 } }))).toEqual([
    'launch.warm: No fleet in the region asia takes warm servers',
  ]);
});

it('warns of Agones, which has servers ready by itself', async () => {
  const both = fleets(['k8s', ['eu'], agones], ['box', ['us'], simulatedFleet]);
  expect(await problemsOf(both, 'dev', buildOf({ warm: { eu: 1, us: 1 } }))).toEqual([
    'launch.warm: No fleet in the region eu takes warm servers',
  ]);
});

it('does not warn where another fleet of the region takes them', async () => {
  const both = fleets(['k8s', ['eu'], agones], ['box', [], simulatedFleet]);
  expect(await problemsOf(both, 'dev', buildOf({ warm: { eu: 1 } }))).toEqual([]);
});

it('is read as it was written, and absent stays absent', () => {
  const read = (launch: object) => parseBuild('game', { launch });
  expect(read({ warm: { eu: 2 } })).toMatchObject({
    ok: true,
    value: { launch: { warm: { eu: 2 } } },
  });
  expect(read({ warm: null })).toMatchObject({ ok: true, value: { launch: {} } });
});
