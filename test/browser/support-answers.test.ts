// What support asks of a match and a player, in a real browser: who won, what it did to ratings, who left, and the
// tables as files.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite('support-answers');
  const duos = {
    playersPerTeam: 2,
    maxPartySize: 2,
    allowBackfill: true,
    timeout: 600,
    rating: { field: 'mmr', system: 'openskill' },
  };
  const matchmaking = { modes: { duos } };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking });
});

afterAll(() => site.stop());

/** Two parties of two that are in one game. */
async function game(): Promise<string> {
  const one = (id: string): Player => new Player(site.running.url, id);
  const [ann, abe] = [one('ann'), one('abe')];
  for (const [host, guest] of [
    [ann, abe],
    [one('bob'), one('=ben')],
  ] as const) {
    const { code } = await host.ok('POST', '/lobbies/arena', { name: 'Den', private: true });
    await guest.ok('POST', '/lobbies/arena/join', { code });
    await host.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duos' });
  }
  const id = await eventually('the game runs', async () => {
    const { status, server, matchId } = await ann.ok('GET', '/lobbies/arena/me');
    return status === 'in_game' && server?.status === 'running' && matchId;
  });
  await abe.ok('DELETE', '/lobbies/arena/me');
  return id;
}

async function saved(page: Page, table: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByTitle(`Download these rows: ${table}`).click();
  const file = await coming;
  return readFile(await file.path(), 'utf8');
}

describe.runIf(needs('chromium'))('the page of a match', () => {
  it('says who won by score, what ratings did, and who left; its tables can be saved', async () => {
    const id = await game();
    const page = await pageIn(site, await site.browser.newContext());
    await signedIn(site, page, `#/matches/${id}`);
    const history = page.getByRole('table', { name: 'History' });
    await history.getByRole('row', { name: /^Left .* abe/ }).waitFor();
    const ended = await site.operator.ok<{ teams: readonly object[] }>('GET', `/matches/${id}`);
    expect(ended.teams).toHaveLength(2);
    const team = (name: string): number =>
      ended.teams.findIndex((each) => JSON.stringify(each).includes(`"${name}"`));
    await site.operator.ok('POST', `/matches/${id}/result`, {
      teams: [
        { team: team('ann'), score: 21, players: [{ id: 'abe', abandoned: true }] },
        { team: team('bob'), score: 7 },
      ],
    });
    const players = page.getByRole('table', { name: 'Players' });
    await players.getByRole('row', { name: /^ann .*1000 → \d+ \(\+\d+\)/ }).waitFor();
    await players.getByRole('row', { name: /^abe .*1000 → \d+ \(-\d+\) \d/ }).waitFor();
    const result = page.getByRole('table', { name: 'Result' });
    await result.getByRole('row', { name: /^Team \d 1 21 abe$/ }).waitFor();
    await result.getByRole('row', { name: /^Team \d 2 7 *$/ }).waitFor();

    const csv = await saved(page, 'Players');
    expect(csv).toMatch(/^\ufeffPlayer,Team,Role,Lobby,Waited,Rating,Left\r\n/);
    expect(csv).toMatch(/\r\nabe,Team \d,,[0-9a-f-]{36},\d+ s,1000 → \d+ \(-\d+\),\d{4}-\S+Z\r\n/);
    expect(csv).toContain(`\r\n"'=ben",`);

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const isAgain = colorScheme === 'dark' || width === 390;
        expect(await findingsOn(page, `a match, ${colorScheme}, ${width}`, isAgain)).toEqual([]);
      }
    }
    await page.context().close();
  });

  it('and the page of a player says what was won and lost', async () => {
    const page = await pageIn(site, await site.browser.newContext());
    await signedIn(site, page, '#/players/ann');
    const matches = page.getByRole('table', { name: 'Last matches' });
    await page.getByText('1 won, 0 lost', { exact: true }).waitFor();
    await matches.getByText('won, rank 1, score 21').waitFor();
    await matches.getByText(/1000 → \d+/).waitFor();
    await page.goto(`${site.running.url}/dashboard/#/players/abe`);
    await page.getByText('0 won, 1 lost', { exact: true }).waitFor();
    await matches.getByText('lost, rank 1, score 21, abandoned').waitFor();
    expect(await findingsOn(page, 'a player')).toEqual([]);
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});
