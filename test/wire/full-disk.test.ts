// A box whose disk is full, or read-only: requests that must write are 503, reads go on, nothing that
// was accepted is lost, and it goes on by itself when it can write again. While the disk is full, streams
// stay open, and whatever ends something is taken.

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { must } from '../../src/common/result.ts';
import { eventually } from '../support/eventually.ts';
import { gameServersBelow } from '../support/processes.ts';
import { mayMount } from '../support/tools.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string };
}

async function ask(
  { url }: Service,
  method: string,
  path: string,
  player: string,
): Promise<Answer> {
  const response = await fetch(`${url}/v3/lobbies/main${path}`, {
    method,
    headers: { 'api-key': 'client_dev_key', 'x-player-id': player },
    ...(method === 'POST' ? { body: '{"name":"den"}' } : {}),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

/** Takes all the room there is. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) {
      writeSync(file, Buffer.alloc(4_096));
    }
  } catch {
    // Full.
  } finally {
    closeSync(file);
  }
}

function run(...command: readonly [string, ...string[]]): void {
  const [program, ...options] = command;
  execFileSync(program, options, { stdio: 'ignore' });
}

function makeExt4(folder: string, image: string): void {
  run('truncate', '--size=24M', image);
  run('mkfs.ext4', '-q', image);
  run('mount', '-o', 'loop', image, folder);
}

interface Counted {
  /** Player ids of creates that were accepted. */
  readonly accepted: string[];
  readonly answers: Map<string, number>;
}

/** About 30 creates and 30 reads a second until `over`; settled when all have been answered. */
async function traffic(url: string, counted: Counted, over: AbortSignal): Promise<void> {
  const asked: Promise<void>[] = [];
  const note = (what: string): void =>
    void counted.answers.set(what, (counted.answers.get(what) ?? 0) + 1);
  for (let n = 0; !over.aborted; n += 1) {
    const player = new Player(url, `crowd${n}`);
    asked.push(
      player.call<{ code?: string }>('POST', '/lobbies/main', { name: 'den' }).then((answer) => {
        note(`create ${answer.status} ${answer.status === 201 ? '' : answer.body.code}`);
        if (answer.status === 201) {
          counted.accepted.push(player.id);
        }
      }),
      new Player(url, 'ann').call('GET', '/lobbies/main/me').then(({ status }) => {
        note(`read ${status}`);
      }),
      fetch(`${url}/health`).then(({ status }) => note(`health ${status}`)),
    );
    // A service that is slow would refuse what is too much at once.
    await Promise.all([sleep(33), asked.at(-60)]);
  }
  await Promise.all(asked);
}

async function metric(url: string, name: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { 'api-key': 'the-metrics-key' } });
  const text = await answer.text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}

/** What a page of the dashboard is shown first. */
async function firstSnapshot({ url, serverKey }: Running): Promise<unknown> {
  const headers = { 'api-key': serverKey };
  const answer = await fetch(`${url}/v3/admin/events?view=overview`, { headers });
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data !== undefined) {
      return JSON.parse(data);
    }
  }
  return null;
}

describe.runIf(mayMount('tmpfs'))('a disk that is full', () => {
  let folder = '';
  let running: Running | null = null;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
    run('mount', '-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder);
    running = await startAll({ port: 0, dataDir: folder, env: { METRICS_KEY: 'the-metrics-key' } });
  });

  afterEach(async () => {
    await running?.stop();
    run('umount', '-l', folder);
    rmdirSync(folder);
  });

  it('answers reads, keeps streams, takes what ends something, and recovers', async () => {
    const { url, service } = must(running, 'what was started');
    const player = (id: string): Player => new Player(url, id);
    const [ann, bob, cat, dan] = [player('ann'), player('bob'), player('cat'), player('dan')];
    const { code } = await ann.ok('POST', '/lobbies/main', { name: 'den' });
    await bob.ok('POST', '/lobbies/main/join', { code });
    const stream = await ann.events('main');
    for (const host of [cat, dan]) {
      await host.ok('POST', '/lobbies/main', { name: 'game' });
      const started = await host.ok('POST', '/lobbies/main/me/start');
      expect(started.status).toBe('in_game');
    }
    const counted: Counted = { accepted: [], answers: new Map() };
    const over = new AbortController();
    const crowd = traffic(url, counted, over.signal);
    await eventually('some are accepted', async () => counted.accepted.length > 20);

    fill(join(folder, 'filler'));
    await eventually('new work is refused', async () =>
      counted.answers.has('create 503 STORAGE_FULL'),
    );
    const used = (): Promise<number> => metric(url, 'muster_disk_used_ratio');
    await eventually('it is said how full', async () => (await used()) > 0.9);
    expect(await firstSnapshot(must(running, 'what was started'))).toMatchObject({
      disk: { level: 'full' },
    });
    // What was accepted can be ended, by players and by the end of a game server.
    expect((await bob.call('DELETE', '/lobbies/main/me')).status).toBe(200);
    await stream.until(({ data }) => (data as Lobby).players.length === 1);
    expect((await cat.call('POST', '/lobbies/main/me/end-match')).status).toBe(200);
    const game = (await dan.ok('GET', '/lobbies/main/me')).server?.instance_id ?? '';
    const [pid] = (await gameServersBelow(folder)).get(game) ?? [];
    process.kill(must(pid, 'the process of the game server'), 'SIGKILL');
    await eventually('the lobby of the dead server waits', async () => {
      return (await dan.ok('GET', '/lobbies/main/me')).status === 'waiting';
    });
    const refused = await fetch(`${url}/v3/lobbies/main`, {
      method: 'POST',
      headers: { 'api-key': 'client_dev_key', 'x-player-id': 'eve' },
      body: '{"name":"den"}',
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    over.abort();
    await crowd;
    const kinds = [...counted.answers.keys()].toSorted((a, b) => a.localeCompare(b));
    expect(kinds).toEqual(['create 201 ', 'create 503 STORAGE_FULL', 'health 200', 'read 200']);
    expect(stream.seen.filter(({ event }) => event === 'connected')).toHaveLength(1);

    // A start needs no room.
    await service.kill();
    await service.start();
    expect((await ann.ok('GET', '/lobbies/main/me')).code).toBe(code);

    rmSync(join(folder, 'filler'));
    await eventually('it takes new work by itself', async () => {
      return (await player('eve').call('POST', '/lobbies/main', { name: 'den' })).status === 201;
    });
    await eventually('it is said how full', async () => (await used()) < 0.9);
    for (const id of counted.accepted) {
      expect((await player(id).call('GET', '/lobbies/main/me')).status).toBe(200);
    }
    const log = await readFile(join(folder, 'service.log'), 'utf8');
    expect(log).not.toMatch(/request_failed|storage_failed|aborted/);
  });
});

interface Trouble {
  readonly mount: (folder: string, image: string) => void;
  readonly begin: (folder: string) => void;
  readonly end: (folder: string, image: string) => void;
  readonly code: string;
  /** The service has to be started again, since the file system was mounted again. */
  readonly restarts?: boolean;
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'full, and too small for room to be set aside': {
    mount: (folder) => run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder),
    begin: (folder) => fill(join(folder, 'filler')),
    end: (folder) => rmSync(join(folder, 'filler')),
    code: 'STORAGE_FULL',
  },
  // As after an error of the disk itself: what is open stays so, and takes no writes.
  'made read-only by the kernel': {
    mount: makeExt4,
    begin: (folder) => run('mount', '-o', 'remount,abort', folder),
    end: (folder, image) => {
      run('umount', '-l', folder);
      run('mount', '-o', 'loop', image, folder);
    },
    code: 'UNAVAILABLE',
    restarts: true,
  },
};

describe.runIf(mayMount('tmpfs') && mayMount('ext4'))('a disk that is', () => {
  it.each(Object.entries(TROUBLES))(
    '%s',
    async (_, { mount, begin, end, code, restarts = false }) => {
      const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
      const image = `${folder}.image`;
      mount(folder, image);
      let service: Service | null = null;
      try {
        const options = { port: 0, dataDir: folder, devKeys: true, env: { FLEET: 'simulated' } };
        service = await startService(options);
        const kept = await ask(service, 'POST', '', 'ann');
        expect(kept.status).toBe(201);
        begin(folder);
        const accepted: string[] = [];
        let refused = 0;
        for (let n = 0; n < 8; n += 1) {
          const { status, body } = await ask(service, 'POST', '', `bob${n}`);
          if (status === 201) {
            accepted.push(`bob${n}`);
          } else {
            expect([status, body.code]).toEqual([503, code]);
            refused += 1;
          }
        }
        expect(refused).toBeGreaterThan(4);
        expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
        // An answer is kept for some seconds, and the start of the service has asked.
        const { url } = service;
        await expect.poll(async () => (await fetch(`${url}/health?deep`)).status).toBe(503);
        if (restarts) {
          await service.kill();
          service = null;
        }
        end(folder, image);
        service ??= await startService(options);
        // It has not exited, and nobody has to start it.
        let after = await ask(service, 'POST', '', 'cat');
        for (let tries = 0; after.status !== 201 && tries < 50; tries += 1) {
          await sleep(100);
          after = await ask(service, 'POST', '', 'cat');
        }
        expect(after.status).toBe(201);
        // Nothing that was accepted is lost, with the service killed on top.
        await service.kill();
        service = await startService(options);
        for (const player of ['ann', 'cat', ...accepted]) {
          expect((await ask(service, 'GET', '/me', player)).status).toBe(200);
        }
        expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
        expect(await readFile(join(folder, 'service.log'), 'utf8')).not.toContain('request_failed');
      } finally {
        await service?.stop();
        run('umount', '-l', folder);
        rmdirSync(folder);
        rmSync(image, { force: true });
      }
    },
  );

  it('read-only as the service starts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
    const image = `${folder}.image`;
    makeExt4(folder, image);
    let service: Service | null = null;
    try {
      const options = { port: 0, dataDir: folder, devKeys: true, env: { FLEET: 'simulated' } };
      service = await startService(options);
      const kept = await ask(service, 'POST', '', 'ann');
      expect(kept.status).toBe(201);
      await service.stop();
      const objects = join(folder, 'storage', 'muster-BoxObject');
      const [database = ''] = readdirSync(objects).filter((name) =>
        /^[0-9a-f]+\.sqlite$/.test(name),
      );
      run('chattr', '+i', join(objects, database));
      service = await startService(options);
      for (let n = 0; n < 3; n += 1) {
        const { status, body } = await ask(service, 'POST', '', `bob${n}`);
        expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      }
      expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
      const log = await readFile(join(folder, 'service.log'), 'utf8');
      expect(log).toContain('storage_failed');
      expect(log).not.toContain('request_failed');
      run('chattr', '-i', join(objects, database));
      const running = service;
      await expect.poll(async () => (await ask(running, 'POST', '', 'cat')).status).toBe(201);
      expect((await ask(service, 'GET', '/me', 'ann')).body.id).toBe(kept.body.id);
    } finally {
      await service?.stop();
      run('umount', '-l', folder);
      rmdirSync(folder);
      rmSync(image, { force: true });
    }
  });
});
