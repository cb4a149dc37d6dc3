// Starts the agent of the local fleet (fleet/agent.ts) as a child that ends when we do.

import { spawn } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { inherited } from '../fleet/confine.ts';
import { freePort } from '../fleet/ports.ts';
import { untilReady } from './ready.ts';

const AGENT = fileURLToPath(new URL('../fleet/agent.ts', import.meta.url));
/** Longer than the agent gives its servers to end, and its last reports to be taken. */
const STOP_MS = 15_000;

export interface AgentOptions {
  /** 0: a free one. */
  readonly port: number;
  readonly secret: string;
  /** Holds a folder a server and, unless it is inherited, the agent's log. */
  readonly dataDir: string;
  /** Further settings, see fleet/settings.ts. */
  readonly env?: Readonly<Record<string, string>>;
  readonly output?: 'inherit' | 'file';
}

export interface Agent {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<number | null>;
  /** Its servers end first, and are reported; settled when it is gone. */
  stop(): Promise<void>;
  /** By SIGKILL: its servers end by their keepers; settled when it is gone. */
  kill(): Promise<void>;
}

/** What an agent that we start is told by us; and it has our rights, so it runs servers as nobody else. */
const NOT_HERE = ['DATA', 'HOST', 'PORT', 'RUN', 'SECRET', 'USER', 'WITH_PARENT'];

/** Throws for a setting of the environment that `startAgent` could not heed. */
export function checkAgentSettings(env: Readonly<Record<string, string | undefined>>): void {
  const name = NOT_HERE.map((each) => `AGENT_${each}`).find((each) => (env[each] ?? '') !== '');
  if (name !== undefined) {
    throw new Error(
      `${name} is for an agent that runs by itself, \`npm run agent\` (docs/fleets.md)`,
    );
  }
}

/** Of our environment what the agent reads: servers may see its environment, and no secret of the service. */
function ownSettings(): Record<string, string | undefined> {
  const settings = Object.entries(process.env).filter(([name]) => /^(AGENT|NODE)_/.test(name));
  return { ...inherited(), ...Object.fromEntries(settings) };
}

/** Answers when the agent takes requests; throws with its log when it does not come up. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { secret, env = {}, output = 'file' } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const port = options.port === 0 ? await freePort() : options.port;
  const logPath = join(dataDir, 'agent.log');
  const log = output === 'file' ? await open(logPath, 'a', 0o600) : null;
  // In a process group of its own: Ctrl-C in a terminal is ours to pass on, in our order.
  const child = spawn(process.execPath, [AGENT], {
    detached: true,
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
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(kill);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
  await untilReady({ name: 'agent', ...agent }, log === null ? null : logPath);
  return agent;
}
