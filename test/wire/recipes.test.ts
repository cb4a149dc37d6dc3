// The recipes of docs/recipes.md: each is saved to the real service as it stands there, and the
// match that it is for is made, on a game server of the local fleet.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { recipesIn } from '../support/modes-of-page.ts';

const path = fileURLToPath(new URL('../../docs/recipes.md', import.meta.url));
const text = await readFile(path, 'utf8');

interface Recipe {
  readonly matchmaking: { readonly modes: Readonly<Record<string, unknown>> };
}

/** Bodies by the name in the comment before them. */
const RECIPES = recipesIn(text) as Readonly<Record<string, Recipe>>;

interface Told {
  readonly version_tag: string;
  readonly custom_data: {
    readonly all_players: readonly string[];
    readonly bots?: readonly { readonly team: number; readonly count: number }[];
    readonly teams: readonly {
      readonly team_name?: string;
      readonly lobbies: readonly { readonly player_states: object }[];
      readonly roles?: Readonly<Record<string, string>>;
    }[];
  };
}

type State = Readonly<Record<string, unknown>>;

let dataDir: string;
let running: Running;
let operator: Player;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-recipes-'));
  running = await startAll({ port: 0, dataDir });
  operator = new Player(running.url, 'operator', running.serverKey);
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Saves the recipe under its own name; answers the name of its one mode. */
async function saved(recipe: string): Promise<string> {
  const body = RECIPES[recipe];
  await operator.ok('PUT', `/lobby-configs/${recipe}`, body);
  return Object.keys(body?.matchmaking.modes ?? {})[0] ?? '';
}

/** A lobby of these players, the first of them the host. */
async function party(
  config: string,
  members: Readonly<Record<string, State>>,
): Promise<readonly Player[]> {
  const players = Object.keys(members).map((name) => new Player(running.url, name));
  const [host, ...guests] = players;
  if (host === undefined) {
    throw new Error('a party has a host');
  }
  const body = { name: `${host.id}'s`, maxPlayers: 5, state: members[host.id] };
  const { id } = await host.ok('POST', `/lobbies/${config}`, body);
  for (const guest of guests) {
    const joining = { lobbyId: id, state: members[guest.id] };
    await guest.ok('POST', `/lobbies/${config}/join`, joining);
  }
  return players;
}

/** Parties of so many, all alike. */
function parties(
  config: string,
  sizes: readonly number[],
  { prefix, state = {} }: { readonly prefix: string; readonly state?: State },
): Promise<readonly (readonly Player[])[]> {
  const members = sizes.map((size, lobby) =>
    Object.fromEntries(
      Array.from({ length: size }, (_, index) => [`${prefix}-${lobby}-${index}`, state]),
    ),
  );
  return Promise.all(members.map((each) => party(config, each)));
}

async function queue(config: string, mode: string, lobbies: readonly (readonly Player[])[]) {
  for (const [host] of lobbies) {
    await host?.ok('POST', `/lobbies/${config}/me/matchmaking`, { mode });
  }
}

function untilIn(config: string, player: Player | undefined, status: string): Promise<Lobby> {
  return eventually(`${player?.id} is ${status}`, async () => {
    const lobby = await player?.ok('GET', `/lobbies/${config}/me`);
    const isThere = status !== 'in_game' || lobby?.server?.status === 'running';
    return lobby?.status === status && isThere ? lobby : null;
  });
}

function toldTo(lobby: Lobby): Promise<Told> {
  return operator.ok<Told>('GET', `/servers/${lobby.server?.instance_id}`);
}

/** The match of all these lobbies: one, on one server; what that was told. */
async function matchOf(config: string, lobbies: readonly (readonly Player[])[]): Promise<Told> {
  const seen = await Promise.all(lobbies.map(([host]) => untilIn(config, host, 'in_game')));
  expect(new Set(seen.map(({ matchId }) => matchId)).size).toBe(1);
  expect(new Set(seen.map(({ server }) => server?.instance_id)).size).toBe(1);
  const [lobby] = seen;
  if (lobby === undefined) {
    throw new Error('no lobby');
  }
  const told = await toldTo(lobby);
  const players = lobbies.flat().map(({ id }) => id);
  expect([...told.custom_data.all_players].toSorted()).toEqual(players.toSorted());
  await lobbies[0]?.[0]?.ok('POST', `/lobbies/${config}/me/end-match`);
  return told;
}

function sizesIn({ custom_data: { teams } }: Told): readonly number[] {
  return teams.map(({ lobbies }) =>
    lobbies.reduce((sum, { player_states: states }) => sum + Object.keys(states).length, 0),
  );
}

describe('the recipes', () => {
  it('are these', () => {
    const names =
      'bots closest co-op even fives hunt near once-more ranked ranked-or-casual refilled relaxed royale somebody-else versions';
    expect(Object.keys(RECIPES).toSorted().join(' ')).toBe(names);
  });

  it('ranked: near ones meet and accept; who accepted searches on when the other declines', async () => {
    const mode = await saved('ranked');
    const near = await Promise.all([
      party('ranked', { ann: { mmr: 1000 } }),
      party('ranked', { ben: { mmr: 1070 } }),
    ]);
    const [[ann], [ben]] = near as readonly [readonly Player[], readonly Player[]];
    await queue('ranked', mode, [await party('ranked', { far: { mmr: 2000 } }), ...near]);
    await Promise.all([ann, ben].map((each) => untilIn('ranked', each, 'match_found')));
    await ann?.ok('POST', '/lobbies/ranked/me/confirm-match');
    await ben?.ok('DELETE', '/lobbies/ranked/me/confirm-match');
    await untilIn('ranked', ben, 'waiting');
    await untilIn('ranked', ann, 'in_queue');
    await queue('ranked', mode, [near[1]]);
    await Promise.all([ann, ben].map((each) => untilIn('ranked', each, 'match_found')));
    for (const each of [ann, ben]) {
      await each?.ok('POST', '/lobbies/ranked/me/confirm-match');
    }
    expect(sizesIn(await matchOf('ranked', near))).toEqual([1, 1]);
  });

  it('once-more: those who have played play again, once both have said yes', async () => {
    const mode = await saved('once-more');
    const two = [await party('once-more', { ann: {} }), await party('once-more', { ben: {} })];
    await queue('once-more', mode, two);
    const first = await matchOf('once-more', two);
    for (const [host] of two) {
      await untilIn('once-more', host, 'waiting');
      await host?.ok('POST', '/lobbies/once-more/me/rematch');
    }
    const again = await matchOf('once-more', two);
    expect(again.custom_data.teams).toEqual(first.custom_data.teams);
  });

  it('fives: parties fill two teams of five; a full five plays a full five', async () => {
    const mode = await saved('fives');
    const state = { mmr: 1200 };
    const mixed = await parties('fives', [3, 2, 4, 1], { prefix: 'mixed', state });
    const full = await parties('fives', [5, 5], { prefix: 'full', state });
    const [first, second] = full as readonly [readonly Player[], readonly Player[]];
    await queue('fives', mode, [first, ...mixed]);
    expect(sizesIn(await matchOf('fives', mixed))).toEqual([5, 5]);
    await untilIn('fives', first[0], 'in_queue');
    await queue('fives', mode, [second]);
    expect(sizesIn(await matchOf('fives', full))).toEqual([5, 5]);
  });

  it('even: ten players are split so that neither team is 15 better', async () => {
    const mode = await saved('even');
    const ten = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        party('even', { [`even-${at}`]: { mmr: 1000 + at ** 2 } }),
      ),
    );
    await queue('even', mode, ten);
    const { custom_data: told } = await matchOf('even', ten);
    const means = told.teams.map(({ lobbies }) => {
      const states = lobbies.flatMap((each) => Object.values(each.player_states) as State[]);
      return states.reduce((sum, { mmr }) => sum + Number(mmr), 0) / states.length;
    });
    expect(Math.abs((means[0] ?? 0) - (means[1] ?? 99))).toBeLessThanOrEqual(15);
  });

  it('closest: two within the rule meet, and nobody beyond it', async () => {
    const mode = await saved('closest');
    const far = await party('closest', { remote: { mmr: 5000 } });
    const near = await Promise.all([
      party('closest', { one: { mmr: 1000 } }),
      party('closest', { two: { mmr: 1200 } }),
    ]);
    await queue('closest', mode, [far, ...near]);
    expect(sizesIn(await matchOf('closest', near))).toEqual([1, 1]);
    await untilIn('closest', far[0], 'in_queue');
  });

  it('somebody-else: the last opponent and whoever is avoided only after ten seconds', async () => {
    const mode = await saved('somebody-else');
    const [[ann], [ben], [cid]] = (await Promise.all([
      party('somebody-else', { ann: {} }),
      party('somebody-else', { ben: {} }),
      party('somebody-else', { cid: { avoid: ['ben'] } }),
    ])) as unknown as readonly [readonly [Player], readonly [Player], readonly [Player]];
    await queue('somebody-else', mode, [[ann], [ben]]);
    await matchOf('somebody-else', [[ann], [ben]]);
    await untilIn('somebody-else', ann, 'waiting');
    await untilIn('somebody-else', ben, 'waiting');
    await queue('somebody-else', mode, [[ann], [ben], [cid]]);
    // Ben meets Ann no more so soon, nor Cid, who avoids him.
    await matchOf('somebody-else', [[ann], [cid]]);
    await untilIn('somebody-else', ann, 'waiting');
    await queue('somebody-else', mode, [[ann]]);
    const later = Date.now();
    await matchOf('somebody-else', [[ann], [ben]]);
    expect(Date.now() - later).toBeGreaterThan(9_000);
  });

  it('near: two play where the farther of them is nearest, whatever their lobbies say', async () => {
    const mode = await saved('near');
    const two = await Promise.all([
      party('near', { here: { ping: { 'eu-west': 12, 'eu-north': 35 } } }),
      party('near', { there: { ping: { 'eu-west': 58, 'eu-north': 40, asia: 9 } } }),
    ]);
    await queue('near', mode, two);
    const lobby = await untilIn('near', two[0]?.[0], 'in_game');
    expect(await toldTo(lobby)).toMatchObject({ region: 'eu-north' });
    await two[0]?.[0]?.ok('POST', '/lobbies/near/me/end-match');
  });

  it('relaxed: seven wait for an eighth, and six of them play after five seconds', async () => {
    const mode = await saved('relaxed');
    const seven = await parties('relaxed', [1, 1, 1, 1, 1, 1, 1], { prefix: 'relaxed' });
    await queue('relaxed', mode, seven);
    await untilIn('relaxed', seven[0]?.[0], 'in_queue');
    expect(sizesIn(await matchOf('relaxed', seven.slice(0, 6)))).toEqual([3, 3]);
    await untilIn('relaxed', seven[6]?.[0], 'in_queue');
  });

  it('refilled: two accept, one declines, another takes the place, and the match goes on', async () => {
    const mode = await saved('refilled');
    const three = await parties('refilled', [2, 1, 1], { prefix: 'asked' });
    const [other = []] = await parties('refilled', [1], { prefix: 'other' });
    const [[two], [one], [decliner]] = three as unknown as readonly [
      readonly [Player],
      readonly [Player],
      readonly [Player],
    ];
    await queue('refilled', mode, three);
    const found = await Promise.all(
      [two, one, decliner].map((each) => untilIn('refilled', each, 'match_found')),
    );
    for (const each of [two, one]) {
      await each.ok('POST', '/lobbies/refilled/me/confirm-match');
    }
    await decliner.ok('DELETE', '/lobbies/refilled/me/confirm-match');
    await untilIn('refilled', decliner, 'waiting');
    const stayed = await untilIn('refilled', two, 'match_found');
    expect(stayed).toMatchObject({
      matchId: found[0]?.matchId,
      matchmaking: { confirmation: { confirmed: true, refill: { players: 1 } } },
    });
    expect(await decliner.call('POST', '/lobbies/refilled/me/matchmaking', { mode })).toMatchObject(
      { status: 403, body: { code: 'COOLDOWN' } },
    );
    await queue('refilled', mode, [other]);
    await untilIn('refilled', other[0], 'match_found');
    await other[0]?.ok('POST', '/lobbies/refilled/me/confirm-match');
    const playing = [...three.slice(0, 2), other];
    expect((await untilIn('refilled', one, 'in_game')).matchId).toBe(stayed.matchId);
    expect(sizesIn(await matchOf('refilled', playing))).toEqual([2, 2]);
    await untilIn('refilled', decliner, 'waiting');
  });

  it('bots: somebody alone plays with three bots after 30 seconds, and another takes the place of one', async () => {
    const mode = await saved('bots');
    const [alone = []] = await parties('bots', [1], { prefix: 'alone' });
    const [other = []] = await parties('bots', [1], { prefix: 'later' });
    const began = Date.now();
    await queue('bots', mode, [alone]);
    const lobby = await untilIn('bots', alone[0], 'in_game');
    expect(Date.now() - began).toBeGreaterThan(29_000);
    const bots = async () => (await toldTo(lobby)).custom_data.bots;
    expect(await bots()).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 2 },
    ]);
    await queue('bots', mode, [other]);
    expect((await untilIn('bots', other[0], 'in_game')).matchId).toBe(lobby.matchId);
    const fewer = [
      { team: 0, count: 1 },
      { team: 1, count: 1 },
    ];
    await eventually('the server knows of one bot less', async () =>
      JSON.stringify(await bots()) === JSON.stringify(fewer) ? true : null,
    );
    await alone[0]?.ok('POST', '/lobbies/bots/me/end-match');
  });

  it('royale: starts with twenty squads or more; a hundred where it must be full', async () => {
    const mode = await saved('royale');
    const sizes = Array.from({ length: 25 }, () => 4);
    const squads = await parties('royale', sizes, { prefix: 'squad' });
    await queue('royale', mode, squads);
    const short = await untilIn('royale', squads[0]?.[0], 'in_game');
    const playing = sizesIn(await toldTo(short));
    expect(playing.length).toBeGreaterThanOrEqual(20);
    expect(new Set(playing)).toEqual(new Set([4]));
    await squads[0]?.[0]?.ok('POST', '/lobbies/royale/me/end-match');
    for (const [host] of squads) {
      const left = await host?.ok('GET', '/lobbies/royale/me');
      if (left?.status === 'in_queue') {
        await host?.ok('DELETE', '/lobbies/royale/me/matchmaking');
      }
    }
    await Promise.all(squads.map(([host]) => untilIn('royale', host, 'waiting')));

    const whole = structuredClone(RECIPES['royale']) as {
      matchmaking: { modes: { squads: State } };
    };
    const { minTeams: _, ...squad } = whole.matchmaking.modes.squads;
    whole.matchmaking.modes.squads = squad;
    await operator.ok('PUT', '/lobby-configs/royale', whole);
    await queue('royale', mode, squads);
    expect(sizesIn(await matchOf('royale', squads))).toEqual(sizes);
  });

  it('ranked or casual: who has no equal plays casual a little later, once for all', async () => {
    const config = 'ranked-or-casual';
    await saved(config);
    const modes = ['ranked', { mode: 'casual', afterSeconds: 1 }];
    const search = async (...lobbies: readonly (readonly Player[])[]): Promise<void> => {
      for (const [host] of lobbies) {
        await host?.ok('POST', `/lobbies/${config}/me/matchmaking`, { modes });
      }
    };
    const [ann, far, near] = [
      await party(config, { ann: { mmr: 1_000 } }),
      await party(config, { far: { mmr: 2_000 } }),
      await party(config, { near: { mmr: 1_050 } }),
    ];
    await search(ann, far);
    await matchOf(config, [ann, far]);
    await untilIn(config, ann[0], 'waiting');
    // In ranked at once, and casual never begins.
    await search(ann, near);
    const { matchId } = await untilIn(config, ann[0], 'in_game');
    expect((await untilIn(config, near[0], 'in_game')).matchId).toBe(matchId);
  });

  it('hunt: one against four, each in a role, and a spectator comes along', async () => {
    const mode = await saved('hunt');
    const mmr = 900;
    const lobbies = await Promise.all([
      party('hunt', { night: { mmr, role: 'hunter' } }),
      party('hunt', {
        cam: { mmr, role: ['medic', 'survivor'] },
        dee: { mmr, role: 'survivor' },
        eve: { mmr, role: 'spectator' },
      }),
      party('hunt', { fay: { mmr, role: 'fill' }, gus: { mmr, role: 'survivor' } }),
    ]);
    await queue('hunt', mode, lobbies);
    const { custom_data: told } = await matchOf('hunt', lobbies);
    const roles = Object.fromEntries(told.teams.map((team) => [team.team_name, team.roles]));
    expect(roles['hunters']).toEqual({ night: 'hunter' });
    const survivors: readonly string[] = Object.values(roles['survivors'] ?? {});
    expect(survivors.toSorted()).toEqual(['medic', 'survivor', 'survivor', 'survivor']);
    expect(told.all_players).toContain('eve');
  });

  it('versions: each version plays with its own, on its own build', async () => {
    const mode = await saved('versions');
    for (const version of ['arena-1.0', 'arena-1.1']) {
      await operator.ok('PUT', `/builds/${version}`, { version });
    }
    const old = await parties('versions', [2, 2], {
      prefix: 'old',
      state: { version: 'arena-1.0' },
    });
    const fresh = await parties('versions', [1, 1, 2], {
      prefix: 'new',
      state: { version: 'arena-1.1' },
    });
    await queue('versions', mode, [...old.slice(1), ...fresh, ...old.slice(0, 1)]);
    expect((await matchOf('versions', old)).version_tag).toBe('arena-1.0');
    expect((await matchOf('versions', fresh)).version_tag).toBe('arena-1.1');
  });

  it('co-op: two begin, a third joins the running game; two or three friends begin alone, four at once', async () => {
    const mode = await saved('co-op');
    const two = await parties('co-op', [1, 1], { prefix: 'two' });
    const [third = []] = await parties('co-op', [1], { prefix: 'third' });
    await queue('co-op', mode, two);
    const { matchId } = await untilIn('co-op', two[0]?.[0], 'in_game');
    await queue('co-op', mode, [third]);
    expect((await untilIn('co-op', third[0], 'in_game')).matchId).toBe(matchId);
    await third[0]?.ok('POST', '/lobbies/co-op/me/end-match');
    for (const friends of [2, 3, 4]) {
      const all = await parties('co-op', [friends], { prefix: `friends-${friends}` });
      await queue('co-op', mode, all);
      expect(sizesIn(await matchOf('co-op', all))).toEqual([friends]);
    }
  });
});
