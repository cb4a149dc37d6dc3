// What open event streams cost a box: memory for each, and processor time while nothing happens, with a hundred
// players in each lobby. Memory is the growth of the process since before the streams were opened. Then one lobby
// changes: how long until the last of its hundred readers has the event.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, number } from '../../scripts/flags.ts';
import { Player } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import { cpuMs } from './cpu.ts';
import { PLACEMENT, WORKER } from './keep.ts';

const { flags } = commandLine({
  command: 'npm run bench:streams --',
  about: 'What open event streams cost: memory each, idle processor time, the time of one change.',
  flags: {
    streams: number(10_000, 'open streams'),
    stalled: number(
      0,
      'of these, readers that take nothing while their lobby changes a hundred times',
    ),
    placement: PLACEMENT,
    worker: WORKER,
  },
});
const STREAMS = flags.streams;
const STALLED = flags.stalled;
const A_LOBBY = 100;
const IDLE_MS = 20_000;
const ROUNDS = 20;
const AT_ONCE = 50;

const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-streams-'));
const service = await startService({
  port: 0,
  dataDir,
  placement: flags.placement,
  devKeys: true,
  env: { FLEET: 'simulated', LIMITS: 'off' },
  ...(flags.worker === null ? {} : { worker: flags.worker }),
});

interface Usage {
  readonly kilobytes: number;
  readonly cpuMs: number;
}

async function usage(): Promise<Usage> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { kilobytes, cpuMs: (await cpuMs(service.pid)).all };
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function each<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) {
    await Promise.all(items.slice(at, at + AT_ONCE).map(run));
  }
}

class Reader {
  readonly #socket: Socket;
  #tail = '';
  #sought: { text: string; found: (at: number) => void } | null = null;

  /** `opened` is called when the first event arrives. */
  constructor(player: string, opened: () => void) {
    const { port } = new URL(service.url);
    this.#socket = connect(Number(port), '127.0.0.1');
    this.#socket.write(
      `GET /v3/lobbies/bench/me/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
        `api-key: client_dev_key\r\nx-player-id: ${player}\r\n\r\n`,
    );
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk: Buffer) => {
      const text = this.#tail + chunk.toString('latin1');
      this.#tail = text.slice(-200);
      if (text.includes('event: connected')) {
        opened();
      }
      if (this.#sought !== null && text.includes(this.#sought.text)) {
        this.#sought.found(performance.now());
        this.#sought = null;
      }
    });
  }

  stall(): void {
    this.#socket.pause();
  }

  until(text: string): Promise<number> {
    return new Promise((found) => {
      this.#sought = { text, found };
    });
  }
}

function quantile(sorted: readonly number[], part: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
}

try {
  const lobbies = Array.from({ length: Math.ceil(STREAMS / A_LOBBY) }, (_, at) => at);
  const nameOf = (lobby: number, at: number): string => `l${lobby}-${at}`;
  await each(lobbies, async (lobby) => {
    const host = new Player(service.url, nameOf(lobby, 0));
    const { id } = await host.ok('POST', '/lobbies/bench', { name: 'b', maxPlayers: A_LOBBY });
    for (let at = 1; at < A_LOBBY; at += 1) {
      const guest = new Player(service.url, nameOf(lobby, at));
      await guest.ok('POST', '/lobbies/bench/join', { lobbyId: id });
    }
  });
  await pause(3_000);
  const before = await usage();
  const readers: Reader[] = [];
  const names = lobbies
    .flatMap((lobby) => Array.from({ length: A_LOBBY }, (_, at) => nameOf(lobby, at)))
    .slice(0, STREAMS);
  await each(
    names,
    (name) => new Promise<void>((opened) => readers.push(new Reader(name, opened))),
  );
  await pause(3_000);
  const opened = await usage();
  await pause(IDLE_MS);
  const idle = await usage();
  console.log(
    `${STREAMS} streams, ${flags.placement}: ${((idle.kilobytes - before.kilobytes) / STREAMS).toFixed(1)} kB each, ` +
      `idle ${(((idle.cpuMs - opened.cpuMs) / IDLE_MS) * 1_000).toFixed(0)} ms of processor a second`,
  );
  const others = readers.slice(STALLED, STALLED + A_LOBBY);
  readers.slice(0, STALLED).forEach((reader) => reader.stall());
  const filler = 'x'.repeat(12_000);
  for (let round = 0; round < (STALLED > 0 ? A_LOBBY : 0); round += 1) {
    await each(lobbies.slice(0, Math.ceil(STALLED / A_LOBBY)), (lobby) =>
      new Player(service.url, nameOf(lobby, 0)).ok('PATCH', '/lobbies/bench/me', {
        state: { filler, round },
      }),
    );
  }
  const told: number[] = [];
  const speaker = new Player(service.url, names[STALLED] ?? '');
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = others.map((reader) => reader.until(`"round":${round}}`));
    const sent = performance.now();
    await speaker.ok('PATCH', '/lobbies/bench/me', { state: { round } });
    told.push(Math.max(...(await Promise.all(all))) - sent);
    await pause(1_000 - Math.min(1_000, performance.now() - sent));
  }
  told.sort((a, b) => a - b);
  const after = await usage();
  const second = ((after.cpuMs - idle.cpuMs) / ROUNDS).toFixed(0);
  console.log(
    `an update a second to ${others.length} readers: the last after p50 ${quantile(told, 0.5)}, p99 ${quantile(told, 0.99)} ms` +
      (STALLED > 0
        ? `; ${STALLED} stalled readers hold ${((after.kilobytes - idle.kilobytes) / STALLED).toFixed(1)} kB each`
        : `; ${second} ms of processor a second`),
  );
} finally {
  await service.kill();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(0);
