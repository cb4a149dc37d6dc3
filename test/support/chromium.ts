// The browser of the tests. Its pages wait as long as tests wait for anything else.

import { chromium, type Browser } from 'playwright-core';
import { PATIENCE_MS } from './eventually.ts';
import { pathOf } from './tools.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const args = [...FLAGS, ...more];
  return patient(await chromium.launch({ executablePath: pathOf('chromium'), args }));
}

/** A browser whose process can be killed, so that its pages say goodbye to nobody. */
export async function startKillable(more: readonly string[] = []) {
  const args = [...FLAGS, ...more];
  const server = await chromium.launchServer({ executablePath: pathOf('chromium'), args });
  return { server, browser: patient(await chromium.connect(server.wsEndpoint())) };
}

function patient(browser: Browser): Browser {
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}
