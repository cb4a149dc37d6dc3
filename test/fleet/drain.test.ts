// An agent that drains, with real processes: it takes no launches, and ends when its last game has.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it, vi } from 'vitest';

import { DRAINED, drained } from '../../agent/drain.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { startPart } from '../../scripts/part.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive, processesWith } from '../support/processes.ts';
import { startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const FOREVER = { command: 'sleep', args: ['1000'] };
const run = promisify(execFile);

/** `npm run agent -- drain`, without npm. */
function drain(
  dataDir: string,
  ...options: readonly string[]
): Promise<{ readonly stdout: string }> {
  const env = { ...process.env, AGENT_DATA: dataDir };
  return run(process.execPath, [...options, 'scripts/agent.ts', 'drain'], { cwd: PROJECT, env });
}

/** Drains the agent while it has two games, then ends them one after another. */
async function drainedBy(rig: Rig, tell: () => unknown): Promise<void> {
  const [first, last] = [rig.spec(FOREVER), rig.spec(FOREVER)];
  await Promise.all([first, last].map((spec) => rig.fleet.launch(spec)));
  await tell();
  await eventually('it drains', async () => {
    const health = await (await fetch(`${rig.agent.url}/health`)).json();
    return (health as { status: string }).status === 'draining';
  });
  const refused = await rig.fleet.launch(rig.spec(FOREVER));
  const detail: unknown = expect.stringMatching(
    /^the agent drains since 20.*Z \(told to by npm run agent -- drain, or SIGUSR2\): .* until it is stopped and started again$/,
  );
  expect(refused).toEqual({ ok: false, reason: 'no_capacity', detail });
  // Needs attention asks so.
  expect(await rig.fleet.inspect('nobody')).toEqual({
    state: 'unknown',
    ports: [],
    drains: detail,
  });
  // A launch that is tried again is the server that it started.
  expect(await rig.fleet.launch(first)).toMatchObject({ ok: true });

  await rig.fleet.stop(first.instanceId);
  await rig.service.reportOf(first.instanceId, 'stopped');
  expect(await rig.fleet.inspect(last.instanceId)).toMatchObject({ state: 'launching' });
  process.kill(await rig.pidOf(last.instanceId), 'SIGKILL');
  expect(await rig.agent.exited).toBe(DRAINED);
  await rig.service.reportOf(last.instanceId, 'stopped');
  const log = await readFile(join(rig.dataDir, 'agent.log'), 'utf8');
  expect(log).toContain('takes no launches any more, 2 games are left');
}

describe('an agent drains', () => {
  it('by the command, though it stands still for some seconds', async () => {
    const rig = await startRig();
    try {
      await drainedBy(rig, async () => {
        process.kill(rig.agent.pid, 'SIGSTOP');
        const asked = drain(rig.dataDir);
        const since = performance.now();
        await eventually('it has stood still', () => performance.now() - since > 2_500);
        process.kill(rig.agent.pid, 'SIGCONT');
        await asked;
      });
    } finally {
      await rig.end();
    }
  });

  it.each([{}, { AGENT_ADOPT: '1' }])('by the command, with %j', async (env) => {
    const rig = await startRig(env);
    try {
      await drainedBy(rig, async () => {
        const { stdout } = await drain(rig.dataDir);
        expect(stdout).toContain(`(pid ${rig.agent.pid})`);
      });
    } finally {
      await rig.end();
    }
  });

  it('by a signal, and a second one changes nothing', async () => {
    const rig = await startRig();
    try {
      await drainedBy(rig, () => {
        process.kill(rig.agent.pid, 'SIGUSR2');
        process.kill(rig.agent.pid, 'SIGUSR2');
      });
    } finally {
      await rig.end();
    }
  });

  it('and ends at once if it has no game', async () => {
    const rig = await startRig();
    try {
      await drain(rig.dataDir);
      expect(await rig.agent.exited).toBe(DRAINED);
      await expect(drain(rig.dataDir)).rejects.toMatchObject({
        code: 1,
        stderr: `agent: no agent of this machine uses ${rig.dataDir}: set AGENT_DATA to its folder\n`,
      });
    } finally {
      await rig.end();
    }
  });
});

it('by the command needs Linux: elsewhere the command names the signal, and does not say that there is no agent', async () => {
  const elsewhere = 'Object.defineProperty(process, "platform", { value: "darwin" })';
  await expect(drain('.', '--import', `data:text/javascript,${elsewhere}`)).rejects.toMatchObject({
    code: 1,
    stderr:
      'agent: only Linux tells which process is the agent of a folder: send it SIGUSR2 (docs/operations.md: Upgrades)\n',
  });
});

it('says once a minute how many games are left', async () => {
  vi.useFakeTimers();
  try {
    let left = 2;
    const told: string[] = [];
    const gone = Promise.withResolvers<void>();
    const over = drained({ drain: () => gone.promise, alive: () => left }, (text) =>
      told.push(text),
    );
    await vi.advanceTimersByTimeAsync(59_999);
    expect(told).toEqual(['takes no launches any more, 2 games are left']);
    left = 1;
    await vi.advanceTimersByTimeAsync(60_001);
    gone.resolve();
    await over;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(told.slice(1)).toEqual([
      'takes no launches any more, 1 game is left',
      'takes no launches any more, 1 game is left',
    ]);
  } finally {
    vi.useRealTimers();
  }
});

it('is not started again by the program that started it', async () => {
  const launch = vi.fn(async () => ({
    pid: 1,
    exited: Promise.resolve(DRAINED),
    stop: async () => undefined,
    kill: async () => undefined,
  }));
  vi.useFakeTimers();
  const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  try {
    const part = await startPart({ name: 'agent', restarts: true, launch });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(launch).toHaveBeenCalledTimes(1);
    await part.stop();
  } finally {
    said.mockRestore();
    vi.useRealTimers();
  }
});

describe('an agent that is killed while it drains', () => {
  it('drains on when it is started again, until the game that it adopts has ended', async () => {
    const rig = await startRig({ AGENT_ADOPT: '1' });
    let next: Rig | null = null;
    try {
      const game = rig.spec(FOREVER);
      await rig.fleet.launch(game);
      await drain(rig.dataDir);
      await eventually('it drains', () => isDraining(rig));
      await rig.agent.kill();
      next = await rig.startAgain();
      expect(await isDraining(next)).toBe(true);
      const refused = await next.fleet.launch(next.spec(FOREVER));
      expect(refused).toMatchObject({ ok: false, reason: 'no_capacity' });
      expect(await next.fleet.inspect(game.instanceId)).toMatchObject({ state: 'launching' });
      process.kill(await next.pidOf(game.instanceId), 'SIGKILL');
      expect(await next.agent.exited).toBe(DRAINED);
      await rig.service.reportOf(game.instanceId, 'stopped');

      next = await rig.startAgain();
      expect(await next.fleet.launch(next.spec(FOREVER))).toMatchObject({ ok: true });
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });

  it('with twenty games loses none, starts none, and ends with the last', async () => {
    const rig = await startRig({ AGENT_ADOPT: '1' });
    let next: Rig | null = null;
    try {
      const games = Array.from({ length: 20 }, () => rig.spec(FOREVER));
      await Promise.all(games.map((game) => rig.fleet.launch(game)));
      const ids = games.map(({ instanceId }) => instanceId);
      const running = await Promise.all(ids.map((id) => rig.pidOf(id)));
      await drain(rig.dataDir);
      await eventually('it drains', () => isDraining(rig));
      // Half of them end around the moment of the kill, some unseen by any agent.
      running.slice(0, 5).forEach((pid) => process.kill(pid, 'SIGKILL'));
      await rig.agent.kill();
      running.slice(5, 10).forEach((pid) => process.kill(pid, 'SIGKILL'));
      const again = await rig.startAgain();
      next = again;
      const launches = await Promise.all(
        [...games, again.spec(FOREVER)].map((game) => again.fleet.launch(game)),
      );
      const started = launches.filter((launch) => launch.ok).length;
      // Those that run are described, and nothing else is started.
      expect(started).toBe(10);
      expect(await Promise.all(ids.slice(10).map((id) => again.pidOf(id)))).toEqual(
        running.slice(10),
      );
      expect(await Promise.all(running.map(isAlive))).toEqual(ids.map((_, index) => index >= 10));
      running.slice(10).forEach((pid) => process.kill(pid, 'SIGKILL'));
      expect(await again.agent.exited).toBe(DRAINED);
      await Promise.all(ids.map((id) => rig.service.reportOf(id, 'stopped')));
      const left = await Promise.all(ids.map((id) => processesWith(`MUSTER_INSTANCE_ID=${id}`)));
      expect(left.flat()).toEqual([]);
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });

  it('stays down: its games ended with it, and the next one only reports them', async () => {
    const rig = await startRig();
    try {
      const game = rig.spec(FOREVER);
      await rig.fleet.launch(game);
      await drain(rig.dataDir);
      await eventually('it drains', () => isDraining(rig));
      await rig.agent.kill();
      const next = await rig.startAgain();
      expect(await next.agent.exited).toBe(DRAINED);
      await rig.service.reportOf(game.instanceId, 'stopped');
    } finally {
      await rig.end();
    }
  });

  it('takes launches again after it was told to stop', async () => {
    const rig = await startRig();
    let next: Rig | null = null;
    try {
      await rig.fleet.launch(rig.spec(FOREVER));
      await drain(rig.dataDir);
      await eventually('it drains', () => isDraining(rig));
      await rig.agent.stop();
      next = await rig.startAgain();
      expect(await isDraining(next)).toBe(false);
    } finally {
      await next?.agent.stop();
      await rig.end();
    }
  });
});

async function isDraining({ agent }: Rig): Promise<boolean> {
  const health = await (await fetch(`${agent.url}/health`)).json();
  return (health as { status: string }).status === 'draining';
}
