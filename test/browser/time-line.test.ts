// The time line on the pages of a lobby and a match, in a real browser. With SCREENSHOTS=<folder> the pages are put
// there, light and dark.

import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite('time-line');
});

afterAll(() => site.stop());

/** Ann and Bob have played. */
async function played(): Promise<{ readonly lobby: string; readonly match: string }> {
  const { operator, running } = site;
  const modes = { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const [ann, bob] = ['ann', 'bob'].map((id) => new Player(running.url, id));
  for (const player of [ann, bob]) {
    await player?.ok('POST', '/lobbies/arena', { name: player.id });
    await player?.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  const plays = await eventually('they play', async () => {
    const lobby = await ann?.ok('GET', '/lobbies/arena/me');
    return lobby?.server?.status === 'running' ? lobby : null;
  });
  await bob?.ok('POST', '/lobbies/arena/me/end-match');
  return { lobby: plays.id, match: plays.matchId ?? '' };
}

describe.runIf(needs('chromium'))('a time line', () => {
  it('shows what a lobby and a match did, and for how long', async () => {
    const { lobby, match } = await played();
    const page = await pageIn(site, await site.browser.newContext());
    await signedIn(site, page);
    for (const [name, hash, doing] of [
      ['lobby', `#/lobbies/arena/${lobby}`, ['in queue', 'in game']],
      ['match', `#/matches/${match}`, ['running']],
    ] as const) {
      await page.goto(`${site.running.url}/dashboard/${hash}`);
      const line = page.getByRole('list', { name: 'Time line' });
      for (const each of doing) {
        await line.getByText(new RegExp(`^${each} \\d+ s$`)).waitFor();
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findingsOn(page, colorScheme, colorScheme === 'dark')).toEqual([]);
        const folder = process.env['SCREENSHOTS'];
        if (folder !== undefined) {
          await line.scrollIntoViewIfNeeded();
          await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
        }
      }
    }
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});
