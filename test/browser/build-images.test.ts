// A build with a container image: its form, and what the page says while the agent fetches the image. In the place of
// Podman there is a program that fetches as slowly as the test wants. test/fleet/containers.test.ts has a real one.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Build } from '../../src/fleet/build';
import { needs } from '../support/tools.ts';
import { openSite, type Site } from './browser.ts';
import { type Desk, deskIn } from './desk.ts';
import { standIn } from './stand-ins.ts';

/** The image is here once there is a file \`here\`, and a pull goes on until there is a file \`answer\`, with its code. */
const PROGRAM = `here=$(dirname "$0")
case "$1 \${2-}" in
  'image inspect')
    [ -e "$here/here" ]
    [ "$(uname -m)" = x86_64 ] && echo 'linux/amd64 1000' || echo 'linux/arm64 1000' ;;
  pull*)
    echo 'Copying blob 1 of 2' >&2
    until [ -e "$here/answer" ]; do sleep 0.1; done
    [ -e "$here/here" ] || { echo 'Error: manifest unknown' >&2; exit 125; } ;;
esac
`;

let folder: string;
let bin: string;
let site: Site;
let page: Page;
let open: Desk['open'];
let looked: Desk['looked'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-images-'));
  bin = await standIn(folder, 'podman', PROGRAM);
  process.env['AGENT_CONTAINERS'] = join(bin, 'podman');
  site = await openSite('build-images');
  ({ page, open, looked } = await deskIn(site));
});

afterAll(async () => {
  delete process.env['AGENT_CONTAINERS'];
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

async function edited(image: string): Promise<void> {
  await open('Builds');
  await page.getByLabel('Name of the new build').fill('arena');
  await page.getByRole('button', { name: 'New build' }).click();
  await page.getByLabel('Or a container image').fill(image);
}

describe.runIf(needs('chromium'))('an operator', () => {
  it('names an image, and sees how far the agent is with it', async () => {
    await edited('registry.example.com/arena:1.0');
    // A program as well is refused at the field.
    await page.getByLabel('Program', { exact: true }).fill('/opt/arena');
    await page.getByText('must not be there with an image').first().waitFor();
    await page.getByLabel('Program', { exact: true }).fill('');
    expect(await page.getByLabel('Launch, JSON object').inputValue()).toContain('"image"');
    await page.getByRole('button', { name: 'Save build' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'its fleets warn' });
    const seconds = async (): Promise<number> =>
      Number(/since (\d+) s: Copying blob 1 of 2/.exec((await alert.textContent()) ?? '')?.[1]);
    await alert.getByText(/is being fetched since \d+ s: Copying blob 1 of 2/).waitFor();
    const begun = await seconds();
    await expect.poll(seconds).toBeGreaterThan(begun);
    await looked('builds');
    await writeFile(join(bin, 'here'), '');
    await writeFile(join(bin, 'answer'), '');
    await alert.waitFor({ state: 'detached' });
    const { launch } = await site.operator.ok<Build>('GET', '/builds/arena');
    expect(launch).toEqual({ image: 'registry.example.com/arena:1.0' });
  });

  it('sees that there is none, and asks again', async () => {
    await Promise.all(['here', 'answer'].map((name) => rm(join(bin, name))));
    await page.getByRole('button', { name: 'Check arena' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Build arena is saved' });
    // The very words of the first time, which have gone meanwhile.
    await alert.getByText(/is being fetched since \d+ s/).waitFor();
    // It goes on asking when the service was away for a moment.
    const failed = page.waitForEvent('requestfailed');
    await page.route(/check=true/, (route) => route.abort(), { times: 1 });
    await failed;
    await writeFile(join(bin, 'answer'), '');
    await alert.getByText(/^there is no image registry\.example\.com\/arena:1\.0/).waitFor();
    await writeFile(join(bin, 'here'), '');
    await page.getByRole('button', { name: 'Check arena' }).click();
    await alert.waitFor({ state: 'detached' });
  });
});
