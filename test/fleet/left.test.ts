// What a program leaves behind is found and ended, in its process group or out of it, and a start is no start then.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { inBackground } from '../../agent/left.ts';
import { localFleet } from '../../src/fleet/rest';
import { eventually } from '../support/eventually.ts';
import { gameServersOf } from '../support/processes.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const OPEN = 'require("dgram").createSocket("udp4").bind(+process.env.MUSTER_PORT, "127.0.0.1")';
const SERVER = `${process.execPath} -e '${OPEN}'`;
/** It is a server for those that did not end with their program. */
const DEAF = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000)`;

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ AGENT_GRACE_MS: '1000' });
});
afterAll(() => rig.end());

const none = (instanceId: string): Promise<unknown> =>
  eventually('nothing is left', async () => (await gameServersOf(instanceId)).length === 0);

describe.concurrent('a program that goes into the background', () => {
  it.each([
    ['of its group', `${SERVER} & exit 0`],
    ['of a session of its own', `setsid ${SERVER} & exit 0`],
    ['whose port is open by then', `setsid ${SERVER} & sleep 1`],
    ['that is deaf', `setsid ${process.execPath} -e '${DEAF}' & exec sleep 0.5`],
  ])('as a process %s has failed, with advice, and nothing is left of it', async (_, script) => {
    const spec = rig.spec({ command: 'sh', args: ['-c', script, '--daemon'] });
    await rig.fleet.launch(spec);
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({
      exit_code: 0,
      detail: 'it went into the background: start it in the foreground (leave out --daemon)',
    });
    expect(await gameServersOf(spec.instanceId)).toEqual([]);
  });

  it('is told how it stays, if that is known', () => {
    const foreground = 'it went into the background: start it in the foreground';
    const told = [
      { command: '/opt/games/openttd', args: ['-f'] },
      { command: '/opt/games/wesnothd-1.16', args: ['-d'] },
      { command: './game', args: ['-d'] },
      {},
    ].map(inBackground);
    expect(told).toEqual([
      `${foreground} (leave out -f)`,
      `${foreground} (leave out -d)`,
      foreground,
      foreground,
    ]);
  });
});

it('what a program leaves when it is told to stop has its time too, and then ends', async () => {
  const saves = `process.on("SIGTERM", () => setTimeout(() => { console.log("saved"); process.exit(); }, 400)); ${OPEN}`;
  const spec = rig.spec({
    command: 'sh',
    args: ['-c', `${process.execPath} -e '${saves}' & wait`],
  });
  await rig.fleet.launch(spec);
  await rig.service.reportOf(spec.instanceId, 'running');
  await rig.fleet.stop(spec.instanceId);
  const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
  expect(report).toMatchObject({
    detail: 'told to stop',
    output: expect.stringContaining('saved'),
  });
  await none(spec.instanceId);
});

it.each([
  ['killed', {}],
  ['killed, and adopts', { AGENT_ADOPT: '1' }],
] as const)('an agent that is %s leaves none that left its group', async (_, env) => {
  const first = await startRig({ AGENT_GRACE_MS: '1000', ...env });
  const spec = first.spec({ command: 'sh', args: ['-c', `setsid ${SERVER} & sleep 600`] });
  await first.fleet.launch(spec);
  await first.service.reportOf(spec.instanceId, 'running');
  await first.agent.kill();
  const next = await first.startAgain();
  const fleet = localFleet({ url: next.agent.url, secret: 'a-secret-for-tests-only' });
  await fleet.stop(spec.instanceId);
  await none(spec.instanceId);
  await first.service.reportOf(spec.instanceId, 'stopped');
  await next.end();
});
