// A game server that writes until the disk of its agent is full, into its own folder and into its log: the agent goes on,
// says so, and has room again once the server has ended.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { mayMount } from '../support/tools.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

/** It writes until nothing fits any more, and goes on trying. */
const FILLS = `
  cd {folder}
  echo "what a game prints first"
  (while :; do echo "what a game prints all day"; done) &
  while :; do dd if=/dev/zero bs=64k count=400 of="dump$((n=n+1))" 2>/dev/null; sleep 0.02; done
`;

describe.runIf(mayMount('tmpfs'))('a disk that a game server fills', () => {
  let disk: string;
  let rig: Rig;

  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'muster-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=20m', 'tmpfs', disk]);
    rig = await startRig({ AGENT_LOG_BYTES: '65536' }, disk);
  });
  afterAll(async () => {
    await rig.end();
    execFileSync('umount', ['-l', disk]);
    await rm(disk, { recursive: true });
  });

  const free = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(disk);
    return bavail * bsize;
  };
  const healthy = async (): Promise<number> => (await fetch(`${rig.agent.url}/health`)).status;

  it('stops no agent: it refuses launches and says why, ends the server, and has room again', async () => {
    const before = rig.spec({ command: 'sh', args: ['-c', 'sleep 1000'] });
    expect(await rig.fleet.launch(before)).toMatchObject({ ok: true });
    const fills = rig.spec({ command: 'sh', args: ['-c', FILLS] });
    expect(await rig.fleet.launch(fills)).toMatchObject({ ok: true });
    await eventually('the disk is full', async () => (await free()) === 0);
    // A log that is cut frees some bytes for a moment.
    const refused = await eventually('a launch is refused', async () => {
      const reply = await rig.fleet.launch(rig.spec({ command: 'true' }));
      return reply.ok ? null : reply;
    });
    expect(refused).toMatchObject({
      reason: 'no_capacity',
      detail: expect.stringContaining('ENOSPC'),
    });
    expect(await healthy()).toBe(200);
    expect(await rig.fleet.inspect(fills.instanceId)).toMatchObject({ state: 'launching' });
    // What it printed is there, as far as it fitted. A log that has just been cut is empty for a moment.
    await eventually('what it printed', async () => {
      return ((await rig.fleet.logs?.(fills.instanceId, 5)) ?? []).length > 0;
    });
    // Both are ended and told, with a disk that takes no byte.
    for (const { instanceId } of [before, fills]) {
      await rig.fleet.stop(instanceId);
      await rig.service.reportOf(instanceId, 'stopped');
    }
    const next = await eventually('it takes launches again', async () => {
      const spec = rig.spec({ command: 'sh', args: ['-c', 'echo played'] });
      return (await rig.fleet.launch(spec)).ok ? spec : null;
    });
    await rig.service.reportOf(next.instanceId, 'stopped');
    const log = join(rig.dataDir, 'servers', next.instanceId, 'server.log');
    expect(await readFile(log, 'utf8')).toBe('played\n');
    expect(await readFile(join(rig.dataDir, 'agent.log'), 'utf8')).toContain('disk_full');
  });

  it('with little room left, launches go on while others end and their folders are removed', async () => {
    // Full is what has less than a fiftieth: 400 KiB.
    await writeFile(join(disk, 'filler'), Buffer.alloc((await free()) - 300 * 1024));
    const launched = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const replies = [];
        for (let round = 0; round < 40; round += 1) {
          const spec = rig.spec({ command: 'true' });
          const reply = await rig.fleet.launch(spec);
          replies.push(reply);
          await (reply.ok && rig.service.reportOf(spec.instanceId, 'stopped'));
        }
        return replies;
      }),
    );
    expect(launched.flat().filter(({ ok }) => !ok)).toEqual([]);
  });
});
