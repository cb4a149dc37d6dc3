// A webhook receiver that accepts calls and never answers, beside matches at a steady rate: how many creates are refused,
// of its own project and of another one. `--before` plays the same on another checkout, in turns.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { choice, commandLine, number, word } from '../../scripts/flags.ts';
import { Player } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import { AWAY, pending, type Away } from './pending-hooks.ts';

const { flags } = commandLine({
  command: 'npm run bench:hooks --',
  about: 'A webhook receiver that hangs, beside matches: creates that are refused.',
  flags: {
    rate: number(20, 'matches a second'),
    seconds: number(60, 'how long they come'),
    before: word('', 'another checkout, which is played in turns'),
    rounds: number(1, 'how often each is played'),
    pending: number(0, 'instead: so many events wait for a receiver that is away, and then back'),
    away: choice(['all', ...AWAY], 'all', 'how it is away'),
  },
});
const keyOf = (project: string, kind: string): string => `the ${kind} key of ${project}`;
const API_KEYS = JSON.stringify(
  ['one', 'other'].flatMap((project) =>
    ['client', 'server'].map((kind) => {
      const sha256 = createHash('sha256').update(keyOf(project, kind)).digest('hex');
      return { project, kind, sha256 };
    }),
  ),
);
const SECRET = 'a secret of more than 32 characters, for a bench';

interface Counted {
  asked: number;
  refused: number;
}

async function created(player: Player, counted: Counted): Promise<boolean> {
  counted.asked += 1;
  const { status } = await player.call('POST', '/lobbies/arena', { name: 'Den', forceFresh: true });
  counted.refused += status === 201 ? 0 : 1;
  return status === 201;
}

async function played(root: string | undefined, name: string): Promise<void> {
  const hangs = createServer(() => {});
  await new Promise<void>((done) => hangs.listen(0, '127.0.0.1', done));
  const { port } = hangs.address() as AddressInfo;
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-hooks-'));
  const env = { API_KEYS, FLEET: 'simulated', PRIVATE_PROVIDERS: '1', LIMITS: 'off' };
  const service = await startService({ port: 0, dataDir, env, ...(root ? { root } : {}) });
  try {
    const operator = new Player(service.url, 'operator', keyOf('one', 'server'));
    const url = `http://127.0.0.1:${port}`;
    await operator.ok('PUT', '/projects/hooks', { url, secret: SECRET });
    await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { duel: {} } } });
    const [own, others] = [
      { asked: 0, refused: 0 },
      { asked: 0, refused: 0 },
    ];
    const under: Promise<unknown>[] = [];
    const until = performance.now() + flags.seconds * 1000;
    for (let pair = 0; performance.now() < until; pair += 1) {
      const two = ['a', 'b'].map(async (side) => {
        const player = new Player(service.url, `p${pair}${side}`, keyOf('one', 'client'));
        if (await created(player, own)) {
          await player.call('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
        }
      });
      const other = new Player(service.url, `o${pair}`, keyOf('other', 'client'));
      under.push(...two, ...(pair % 2 === 0 ? [created(other, others)] : []));
      await sleep(1000 / flags.rate);
    }
    await Promise.all(under);
    const told = ({ asked, refused }: Counted): string => `${refused} of ${asked}`;
    console.log(`${name}: creates refused ${told(own)}, of another project ${told(others)}`);
  } finally {
    await service.stop();
    hangs.closeAllConnections();
    hangs.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function waited(away: Away): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-hooks-'));
  const env = { API_KEYS, FLEET: 'simulated', PRIVATE_PROVIDERS: '1', LIMITS: 'off' };
  const service = await startService({ port: 0, dataDir, env });
  try {
    const operator = new Player(service.url, 'operator', keyOf('one', 'server'));
    const key = keyOf('one', 'client');
    const tell = (line: string): void => console.log(line);
    const lost = await pending({ service, operator, key, events: flags.pending, away, tell });
    process.exitCode = lost === 0 ? (process.exitCode ?? 0) : 1;
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

for (const away of flags.pending > 0 ? AWAY : []) {
  if (flags.away === 'all' || flags.away === away) {
    await waited(away);
  }
}
for (let round = 0; flags.pending === 0 && round < flags.rounds; round += 1) {
  if (flags.before !== '') {
    await played(flags.before, 'before');
  }
  await played(undefined, 'here');
}
