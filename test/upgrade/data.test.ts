// Today's service begins on the data of each earlier version, killed in the middle of its work: all is as it was, and
// what waited goes on.

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import {
  backedUpBy,
  startEarlier,
  taggedAs,
  treeOf,
  VERSIONS,
  type Earlier,
} from '../../scripts/earlier.ts';
import { DATABASE } from '../../scripts/database.ts';
import { restore } from '../../scripts/restore.ts';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { cloned } from './cloned.ts';
import { differences } from './differences.ts';
import { Outside } from './outside.ts';
import * as things from './things.ts';
import { FULL, ME, reaches, search, won, type At, type Played } from './things.ts';

const PLACEMENTS: readonly Placement[] = ['box', 'objects'];
const STATUSES = ['in_game', 'in_queue', 'match_found', 'matched', 'starting', 'waiting'];

/** What differs between the answers of before and of now, and why. */
const DIFFERS: readonly (readonly [line: RegExp, why: string])[] = [
  [/^\/builds\.(total|limit|offset|has_more): was absent/, 'the list has pages now'],
  [/^\/matches\/id\?runs\.quality: was absent/, 'is worked out from what the match has saved'],
  [/noGame: was absent, is (0|null)$/, 'searches of matches without a game are counted now'],
  [/\.day: was absent/, 'trends have days now'],
  [/^\/admin\/trends.*\.points\./, 'the time goes on'],
  [/\.queueStats\./, 'who waits has waited longer'],
  [/\.server\.ticket: was "/, 'a ticket is made for each answer'],
];

interface Kept {
  readonly [field: string]: unknown;
  readonly matchmaking: { readonly modes: Readonly<Record<string, object>> };
}

interface History {
  readonly items: readonly { readonly revision: number }[];
}

const LADDER = '/ratings?config=arena&mode=duel';

function isNoSocket(path: string): boolean {
  return !path.endsWith('.sock');
}

/** All rows of a box's database. */
function rowsIn(dataDir: string): readonly unknown[] {
  const database = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables
      .map(({ name }) => String(name))
      .toSorted()
      .flatMap((name) => [name, ...database.prepare(`SELECT * FROM ${name}`).all()]);
  } finally {
    database.close();
  }
}

function environment(outside: string): Readonly<Record<string, string>> {
  const secretEnv = 'FLEET_SLOW_SECRET';
  const fleets = [
    { name: 'sim', kind: 'simulated' },
    { name: 'slow', kind: 'http', url: `${outside}/fleet`, secretEnv },
  ];
  return {
    FLEETS: JSON.stringify(fleets),
    FLEET_SLOW_SECRET: 'f'.repeat(40),
    LIMITS: 'off',
    PRIVATE_PROVIDERS: '1',
    PUBLIC_URL: 'https://play.example.com',
  };
}

it.each(Object.entries(VERSIONS))(
  'a tag of %s, if there is one, names its commit',
  (version, commit) => {
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
    expect([null, commit]).toContain(taggedAs(version));
  },
);

describe.each(Object.keys(VERSIONS))('what %s left in the middle of its work', (version) => {
  const isHere = cloned(version);

  beforeAll(async () => {
    // Nothing is made between the two services, because what waits has deadlines.
    await Promise.all(isHere ? [bundle(), treeOf(version)] : []);
  });

  describe.runIf(isHere).each(PLACEMENTS)('placed as %s', { concurrent: true }, (placement) => {
    const outside = new Outside();
    let folder = '';
    let old: Earlier | null = null;
    let service: Service | null = null;
    let now: At;
    let all: Played;
    let token = '';
    let noted: readonly object[];
    let read: readonly object[];
    let before: things.Answers;
    let after: things.Answers;
    const tell = (what: string): void => console.log(`${version}, ${placement}: ${what}`);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'muster-upgrade-'));
      const dataDir = join(folder, 'data');
      const url = await outside.listen();
      const env = environment(url);
      old = await startEarlier(version, { dataDir, placement, env });
      const then = things.at(old);
      token = await things.saved(then, url);
      all = await things.played(then);
      await things.launching(then);
      before = await things.reading(then, all);
      noted = await things.journalOf(then);
      await old.kill();
      old = null;
      await cp(dataDir, join(folder, 'left'), { recursive: true, filter: isNoSocket });
      service = await startService({ port: 0, dataDir, placement, devKeys: true, env });
      now = things.at(service);
      after = await things.reading(now, all);
      read = await things.journalOf(now);
      outside.start();
    });

    afterAll(async () => {
      await old?.kill();
      await service?.stop();
      await outside.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('is as it was', () => {
      const lines = [...differences(before, after).values()];
      expect(lines.filter((line) => !DIFFERS.some(([known]) => known.test(line)))).toEqual([]);
      const idle = DIFFERS.filter(([known]) => !lines.some((line) => known.test(line)));
      expect(idle.map(([, why]) => why)).toEqual([]);
      tell(`${Object.keys(after).length} answers are as they were, but for ${lines.length} fields`);
    });

    it('has its journal, but for what was not written yet', () => {
      const woke = read.findLastIndex((entry) => 'k' in entry && entry.k === 'anew');
      expect(woke).toBeGreaterThan(5);
      expect(read.slice(0, woke)).toEqual(noted.slice(0, woke));
    });

    if (placement === 'box') {
      it('is in its backup, which can be restored', async () => {
        const [from, to] = ['left', 'restored'].map((each) => join(folder, each)) as [
          string,
          string,
        ];
        await restore(await backedUpBy(version, from), to);
        const [kept = [], restored] = [from, to].map(rowsIn);
        expect(kept.length).toBeGreaterThan(100);
        expect(restored).toEqual(kept);
      });
    }

    it('had every status, and every field of a config', () => {
      const lobbies = Object.entries(before).filter(([what]) => what.startsWith('the lobby of '));
      const statuses = new Set(lobbies.map(([, lobby]) => (lobby as Lobby).status));
      expect([...statuses].toSorted()).toEqual(STATUSES);
      const { id, name, revision, warnings, ...kept } = before['/lobby-configs/full'] as Kept;
      expect({ id, name, revision, warnings }).toEqual({
        id: expect.any(String),
        name: 'full',
        revision: expect.any(Number),
      });
      expect(Object.keys(kept).toSorted()).toEqual(Object.keys(FULL).toSorted());
      const { every } = FULL.matchmaking.modes;
      expect(kept.matchmaking.modes['every']).toEqual(every);
    });

    it('goes on', async () => {
      const { operator, player } = now;
      const counts: Record<string, number> = {};
      const count = (what: string): number => (counts[what] = (counts[what] ?? 0) + 1);

      // A ban and a code.
      const banned = await player('cheat').call('POST', '/lobbies/arena', { name: 'mine' });
      expect(banned.status).toBe(403);
      const { code } = await player('wil').ok('GET', ME);
      const joined = await player('zoe').ok('POST', '/lobbies/arena/join', { code });
      expect(joined.players.map((each) => each.id)).toEqual(['wil', 'xia', 'zoe']);

      // A search that waits, a question half answered, a search with attributes of before.
      await search(now, 'fay', 'duel');
      expect((await reaches(now, 'fay', 'in_game')).matchId).toBe(
        (await reaches(now, 'eve', 'in_game')).matchId,
      );
      await player('di').ok('POST', `${ME}/confirm-match`);
      expect((await reaches(now, 'cy', 'in_game')).matchId).toBe(
        (await reaches(now, 'di', 'in_game')).matchId,
      );
      await things.found(now, 'vic');
      await operator.ok('PUT', '/players/vic/attributes', { attributes: { mmr: 1_520 } });
      await search(now, 'vic', 'three');
      expect((await reaches(now, 'vic', 'in_game')).matchId).toBe(
        (await reaches(now, 'una', 'in_game')).matchId,
      );
      ['a ticket', 'a question', 'a ticket'].forEach(count);

      // Launches that nobody had answered.
      const me = '/lobbies/slow/me';
      const pair = await reaches(now, 'hal', 'in_game', me);
      expect(pair.matchId).toBe((await reaches(now, 'ivy', 'in_game', me)).matchId);
      await reaches(now, 'gil', 'in_game', me);
      expect(outside.launched).toBe(2);
      ['a launch', 'a launch'].forEach(count);

      // Games that run end, and are rated.
      await operator.ok('POST', `/matches/${all.runs}/result`, won(1));
      await player('ada').ok('POST', `${ME}/end-match`);
      await reaches(now, 'bo', 'waiting');
      await player('own').ok('POST', `${ME}/end-match`);
      await reaches(now, 'own', 'waiting');
      await operator.ok('DELETE', `/servers/${all.server}`);
      await eventually('four players are rated', async () => {
        const { total } = await operator.ok<{ total: number }>('GET', LADDER);
        return total === 4;
      });
      ['a game', 'a game', 'a server'].forEach(count);

      // What the backend could not be told of.
      const heard = (id: string): readonly string[] => outside.heard.get(id) ?? [];
      // A result that comes before the end is told with it.
      const types = ['match.formed', 'match.ended', 'match.rated'];
      for (const id of [all.over, all.runs]) {
        await eventually(`the backend hears of ${id}`, () => heard(id).length >= types.length);
        expect(heard(id)).toEqual(types);
        heard(id).forEach(() => count('a webhook'));
      }

      // Ladders, histories and settings go on from where they were.
      const season = { config: 'full', mode: 'ranked', season: 2, factor: 0.5 };
      await operator.ok('POST', '/ratings/seasons', season);
      const kept = before['/lobby-configs/den/history'] as History;
      const first = kept.items.at(-1)?.revision;
      await operator.ok('POST', `/lobby-configs/den/history/${first}/restore`);
      const den = await operator.ok<Kept>('GET', '/lobby-configs/den');
      expect(den['customProperties']).toEqual({ of: 1 });
      // The secret of tokens signed one for a player.
      await operator.ok('POST', '/projects/settings', { playerAuth: 'token' });
      const tom = (given: string): Promise<{ readonly status: number }> =>
        new Player(service?.url ?? '', 'tom', 'client_dev_key', given).call('GET', ME);
      await eventually('tokens are asked for', async () => (await tom('')).status === 401);
      expect([(await tom(token)).status, (await tom(`${token}x`)).status]).toEqual([200, 401]);
      tell(
        `went on: ${Object.entries(counts)
          .map(([what, times]) => `${what} ${times}`)
          .join(', ')}`,
      );
    });
  });
});
