import { expect, it } from 'vitest';
import type { LaunchSpec } from '../../../src/fleet/port';
import { simulatedFleet } from '../../../src/fleet/simulated';

function spec(instanceId: string, names: readonly string[]): LaunchSpec {
  const ports = names.map((name) => ({ name, internal_port: 7000, protocol: 'udp' as const }));
  return { instanceId, build: { ports } } as unknown as LaunchSpec;
}

it('says that a stopped server has stopped, so that it can be restarted', async () => {
  await simulatedFleet.launch(spec('stopped', []));
  expect((await simulatedFleet.inspect('stopped')).state).toBe('running');
  await simulatedFleet.stop('stopped');
  expect((await simulatedFleet.inspect('stopped')).state).toBe('stopped');
});

it('runs servers that it does not remember', async () => {
  expect((await simulatedFleet.inspect('of an earlier isolate')).state).toBe('running');
});

it('reports no ports later that differ from those of the launch', async () => {
  const launched = await simulatedFleet.launch(spec('two ports', ['game', 'query']));
  expect(launched.ok && launched.ports.map(({ name }) => name)).toEqual(['game', 'query']);
  expect((await simulatedFleet.inspect('two ports')).ports).toEqual([]);
});
