// examples/bracket plays a cup on a real service with simulated servers, and is killed with SIGKILL at each point of its way: before
// it asks for a match and before it hears the answer, before it hears a result, and after a check-in. Each time it is started again.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import type { Match } from '../../packages/js/src/journal-types.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/bracket/bracket.mjs', import.meta.url));
/** Longer than any test: a check-in closes when the test says so. */
const CHECK_IN_SECONDS = 3_600;
const TEAMS = Array.from({ length: 8 }, (_, team) => {
  return { name: `<i>Team ${team}</i>`, players: [`p${team}a`, `p${team}b`] };
});

interface Cup {
  readonly teams: readonly { readonly code: string }[];
  readonly games: readonly {
    closed: string | null;
    readonly checkedIn: readonly boolean[];
    readonly attempt: number;
    readonly match: string | null;
    readonly over: string | null;
    readonly winner: number | null;
  }[];
}

let folder: string;
let file: string;
let port: number;
let service: Service;
let operator: Player;
let between: Server;
let bracket: ChildProcess;
let turn: Promise<void> = Promise.resolve();
/** Where it was killed. */
const killed = new Set<string>();
/** The matches that Muster answered, by their refs. */
const made = new Map<string, Set<string>>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-bracket-'));
  const cup = join(folder, 'cup.json');
  file = `${cup}.state`;
  port = await freePort();
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir: folder, devKeys: true, env });
  operator = new Player(service.url, 'operator', service.serverKey);
  const modes = { pairs: { playersPerTeam: 2 } };
  await operator.ok('PUT', '/lobby-configs/cup', { matchmaking: { modes } });
  const times = { checkInSeconds: CHECK_IN_SECONDS, replaySeconds: 1 };
  const what = { name: 'Friday cup', config: 'cup', mode: 'pairs', ...times, teams: TEAMS };
  await writeFile(cup, JSON.stringify(what));
  between = createServer((request, response) => {
    passOn(request, response).catch(() => response.destroy());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  start();
});

afterAll(async () => {
  await turn;
  await stop();
  between.closeAllConnections();
  between.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(): void {
  const { port: to } = between.address() as AddressInfo;
  const [MUSTER, SERVER_KEY] = [`http://127.0.0.1:${to}/v3`, service.serverKey];
  const env = { ...process.env, MUSTER, SERVER_KEY, PORT: String(port), POLL_MS: '50' };
  bracket = spawn(process.execPath, [EXAMPLE, join(folder, 'cup.json')], { env, stdio: 'ignore' });
}

async function stop(): Promise<void> {
  if (bracket.exitCode === null && bracket.signalCode === null) {
    bracket.kill('SIGKILL');
    await once(bracket, 'exit');
  }
}

/** Kills it, and starts it again. One after the other: there is one bracket at a time. `meanwhile` runs while it is dead. */
function restart(meanwhile: () => Promise<void>): Promise<void> {
  turn = turn.then(async () => {
    await stop();
    await meanwhile();
    start();
  });
  return turn;
}

/** Once at each point, also with half of a new state on the disk. */
async function killAt(point: string, asking: ChildProcess): Promise<void> {
  if (!killed.has(point) && asking === bracket) {
    killed.add(point);
    await restart(() => writeFile(`${file}.new`, '{"id": "ha'));
    throw new Error('the bracket that asked is gone');
  }
}

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const asking = bracket;
  const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  const { ref } = JSON.parse(text || '{}') as { readonly ref?: string };
  if (ref !== undefined) {
    await killAt(`${ref} asked`, asking);
  }
  const headers = { 'api-key': service.serverKey };
  const body = ref === undefined ? null : text;
  const answer = await fetch(`${service.url}${url}`, { method, headers, body });
  const match = (await answer.json()) as Match;
  if (ref !== undefined && answer.ok) {
    made.set(ref, (made.get(ref) ?? new Set()).add(match.id));
    await killAt(`${ref} made`, asking);
  } else if (match.result !== undefined) {
    await killAt(`${match.id} has a result`, asking);
  }
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(match));
}

/** Whatever moment it is read at, it is whole. */
async function cupNow(): Promise<Cup> {
  return JSON.parse(await readFile(file, 'utf8')) as Cup;
}

function game(at: number, what: string, fits: (its: Cup['games'][number]) => boolean) {
  return eventually(`game ${at} ${what}`, async () => {
    const its = (await cupNow()).games[at];
    return its !== undefined && fits(its) && its;
  });
}

/** As a browser does. Again while it is down. The status and the page. */
function visit(method: string, code = ''): Promise<readonly [number, string]> {
  return eventually(`the bracket answers ${method}`, async () => {
    const url = `http://127.0.0.1:${port}/?code=${code}`;
    const answer = await fetch(url, { method, redirect: 'manual' });
    return [answer.status, await answer.text()] as const;
  });
}

async function codeOf(team: number): Promise<string> {
  return (await cupNow()).teams[team]?.code ?? '';
}

async function checkIn(at: number, ...teams: readonly number[]): Promise<void> {
  await game(at, 'opens', ({ closed }) => closed !== null);
  for (const team of teams) {
    expect(await visit('POST', await codeOf(team))).toEqual([303, '']);
  }
}

/** The match of that attempt, once it runs, with that result if there is one, ends. */
async function play(at: number, attempt: number, teams: readonly object[] | null): Promise<void> {
  const its = await game(at, 'has a match', (one) => one.match !== null && one.attempt === attempt);
  const path = `/matches/${its.match}`;
  const server = await eventually('its server runs', async () => {
    const match = await operator.ok<Match>('GET', path);
    return match.outcome === 'running' && match.server;
  });
  if (teams !== null) {
    await operator.ok('POST', `${path}/result`, { teams });
  }
  await operator.ok('DELETE', `/servers/${server.id}`);
}

/** As whoever runs the cup may do while the bracket is stopped. */
async function edit(at: number, change: Partial<Cup['games'][number]>): Promise<void> {
  const cup = await cupNow();
  Object.assign(cup.games[at] ?? {}, change);
  await writeFile(file, JSON.stringify(cup));
}

/** Its check-in closes, as far as the file of the stopped bracket says. Later, if the start took longer. */
async function close(at: number, inMs = 1_000): Promise<void> {
  const soon = new Date(Date.now() + inMs).toISOString();
  await restart(() => edit(at, { closed: soon }));
  const { over } = await game(at, 'goes on', (its) => its.over !== null || its.closed !== soon);
  if (over === null) {
    await close(at, inMs * 2);
  }
}

const [FIRST, SECOND, DRAW] = [
  [3, 1],
  [1, 3],
  [2, 2],
].map((scores) => scores.map((score, team) => ({ team, score })));

it('loses nothing and plays nothing twice, wherever it is killed', async () => {
  await game(0, 'opens', ({ closed }) => closed !== null);
  expect((await visit('POST', 'guessed'))[0]).toBe(403);
  expect((await visit('GET'))[1]).not.toContain('<button>');
  expect((await visit('GET', await codeOf(1)))[1]).toContain('<button>');

  // Who has checked in has, though it dies at once. One that closed meanwhile opens again.
  const { ino } = await stat(file);
  await checkIn(0, 1);
  // The file is replaced, not written over: a kill leaves the one or the other.
  expect((await stat(file)).ino).not.toBe(ino);
  await restart(() => edit(0, { closed: new Date(0).toISOString() }));
  const again = await game(0, 'opens again', ({ closed }) => Date.parse(closed ?? '') > 0);
  expect([again.checkedIn, again.over]).toEqual([[false, true], null]);

  await checkIn(0, 0);
  await checkIn(2, 4, 5);
  await play(0, 1, FIRST ?? null);
  await play(2, 1, DRAW ?? null);
  await play(2, 2, SECOND ?? null);
  await checkIn(1, 2);
  await close(1);
  expect((await visit('POST', await codeOf(3)))[0]).toBe(409);
  await close(3);

  await checkIn(4, 0, 2);
  await play(4, 1, null);
  await play(4, 2, SECOND ?? null);
  await checkIn(6, 2, 5);
  await play(6, 1, SECOND ?? null);
  await game(6, 'is over', ({ over }) => over !== null);

  const { games } = await cupNow();
  expect(games.map(({ over, winner, attempt }) => [over, winner, attempt])).toEqual([
    ['played', 0, 1],
    ['walkover', 2, 1],
    ['played', 5, 2],
    ['walkover', null, 1],
    ['played', 2, 2],
    ['walkover', 5, 1],
    ['played', 5, 1],
  ]);
  // Six matches, each under one name and of one id, and five of them with a result.
  expect([...made.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(killed.size).toBe(6 + 6 + 5);
  const servers = await eventually('the list has caught up', async () => {
    const all = '/servers?include_stopped=true&limit=100';
    const { total } = await operator.ok<{ total: number }>('GET', all);
    return total >= 6 && total;
  });
  expect(servers).toBe(6);
  const [status, page] = await visit('GET');
  expect(status).toBe(200);
  const final = /<article id="game-6">.*?<\/article>/s.exec(page)?.[0];
  expect(final).toContain('<b>&#60;i&#62;Team 5&#60;/i&#62;</b>');
  expect(page).not.toContain('<i>');
  expect(page).toContain('walkover: nobody came');
});
