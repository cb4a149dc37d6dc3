// The dashboard's pages of what happened: matches and why they failed, players, lobbies that are gone,
// how configs were saved, and the trends of the last day.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite('journal-pages');
  const launch = { command: '/bin/sh', args: ['-c', 'echo no such map; exit 3'] };
  await site.operator.ok('PUT', '/builds/broken', { status: 'ready', launch });
  for (const [name, gameBuild] of [
    ['arena', 'default'],
    ['ruins', 'broken'],
  ] as const) {
    const matchmaking = { modes: { duel: { timeout: 600 } } };
    await site.operator.ok('PUT', `/lobby-configs/${name}`, {
      serverSettings: { gameBuild },
      matchmaking,
    });
  }
});

afterAll(async () => {
  await site.stop();
});

async function open(hash: string): Promise<Page> {
  const page = await pageIn(site, await site.browser.newContext());
  await signedIn(site, page, hash);
  return page;
}

/** Two lobbies of new players that have searched, once the first shows that status. */
async function pair(config: string, names: readonly string[], status: string) {
  const players = names.map((name) => new Player(site.running.url, name));
  for (const each of players) {
    await each.ok('POST', `/lobbies/${config}`, { name: `${each.id}'s` });
    await each.ok('POST', `/lobbies/${config}/me/matchmaking`, { mode: 'duel' });
  }
  const lobby = await eventually(`${names[0]} is ${status}`, async () => {
    const now = await players[0]?.ok('GET', `/lobbies/${config}/me`);
    return now?.status === status && now;
  });
  return { players, lobby };
}

describe.runIf(needs('chromium'))('a match that failed', () => {
  it('is red in the list with its reason, and leads to the exit code and the last output', async () => {
    const { lobby } = await pair('ruins', ['max', 'nia'], 'waiting');
    const page = await open('#/matches/');
    await page.getByLabel('Outcome').selectOption('failed');
    const row = page.locator('tr.failed');
    await row.getByText('the game server did not start').waitFor();
    const color = await row.locator('.status-failed').evaluate((it) => getComputedStyle(it).color);
    expect(color).toBe('rgb(179, 38, 30)');

    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: /^Match / }).waitFor();
    await page.getByText('exit code 3').first().waitFor();
    for (const name of ['max', 'nia']) {
      await page.getByRole('table', { name: 'Players' }).getByText(name, { exact: true }).waitFor();
    }
    await page.getByRole('table', { name: 'History' }).getByText('Match failed').waitFor();

    await page.locator('dl.facts').getByRole('link').nth(1).click();
    await page.getByLabel('Last output').getByText('no such map').waitFor();
    await page.goto(`${site.running.url}/dashboard/#/players/nia`);
    await page.getByRole('table', { name: 'Last matches' }).getByText('failed').waitFor();
    await page.goto(`${site.running.url}/dashboard/#/lobbies/ruins/${lobby.id}`);
    await page.getByRole('table', { name: 'History' }).getByText('did not start').first().waitFor();
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('the playground', () => {
  it('says that a match was made and its server failed, and why, and leads to the match and the queue', async () => {
    const page = await open('#/playground/ruins/duel');
    await page.getByRole('textbox', { name: 'Phantom players' }).fill('2');
    await page.getByRole('button', { name: 'Start phantoms' }).click();
    const said = page.getByText(
      'a match was made, but its server failed to start: The server ended before it ran: exit code 3',
    );
    await said.nth(1).waitFor();
    await page.getByRole('heading', { name: 'Matches: 0' }).waitFor();
    expect(await findingsOn(page, 'the playground')).toEqual([]);
    await said.first().getByRole('link').click();
    await page.getByText('exit code 3').first().waitFor();
    await page.goto(`${site.running.url}/dashboard/#/queues/ruins~playground/duel`);
    await page.getByRole('table', { name: 'Recent matches' }).getByText('failed').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('a match that runs', () => {
  it('shows who met whom and how long they waited, and is ended by the operator, who is named', async () => {
    const { lobby } = await pair('arena', ['ann', 'bob'], 'in_game');
    const page = await open(`#/matches/${lobby.matchId}`);
    await page.getByRole('table', { name: 'Players' }).getByText('Team 2').waitFor();
    await page.getByRole('button', { name: 'End match' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the match' }).click();
    const ended = page.getByRole('row', { name: /Match ended/ });
    await ended.getByText(/operator [0-9a-f]{8}/).waitFor();
    expect(await page.getByRole('button', { name: 'End match' }).count()).toBe(0);

    const table = page.getByRole('table', { name: 'Last matches' });
    await page.goto(`${site.running.url}/dashboard/#/players/ann`);
    await table.getByText('ended', { exact: true }).waitFor();
    expect(await table.getByText(/rank|score|abandoned/).count()).toBe(0);
    await site.operator.ok('POST', `/matches/${lobby.matchId}/result`, {
      teams: [
        { team: 0, rank: 1, players: [{ id: 'ann', score: 21 }] },
        { team: 1, rank: 2, players: [{ id: 'bob', abandoned: true }] },
      ],
    });
    await table.getByText('won, rank 1, score 21').waitFor();
    await page.goto(`${site.running.url}/dashboard/#/players/bob`);
    await table.getByText('lost, rank 2, abandoned').waitFor();
    expect(await findingsOn(page, "a player's results")).toEqual([]);
    await page.context().close();
  });

  it('is found by searching for a player, who can be kicked there', async () => {
    const page = await open('#/');
    await page.getByRole('searchbox').fill('bob');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { name: 'Player bob' }).waitFor();
    await page
      .getByRole('table', { name: 'Last matches' })
      .getByText('ended', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Kick' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Kick the player' }).click();
    await page.getByText('This player is in no lobby right now.').waitFor();
    await page.context().close();
  });

  it('bans and unbans a player', async () => {
    const page = await open('#/players/mal');
    await page.getByLabel('Reason for the player').fill('Aimbot');
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Ban the player' }).click();
    const bans = page.getByRole('table', { name: 'Bans' });
    await bans.getByText('Aimbot').waitFor();
    const mal = new Player(site.running.url, 'mal');
    await expect(mal.ok('POST', '/lobbies/arena', { name: 'Den' })).rejects.toThrow(/Aimbot|403/);
    await bans.getByRole('button', { name: 'Lift all' }).click();
    await page.getByText('This player is not banned.').waitFor();
    await mal.ok('POST', '/lobbies/arena', { name: 'Den' });
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('a lobby that is gone', () => {
  it('still tells what happened to it, and who deleted it', async () => {
    const cat = new Player(site.running.url, 'cat');
    const { id } = await cat.ok('POST', '/lobbies/arena', { name: 'Short' });
    await site.operator.ok('DELETE', `/lobbies/arena/${id}`);
    const page = await open(`#/lobbies/arena/${id}`);
    await page.getByText('This lobby no longer exists').waitFor();
    const history = page.getByRole('table', { name: 'History' });
    await history.getByText('Lobby created').waitFor();
    await history.getByRole('row', { name: /Lobby deleted.*operator [0-9a-f]{8}/ }).waitFor();
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('why a player waited', () => {
  it('is on the page of the player, also of one who never matched, with a what-if of that hour', async () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
    const matchmaking = { modes: { rated: { timeout: 600, rules } } };
    await site.operator.ok('PUT', '/lobby-configs/keep', { matchmaking });
    for (const [name, mmr] of [
      ['low', 1000],
      ['top', 1400],
    ] as const) {
      const each = new Player(site.running.url, name);
      await each.ok('POST', '/lobbies/keep', { name, state: { mmr } });
      await each.ok('POST', '/lobbies/keep/me/matchmaking', { mode: 'rated' });
    }
    await new Player(site.running.url, 'top').ok('DELETE', '/lobbies/keep/me/matchmaking');
    await eventually('the journal, which lags by a second, says so', async () => {
      const line = '/admin/searches?player=top';
      const { items } = await site.operator.ok<{ items: readonly { ended: unknown }[] }>(
        'GET',
        line,
      );
      return (items[0]?.ended ?? null) !== null;
    });
    const page = await open('#/players/top');
    const searches = page.getByRole('table', { name: 'Last searches' });
    await searches.getByRole('row', { name: /^keep \/ rated .* cancelled/ }).waitFor();
    await searches.getByRole('button', { name: 'Why' }).click();
    const why = page.getByRole('list', { name: 'When the search ended' });
    await why.getByText('1 other lobby waited; 0 could play with it.').waitFor();
    await why.getByText(/Rejected most: mmr .* \(1 of 1\)/).waitFor();
    await why.getByText(/Nearest: lobby [0-9a-f]{8} of low, 400 apart where 50/).waitFor();
    expect(await findingsOn(page, 'why a player waited')).toEqual([]);
    await searches.getByRole('link', { name: 'What if' }).click();
    await page.getByLabel('Maximum difference').fill('500');
    await page.getByRole('button', { name: 'Try it on that hour' }).click();
    const whatIf = page.getByRole('table', { name: 'What if' });
    await whatIf.getByRole('row', { name: 'Matches 0 1', exact: true }).waitFor();
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('the audit list', () => {
  it('says who did what to a player, and is filtered by what and who', async () => {
    const pat = new Player(site.running.url, 'pat');
    const { id } = await pat.ok('POST', '/lobbies/arena', { name: 'Den' });
    const kick = `/admin/lobbies/arena/${id}/kick`;
    await site.operator.ok('POST', kick, { playerId: 'pat' });
    const page = await open('#/players/pat');
    await page.getByRole('link', { name: 'What operators did to pat' }).click();
    const audit = page.getByRole('table', { name: 'Audit' });
    await audit.getByRole('row', { name: /^Player kicked pat .* [0-9a-f]{8} arena/ }).waitFor();
    expect(await audit.getByRole('row').count()).toBe(2);
    await page.getByLabel('On', { exact: true }).fill('');
    await page.getByLabel('On', { exact: true }).press('Enter');
    await page.getByLabel('What', { exact: true }).selectOption('Build saved');
    await audit.getByRole('row', { name: /^Build saved broken/ }).waitFor();
    expect(await audit.getByRole('row').count()).toBe(2);
    await page.getByLabel('Who').fill('nobody');
    await page.getByLabel('Who').press('Enter');
    await page.getByText('Nothing fits these filters').waitFor();
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('the history of a build', () => {
  it('shows who changed what, and goes back to one', async () => {
    await site.operator.ok('PUT', '/builds/canary', { label: '1.0' });
    await site.operator.ok('PUT', '/builds/canary', { label: '1.1', status: 'not_ready' });
    const page = await open('#/builds');
    await page.getByRole('link', { name: 'History of canary' }).click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByRole('row', { name: 'label "1.0" "1.1"' }).waitFor();
    await changes.getByRole('row', { name: 'status "ready" "not_ready"' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await changes.getByRole('row', { name: 'label "1.1" "1.0"' }).waitFor();
    expect(await findingsOn(page, 'the history of a build')).toEqual([]);
    const { builds } = await site.operator.ok<{
      builds: readonly { name: string; version: number; label: string }[];
    }>('GET', '/builds');
    const canary = builds.find(({ name }) => name === 'canary');
    expect(canary).toMatchObject({ version: 3, label: '1.0' });
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('the history of a config', () => {
  it('shows what each save changed, and goes back to one', async () => {
    await site.operator.ok('PUT', '/lobby-configs/cave', { timeout: 111 });
    await site.operator.ok('PUT', '/lobby-configs/cave', { timeout: 222, heartbeat: true });
    const page = await open('#/configs/cave');
    await page.getByRole('link', { name: 'History' }).click();
    const changes = page.getByRole('table', { name: 'Changes' });
    await changes.getByRole('row', { name: 'timeout 111 222' }).waitFor();
    await changes.getByRole('row', { name: 'heartbeat false true' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await changes.getByRole('row', { name: 'timeout 222 111' }).waitFor();
    const saved = await site.operator.ok<{ timeout: number }>('GET', '/lobby-configs/cave');
    expect(saved.timeout).toBe(111);
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('the trends of the last day', () => {
  it('are drawn, and say in words what they show', async () => {
    const page = await open('#/');
    const matches = page.getByRole('img', { name: /^Up to 0\.[24] matches a minute/ });
    await matches.waitFor();
    const drawn = await matches.locator('canvas').evaluate((it) => {
      const canvas = it as unknown as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
        data: [],
      };
      // The line's colour, light: #1f5fbf.
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        count += data[at] === 31 && data[at + 1] === 95 && data[at + 2] === 191 ? 1 : 0;
      }
      return count;
    });
    expect(drawn).toBeGreaterThan(100);
    expect(await page.locator('.charts canvas').count()).toBe(4);
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});

interface Lab {
  matchmaking: { modes: { ranked: { rules: readonly { maxDifference: number }[] } } };
}

describe.runIf(needs('chromium'))('trying a mode on the last day', () => {
  it('shows what the changed mode would have made of everybody who queued, beside the saved one', async () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
    const matchmaking = { modes: { ranked: { timeout: 600, rules } } };
    await site.operator.ok('PUT', '/lobby-configs/lab', { matchmaking });
    const page = await open('#/configs/lab');
    const tried = page.getByRole('button', { name: 'Try it on the last day' });
    await tried.click();
    await page.getByText('Nobody has queued for this mode yet').waitFor();

    for (const [name, mmr] of Object.entries({ eve: 1000, fay: 1040, gus: 2000, hal: 2300 })) {
      const each = new Player(site.running.url, name);
      await each.ok('POST', '/lobbies/lab', { name, state: { mmr } });
      await each.ok('POST', '/lobbies/lab/me/matchmaking', { mode: 'ranked' });
    }
    await eventually('all four are in the journal, which lags by a second', async () => {
      const address = `${site.running.url}/v3/admin/journal?config=lab&mode=ranked`;
      const journal = await fetch(address, { headers: { 'api-key': site.running.serverKey } });
      return [...(await journal.text()).matchAll(/"k":"enter"/g)].length === 4;
    });
    await page.getByLabel('Maximum difference').fill('400');
    await tried.click();
    const table = page.getByRole('table', { name: 'What if' });
    await table.getByRole('row', { name: 'Matches 1 2', exact: true }).waitFor();
    await table.getByRole('row', { name: 'Never matched 2 0' }).waitFor();
    await table.getByRole('row', { name: 'Lobbies matched 2 of 4 4 of 4' }).waitFor();
    await page.getByText('0 of 1 matches came out differently').waitFor();
    // Who is 40 apart today has another game of 300 beside it.
    await table.getByRole('row', { name: 'mmr: gap between the teams (p90) 40 300' }).waitFor();
    expect(await table.getByText(/gap within a match|Chances/).count()).toBe(0);
    await page.getByText('Nothing says how likely each team was to win').waitFor();

    await page.getByLabel('Maximum difference').fill('-1');
    await tried.click();
    await page.getByText('must not be negative').last().waitFor();
    expect(await table.count()).toBe(0);
    const saved = await site.operator.ok<Lab>('GET', '/lobby-configs/lab');
    expect(saved.matchmaking.modes.ranked.rules[0]?.maxDifference).toBe(50);
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('how good a match was', () => {
  it('is among its facts', async () => {
    const rules = [{ type: 'difference', field: 'skill', maxDifference: 100 }];
    const duel = { rules, rating: { field: 'mmr', system: 'openskill' } };
    await site.operator.ok('PUT', '/lobby-configs/even', { matchmaking: { modes: { duel } } });
    const players = ['eve', 'flo'].map((name) => new Player(site.running.url, name));
    for (const [at, each] of players.entries()) {
      await each.ok('POST', '/lobbies/even', { name: 'Den', state: { skill: 1500 - 60 * at } });
      await each.ok('POST', '/lobbies/even/me/matchmaking', { mode: 'duel' });
    }
    const id = await eventually('they have a match', async () => {
      const { matchId } = (await players[0]?.ok('GET', '/lobbies/even/me')) ?? {};
      return typeof matchId === 'string' && matchId;
    });
    const page = await open(`#/matches/${id}`);
    const facts = page.locator('dl.facts');
    await facts.getByText(/^chances 50 to 50; teams 60 apart; median wait /).waitFor();
    expect(await findingsOn(page, 'a match')).toEqual([]);
    await page.context().close();
  });
});
