// A box whose wall clock is set back, as by NTP or on a machine that was asleep. The processes are real; a library moves
// their clock.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';
import { npmStart, type Started } from './npm-start.ts';

const SOURCE = fileURLToPath(new URL('../support/moved-clock.c', import.meta.url));
const ANSWER_MS = 3_000;

let folder: string;
let clockFile: string;
let library: string;
let box: Started;

async function setBack(ms: number): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(ms));
  await writeFile(clockFile, bytes, { flag: 'r+' });
}

/** Has the library loaded into all that the starter starts, workerd too, which gets no variables of ours. */
function everywhere(): string {
  const env = JSON.stringify({ LD_PRELOAD: library, CLOCK_FILE: clockFile });
  const program = `
    import processes from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    const { spawn } = processes;
    processes.spawn = (command, words, options) =>
      spawn(command, words, { ...options, env: { ...(options.env ?? process.env), ...${env} } });
    syncBuiltinESMExports();
  `;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

/** Whether a player gets a lobby, or has got it although the answer was lost. */
async function isAnswered(player: string): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${box.port}/v3/lobbies/main`, {
    method: 'POST',
    headers: { 'api-key': 'client_dev_key', 'x-player-id': player },
    body: '{"name":"den"}',
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.body?.cancel();
  return answer.status === 201 || answer.status === 409;
}

describe.runIf(needs('gcc'))('a box', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-clock-'));
    clockFile = join(folder, 'behind');
    library = join(folder, 'moved-clock.so');
    await writeFile(clockFile, Buffer.alloc(8));
    execFileSync(pathOf('gcc'), ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
    box = await npmStart(join(folder, 'data'), {
      LD_PRELOAD: library,
      CLOCK_FILE: clockFile,
      NODE_OPTIONS: everywhere(),
    });
  }, 180_000);

  afterAll(async () => {
    await box.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['a minute', 0, 60],
    ['an hour', 60, 3_660],
  ])(
    'whose clock is set back by %s answers new work, and its timers run',
    async (name, before, seconds) => {
      const id = (n: number): string => `${name.replace(' ', '-')}-${n}`;
      expect(await isAnswered(id(0))).toBe(true);
      await setBack(seconds * 1_000);
      // More than begin in one turn of the loop.
      for (let n = 1; n < 40; n += 1) {
        await eventually(`an answer to ${id(n)}`, () => isAnswered(id(n)));
      }
      const said = `the clock was set back by ${seconds - before} s`;
      // The line comes before the process ends. What is sent between the two is cut.
      await eventually('the log says so, and that the service starts again', () =>
        box.printed().split(said)[1]?.includes('"event":"restarting"'),
      );
      await eventually('it answers again', () => isAnswered(id(0)));
      const pair = ['a', 'b'].map(
        (which) => new Player(`http://127.0.0.1:${box.port}`, `${id(0)}-${which}`),
      );
      for (const player of pair) {
        await player.ok('POST', '/lobbies/arena', { name: 'one' });
        await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
      }
      await eventually('they play', async () => {
        const seen = await Promise.all(pair.map((player) => player.ok('GET', '/lobbies/arena/me')));
        return seen.every(({ status }) => status === 'in_game');
      });
    },
  );
});
