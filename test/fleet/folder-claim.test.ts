// One service and one agent for each folder, by whatever name it is reached and from whichever container.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { claimFolder, holderOf } from '../../agent/folder-claim.ts';
import { setAside } from '../../scripts/database.ts';
import { startAgent } from '../../scripts/local-agent.ts';
import { startService } from '../../scripts/service.ts';
import { mayMount } from '../support/tools.ts';
import { isAlive } from '../support/processes.ts';
import { SECRET, startRig } from './harness.ts';

const root = fileURLToPath(new URL('worker', import.meta.url));
const scripts = fileURLToPath(new URL('../../scripts', import.meta.url));
const CLAIM = fileURLToPath(new URL('../../agent/folder-claim.ts', import.meta.url));
/** A network and processes of its own, as in another container on the volume. */
const CONTAINER = ['unshare', '--net', '--pid', '--fork', '--mount-proc', '--kill-child'];

let folder: string;
let link: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-claim-'));
  await mkdir(join(folder, 'data'));
  link = join(folder, 'link');
  await symlink('data', link);
});
afterEach(async () => {
  children.splice(0).forEach((each) => each.kill('SIGKILL'));
  await rm(folder, { recursive: true, force: true });
});

/** Runs a module, and resolves with its first line. */
async function says(
  program: string,
  before: readonly string[] = [],
): Promise<[ChildProcess, string]> {
  const words = [...before, process.execPath, '--input-type=module', '-e', program];
  const child = spawn(words[0] ?? '', words.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const line = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout?.on('data', (part) => {
      text += String(part);
      if (text.includes('\n')) {
        resolve(text.trim());
      }
    });
    child.once('exit', () => resolve(text.trim()));
  });
  return [child, line];
}

function claiming(path: string): string {
  return `
    import { claimFolder } from ${JSON.stringify(CLAIM)};
    console.log(await claimFolder(${JSON.stringify(path)}, 'agent') === null ? 'taken' : 'has it');
    setInterval(() => {}, 1000);
  `;
}

describe('a folder', () => {
  it('is free at once when its holder is killed, and is held until then', async () => {
    const [child, line] = await says(claiming(join(folder, 'data')));
    expect(line).toBe('has it');
    expect(await claimFolder(link, 'agent')).toBeNull();
    expect(await holderOf(link, 'agent')).toBe(` (pid ${child.pid})`);
    // The service has a lock of its own.
    const service = await claimFolder(link, 'service');
    expect(service).not.toBeNull();
    service?.();
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const mine = await claimFolder(link, 'agent');
    expect(mine).not.toBeNull();
    mine?.();
  });

  it('has one holder of many that come at once', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => says(claiming(link))));
    expect(all.map(([, line]) => line).toSorted()).toEqual(['has it', ...Array(5).fill('taken')]);
  });

  it('that a link names is in use by the service in it', async () => {
    const options = {
      port: 0,
      root,
      worker: join(root, 'worker.js'),
      placement: 'objects',
    } as const;
    const service = await startService({ ...options, dataDir: join(folder, 'data'), env: {} });
    try {
      await expect(startService({ ...options, dataDir: link, env: {} })).rejects.toThrow(
        `in use by another service (pid ${process.pid}): stop it`,
      );
      await expect(setAside(link)).rejects.toThrow('in use by a service');
      expect(await isAlive(service.pid)).toBe(true);
    } finally {
      await service.stop();
    }
  });

  it('that a link names is in use by the agent in it, whose games go on', async () => {
    const env = { AGENT_GRACE_MS: '0' };
    const agent = await startAgent({ port: 0, secret: SECRET, dataDir: join(folder, 'data'), env });
    try {
      const options = { port: 0, secret: SECRET, dataDir: link, env };
      await expect(startAgent(options)).rejects.toThrow(
        `in use by another agent (pid ${agent.pid})`,
      );
    } finally {
      await agent.stop();
    }
  });
});

describe.runIf(mayMount('tmpfs'))('in another container on the volume', () => {
  it('a folder is in use', async () => {
    const release = await claimFolder(join(folder, 'data'), 'agent');
    const [, line] = await says(claiming(link), CONTAINER);
    expect(line).toBe('taken');
    release?.();
  });

  it('a second service leaves the first one and its workerd alone', async () => {
    const dataDir = join(folder, 'data');
    const options = {
      port: 0,
      dataDir,
      root,
      worker: join(root, 'worker.js'),
      placement: 'objects',
      env: {},
    } as const;
    const program = `
      import { startService } from ${JSON.stringify(join(scripts, 'service.ts'))};
      const said = await startService(${JSON.stringify({ ...options, dataDir: link })}).catch((error) => error.message);
      console.log(typeof said === 'string' ? said : 'started');
      process.exit();
    `;
    const service = await startService(options);
    try {
      const [, line] = await says(program, CONTAINER);
      expect(line).toBe(
        `${dataDir} is in use by another service: stop it, or set MUSTER_DATA to another folder`,
      );
      expect(await isAlive(service.pid)).toBe(true);
      expect(await readFile(join(dataDir, 'service.group'), 'utf8')).not.toBe('');
    } finally {
      await service.stop();
    }
  });

  it('a second agent leaves the first one and its games alone', async () => {
    const rig = await startRig({}, folder);
    const options = { port: 0, secret: SECRET, dataDir: rig.dataDir, env: { AGENT_GRACE_MS: '0' } };
    const program = `
      import { startAgent } from ${JSON.stringify(join(scripts, 'local-agent.ts'))};
      const said = await startAgent(${JSON.stringify(options)}).catch((error) => error.message);
      console.log(typeof said === 'string' ? JSON.stringify(said) : 'started');
      process.exit();
    `;
    try {
      const spec = rig.spec({ command: 'sh', args: ['-c', 'sleep 1000'] });
      expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
      const pid = await rig.pidOf(spec.instanceId);
      const [, line] = await says(program, CONTAINER);
      expect(line).toContain(`${rig.dataDir} is in use by another agent: stop it`);
      expect(await isAlive(pid)).toBe(true);
      expect(await isAlive(rig.agent.pid)).toBe(true);
      expect(await rig.fleet.inspect(spec.instanceId)).toMatchObject({ state: 'launching' });
    } finally {
      await rig.end();
    }
  });
});
