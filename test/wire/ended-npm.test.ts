// `npm start` by npm itself: whichever of its processes is told to end or killed, nothing is left running.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { processesNaming } from '../support/processes.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-npm-'));
});

afterEach(() => rm(dataDir, { recursive: true, force: true }));

it.each([
  ['npm', 'SIGTERM'],
  ['npm', 'SIGHUP'],
  ['npm', 'SIGKILL'],
  ['its child', 'SIGTERM'],
  ['its child', 'SIGKILL'],
] as const)('%s by %s', async (who, signal) => {
  const env = { ...process.env, MUSTER_DATA: dataDir, PORT: String(await freePort()) };
  const npm = spawn('npm', ['start'], { cwd: PROJECT, env });
  let printed = '';
  for (const output of [npm.stdout, npm.stderr]) {
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const isReady = (): boolean => printed.includes('me/start');
  await eventually('it is ready, or over', () => isReady() || npm.exitCode !== null);
  expect(printed).toContain('me/start');
  const children = await readFile(`/proc/${npm.pid}/task/${npm.pid}/children`, 'utf8');
  const child = Number.parseInt(children, 10);
  const ended = once(npm, 'exit');
  process.kill(who === 'npm' ? (npm.pid ?? 0) : child, signal);
  await ended;
  await eventually('nothing is left', async () => {
    const left = await processesNaming(dataDir);
    return left.length === 0 ? true : Promise.reject(new Error(left.join('\n')));
  });
});
