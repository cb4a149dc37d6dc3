// The dashboard as people use it who run games: looking things up, acting on them, and not losing
// what they typed.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite('console');
  const modes = { duel: { timeout: 600 } };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
});

afterAll(async () => {
  await site.stop();
});

async function open(hash = '#/', width = 1280): Promise<Page> {
  const context = await site.browser.newContext({ viewport: { width, height: 860 } });
  const page = await pageIn(site, context);
  await signedIn(site, page, hash);
  return page;
}

function player(id: string): Player {
  return new Player(site.running.url, id);
}

/** Presses what asks first, and then the answer to its question. */
async function confirmed(page: Page, button: string, answer: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: answer }).click();
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.getByRole('searchbox').press('Enter');
}

describe.runIf(needs('chromium'))('the search field', () => {
  it('opens a lobby by its id and its code, and a server; says when there is nothing', async () => {
    const host = player('finder');
    const { id, code } = await host.ok('POST', '/lobbies/arena', { name: 'Findable' });
    const started = await host.ok('POST', '/lobbies/arena/me/start');
    const page = await open();
    for (const text of [id, code.toLowerCase()]) {
      await search(page, text);
      await page.getByRole('heading', { name: 'Findable' }).waitFor();
      expect(new URL(page.url()).hash).toBe(`#/lobbies/arena/${id}`);
      await page.goto(`${site.running.url}/dashboard/#/queues`);
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
    }
    await search(page, started.server?.instance_id ?? '');
    await page.getByRole('heading', { name: 'Last output' }).waitFor();
    await search(page, 'NOBODY-99');
    await page.getByText('Nothing found').waitFor();
    await site.operator.ok('PUT', '/bans/NOBODY-99', {});
    await page.locator('h1').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('body-9/');
    expect(await page.getByRole('searchbox').inputValue()).toBe('body-9/');
    await page.goto(`${site.running.url}/dashboard/#/queues`);
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('body-9');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Player NOBODY-99' }).waitFor();
    await site.operator.ok('DELETE', '/bans/NOBODY-99');
    await host.ok('DELETE', '/lobbies/arena/me');
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('who types as soon as a page is there', () => {
  it('keeps the focus, however late the browser draws the page', async () => {
    const page = await open();
    // The key is pressed in the moment in which the title is there, before the page is drawn.
    await page.evaluate(`{
      window.pressed = new Promise((done) => {
        new MutationObserver((_, observer) => {
          if (document.querySelector('h1')?.textContent === 'Queues') {
            observer.disconnect();
            dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }));
            requestAnimationFrame(() => setTimeout(() => setTimeout(done, 200)));
          }
        }).observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      location.hash = '#/queues';
    }`);
    await page.evaluate('window.pressed');
    await page.keyboard.type('body-9');
    expect(await page.getByRole('searchbox').inputValue()).toBe('body-9');
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('an operator', () => {
  it('kicks a player, takes the lobby out of its queue and deletes it, each after a question', async () => {
    const [host, guest] = [player('host'), player('guest')];
    const { id, code } = await host.ok('POST', '/lobbies/arena', { name: 'Den', maxPlayers: 2 });
    await guest.ok('POST', '/lobbies/arena/join', { code });
    const page = await open(`#/lobbies/arena/${id}`);
    await page.getByRole('button', { name: 'Kick guest' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await guest.call('GET', '/lobbies/arena/me')).status).toBe(200);
    await confirmed(page, 'Kick guest', 'Kick the player');
    await page
      .getByRole('table', { name: 'Players' })
      .getByText('guest')
      .first()
      .waitFor({ state: 'detached' });
    expect((await guest.call('GET', '/lobbies/arena/me')).status).toBe(404);

    await host.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    await confirmed(page, 'Take out of the queue', 'Take out of the queue');
    await eventually('the lobby waits', async () => {
      return (await host.ok('GET', '/lobbies/arena/me')).status === 'waiting';
    });
    await confirmed(page, 'Delete lobby', 'Delete the lobby');
    await page.getByRole('heading', { name: 'Lobbies in arena' }).waitFor();
    expect((await host.call('GET', '/lobbies/arena/me')).status).toBe(404);
    await page.context().close();
  });

  it('ends a match for both its lobbies', async () => {
    const pair = [player('left'), player('right')] as const;
    for (const each of pair) {
      await each.ok('POST', '/lobbies/arena', { name: each.id });
      await each.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    }
    const { id } = await eventually('they play', async () => {
      const lobby = await pair[0].ok('GET', '/lobbies/arena/me');
      return lobby.status === 'in_game' && lobby;
    });
    const page = await open(`#/lobbies/arena/${id}`);
    await confirmed(page, 'End match', 'End the match');
    for (const each of pair) {
      await eventually(`${each.id} is back`, async () => {
        return (await each.ok('GET', '/lobbies/arena/me')).status === 'waiting';
      });
      await each.ok('DELETE', '/lobbies/arena/me');
    }
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('unsaved edits', () => {
  it('are still there after leaving the page and loading it anew, until they are discarded', async () => {
    const page = await open('#/configs/arena');
    page.on('dialog', (dialog) => void dialog.accept());
    const timeout = page.getByLabel('Idle timeout, seconds');
    await timeout.fill('444');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('heading', { name: 'Queues' }).waitFor();
    await page.getByRole('link', { name: 'Configs' }).first().click();
    await page.getByText('(unsaved edits)').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'arena', exact: true }).click();
    await page.getByText('These are your unsaved edits').waitFor();
    expect(await timeout.inputValue()).toBe('444');
    await page.getByRole('button', { name: 'Discard edits' }).click();
    await page.getByText('All saved').waitFor();
    expect(await timeout.inputValue()).toBe('300');
    await page.context().close();
  });

  it('are kept by the time that the page says so', async () => {
    const page = await open('#/configs/arena');
    page.on('dialog', (dialog) => void dialog.accept());
    const timeout = page.getByLabel('Idle timeout, seconds');
    await timeout.waitFor();
    // In the page, so that no frame lies between the words and the look.
    const kept = page.evaluate(
      () =>
        new Promise((resolve) => {
          new MutationObserver(() => {
            if (document.body.innerText.includes('Unsaved changes')) {
              resolve(sessionStorage.getItem('muster.draft.arena') !== null);
            }
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        }),
    );
    await timeout.fill('444');
    expect(await kept).toBe(true);
    await page.context().close();
  });

  it('make the browser ask before the tab is closed, and do not once they are saved', async () => {
    const page = await open('#/configs/arena');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.getByLabel('Idle timeout, seconds').fill('301');
    await page.getByText('Unsaved changes').waitFor();
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByText('All saved').waitFor();
    await page.reload();
    await page.getByText('All saved').waitFor();
    expect(asked).toEqual(['beforeunload']);
    expect(
      (await site.operator.ok<{ timeout: number }>('GET', '/lobby-configs/arena')).timeout,
    ).toBe(301);
    await page.context().close();
  });

  it('do not go over what somebody else has saved meanwhile', async () => {
    const page = await open('#/configs/arena');
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByLabel('Idle timeout, seconds').fill('302');
    await page.getByText('Unsaved changes').waitFor();
    await page.goto(`${site.running.url}/dashboard/#/queues`);
    const now = await site.operator.ok<object>('GET', '/lobby-configs/arena');
    await site.operator.ok('PUT', '/lobby-configs/arena', { ...now, timeout: 500 });
    await page.goto(`${site.running.url}/dashboard/#/configs/arena`);
    await page.getByText('These are your unsaved edits').waitFor();
    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByRole('button', { name: 'Load the saved version' }).click();
    await eventually('what the other saved is shown', async () => {
      return (await page.getByLabel('Idle timeout, seconds').inputValue()) === '500';
    });
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('bad JSON', () => {
  it('is said with its line and column, in a config and in a build', async () => {
    const page = await open('#/configs/arena');
    await page.getByLabel('JSON object').fill('{\n  "season": 3,\n}');
    await page
      .getByText('Line 3, column 1: expected another entry after the comma, not }')
      .waitFor();
    await page.getByLabel('JSON object').fill('');
    await page.goto(`${site.running.url}/dashboard/#/builds`);
    await page.getByRole('button', { name: 'Edit default' }).click();
    await page.getByLabel('Launch, JSON object').fill('{"image" "game"}');
    await page.getByText('Line 1, column 10: expected a colon after the name').waitFor();
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('what looks like a mistake', () => {
  it('is shown as one types, holds the first save of a build, and the next one saves it', async () => {
    const page = await open('#/builds');
    await page.getByLabel('Name of the new build').fill('typo');
    await page.getByRole('button', { name: 'New build' }).click();
    await page.getByLabel('Launch, JSON object').fill('{"comand": "./game"}');
    const told = 'launch.comand: is unknown and has no effect; did you mean command?';
    await page.getByRole('status').filter({ hasText: told }).waitFor();
    await page.getByRole('button', { name: 'Save build' }).click();
    const held = page.getByRole('alert').filter({ hasText: 'Nothing was saved yet' });
    await held.filter({ hasText: told }).waitFor();
    const builds = async (): Promise<string> =>
      JSON.stringify(await site.operator.ok('GET', '/builds'));
    expect(await builds()).not.toContain('"typo"');
    await page.getByRole('button', { name: 'Save build' }).click();
    await page.getByText('Build typo was saved').waitFor();
    expect(await builds()).toContain('"typo"');
    await page.context().close();
  });
});

describe.runIf(needs('chromium'))('a phone', () => {
  it('shows every column of every table', async () => {
    const host = player('phoned');
    await host.ok('POST', '/lobbies/arena', { name: 'Party' });
    await host.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
    const page = await open('#/', 420);
    const hidden: string[] = [];
    for (const [hash, text] of [
      ['#/', 'arena / duel'],
      ['#/lobbies/arena', 'Party'],
      ['#/queues/arena/duel', 'is waiting'],
      ['#/builds', 'default'],
      ['#/configs', 'arena'],
    ] as const) {
      await page.goto(`${site.running.url}/dashboard/${hash}`);
      await page.getByText(text).first().waitFor();
      const found = await page.evaluate(() =>
        [...document.querySelectorAll('tbody th, tbody td')].flatMap((cell) => {
          const { left, right } = cell.getBoundingClientRect();
          const cut = left < 0 || right > innerWidth || cell.scrollWidth > cell.clientWidth + 1;
          return cut ? [cell.textContent] : [];
        }),
      );
      hidden.push(...found.map((cell) => `${hash}: ${cell}`));
    }
    expect(hidden).toEqual([]);
    await host.ok('DELETE', '/lobbies/arena/me');
    await page.context().close();
  });
});
