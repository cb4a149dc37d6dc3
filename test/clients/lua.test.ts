// packages/lua in Lua 5.1: its sample plays, and its JSON is that of everybody.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs, needsLibrary, pathOf } from '../support/tools.ts';

const HAS_LUA = needs('lua5.1') && needsLibrary('lua-socket');
const PACKAGE = join(import.meta.dirname, '../../packages/lua');

let folder: string;
let service: Service;

beforeAll(async () => {
  if (HAS_LUA) {
    folder = await mkdtemp(join(tmpdir(), 'muster-lua-'));
    const env = { FLEET: 'simulated' };
    service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
  }
});

afterAll(async () => {
  await service?.stop();
  if (HAS_LUA) {
    await rm(folder, { recursive: true, force: true });
  }
});

describe.runIf(HAS_LUA)('the package for Lua', () => {
  it('plays its sample: two copies meet, stay, and hear of the end', async () => {
    const operator = new Player(service.url, 'operator', service.serverKey);
    const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
    await operator.ok('PUT', '/lobby-configs/quickstart', {
      heartbeat: true,
      matchmaking: { modes },
    });
    const env = { ...process.env, MUSTER_URL: service.url };
    const both = [0, 1].map(() => {
      const child = spawn(pathOf('lua5.1'), ['sample/duel.lua'], { cwd: PACKAGE, env });
      const one = { child, said: '' };
      child.stdout.on('data', (chunk: Buffer) => (one.said += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (one.said += chunk.toString()));
      return one;
    });
    try {
      const met = both.map((one) =>
        eventually('it has an address', () => /^Connect to (\S+), team ([01])$/m.exec(one.said)),
      );
      const [ann, ben] = await Promise.all(met);
      expect(ann?.[1]).toBe(ben?.[1]);
      expect(ann?.[2]).not.toBe(ben?.[2]);
      type Servers = { servers: readonly { instance_id: string; status: string }[] };
      const game = await eventually('it is listed', async () =>
        (await operator.ok<Servers>('GET', '/servers')).servers.find(
          ({ status }) => status === 'running',
        ),
      );
      await operator.ok('DELETE', `/servers/${game.instance_id}`);
      await eventually('both have ended', () => both.every(({ child }) => child.exitCode !== null));
      for (const { said, child } of both) {
        expect(said).toContain('The game is over, and the lobby is waiting\n');
        expect(child.exitCode).toBe(0);
      }
    } finally {
      both.forEach(({ child }) => child.kill('SIGKILL'));
    }
  });

  it.each([
    ['{"a":[1,null,{}],"b":"é😀\\u0007\\"\\\\","c":[],"d":-1.5,"e":{"f":true,"g":false}}'],
    ['[[],"",0,1e-7,9007199254740991,"\\u000b"]'],
  ])('reads and writes %s as everybody does', async (json) => {
    const program = `package.path = "./?.lua;" .. package.path
      local muster = require("muster")
      print(muster.encode(muster.decode(arg[1])))`;
    const path = join(folder, 'json.lua');
    await writeFile(path, program);
    const { stdout } = await promisify(execFile)(pathOf('lua5.1'), [path, json], { cwd: PACKAGE });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(json));
  });

  it.each(['{"a":}', '[1,,2]', '"x', '{"a" 1}', 'nope', '[1', ''])('refuses %s', async (json) => {
    const program = `package.path = "./?.lua;" .. package.path
      print(pcall(require("muster").decode, ${JSON.stringify(json)}))`;
    const { stdout } = await promisify(execFile)(pathOf('lua5.1'), ['-e', program], {
      cwd: PACKAGE,
    });
    expect(stdout).toMatch(/^false/);
  });
});
