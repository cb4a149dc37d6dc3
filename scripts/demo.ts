// `npm run demo`: two players get from nothing to a running game server and back, over real HTTP, event streams
// and UDP, on free ports. Prints the timeline, and exits with an error if a step does not happen. The same walk is
// a test (test/wire).

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { udpPlayer } from '../agent/udp-player.ts';
import { commandLine } from './flags.ts';
import { Player, shows } from './player.ts';
import type { Lobby, Seen, Stream } from './player.ts';
import { startAll } from './start.ts';
import type { Running } from './start.ts';

export interface Step {
  readonly ms: number;
  readonly what: string;
}

export interface DemoResult {
  readonly steps: readonly Step[];
  /** Time from the second player's request to enter until both players saw `matched`. */
  readonly enterToMatchedMs: number;
}

/** Plays the walk against a running service. `tell` is called for each step. */
export async function walk(
  { url, serverKey }: Pick<Running, 'url' | 'serverKey'>,
  tell: (step: Step) => void,
): Promise<DemoResult> {
  const begun = performance.now();
  const steps: Step[] = [];
  const note = (what: string, at = performance.now()): void => {
    const step = { ms: at - begun, what };
    steps.push(step);
    tell(step);
  };
  const operator = new Player(url, 'operator', serverKey);
  const ann = new Player(url, 'ann');
  const bob = new Player(url, 'bob');
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
  await operator.ok('PUT', '/lobby-configs/demo', { matchmaking: { modes } });
  note('operator saved the config "demo" with the mode "duel"');

  const annStream = await ann.events('demo');
  await annStream.until(({ event, data }) => event === 'connected' && data === null);
  note('ann connected, before she has a lobby');
  const annLobby = await ann.ok('POST', '/lobbies/demo', { name: "Ann's", state: { mmr: 1200 } });
  await annStream.until(shows('waiting'));
  note(`ann created a lobby, invite code ${annLobby.code}`);
  const bobLobby = await bob.ok('POST', '/lobbies/demo', { name: "Bob's", state: { mmr: 1210 } });
  const bobStream = await bob.events('demo');
  await bobStream.until(shows('waiting'));
  note(`bob created a lobby, invite code ${bobLobby.code}, and connected`);

  await ann.ok('POST', '/lobbies/demo/me/matchmaking', { mode: 'duel' });
  const stats = await annStream.until(({ event }) => event === 'queue_stats');
  note(`ann is in the queue: ${JSON.stringify(stats.data)}`);
  const entered = performance.now();
  await bob.ok('POST', '/lobbies/demo/me/matchmaking', { mode: 'duel' });
  const streams = [annStream, bobStream];
  const all = (status: string, server?: string): Promise<Seen[]> =>
    Promise.all(streams.map((stream) => stream.until(shows(status, server))));
  const matched = await all('matched');
  const enterToMatchedMs = Math.max(...matched.map(({ at }) => at)) - entered;
  note(`both matched, ${enterToMatchedMs.toFixed(1)} ms after bob entered`);
  await all('in_game');
  const running = (await all('in_game', 'running')).map(({ data }) => data as Lobby);
  const { port, instanceId } = sameServer(running);
  note(`both in_game, server ${instanceId} running on udp port ${port}`);

  await play(port, note);
  await backInWaiting(streams, note);
  for (const player of [ann, bob]) {
    const lobby = await player.ok('GET', '/lobbies/demo/me');
    if (lobby.status !== 'waiting' || lobby.players[0]?.id !== player.id) {
      throw new Error(`${player.id} is not back in waiting: ${JSON.stringify(lobby)}`);
    }
    await player.ok('DELETE', '/lobbies/demo/me');
  }
  note('both lobbies kept their players; both left');
  streams.forEach((stream) => stream.close());
  return { steps, enterToMatchedMs };
}

function sameServer(lobbies: readonly Lobby[]): { port: number; instanceId: string } {
  const [one, two] = lobbies;
  const port = one?.server?.network_ports[0]?.external_port;
  const same =
    one?.matchId === two?.matchId &&
    one?.server?.instance_id === two?.server?.instance_id &&
    one?.matchId !== null;
  if (!same || port === undefined || one?.server === undefined || one.server === null) {
    throw new Error(`not the same match and server: ${JSON.stringify(lobbies)}`);
  }
  return { port, instanceId: one.server.instance_id };
}

/** Exchanges a packet with both players, then tells the server to end. */
async function play(port: number, note: (what: string) => void): Promise<void> {
  const ends = [udpPlayer(port), udpPlayer(port)];
  try {
    for (const [index, player] of ['ann', 'bob'].entries()) {
      const welcome = await ends[index]?.request({ type: 'join', player }, 'welcome');
      note(`${player} sent a join and was welcomed: ${Object.keys(welcome ?? {}).join(', ')}`);
    }
    ends[1]?.send({ type: 'state', x: 7 });
    const echo = await ends[0]?.received('state');
    note(`ann received bob's state over udp: ${JSON.stringify(echo)}`);
    await ends[0]?.request({ type: 'end' }, 'ended');
    note('ann told the server to end the game; it exits by itself');
  } finally {
    ends.forEach((end) => end.close());
  }
}

async function backInWaiting(
  streams: readonly Stream[],
  note: (what: string) => void,
): Promise<void> {
  await Promise.all(
    streams.map((stream) => {
      const played = stream.seen.findLastIndex(shows('in_game'));
      return stream.until(shows('waiting'), 15_000, played + 1);
    }),
  );
  note('the server has exited: both lobbies are back in waiting');
}

async function main(): Promise<void> {
  commandLine({
    command: 'npm run demo --',
    about:
      'Takes two players from nothing to a running game server and back, on a service of its own.',
    flags: {},
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-demo-'));
  const begun = performance.now();
  const running = await startAll({ port: 0, dataDir });
  console.log(
    `service and agent up after ${Math.round(performance.now() - begun)} ms: ${running.url}`,
  );
  try {
    const { enterToMatchedMs } = await walk(running, ({ ms, what }) =>
      console.log(`${ms.toFixed(1).padStart(9)} ms  ${what}`),
    );
    console.log(`enter to matched, both players: ${enterToMatchedMs.toFixed(1)} ms`);
  } finally {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  });
}
