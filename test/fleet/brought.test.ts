// What a build brings along and keeps: files, a home, and a folder that outlives its servers.

import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BuildLaunch } from '../../src/fleet/port';
import { eventually } from '../support/eventually';
import { startRig, type Rig } from './harness';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.end());

/** A server that does this first, and then opens its port. */
function server(first: string): BuildLaunch {
  const open = `require('node:dgram').createSocket('udp4').bind(Number(process.argv[1]))`;
  const script = `${first}\nexec "$0" -e "${open}" {port}`;
  return { command: '/bin/sh', args: ['-c', script, process.execPath] };
}

/** Where the agent has what belongs to a server. */
function folderOf(instanceId: string): string {
  return join(rig.dataDir, 'servers', instanceId);
}

async function runs(launch: BuildLaunch): Promise<string> {
  const spec = rig.spec(launch);
  expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
  await rig.service.reportOf(spec.instanceId, 'running');
  return spec.instanceId;
}

async function stops(instanceId: string): Promise<void> {
  await rig.fleet.stop(instanceId);
  await rig.service.reportOf(instanceId, 'stopped');
}

describe('files of a build', () => {
  it('are there before its server starts, filled in, for nobody else, and gone afterwards', async () => {
    const files = {
      'server.cfg': 'port={port}\nid={instance_id}\nother={braces} {"json": 1}\n',
      'config/deep/name with blank.txt': '{folder}',
    };
    const first = 'cat {folder}/server.cfg; cat "{folder}/config/deep/name with blank.txt"';
    const id = await runs({ ...server(first), files });
    const folder = folderOf(id);
    const output = await eventually('its output', async () => {
      const said = await readFile(join(folder, 'server.log'), 'utf8');
      return said.includes(folder) ? said : null;
    });
    expect(output).toMatch(
      new RegExp(`^port=\\d+\nid=${id}\nother={braces} {"json": 1}\n${folder}$`),
    );
    expect((await stat(join(folder, 'server.cfg'))).mode & 0o777).toBe(0o600);
    await writeFile(join(folder, 'config', 'saved by the server'), '');
    await stops(id);
    await eventually('they are gone', () => !existsSync(join(folder, 'server.cfg')));
    expect(await readdir(join(folder, 'config'))).toEqual(['deep', 'saved by the server']);
  });

  it('replace what lies beside the program, and follow no link out of the folder', async () => {
    const home = join(rig.dataDir, 'game of its own');
    await mkdir(join(home, 'Data'), { recursive: true });
    await writeFile(join(home, 'server.cfg'), 'shared by all servers');
    await writeFile(join(home, 'run.sh'), '#!/bin/sh\ncat server.cfg\nexec sleep 60\n', {
      mode: 0o755,
    });
    await symlink('/tmp', join(home, 'away'));
    const launch = { command: join(home, 'run.sh'), ownFolder: true };
    for (const path of ['game/Data/a.cfg', 'game/away/a.cfg']) {
      const refused = await rig.fleet.launch(rig.spec({ ...launch, files: { [path]: 'x' } }));
      expect(refused).toMatchObject({ reason: 'refused', detail: /leads out of the folder/ });
    }
    const spec = rig.spec({ ...launch, files: { 'game/server.cfg': 'its own' } });
    await rig.fleet.launch(spec);
    const path = join(folderOf(spec.instanceId), 'server.log');
    await eventually('its output', async () => (await readFile(path, 'utf8')) === 'its own');
    expect(await readFile(join(home, 'server.cfg'), 'utf8')).toBe('shared by all servers');
    await rig.fleet.stop(spec.instanceId);
  });

  it.each(['../escaped', '/tmp/escaped', 'a/../../escaped', 'lease.json', 'server.log'])(
    'are refused with the path %s, whoever sends it',
    async (path) => {
      const launched = await rig.fleet.launch(rig.spec({ ...server(''), files: { [path]: '' } }));
      const detail = expect.stringContaining(`build.launch.files.${path}: `);
      expect(launched).toMatchObject({ ok: false, reason: 'refused', detail });
    },
  );

  it('need leave where programs are limited', async () => {
    const launch = { command: '/bin/sleep', args: ['60'], files: { 'a.cfg': '' } };
    const answers = ['0', '1'].map(async (AGENT_FILES) => {
      const limited = await startRig({ AGENT_COMMANDS: '/bin:/usr/bin', AGENT_FILES });
      try {
        return await limited.fleet.launch(limited.spec(launch));
      } finally {
        await limited.end();
      }
    });
    const detail = 'build default: launch.files needs AGENT_FILES=1 beside AGENT_COMMANDS';
    expect(await Promise.all(answers)).toMatchObject([{ reason: 'refused', detail }, { ok: true }]);
  });
});

describe('the home of a server', () => {
  it.each<[string, Readonly<Record<string, string>>, (folder: string) => string]>([
    ['is its own folder', {}, (folder) => folder],
    ['is what the build says', { HOME: '/var/empty' }, () => '/var/empty'],
  ])('%s', async (_, env, expected) => {
    const id = await runs({ ...server('echo "home $HOME"'), env });
    const said = await readFile(join(folderOf(id), 'server.log'), 'utf8');
    expect(said).toContain(`home ${expected(folderOf(id))}\n`);
    await stops(id);
  });
});

describe('a folder that a build keeps', () => {
  const counting = {
    ...server('echo x >>"$MUSTER_KEEP/runs"; wc -l <"{keep}/runs"'),
    keep: 'world',
  };

  async function countOf(id: string): Promise<number> {
    return Number(await readFile(join(folderOf(id), 'server.log'), 'utf8'));
  }

  it('is there again for the next server, which waits until the first has ended', async () => {
    const first = await runs(counting);
    expect(await countOf(first)).toBe(1);
    const next = rig.spec(counting);
    expect(await rig.fleet.launch(next)).toMatchObject({
      reason: 'no_capacity',
      detail: 'another server of the build has the folder that it keeps (launch.keep)',
    });
    await stops(first);
    expect(await rig.fleet.launch(next)).toMatchObject({ ok: true });
    await rig.service.reportOf(next.instanceId, 'running');
    expect(await countOf(next.instanceId)).toBe(2);
    // Of another name, or of another build, it is another folder.
    const other = await runs({ ...counting, keep: 'lobby' });
    expect(await countOf(other)).toBe(1);
    const ofOther = rig.spec(counting);
    await rig.fleet.launch({ ...ofOther, build: { ...ofOther.build, name: '..' } });
    await rig.service.reportOf(ofOther.instanceId, 'running');
    expect(await countOf(ofOther.instanceId)).toBe(1);
    expect((await readdir(join(rig.dataDir, 'keep', 'dev'))).toSorted()).toEqual([
      '%2E.',
      'default',
    ]);
    await Promise.all([next.instanceId, other, ofOther.instanceId].map(stops));
  });

  it('has one server also while the one of a killed agent ends', async () => {
    const own = await startRig();
    const slow = `process.on('SIGTERM', () => {}); require('node:dgram').createSocket('udp4').bind({port})`;
    const launch = { command: process.execPath, args: ['-e', slow], keep: 'world' };
    const first = own.spec(launch);
    await own.fleet.launch(first);
    await own.service.reportOf(first.instanceId, 'running');
    await own.agent.kill();
    const again = await own.startAgain();
    try {
      const second = again.spec(launch);
      expect(await again.fleet.launch(second)).toMatchObject({ reason: 'no_capacity' });
      await again.service.reportOf(first.instanceId, 'stopped');
      expect(await again.fleet.launch(second)).toMatchObject({ ok: true });
    } finally {
      await again.end();
    }
  });

  it('has one server also when the next agent adopts it', async () => {
    const own = await startRig({ AGENT_ADOPT: '1' });
    const first = own.spec({ ...server(''), keep: 'world' });
    await own.fleet.launch(first);
    await own.service.reportOf(first.instanceId, 'running');
    await own.agent.kill();
    const again = await own.startAgain();
    try {
      const second = again.spec({ ...server(''), keep: 'world' });
      expect(await again.fleet.launch(second)).toMatchObject({ reason: 'no_capacity' });
      await again.fleet.stop(first.instanceId);
      await again.service.reportOf(first.instanceId, 'stopped');
      expect(await again.fleet.launch(second)).toMatchObject({ ok: true });
    } finally {
      await again.end();
    }
  });
});
