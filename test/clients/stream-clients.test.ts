// Every program of docs/stream-clients.md follows a player: on a service that ends its streams in all ways, and on Muster.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { type Service, startService } from '../../scripts/service.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { type Going, prepare, type Program, PROGRAMS, start } from './programs.ts';
import { pause, type Scripted, scripted } from './scripted.ts';

const there = PROGRAMS.filter(({ isThere }) => isThere);
/** Longer than the read timeouts that libraries have unless told: 5 s in httpx, 10 s in OkHttp. */
const IDLE_MS = 12_000;

let folder: string;
let service: Service;
let script: Scripted;
let browser: Browser | null = null;
const going: Going[] = [];
/** By scenario and program. Both scenarios go on at once. */
const runs = new Map<string, Promise<Going>>();
let idleSince: Promise<unknown>;

async function begin(program: Program, kind: 'script' | 'muster', url: string): Promise<Going> {
  const own = join(folder, `${kind}-${program.name.replaceAll(/\W/g, '')}`);
  await prepare(program, own);
  const one = await start(program, own, { url, player: playerOf(program) }, browser);
  going.push(one);
  return one;
}

function playerOf({ name }: Program): string {
  return name.replaceAll(/\W/g, '');
}

async function count(one: Going, name: string): Promise<number> {
  return (await one.heard()).filter((each) => each === name).length;
}

function runOf(kind: string, { name }: Program): Promise<Going> {
  return runs.get(`${kind} ${name}`) as Promise<Going>;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-clients-'));
  const dataDir = join(folder, 'data');
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  [service, script] = await Promise.all([
    startService({ port: 0, dataDir, devKeys: true, env }),
    scripted(),
  ]);
  if (needs('chromium')) {
    browser = await startChromium();
  }
  for (const program of there) {
    runs.set(`muster ${program.name}`, begin(program, 'muster', service.url));
    runs.set(`script ${program.name}`, begin(program, 'script', script.url));
  }
  const connected = there.map(async (program) => {
    const one = await runOf('muster', program);
    await eventually(
      `${program.name} is connected`,
      async () => (await count(one, 'connected')) > 0,
    );
  });
  idleSince = Promise.all(connected).then(() => pause(IDLE_MS));
  idleSince.catch(() => undefined);
  // A program that cannot be started fails the tests that are its own.
  runs.forEach((one) => void one.catch(() => undefined));
});

afterAll(async () => {
  await Promise.all(going.map((one) => one.end()));
  await browser?.close();
  script.close();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each(there)('$name', (program) => {
  it('comes back after a refusal, a clean end and a break, reads long lines, and stops when replaced', async () => {
    const one = await runOf('script', program);
    await eventually('it is over', one.isOver);
    expect(await one.heard()).toEqual(['connected', 'connected', 'connected', 'replaced']);
    expect(script.opened(playerOf(program))).toBe(4);
  });

  it('keeps an idle stream until a newer one replaces it', async () => {
    const one = await runOf('muster', program);
    await idleSince;
    expect(await one.heard()).toEqual(['connected']);
    const newer = await new Player(service.url, playerOf(program)).events('arena');
    await newer.until(({ event }) => event === 'connected');
    await eventually('it is over', one.isOver);
    expect(await one.heard()).toEqual(['connected', 'replaced']);
    newer.close();
  });
});
