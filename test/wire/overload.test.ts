// Many at once, over real sockets: those who come to an idle box are all let in; of those who are too
// many some are told so at once, and nobody who was let in is lost.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

let dataDir: string;
let service: Service;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-many-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir, devKeys: true, env });
});

afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function ask(player: string, method: string, path: string, body?: object): Promise<Response> {
  const key = player.startsWith('stranger') ? 'no-such-key' : 'client_dev_key';
  return fetch(`${service.url}/v3/lobbies/arena${path}`, {
    method,
    headers: { 'api-key': key, 'x-player-id': player },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Each a lobby of its own, all at once; the answers, bodies read. */
function create(name: string, count: number): Promise<readonly Response[]> {
  const players = Array.from({ length: count }, (_, index) => `${name}${index}`);
  return Promise.all(
    players.map(async (player) => {
      const answer = await ask(player, 'POST', '', { name: player });
      await answer.text();
      return answer;
    }),
  );
}

/**
 * Whether all of them are let in at least once in some rounds. A crowd that takes longer than a second to come is
 * refused in part, and so long this process itself may need on a busy machine.
 */
async function oneRoundIs(
  wanted: readonly number[],
  round: (name: string) => Promise<readonly number[]>,
): Promise<void> {
  let got: readonly number[] = [];
  for (let rounds = 0; rounds < 10 && String(got) !== String(wanted); rounds += 1) {
    got = await round(`round${rounds}-`);
  }
  expect(got).toEqual(wanted);
}

function count(answers: readonly Response[], wanted: number): number {
  return answers.filter(({ status }) => status === wanted).length;
}

it('lets in 200 who come at once', async () => {
  await oneRoundIs([200], async (name) => [count(await create(name, 200), 201)]);
});

it('refuses nobody after a pause of the machine', async () => {
  await oneRoundIs([1, 20], async (name) => {
    const before = count(await create(`${name}before`, 1), 201);
    process.kill(service.pid, 'SIGSTOP');
    const during = create(name, 20);
    const since = performance.now();
    await eventually('the pause is over', () => performance.now() - since > 1_500);
    process.kill(service.pid, 'SIGCONT');
    return [before, count(await during, 201)];
  });
});

it('gives strangers no place at the door', async () => {
  await oneRoundIs([600, 100], async (name) => {
    const both = [create(`stranger-${name}`, 600), create(name, 100)] as const;
    const [strangers, mine] = await Promise.all(both);
    return [count(strangers, 401), count(mine, 201)];
  });
});

it('lets in a hundred who join one lobby at once', async () => {
  await oneRoundIs([99, 100], async (name) => {
    const made = await ask(`${name}host`, 'POST', '', { name: 'den', maxPlayers: 100 });
    const { code } = (await made.json()) as { readonly code: string };
    const joined = await Promise.all(
      Array.from({ length: 99 }, (_, index) => ask(`${name}${index}`, 'POST', '/join', { code })),
    );
    const lobby = await (await ask(`${name}host`, 'GET', '/me')).json();
    return [count(joined, 200), (lobby as { readonly players: object[] }).players.length];
  });
});

it('refuses of 1,000 those who are too many, and has everybody whom it let in', async () => {
  const answers = await create('flood', 1_000);
  expect(count(answers, 201)).toBeGreaterThanOrEqual(192);
  expect(count(answers, 503)).toBe(1_000 - count(answers, 201));
  const refused = answers.find(({ status }) => status === 503);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  const reads = await Promise.all(
    answers.map(async ({ status }, index) => {
      const read = await ask(`flood${index}`, 'GET', '/me');
      return (status === 201) === (read.status === 200);
    }),
  );
  expect(reads).not.toContain(false);
  await eventually('taken again', async () => count(await create('after', 1), 201) === 1);
});
