// Starts the agent of the local fleet (agent/agent.ts) as a child process that ends with this one.

import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { DRAINED } from '../agent/drain.ts';
import { inherited, isOfEngines } from '../agent/confine.ts';
import { HERE, isWindows } from '../agent/platform.ts';
import type { System } from '../agent/platform.ts';
import { freePort } from '../agent/ports.ts';
import { untilReady } from './ready.ts';

const AGENT = fileURLToPath(new URL('../agent/agent.ts', import.meta.url));
/** Longer than the agent waits for its servers to end and for its last reports. */
const STOP_MS = 15_000;

export interface AgentOptions {
  /** 0: a free port. */
  readonly port: number;
  readonly secret: string;
  /** Holds a folder for each server and, unless the output is inherited, the agent's log. */
  readonly dataDir: string;
  /** Further settings, see agent/settings.ts. */
  readonly env?: Readonly<Record<string, string>>;
  readonly output?: 'inherit' | 'file';
  /** Absent: this one. Tests name another. */
  readonly system?: System;
}

export interface Agent {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** Ends the agent's servers first, and reports their end. Resolves when the agent is gone. */
  stop(): Promise<void>;
  /** Kills the agent with SIGKILL, and the keepers end its servers. Resolves when the agent is gone. */
  kill(): Promise<void>;
}

/**
 * Settings that we pass to an agent that we start. It has our rights, so it cannot run servers as another user.
 */
const NOT_HERE = ['DATA', 'HOST', 'PORT', 'RUN', 'SECRET', 'USER', 'WITH_PARENT'];

/** Throws for a setting of the environment that `startAgent` would ignore. */
export function checkAgentSettings(env: Readonly<Record<string, string | undefined>>): void {
  const name = NOT_HERE.map((each) => `AGENT_${each}`).find((each) => (env[each] ?? '') !== '');
  if (name !== undefined) {
    throw new Error(
      `${name} is for an agent that runs by itself, \`npm run agent\` (docs/local-fleet.md)`,
    );
  }
}

/** The part of our environment that the agent reads. Servers may see it, so it has no secret of the service. */
function ownSettings(): Record<string, string | undefined> {
  const settings = Object.entries(process.env).filter(
    ([name]) => /^((AGENT|NODE)_|LOG$)/.test(name) || isOfEngines(name),
  );
  return { ...inherited(), ...Object.fromEntries(settings) };
}

/** Resolves when the agent accepts requests, or has drained at once. Throws with its log if the start fails. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { secret, env = {}, output = 'file' } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const port = options.port === 0 ? await freePort() : options.port;
  const logPath = join(dataDir, 'agent.log');
  const log = output === 'file' ? await open(logPath, 'a', 0o600) : null;
  // The agent has its own process group, so that we pass on Ctrl-C in our order.
  const child = spawn(process.execPath, [AGENT], {
    detached: true,
    windowsHide: true,
    stdio: ['pipe', log?.fd ?? 'inherit', log?.fd ?? 'inherit'],
    env: {
      ...ownSettings(),
      AGENT_PORT: String(port),
      AGENT_SECRET: secret,
      AGENT_DATA: dataDir,
      AGENT_WITH_PARENT: '1',
      ...env,
    },
  });
  const exited = new Promise<number | null>((settle) => {
    child.once('exit', (code) => settle(code));
    child.once('error', () => settle(null));
  });
  await log?.close();
  const agent: Agent = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    exited,
    stop: async () => {
      // Windows has no such signal: `kill` would end the agent at once. It ends when its input does.
      if (isWindows(options.system ?? HERE)) {
        child.stdin?.end();
      } else {
        child.kill('SIGTERM');
      }
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(kill);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
  try {
    await untilReady({ name: 'agent', ...agent }, log === null ? null : logPath);
  } catch (error) {
    // An agent that was killed while it drained has nothing left to do.
    if ((await exited) !== DRAINED) {
      throw error;
    }
  }
  return agent;
}
