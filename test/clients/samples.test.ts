// The samples of packages/python and packages/go, two bots each: they meet, stay, and hear of the end. Those of the other packages are
// played by lua.test.ts, csharp.test.ts and godot-server.test.ts.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { DEBIAN_PYTHON, needs, pathOf } from '../support/tools.ts';

const PACKAGES = join(import.meta.dirname, '../../packages');
const SAMPLES = [
  {
    name: 'python',
    isThere: needs('python3'),
    make: async () => [DEBIAN_PYTHON, join(PACKAGES, 'python/samples/duel.py')],
  },
  {
    name: 'go',
    isThere: needs('go'),
    make: async () => {
      const program = join(folder, 'duel');
      const build = ['build', '-o', program, './sample'];
      await promisify(execFile)(pathOf('go'), build, { cwd: join(PACKAGES, 'go') });
      return [program];
    },
  },
];

let folder: string;
let service: Service;
let operator: Player;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-samples-'));
  const env = { FLEET: 'simulated' };
  service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
  operator = new Player(service.url, 'operator', service.serverKey);
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
  await operator.ok('PUT', '/lobby-configs/arena', { heartbeat: true, matchmaking: { modes } });
});

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(SAMPLES.filter(({ isThere }) => isThere))('the sample for $name', ({ make }) => {
  it('plays: both bots get one address, and are back in their lobbies at the end', async () => {
    const [tool = '', ...words] = await make();
    const child = spawn(tool, [...words, service.url]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    try {
      const address = (bot: string): Promise<string> =>
        eventually(
          `${bot} has an address`,
          () => new RegExp(`^${bot} connects to (\\S+)$`, 'm').exec(said)?.[1],
        );
      expect(await address('ann')).toBe(await address('ben'));
      type Servers = { servers: readonly { instance_id: string; status: string }[] };
      const game = await eventually('it is listed', async () =>
        (await operator.ok<Servers>('GET', '/servers')).servers.find(
          ({ status }) => status === 'running',
        ),
      );
      await operator.ok('DELETE', `/servers/${game.instance_id}`);
      await eventually('it has ended', () => child.exitCode !== null);
      expect(said).toMatch(/^ann is back in waiting$/m);
      expect(said).toMatch(/^ben is back in waiting$/m);
      expect(child.exitCode).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
