// How long others wait while a queue chews. A mode of
// twelve teams with roles has too few tanks and hundreds of parties, each of which asks for a match;
// meanwhile pairs enter a queue of another mode, and `/health` is asked. All over HTTP, one service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { commandLine, number } from '../scripts/flags.ts';
import { startService } from '../scripts/service.ts';
import { cpuMs } from './cpu.ts';
import { Target } from './latency/http.ts';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:busy --',
  about: 'How long others wait while one queue searches on and on.',
  flags: {
    parties: number(500, 'parties in the hard mode'),
    seconds: number(20, 'how long the others are watched'),
  },
});
const PATH = '/lobbies/busy';
const AT_ONCE = 8;
const PAUSE_MS = 50;

let seed = 7;
function unit(): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 4_294_967_296;
}

/** As the first two rows of `bench:worst`: tanks are 6 in 100, half of the players name two roles. */
function role(): string[] {
  const first = unit() < 0.06 ? 'tank' : unit() < 0.25 ? 'heal' : 'dps';
  const other = unit() < 0.5 ? 'heal' : 'dps';
  return unit() < 0.5 && other !== first ? [first, other] : [first];
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-busy-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });
const target = new Target(service.url, 'client_dev_key');

/** As a client does that is told the service is behind: once more, a little later. */
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

async function enterParty(index: number): Promise<void> {
  const size = 1 + Math.floor(unit() * 3);
  const host = `party${index}.0`;
  const lobby = await ask(PATH, host, { name: 'party', maxPlayers: 3, state: { role: role() } });
  const { id } = JSON.parse(lobby) as { readonly id: string };
  for (let member = 1; member < size; member += 1) {
    const body = { lobbyId: id, state: { role: role() } };
    await ask(`${PATH}/join`, `party${index}.${member}`, body);
  }
  await ask(`${PATH}/me/matchmaking`, host, { mode: 'raid' });
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** A player comes and enters the other queue, and `/health` is asked, over and over. */
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
  const raid = { tank: 1, heal: 1, dps: 3 };
  const teams = Array.from({ length: 12 }, (_, team) => [`team${team}`, raid] as const);
  await operator.ok('PUT', '/lobby-configs/busy', 'operator', {
    timeout: 3_600,
    matchmaking: {
      modes: {
        duel: { teams: 2, playersPerTeam: 1 },
        raid: { teams: 12, timeout: 3_600, teamComposition: Object.fromEntries(teams) },
      },
    },
  });
  await watch('warm', 2);
  console.log(await watch('before', 5));
  const parties = flags.parties;
  let next = 0;
  const entering = async (): Promise<void> => {
    for (let index = next++; index < parties; index = next++) {
      await enterParty(index);
    }
  };
  const took = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, entering)));
  console.log(`${parties} parties entered in ${Math.round(took / 1_000)} s`);
  console.log(await watch('chewing', flags.seconds));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
