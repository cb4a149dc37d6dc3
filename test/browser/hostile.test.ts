// Text of players and backends on every page of the dashboard that one can get to by links: it is shown, and never run.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { openSite, type Site } from './browser.ts';
import { deskIn } from './desk.ts';

const RUN = 'globalThis.owned=1';
const TAG = `"'><img src=x onerror=${RUN}><script>${RUN}</script>`;
const LINK = `javascript:${RUN}//`;
const MARKUP = `</textarea><svg onload=${RUN}><a href="${LINK}">`;
const [ANN, BOB, CAT] = [`ann${TAG}`, LINK, `cat${MARKUP}`] as const;

let site: Site;

beforeAll(async () => {
  if (!needs('chromium')) {
    return;
  }
  site = await openSite('hostile');
  const { operator, running } = site;
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
  const rating = { field: 'skill', system: 'openskill' };
  const modes = { duel: { timeout: 600, rules, rating } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  await operator.ok('PUT', '/builds/mean', {
    label: TAG.slice(0, 64),
    launch: { command: TAG, args: [MARKUP, LINK], env: { GAME_TEXT: TAG } },
  });
  for (const [id, mmr] of [
    [ANN, 1000],
    [BOB, 1000],
    [CAT, 5000],
  ] as const) {
    const player = new Player(running.url, id);
    const state = { mmr, [TAG]: MARKUP, [LINK]: [TAG] };
    const settings = { [MARKUP]: TAG };
    await player.ok('POST', '/lobbies/arena', { name: `${TAG} ${mmr}`, state, settings });
    await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  const custom = { custom_data: { [TAG]: LINK } };
  await operator.ok('POST', '/servers/start', { name: TAG, region: 'eu-west', ...custom });
  const path = `/players/${encodeURIComponent(ANN)}`;
  await operator.ok('PUT', `${path}/attributes`, { attributes: { [TAG]: LINK, tier: MARKUP } });
  await operator.ok('PUT', `/bans/${encodeURIComponent(CAT)}`, { config: 'arena', reason: TAG });
  const { id } = await eventually('a match runs', async () => {
    interface Listed {
      readonly items: readonly { readonly id: string; readonly outcome: string }[];
    }
    const { items } = await operator.ok<Listed>('GET', '/matches?limit=10');
    return items.find(({ outcome }) => outcome === 'running');
  });
  await operator.ok('POST', `/matches/${id}/result`, {
    teams: [
      { team: 0, score: 2, players: [{ id: ANN, score: 1 }] },
      { team: 1, score: 1 },
    ],
    data: { [TAG]: MARKUP },
  });
});

afterAll(async () => {
  if (needs('chromium')) {
    await site.stop();
  }
});

describe.runIf(needs('chromium'))('hostile text', () => {
  it('runs on no page of the dashboard, and leads nowhere', async () => {
    const failed: string[] = [];
    const { page } = await deskIn(site, (own) =>
      own.on('response', (answer) => {
        if (answer.status() >= 400) {
          failed.push(`${answer.status()} ${answer.url()}`);
        }
      }),
    );
    const home = `${site.running.url}/dashboard/`;
    const left = ['#/'];
    const seen = new Set<string>();
    const shows = new Set<string>();
    for (let hash = left.shift(); hash !== undefined; hash = left.shift()) {
      if (seen.has(hash)) {
        continue;
      }
      seen.add(hash);
      await page.goto(home + hash);
      let before = '';
      await eventually(
        'the page is there',
        async () => {
          const now = await page.locator('main').innerText();
          const isSame = now !== '' && now === before && !/^Loading/m.test(now);
          before = now;
          return isSame;
        },
        { everyMs: 100 },
      );
      const found = await page.evaluate(() => ({
        owned: 'owned' in globalThis,
        made: document.querySelectorAll('img[src=x], main script, main svg[onload], iframe').length,
        links: [...document.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? ''),
      }));
      const bad = found.links.filter((href) => /^\s*(javascript|data|vbscript):/i.test(href));
      expect({ hash, owned: found.owned, made: found.made, bad }).toEqual({
        hash,
        owned: false,
        made: 0,
        bad: [],
      });
      if (before.includes('onerror=') || before.includes('javascript:')) {
        shows.add(hash.split('/')[1] ?? '');
      }
      left.push(...found.links.filter((href) => href.startsWith('#/')));
    }
    console.log(`${seen.size} pages, hostile text on those of ${[...shows].toSorted().join(', ')}`);
    expect(seen.size).toBeGreaterThan(25);
    expect([...shows]).toEqual(
      expect.arrayContaining(['bans', 'builds', 'lobbies', 'matches', 'players', 'servers']),
    );
    console.log(failed.join('\n'));
    expect(failed.filter((answer) => answer.startsWith('5'))).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
