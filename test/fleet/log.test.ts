// The agent's log, as whoever collects it reads it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { asText, forOperators } from '../../scripts/workerd-output.ts';
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

it('shows what players wrote, and lets no terminal obey it', async () => {
  const rig = await startRig({ LOG: 'text' });
  // To a terminal: forge a line, clear the screen (in two ways), set the title, and write backwards.
  const name = 'den\nagent: stopping\r\u001b[2J\u009b2J\u001b]0;owned\u0007\u202egnp\u2028ünï 🎮';
  const spec = rig.spec({ command: 'sleep', args: ['1000'] }, { name });
  try {
    await rig.fleet.launch(spec);
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
    await rig.agent.stop();
    const text = await readFile(join(rig.dataDir, 'agent.log'), 'utf8');
    const lines = text.trimEnd().split('\n');
    expect(text).toMatch(/^(?:agent: [^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*\n)*$/u);
    expect(lines.filter((line) => line.startsWith('agent: stopping'))).toHaveLength(1);
    expect(lines.find((line) => line.includes('starts for'))).toContain(
      'den\\u000aagent: stopping\\u000d\\u001b[2J\\u009b2J\\u001b]0;owned\\u0007\\u202egnp\\u2028ünï 🎮',
    );
  } finally {
    await rig.end();
  }
});

it('has lines of the service that say the same, and that no terminal obeys', () => {
  const line = JSON.stringify({ level: 'warn', name: 'den\u009b2J\u202e\u0007\n' });
  const shown = forOperators(line) ?? '';
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(JSON.parse(shown)).toEqual(JSON.parse(line));
});

it('has lines of the service as text for a terminal', () => {
  const at = { time: '2026-11-23T12:00:00.000Z' };
  const ended = {
    ...at,
    level: 'info',
    event: 'server_ended',
    config: 'main',
    reason: 'exit code 0',
  };
  expect(asText(JSON.stringify(ended))).toBe(
    'service: server_ended config=main reason="exit code 0"',
  );
  const failed = { ...at, level: 'warn', event: 'launch_failed', name: 'den\u001b[2J' };
  expect(asText(JSON.stringify(failed))).toBe('service: warn launch_failed name="den\\u001b[2J"');
  expect(asText('{"what is it')).toBe('{"what is it');
});

it('has errors of the runtime as lines of their own, and none of its notes', () => {
  const ours = '{"time":"2026-11-23T12:00:00.000Z","level":"warn","event":"launch_failed"}';
  expect(forOperators(ours)).toBe(ours);
  const error = 'Uncaught exception: "quoted"';
  const told = JSON.parse(forOperators(error) ?? '') as Line;
  expect(told).toMatchObject({ level: 'error', event: 'runtime', from: 'service', message: error });
  expect(forOperators('a/b.c++:12: error: NOSENTRY gone')).toBe(null);
  // Whoever asked for the address says that it was refused.
  const refused = 'failed: connecting to 127.0.0.1:9 is not allowed';
  expect(forOperators(`workerd/jsg/util.c++:410: error: e = rust/ffi.rs:110: ${refused}`)).toBe(
    null,
  );
  const stack = 'stack: /bin/workerd@26b6840 /bin/workerd@3739630';
  const reference = 'sentryErrorContext = jsgInternalError; wdErrId = 7m603q5kss';
  expect([forOperators(stack), forOperators(`${stack}; ${reference}`)]).toEqual([null, null]);
  expect(forOperators('')).toBe(null);
});
