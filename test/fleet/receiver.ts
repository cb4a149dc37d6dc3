// Starts the example receiver (examples/fleet-receiver) as a process of its own.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { freePort } from '../../agent/ports.ts';
import { eventually } from '../support/eventually.ts';

export const RECEIVER_SECRET = 'a-secret-of-more-than-32-characters';
const PROGRAM = fileURLToPath(
  new URL('../../examples/fleet-receiver/receiver.mjs', import.meta.url),
);

export interface Receiver {
  readonly url: string;
  readonly pid: number;
  end(): Promise<void>;
}

export async function startReceiver(env: Readonly<Record<string, string>> = {}): Promise<Receiver> {
  const port = await freePort();
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      FLEET_SECRET: RECEIVER_SECRET,
      GAME_COMMAND: JSON.stringify(['sleep', '1000']),
      PORT: String(port),
      ...env,
    },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  await eventually('the receiver listens', () => said.includes('listens'));
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    end: async () => {
      child.kill();
      await exited;
    },
  };
}
