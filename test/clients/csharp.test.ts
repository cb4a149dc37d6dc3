// packages/csharp under Mono: its JSON, changes and event reader beside those of JavaScript, its stream on a service that does to
// it what can happen to a stream, and two players on Muster.

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LobbyOperation } from '../../packages/js/src/change-types.ts';
import { withOperations } from '../../packages/js/src/operations.ts';
import { SseParser } from '../../packages/js/src/sse.ts';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { nupkg } from '../../packages/csharp/pack.ts';
import { eventually } from '../support/eventually.ts';
import { DEBIAN_PYTHON, needs, pathOf } from '../support/tools.ts';
import { compile, Driven, isMonoThere } from './csharp.ts';
import { Line } from './line.ts';

const MODE = { teams: 2, playersPerTeam: 1, timeout: 60 };
const CONFIG = {
  heartbeat: true,
  matchmaking: {
    modes: {
      duel: MODE,
      careful: { ...MODE, matchConfirmation: { enabled: true } },
      lonely: { ...MODE, timeout: 1 },
    },
  },
};

let folder: string;
let service: Service;
let drive: string;
let parts: string;
const going: Driven[] = [];

beforeAll(async () => {
  if (!isMonoThere) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), 'muster-csharp-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  [service, drive, parts] = await Promise.all([
    startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env }),
    compile('test/Drive.cs', folder),
    compile('test/Parts.cs', folder),
  ]);
  await fetch(`${service.url}/v3/lobby-configs/arena`, {
    method: 'PUT',
    headers: { 'api-key': service.serverKey },
    body: JSON.stringify(CONFIG),
  });
});

afterAll(async () => {
  await Promise.all(going.map((one) => one.end()));
  await service?.stop();
  if (isMonoThere) {
    await rm(folder, { recursive: true, force: true });
  }
});

/** A player under way. `settings`: seconds by name, as `connect=1`. */
function driven(url: string, player: string, ...settings: readonly string[]): Driven {
  const one = new Driven(drive, [url, 'arena', player, ...settings]);
  going.push(one);
  return one;
}

/** What it answers to each question. */
function answers(kind: string, texts: readonly string[]): readonly string[] {
  const input = texts.map((text) => `${kind} ${Buffer.from(text).toString('base64')}\n`).join('');
  const output = execFileSync(pathOf('mono'), [parts], { input, maxBuffer: 1e8 });
  return output.toString('utf8').trimEnd().split('\n');
}

/** With numbers that every runtime reads alike: Mono's own are off by the last bit of some, such as 6.243386960996861e+131. */
function plain<T>(value: T): T {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'number' ? Math.round(each % 1e6) / 4 : each,
  );
  return JSON.parse(text) as T;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return 'wrong';
  }
}

/** An answer as JavaScript reads it. */
function said(answer: string | undefined): unknown {
  return answer === 'wrong' ? answer : JSON.parse(answer ?? '');
}

describe.runIf(isMonoThere)('the parts of the C# core', () => {
  it('reads and writes JSON as JavaScript does, and refuses what is none', () => {
    const odd = [
      '01',
      '1.',
      '.5',
      '+1',
      '-',
      '1e',
      '[1,]',
      '{"a":1,}',
      '{a:1}',
      '"\t"',
      '"a',
      '',
      '[1] x',
    ];
    const more = [
      '"\\ud800"',
      '"\\u12"',
      '"\\x"',
      '0.1',
      '1E-3',
      '1234567890123456789012',
      ' [ 1 , 2 ] ',
    ];
    const made = fc
      .sample(fc.jsonValue(), { numRuns: 400, seed: 68 })
      .map((each) => JSON.stringify(plain(each)));
    const cut = made.map((text, at) => text.slice(0, at % (text.length + 1)));
    const texts = [...odd, ...more, ...made, ...cut];
    const got = answers('json', texts);
    texts.forEach((text, at) => expect(said(got[at]), text).toEqual(read(text)));
    expect(answers('json', ['['.repeat(50_000), '{"a":'.repeat(50_000)])).toEqual([
      'wrong',
      'wrong',
    ]);
  });

  it('applies operations as the client for JavaScript does', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const key = fc.constantFrom('', 'a', 'b', '0', '1', '-', '00', 'x~1y', '~0');
    const path = fc
      .array(key, { maxLength: 3 })
      .map((keys) => keys.map((each) => `/${each}`).join(''));
    const op = fc.record({ op: fc.constantFrom('add', 'remove', 'replace'), path, value });
    const before = fc.record({ a: value, b: fc.array(value), 'x/y': fc.array(value), '~': value });
    const all = fc
      .sample(fc.record({ before, ops: fc.array(op, { maxLength: 3 }) }), {
        numRuns: 1_500,
        seed: 66,
      })
      .map(plain);
    const got = answers(
      'ops',
      all.map((each) => JSON.stringify(each)),
    );
    let fitting = 0;
    all.forEach(({ before: from, ops }, at) => {
      let wanted: unknown = 'wrong';
      try {
        wanted = withOperations<unknown>(from, ops as readonly LobbyOperation[]);
        fitting += 1;
      } catch {
        // It does not fit.
      }
      expect(said(got[at]) ?? null, JSON.stringify({ from, ops })).toEqual(
        read(JSON.stringify(wanted ?? null)),
      );
    });
    expect(fitting).toBeGreaterThan(200);
  });

  it('reads events as the client for JavaScript does, in pieces of any size', () => {
    const piece = fc.constantFrom(
      'event: a',
      'data: {}',
      'data:é😀',
      'data',
      'id: 7',
      ': here',
      'x',
      '\n',
      '\r\n',
      '\r',
      '\n\n',
    );
    const texts = fc.sample(
      fc.array(piece, { maxLength: 14 }).map((all) => all.join('')),
      { numRuns: 600, seed: 8 },
    );
    const got = answers('sse', texts);
    texts.forEach((text, at) => {
      const heard: unknown[] = [];
      const parser = new SseParser({
        onEvent: ({ event, id, data }) => heard.push([event === 'message' ? '' : event, id, data]),
        onComment: (comment) => heard.push(comment.replace(/^ /, '')),
      });
      parser.feed(text);
      // Whether a CR at the end stands alone shows with what comes next.
      const last = JSON.stringify(heard);
      expect(said(got[at]), JSON.stringify(text)).toEqual(
        text.endsWith('\r') ? said(got[at]) : JSON.parse(last),
      );
    });
  });
});

describe.runIf(isMonoThere)('the address of a game in C#', () => {
  it('is that of its server, or the player who hosts it', () => {
    const port = { host: 'game.example.com', external_port: 7001 };
    const lobby = (server: object): string => JSON.stringify({ status: 'in_game', server });
    const hosted = { status: 'running', host_player: 'ann', network_ports: [] };
    expect(
      answers('address', [
        lobby({ ...hosted, network_ports: [port] }),
        lobby(hosted),
        lobby({ ...hosted, host_player: null }),
        lobby({ ...hosted, status: 'launching' }),
      ]),
    ).toEqual(['game.example.com:7001', 'ann:0', 'none', 'none']);
  });
});

describe.runIf(isMonoThere)('the C# client on Muster', () => {
  it('plays: both get one address, and hear when the game is over', async () => {
    const [ann, ben] = [driven(service.url, 'ann'), driven(service.url, 'zwölf 😀')];
    ann.do('play duel');
    ben.do('play duel');
    const address = /^in_game (\S+) team [01] with ticket$/;
    const [one, other] = await Promise.all([ann.says(address), ben.says(address)]);
    expect(address.exec(one)?.[1]).toBe(address.exec(other)?.[1]);
    ben.do('where');
    await ben.says('where arena in_game');
    ben.do('end');
    await Promise.all([ann.says('ended ended'), ben.says('ended ended')]);
    ann.do('leave', 'leave');
    await ann.says('left');
    await ann.says('left');
    ann.do('where');
    await ann.says('where ');
    expect(await ann.end()).toBe(0);
  });

  it.runIf(needs('python3'))(
    'plays from the package for NuGet: the sample, with the assembly in it',
    async () => {
      const python = DEBIAN_PYTHON;
      const made = await nupkg(folder, { mcs: pathOf('mcs'), python });
      execFileSync(python, ['-m', 'zipfile', '-e', made, join(folder, 'nuget')]);
      const dll = join(folder, 'nuget/lib/netstandard2.0/Muster.dll');
      const sample = join(folder, 'nuget/lib/netstandard2.0/Duel.exe');
      const source = join(import.meta.dirname, '../../packages/csharp/sample/Duel.cs');
      execFileSync(pathOf('mcs'), ['-langversion:6', `-r:${dll}`, `-out:${sample}`, source]);
      const duel = new Driven(sample, [service.url, 'arena', 'duel']);
      try {
        const both = await Promise.all([
          duel.says(/^ann- connect to /),
          duel.says(/^ben- connect to /),
        ]);
        const [one, other] = both.map((line) => /connect to (\S+),/.exec(line)?.[1]);
        expect(one).toBe(other);
      } finally {
        await duel.kill();
      }
    },
  );

  it('reads on while the game keeps the thread that got the match', async () => {
    const [nia, oli] = [driven(service.url, 'nia'), driven(service.url, 'oli')];
    nia.do('block duel');
    oli.do('play duel');
    await Promise.all([nia.says(/^in_game/), oli.says(/^in_game/)]);
    oli.do('end');
    await nia.says('ended ended');
  });

  it('follows changes, shares one stream, and says why it is over', async () => {
    const [eve, fay] = [driven(service.url, 'eve'), driven(service.url, 'fay')];
    eve.do('follow');
    await eve.says('connected none');
    eve.do('create Den');
    const code = (await eve.says(/^created/)).slice(8);
    await eve.says(/^connected 1 waiting eve$/);
    fay.do(`join ${code}`, 'follow');
    await fay.says('joined waiting');
    await fay.says(/^connected \d+ waiting eve,fay$/);
    fay.do('state {"state":{"role":"tank\\u0007é"}}');
    await eve.says(/^lobby_updated \d+ waiting eve,fay\{"role":"tank\\u0007\\u00e9"\}$/);
    eve.do('follow');
    await eve.says(/^connected \d+ waiting eve,fay\{/);
    eve.do('throw');
    await eve.says('throw threw mine');
    fay.do('leave');
    await fay.says('closed left');
    await eve.says(/^lobby_updated \d+ waiting eve$/);
    eve.do('leave');
    // Both that follow.
    await eve.says('closed left');
    await eve.says('closed left');
    await eve.says('left');
  });

  it('says why there is no match', async () => {
    const [gus, hal, ida] = ['gus', 'hal', 'ida'].map((player) => driven(service.url, player)) as [
      Driven,
      Driven,
      Driven,
    ];
    gus.do('play lonely');
    await gus.says('play refused NO_MATCH timeout');
    gus.do('play nothing');
    await gus.says('play refused MODE_NOT_FOUND');
    hal.do('play careful');
    ida.do('decline careful');
    await Promise.all([
      ida.says('decline refused NO_MATCH declined'),
      hal.says('play refused NO_MATCH declined'),
    ]);
    hal.do('follow', 'play careful');
    await hal.says(/^lobby_updated \d+ in_queue hal$/);
    hal.do('cancel');
    await hal.says('follow cancelled');
    await hal.says('play cancelled');
    hal.do('leave');
    await hal.says('left');
  });

  it('ends a search whose player was put into another lobby between two polls', async () => {
    const line = await Line.to(service.url);
    try {
      line.holdsStreams = true;
      const [host, max] = [new Player(service.url, 'host-of-max'), new Player(service.url, 'max')];
      const lobby = { name: 'Den', isPrivate: true };
      const { code } = await host.ok('POST', '/lobbies/arena', lobby);
      await max.ok('POST', '/lobbies/arena/join', { code });
      const program = driven(line.url, 'max', 'connect=0.3', 'poll=5').do('play duel');
      const polls = (): number => line.asked.filter((each) => /^GET .*\/me\?/.test(each)).length;
      await eventually('it has polled', () => polls() === 2);
      await host.ok('DELETE', '/lobbies/arena/me/players/max');
      await max.ok('POST', '/lobbies/arena', lobby);
      await program.says('play refused NO_MATCH gone');
    } finally {
      await line.close();
    }
  });

  it('gives way to a newer stream of its player, and is quick to join', async () => {
    const [jo, again] = [driven(service.url, 'jo'), driven(service.url, 'jo')];
    jo.do('quick {"name":"Open","maxPlayers":3}', 'follow');
    const id = (await jo.says(/^quick/)).slice(6);
    await jo.says(/^connected/);
    const kim = driven(service.url, 'kim').do('quick {"name":"Other","maxPlayers":3}');
    expect(await kim.says(/^quick/)).toBe(`quick ${id}`);
    again.do('follow');
    await jo.says('closed replaced');
  });

  it('goes on after a line that is cut, and polls with heartbeats where no stream gets through', async () => {
    const line = await Line.to(service.url);
    try {
      const leo = driven(line.url, 'leo', 'first=0.05', 'poll=0.2', 'retry=1');
      leo.do('create Cave');
      const code = (await leo.says(/^created/)).slice(8);
      leo.do('follow');
      await leo.says('connected 1 waiting leo');
      line.cut();
      await leo.says('connected 1 waiting leo');
      expect(line.asked.at(-1)).toMatch(/events\?changes=1&lobby=/);
      leo.do('set connect=1');
      line.holdsStreams = true;
      line.cut();
      await leo.says('event signals_lost');
      driven(service.url, 'mia').do(`join ${code}`);
      await leo.says(/^(connected|lobby_updated) \d+ waiting leo,mia$/);
      expect(
        line.asked.some((each) => each.startsWith('POST') && each.endsWith('/heartbeat')),
      ).toBe(true);
      leo.do('state {"state":{"n":1}}');
      await leo.says(/^(connected|lobby_updated) \d+ waiting leo\{"n":1\},mia$/);
      leo.do('set connect=10');
      line.holdsStreams = false;
      await leo.says(/^connected \d+ waiting leo\{"n":1\},mia$/);
      leo.do('leave');
      await leo.says('closed left');
    } finally {
      await line.close();
    }
  });
});
