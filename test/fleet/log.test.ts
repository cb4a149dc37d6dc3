// The agent's log, as whoever collects it reads it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { forOperators } from '../../scripts/workerd-output.ts';
import { startRig } from './harness.ts';

type Line = Readonly<Record<string, unknown>>;

it('is one JSON object on each line, and says when a server starts, runs and ends, and for which request', async () => {
  const rig = await startRig();
  const spec = rig.spec({}, { matchId: 'match-1', requestId: 'of-ann' });
  try {
    await rig.fleet.launch(spec);
    await rig.service.reportOf(spec.instanceId, 'running');
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
    await rig.agent.stop();
    const text = await readFile(join(rig.dataDir, 'agent.log'), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const about = {
      from: 'agent',
      level: 'info',
      instanceId: spec.instanceId,
      requestId: 'of-ann',
    };
    expect(lines).toMatchObject([
      { event: 'ready', level: 'info', url: rig.agent.url },
      { event: 'server_started', ...about, message: expect.stringContaining('match-1') },
      { event: 'server_running', ...about },
      { event: 'server_ending', ...about },
      { event: 'server_ended', ...about },
      { event: 'stopping' },
    ]);
    expect(lines.every(({ time }) => !Number.isNaN(Date.parse(String(time))))).toBe(true);
  } finally {
    await rig.end();
  }
});

it('is plain text where that is asked for', async () => {
  const rig = await startRig({ LOG: 'text' });
  try {
    await rig.agent.stop();
    const text = await readFile(join(rig.dataDir, 'agent.log'), 'utf8');
    expect(text).toBe(`agent: ready on ${rig.agent.url}\nagent: stopping, told to stop\n`);
  } finally {
    await rig.end();
  }
});

it('has errors of the runtime as lines of their own, and none of its notes', () => {
  const ours = '{"time":"2026-11-23T12:00:00.000Z","level":"warn","event":"launch_failed"}';
  expect(forOperators(ours)).toBe(ours);
  const error = 'Uncaught exception: "quoted"';
  const told = JSON.parse(forOperators(error) ?? '') as Line;
  expect(told).toMatchObject({ level: 'error', event: 'runtime', from: 'service', message: error });
  expect(forOperators('a/b.c++:12: error: NOSENTRY gone')).toBe(null);
  expect(forOperators('')).toBe(null);
});
