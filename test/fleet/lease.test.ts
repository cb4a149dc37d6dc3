// A server's lease is on disk before its program starts, so nothing runs that a later agent would not know of.

import { execFileSync } from 'node:child_process';
import { access, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { LaunchSpec } from '../../src/fleet/port';
import { eventually } from '../support/eventually.ts';
import { processesWith } from '../support/processes.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

/** The program leaves a file if it was ever started, and would run on. */
const MARKS = { command: 'sh', args: ['-c', 'echo ran > "$0"; sleep 1000', '{folder}/ran'] };
/** The program copies its lease first. */
const READS = {
  command: 'sh',
  args: [
    '-c',
    'cp "$0/lease.json" "$0/copy.new"; mv "$0/copy.new" "$0/copy"; sleep 1000',
    '{folder}',
  ],
};

/** Without it, the keeper of a server that outlives its agent would still write to the folder. */
async function ended(rig: Rig, { instanceId }: LaunchSpec): Promise<void> {
  await rig.fleet.stop(instanceId);
  await rig.service.reportOf(instanceId, 'stopped');
}

describe.each([{}, { AGENT_ADOPT: '1' }])('with %j, an agent', (env) => {
  it('that cannot write a lease starts nothing, says so, and goes on', async () => {
    const rig = await startRig(env);
    try {
      const spec = rig.spec(MARKS);
      const folder = join(rig.dataDir, 'servers', spec.instanceId);
      const inTheWay = join(folder, 'lease.json.new');
      await mkdir(inTheWay, { recursive: true });
      const detail = 'the agent could not start the server: EISDIR (see its log)';
      const failed = { ok: false, reason: 'no_capacity', detail };
      expect(await rig.fleet.launch(spec)).toEqual(failed);
      expect(await rig.fleet.launch(spec)).toEqual(failed);
      expect(await processesWith(`MUSTER_INSTANCE_ID=${spec.instanceId}`)).toEqual([]);
      await expect(access(join(folder, 'ran'))).rejects.toThrow('ENOENT');
      expect(await rig.fleet.inspect(spec.instanceId)).toMatchObject({ state: 'stopped' });
      const health = await (await fetch(`${rig.agent.url}/health`)).json();
      expect(health).toMatchObject({ servers: 0 });
      await rm(inTheWay, { recursive: true });
      const other = rig.spec(MARKS);
      expect(await rig.fleet.launch(other)).toMatchObject({ ok: true });
      await ended(rig, other);
    } finally {
      await rig.end();
    }
  });

  it('has written the lease when the program starts', async () => {
    const rig = await startRig(env);
    try {
      const spec = rig.spec(READS);
      expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
      const copy = join(rig.dataDir, 'servers', spec.instanceId, 'copy');
      const lease = await eventually('the copy', () => readFile(copy, 'utf8'));
      expect(JSON.parse(lease)).toMatchObject({ instanceId: spec.instanceId, token: spec.token });
      await ended(rig, spec);
    } finally {
      await rig.end();
    }
  });
});

it('that a server has replaced by a pipe does not keep the next agent from starting', async () => {
  const rig = await startRig({ AGENT_ADOPT: '1' });
  await rig.agent.stop();
  try {
    const folder = join(rig.dataDir, 'servers', 'of-before');
    await mkdir(folder, { recursive: true });
    execFileSync('mkfifo', [
      join(folder, 'lease.json'),
      join(folder, 'exit'),
      join(folder, 'exit.pids'),
    ]);
    const next = await rig.startAgain();
    const spec = next.spec(MARKS);
    expect(await next.fleet.launch(spec)).toMatchObject({ ok: true });
    await ended(next, spec);
    await next.agent.stop();
  } finally {
    await rig.end();
  }
});
