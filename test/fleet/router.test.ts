import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fleetsFor, type FleetRoute } from '../../src/fleet/fleets';

function route(name: string, patch: Partial<FleetRoute> = {}): FleetRoute {
  return { name, group: null, regions: [], projects: [], ...patch };
}

const wanted = { project: 'dev', region: 'eu-west', fleet: null };

describe('the fleets to try', () => {
  it('are those that name the region, then those that serve any, each in their order', () => {
    const routes = [
      route('any-1'),
      route('eu-1', { regions: ['eu-west', 'eu-east'] }),
      route('us', { regions: ['us-east'] }),
      route('any-2'),
      route('eu-2', { regions: ['eu-west'] }),
    ];
    expect(fleetsFor(routes, wanted)).toEqual(['eu-1', 'eu-2', 'any-1', 'any-2']);
    expect(fleetsFor(routes, { ...wanted, region: 'moon' })).toEqual(['any-1', 'any-2']);
  });

  it('are those the build names, one or a group, and no others', () => {
    const routes = [
      route('k8s-us', { group: 'k8s', regions: ['us-east'] }),
      route('box'),
      route('k8s-eu', { group: 'k8s', regions: ['eu-west'] }),
      route('k8s-any', { group: 'k8s' }),
    ];
    expect(fleetsFor(routes, { ...wanted, fleet: 'k8s' })).toEqual(['k8s-eu', 'k8s-any']);
    expect(fleetsFor(routes, { ...wanted, fleet: 'box' })).toEqual(['box']);
    expect(fleetsFor(routes, { ...wanted, fleet: 'k8s-us' })).toEqual([]);
    expect(fleetsFor(routes, { ...wanted, fleet: 'none' })).toEqual([]);
  });

  it('are those the project may use', () => {
    const routes = [route('theirs', { projects: ['other'] }), route('ours', { projects: ['dev'] })];
    expect(fleetsFor(routes, wanted)).toEqual(['ours']);
  });

  it('have the silent ones last, and never lose one for it', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const region = fc.subarray(['eu-west', 'us-east']);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, region), { selector: ([each]) => each }),
        fc.subarray(['a', 'b', 'c', 'd']),
        (pairs, silent) => {
          const routes = pairs.map(([each, regions]) => route(each, { regions }));
          const before = fleetsFor(routes, wanted);
          const after = fleetsFor(routes, wanted, new Set(silent));
          const isSilent = (each: string): boolean => silent.includes(each);
          expect(after).toEqual([
            ...before.filter((each) => !isSilent(each)),
            ...before.filter(isSilent),
          ]);
        },
      ),
      { seed: 5, numRuns: 200 },
    );
  });
});
