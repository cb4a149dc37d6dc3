// How long others wait while one queue searches. Lobbies of the hard mode share no map, and an expression compares
// their lists of maps: about half a millisecond for each pair, which no index can answer. Meanwhile pairs enter the
// queue of another mode, and `/health` is asked. Everything goes over HTTP to one service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { commandLine, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { cpuMs } from './cpu.ts';
import { Target } from './latency/http.ts';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:busy --',
  about: 'How long others wait while one queue searches on and on.',
  flags: {
    lobbies: number(1_000, 'lobbies in the hard mode'),
    seconds: number(20, 'how long the others are watched'),
  },
});
const PATH = '/lobbies/busy';
const AT_ONCE = 8;
const PAUSE_MS = 50;

/** Takes nearly as many steps as an evaluation may. */
const SHARE_A_MAP = 'a.metadata.maps.exists(m, m in b.metadata.maps)';
const MAPS = 60;

const dataDir = await mkdtemp(join(tmpdir(), 'muster-busy-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });
const target = new Target(service.url, 'client_dev_key');

/** As a client does when the service says that it is behind: it tries once more, a little later. */
async function ask(path: string, player: string, body: object): Promise<string> {
  for (;;) {
    const { status, text } = await target.ask('POST', path, player, JSON.stringify(body));
    if (status < 300) {
      return text;
    }
    if (status !== 503) {
      throw new Error(`POST ${path} -> ${status} ${text}`);
    }
    await sleep(100);
  }
}

async function enterHard(index: number): Promise<void> {
  const player = `hard${index}`;
  const maps = Array.from({ length: MAPS }, (_, map) => `map-${index}-${map}`);
  await ask(PATH, player, { name: 'hard', maxPlayers: 1, settings: { maps } });
  await ask(`${PATH}/me/matchmaking`, player, { mode: 'hard' });
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Again and again, a player comes and enters the other queue, and `/health` is asked. */
async function watch(name: string, seconds: number): Promise<string> {
  const [enters, healths, all]: [number[], number[], number[]] = [[], [], []];
  const before = (await cpuMs(service.pid)).all;
  const begun = performance.now();
  for (let index = 0; performance.now() - begun < seconds * 1_000; index += 1) {
    const player = `${name}${index}`;
    all.push(await timed(() => ask(PATH, player, { name: 'one', maxPlayers: 1 })));
    enters.push(await timed(() => ask(`${PATH}/me/matchmaking`, player, { mode: 'duel' })));
    healths.push(await timed(() => fetch(`${service.url}/health`)));
    await sleep(PAUSE_MS);
  }
  const busy = ((await cpuMs(service.pid)).all - before) / (performance.now() - begun);
  const told = (what: string, times: readonly number[]): string => {
    const { p50, p99, max } = spread(times);
    return `${what} ${times.length}: p50 ${p50}, p99 ${p99}, slowest ${max} ms`;
  };
  return [
    `${name}, the service uses ${Math.round(busy * 100)} % of a processor`,
    told('enter of the other mode', enters),
    told('/health', healths),
    told('creating a lobby', all),
  ].join('\n  ');
}

try {
  const operator = new Target(service.url, service.serverKey);
  const rules = [{ type: 'expression', cel: SHARE_A_MAP }];
  await operator.ok('PUT', '/lobby-configs/busy', 'operator', {
    timeout: 3_600,
    matchmaking: {
      modes: {
        duel: { teams: 2, playersPerTeam: 1 },
        hard: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules },
      },
    },
  });
  await watch('warm', 2);
  console.log(await watch('before', 5));
  const { lobbies } = flags;
  let next = 0;
  const entering = async (): Promise<void> => {
    for (let index = next++; index < lobbies; index = next++) {
      await enterHard(index);
    }
  };
  const took = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, entering)));
  console.log(`${lobbies} lobbies entered in ${Math.round(took / 1_000)} s`);
  console.log(await watch('chewing', flags.seconds));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
