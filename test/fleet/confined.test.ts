// What an agent lets its servers be and see, with real processes: which programs it starts, as whom,
// and what text of players and which secrets reach them.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BuildLaunch, LaunchSpec } from '../../src/fleet/port';
import { eventually } from '../support/eventually.ts';
import { processesNaming } from '../support/processes.ts';
import { SECRET, startRig } from './harness.ts';
import type { Rig } from './harness.ts';

const IS_ROOT = process.getuid?.() === 0;
const AGENT = fileURLToPath(new URL('../../agent/agent.ts', import.meta.url));

/** Runs to its end, and answers what it printed. */
async function printed(
  rig: Rig,
  launch: BuildLaunch,
  more: Partial<LaunchSpec> = {},
): Promise<string> {
  const spec = rig.spec(launch, more);
  expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
  await rig.service.reportOf(spec.instanceId, 'stopped');
  return readFile(join(rig.dataDir, 'servers', spec.instanceId, 'server.log'), 'utf8');
}

describe('what reaches a game server', () => {
  let rig: Rig;
  beforeAll(async () => {
    process.env['API_KEYS'] = 'canary-of-the-service';
    process.env['MUSTER_VAR_FLEET_SECRET'] = 'canary-of-the-service';
    rig = await startRig({ AGENT_LEASE_MS: '100' });
  });
  afterAll(async () => {
    delete process.env['API_KEYS'];
    delete process.env['MUSTER_VAR_FLEET_SECRET'];
    await rig.end();
  });

  it('has none of the secrets of the service, nor has its keeper or the agent', async () => {
    const env = { OWN: 'of the build' };
    const script = 'env; cat /proc/$PPID/environ';
    const text = await printed(rig, { command: 'sh', args: ['-c', script], env });
    expect(text).toContain('OWN=of the build');
    expect(text).toContain('MUSTER_TOKEN=');
    expect(text).not.toContain('canary');
    expect(text).not.toContain(SECRET);
    const ofAgent = await readFile(`/proc/${rig.agent.pid}/environ`, 'utf8');
    expect(ofAgent).toContain('AGENT_SECRET=');
    expect(ofAgent).not.toContain('canary');
  });

  it('is filled in from a closed list: other names in braces stay as they are', async () => {
    const args = ['[%s]\\n', '{port}', '{region}', '{constructor}', '{name}', '{__proto__}'];
    const text = await printed(rig, { command: 'printf', args });
    expect(text).toMatch(
      /^\[\d+\]\n\[us-east\]\n\[\{constructor\}\]\n\[\{name\}\]\n\[\{__proto__\}\]\n$/,
    );
  });

  it('has names of players on one line, without zero bytes', async () => {
    const name = 'one\nLD_PRELOAD=/tmp/x.so\u0000two\u2028three';
    const text = await printed(rig, { command: 'env' }, { name });
    expect(text).toContain('MUSTER_NAME=one LD_PRELOAD=/tmp/x.so two three\n');
    expect(text).not.toMatch(/^LD_PRELOAD/m);
  });

  it.each(['$(id)', 'a;b', 'a b', 'A', '-rf', '', 'a\nb', 'x'.repeat(33)])(
    'never has the region %j: the launch is refused',
    async (region) => {
      const launched = await rig.fleet.launch(rig.spec({}, { region }));
      expect(launched).toMatchObject({ ok: false, reason: 'refused' });
    },
  );

  it('is logged to be any program, once a second project comes', async () => {
    await printed(rig, { command: 'true' }, { project: 'other' });
    await printed(rig, { command: 'true' }, { project: 'third' });
    const log = await readFile(join(rig.dataDir, 'agent.log'), 'utf8');
    expect(log.match(/can start any program on this machine: see AGENT_COMMANDS/g)).toHaveLength(1);
  });
});

describe('an agent with AGENT_COMMANDS', () => {
  let rig: Rig;
  let games: string;
  beforeAll(async () => {
    games = await mkdtemp(join(tmpdir(), 'muster-games-'));
    await copyFile('/bin/echo', join(games, 'server'));
    await copyFile('/bin/env', join(games, 'env'));
    await symlink('/bin/sh', join(games, 'link'));
    await mkdir(`${games}-beside`);
    await copyFile('/bin/echo', join(`${games}-beside`, 'server'));
    rig = await startRig({ AGENT_COMMANDS: `/nowhere:${games}`, AGENT_ENV: 'RUST_LOG, Locale' });
  });
  afterAll(async () => {
    await rig.end();
    await rm(games, { recursive: true });
    await rm(`${games}-beside`, { recursive: true });
  });

  it('starts what lies below them, and the game server of its own', async () => {
    expect(await printed(rig, { command: join(games, 'server'), args: ['hi'] })).toBe('hi\n');
    const own = rig.spec();
    expect(await rig.fleet.launch(own)).toMatchObject({ ok: true });
    await rig.fleet.stop(own.instanceId);
  });

  it('refuses every other program, however it is written', async () => {
    const others = [
      '/bin/sh',
      'sh',
      `${games}-beside/server`,
      join(games, 'link'),
      `${games}/../../bin/sh`,
    ];
    for (const command of others) {
      const launched = await rig.fleet.launch(rig.spec({ command }));
      expect([command, launched]).toMatchObject([command, { ok: false, reason: 'refused' }]);
    }
  });

  it.each([
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PATH',
    'BASH_ENV',
    'PS4',
    'PYTHONSTARTUP',
    'OPENSSL_CONF',
    'OPENSSL_MODULES',
    'PHPRC',
    'ERL_FLAGS',
    'HOME',
    'game_map',
    'XGAME_MAP',
  ])('refuses a build that sets %s: a program may run other code by it', async (name) => {
    const launch = { command: join(games, 'server'), env: { [name]: 'x' } };
    expect(await rig.fleet.launch(rig.spec(launch))).toMatchObject({
      ok: false,
      detail: expect.stringContaining(
        `${name}: AGENT_ENV of the agent does not name this variable`,
      ),
    });
  });

  it('takes variables of games, and those that AGENT_ENV names', async () => {
    const wanted = { GAME_MAP: 'dunes', MUSTER_MAP: 'canyon', RUST_LOG: 'debug', Locale: 'C' };
    const text = await printed(rig, { command: join(games, 'env'), env: wanted });
    const lines = Object.entries(wanted).map(([name, value]) => `${name}=${value}`);
    expect(text.split('\n')).toEqual(expect.arrayContaining(lines));
  });
});

describe.runIf(IS_ROOT)('an agent with AGENT_USER', () => {
  let rig: Rig;
  let run: string;
  beforeAll(async () => {
    run = join(await mkdtemp(join(tmpdir(), 'muster-run-')), 'run');
    await chmod(join(run, '..'), 0o755);
    rig = await startRig({ AGENT_USER: 'nobody', AGENT_RUN: run });
  });
  afterAll(async () => {
    await rig.end();
    await rm(join(run, '..'), { recursive: true });
  });

  it('gives a kept folder to that user, for one server after the other', async () => {
    const script = 'id -un >>"$MUSTER_KEEP/runs"; wc -l <"{keep}/runs"';
    const launch = { command: 'sh', args: ['-c', script], keep: 'world' };
    expect(await printed(rig, launch)).toBe('1\n');
    expect(await printed(rig, launch)).toBe('2\n');
    const kept = join(run, 'keep', 'dev', 'default', 'world', 'runs');
    expect(await readFile(kept, 'utf8')).toBe('nobody\nnobody\n');
  });

  it('gives files to that user', async () => {
    const script = 'stat -c %U-%a a/b.cfg a';
    const launch = { command: 'sh', args: ['-c', script], files: { 'a/b.cfg': '' } };
    expect(await printed(rig, launch)).toBe('nobody-600\nnobody-700\n');
  });

  it('runs servers as that user, who sees its own folder and none of our data', async () => {
    const script = `
      id -un; id -G
      cat "$MUSTER_CONFIG" >/dev/null && echo config read
      touch {folder}/mine && echo folder written; pwd; echo "$HOME"
      ls ${rig.dataDir} || echo data closed
      ls ${run} || echo others closed
      cat /proc/${rig.agent.pid}/environ || echo agent closed
    `;
    const text = await printed(rig, { command: 'sh', args: ['-c', script] });
    const said = text.split('\n').filter((line) => !/Permission denied/.test(line));
    const folder = said[4] ?? '';
    expect(folder.startsWith(`${run}/`)).toBe(true);
    expect(said).toEqual([
      'nobody',
      expect.stringMatching(/^\d+$/),
      'config read',
      'folder written',
      folder,
      folder,
      'data closed',
      'others closed',
      'agent closed',
      '',
    ]);
    expect((await stat(rig.dataDir)).mode & 0o777).toBe(0o700);
    await eventually('its folder is gone', async () =>
      stat(folder).then(
        () => false,
        () => true,
      ),
    );
  });

  it('gives them no rights, no open file of ours, and nothing to write or end outside of their folder', async () => {
    const script = `
      grep -E '^Cap(Eff|Prm|Inh|Amb):' /proc/self/status | tr -d '\\t'
      for fd in /proc/$$/fd/*; do readlink "$fd"; done
      for path in ${rig.dataDir} ${rig.dataDir}/servers ${run} ${AGENT} /etc/passwd; do
        (: >> "$path" || : > "$path/mine") 2>/dev/null && echo "wrote $path"
      done
      for pid in ${process.pid} ${rig.agent.pid}; do kill -9 "$pid" 2>/dev/null && echo "ended $pid"; done
      echo done
    `;
    const text = await printed(rig, { command: 'sh', args: ['-c', script] });
    const said = text.split('\n');
    const none = '0'.repeat(16);
    expect(said.slice(0, 4).toSorted()).toEqual(
      ['Amb', 'Eff', 'Inh', 'Prm'].map((each) => `Cap${each}:${none}`),
    );
    const open = said.slice(4, -2).filter((path) => !/^\/dev\/null$|^pipe:/.test(path));
    expect(open.filter((path) => !path.endsWith('/server.log'))).toEqual([]);
    expect(said.slice(-2)).toEqual(['done', '']);
    expect((await fetch(`${rig.agent.url}/health`)).status).toBe(200);
  });

  it('ends one that has ended its keeper, and tells of it', async () => {
    const spec = rig.spec({ command: 'sh', args: ['-c', 'kill -9 $PPID; sleep 1000'] });
    expect(await rig.fleet.launch(spec)).toMatchObject({ ok: true });
    const { report } = await rig.service.reportOf(spec.instanceId, 'stopped');
    expect(report).toMatchObject({ exit_code: null });
    await eventually(
      'none of its processes is left',
      async () => (await processesNaming(spec.instanceId)).length === 0,
    );
  });

  it('stops them, and removes nothing that a server has made its folder point to', async () => {
    const target = await mkdtemp(join(tmpdir(), 'muster-target-'));
    const script = `ln -s ${target} {folder}/away; rm {folder}/muster.json; ln -s ${target} {folder}/muster.json; sleep 1000`;
    const spec = rig.spec({ command: 'sh', args: ['-c', script] });
    await rig.fleet.launch(spec);
    await eventually('the links', () => stat(join(run, spec.instanceId, 'away')));
    await rig.fleet.stop(spec.instanceId);
    await rig.service.reportOf(spec.instanceId, 'stopped');
    await eventually('its folder is gone', async () =>
      stat(join(run, spec.instanceId)).then(
        () => false,
        () => true,
      ),
    );
    expect((await stat(target)).isDirectory()).toBe(true);
    await rm(target, { recursive: true });
  });

  it('removes a folder that a server has closed to everybody, with its lease', async () => {
    const script = 'mkdir -p {folder}/closed/inner && chmod 0 {folder}/closed';
    const spec = rig.spec({ command: 'sh', args: ['-c', script] });
    await rig.fleet.launch(spec);
    await rig.service.reportOf(spec.instanceId, 'stopped');
    const left = [
      join(run, spec.instanceId),
      join(rig.dataDir, 'servers', spec.instanceId, 'lease.json'),
    ];
    await eventually('both are gone', () => left.every((path) => !existsSync(path)));
  });
});

describe('an agent with settings that cannot be', () => {
  /** What it says, and with which code it ends. */
  async function ending(
    env: Readonly<Record<string, string>>,
    as: { readonly uid?: number } = {},
  ): Promise<readonly [number | null, string]> {
    const dataDir = await mkdtemp(join(tmpdir(), 'muster-user-'));
    const child = spawn(process.execPath, [AGENT], {
      ...as,
      env: { PATH: process.env['PATH'], AGENT_SECRET: SECRET, AGENT_DATA: dataDir, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk) => (text += String(chunk)));
    const code = await new Promise<number | null>((settle) => child.once('close', settle));
    await rm(dataDir, { recursive: true });
    return [code, text];
  }

  it('does not start servers as another user unless it is root', async () => {
    const plain = IS_ROOT ? { uid: 65_534 } : {};
    const [code, text] = await ending({ AGENT_USER: 'daemon' }, plain);
    expect(code).toBe(1);
    expect(text).toContain('AGENT_USER needs an agent that runs as root');
  });

  it('says which variable cannot be allowed', async () => {
    const said = [
      await ending({ AGENT_ENV: 'RUST_LOG' }),
      await ending({ AGENT_ENV: 'RUST_*', AGENT_COMMANDS: '/opt/games' }),
    ].map(([, text]) => /^agent: (.*)\n$/.exec(text)?.[1]);
    expect(said).toEqual([
      'AGENT_ENV needs AGENT_COMMANDS: without it builds may set any variable',
      'AGENT_ENV must list names of variables, separated by commas, not "RUST_*"',
    ]);
  });

  it.runIf(IS_ROOT)('says which setting is wrong', async () => {
    const said = [
      await ending({ AGENT_USER: 'no-such-user' }),
      await ending({ AGENT_USER: 'root' }),
      await ending({ AGENT_USER: 'nobody', AGENT_ADOPT: '1' }),
      await ending({ AGENT_COMMANDS: 'games' }),
    ].map(([, text]) => /^agent: (.*)\n$/.exec(text)?.[1]);
    expect(said).toEqual([
      'AGENT_USER: there is no user "no-such-user" on this machine',
      'AGENT_USER must not be root',
      'AGENT_USER cannot be used together with AGENT_ADOPT',
      'AGENT_COMMANDS must list absolute folders, not "games"',
    ]);
  });
});
