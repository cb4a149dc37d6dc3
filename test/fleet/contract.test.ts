// What the fleet port promises (src/fleet/port.ts), of every fleet alike: the same cases over the
// agent, the example receiver of an `http` fleet, Agones, the clouds, and the simulated one.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { agonesFleet } from '../../src/fleet/agones';
import { edgegapFleet } from '../../src/fleet/edgegap';
import { gameyeFleet } from '../../src/fleet/gameye';
import type { Fleet, LaunchSpec } from '../../src/fleet/port';
import { simulatedFleet } from '../../proof/sim/simulated-fleet';
import { CLOUD_TOKEN, startFakeEdgegap, startFakeGameye } from './clouds.ts';
import { startRig } from './harness.ts';
import { NAMESPACE, startFakeKubernetes, TOKEN } from './kubernetes.ts';
import { RECEIVER_SECRET, startReceiver } from './receiver.ts';
import { launchSpec } from './specs.ts';
import { httpFleet } from '../../src/fleet/rest.ts';

/** Each with room for two servers. */
interface Place {
  readonly fleet: Fleet;
  readonly spec: () => LaunchSpec;
  readonly end: () => Promise<void>;
}

/** It takes a moment to end: what is asked meanwhile meets a process that is still there. */
const GAME = ['sh', '-c', 'trap "exit 0" TERM; while :; do sleep 0.3; done'] as const;

const ARENA = { image: 'arena:1.4.0' };

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  local: async () => {
    const rig = await startRig({ AGENT_MAX_SERVERS: '2' });
    const [command, ...args] = GAME;
    const launch = { command, args };
    return { fleet: rig.fleet, spec: () => rig.spec(launch), end: () => rig.end() };
  },
  http: async () => {
    const receiver = await startReceiver({
      CAPACITY: '2',
      FIRST_PORT: '31000',
      GAME_COMMAND: JSON.stringify(GAME),
    });
    const fleet = httpFleet({ url: receiver.url, secret: RECEIVER_SECRET });
    return { fleet, spec: launchSpec, end: () => receiver.end() };
  },
  agones: async () => {
    const kubernetes = await startFakeKubernetes();
    const { url } = kubernetes;
    kubernetes.ready('arena');
    kubernetes.ready('arena');
    const fleet = agonesFleet({ url, token: TOKEN, namespace: NAMESPACE, fleetName: 'arena' });
    return { fleet, spec: launchSpec, end: () => kubernetes.close() };
  },
  gameye: async () => {
    const gameye = await startFakeGameye({ room: 2 });
    const locations = { 'us-east': 'frankfurt' };
    const fleet = gameyeFleet({ url: gameye.url, token: CLOUD_TOKEN, locations });
    return { fleet, spec: () => launchSpec(ARENA), end: () => gameye.close() };
  },
  edgegap: async () => {
    const edgegap = await startFakeEdgegap({ room: 2 });
    const locations = { 'us-east': [40.7, -74] } as const;
    const fleet = edgegapFleet({ url: edgegap.url, token: CLOUD_TOKEN, locations });
    return { fleet, spec: () => launchSpec(ARENA), end: () => edgegap.close() };
  },
  simulated: async () => {
    const fleet = simulatedFleet({ now: () => Date.now(), capacity: 2 });
    return { fleet, spec: launchSpec, end: async () => {} };
  },
};

describe.each(Object.entries(PLACES))('the %s fleet', (name, start) => {
  let place: Place;
  beforeAll(async () => {
    place = await start();
  });
  afterAll(() => place.end());

  it('does not know what it never launched, and stops it without an error', async () => {
    const { fleet } = place;
    expect(await fleet.inspect('never-was')).toEqual({ state: 'unknown', ports: [] });
    await fleet.stop('never-was-either');
  });

  // shows: D37a
  it('starts one server an id, however often and at whatever time it is asked', async () => {
    const { fleet } = place;
    const [one, two, three] = [place.spec(), place.spec(), place.spec()];
    const first = await fleet.launch(one);
    expect(first).toMatchObject({ ok: true });
    expect(await fleet.launch(one)).toEqual(first);
    expect(['launching', 'running']).toContain((await fleet.inspect(one.instanceId)).state);
    // Had any repetition started another one, there would be no room for this.
    expect(await fleet.launch(two)).toMatchObject({ ok: true });
    expect(await fleet.launch(three)).toMatchObject({ ok: false, reason: 'no_capacity' });
    expect(await fleet.launch(one)).toEqual(first);
    await fleet.stop(one.instanceId);
    await fleet.stop(one.instanceId);
    // Kubernetes forgets what it deleted, and Edgegap lists nothing that has ended; there the Server object remembers.
    if (name !== 'agones' && name !== 'edgegap') {
      expect(await fleet.launch(one)).toMatchObject({ ok: false, reason: 'ended' });
    }
    expect(['launching', 'running']).toContain((await fleet.inspect(two.instanceId)).state);
  });
});
