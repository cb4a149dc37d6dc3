// On the internet of `main.ts`: Muster, the pages and coturn, and a browser in each home. All combinations of homes play.

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { networkKeys } from '../../../scripts/dev-keys.ts';
import { Player } from '../../../scripts/player.ts';
import { startService } from '../../../scripts/service.ts';
import { clientBundle } from '../../../test/support/client-bundle.ts';
import { CENTRE, KINDS, type Home, type Kind } from './networks.ts';

const told = JSON.parse(process.argv[2] ?? '') as {
  readonly folder: string;
  readonly homes: readonly Home[];
  readonly pairs: number;
  readonly transport: string;
  readonly only: string;
  readonly ttl: number;
};
const { folder, homes, pairs, transport, only, ttl } = told;

const TURN_PORT = 3478;
const PAGES_PORT = 8080;
const SECRET = 'a secret for this run';
const ADDRESS = `http://${CENTRE}:${PAGES_PORT}`;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  // Tickets are verified by WebCrypto, which only pages of https have.
  `--unsafely-treat-insecure-origin-as-secure=${ADDRESS}`,
];
const GAMES_AT_ONCE = 4;
/** A connection begins with the way that works first. Chromium then looks for better ones, at two checks in a second. */
const SETTLED_MS = 12_000;
const GIVE_UP_MS = 45_000;

const PAGE = `
import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';
window.play = async ({ url, key, player, config, transport, ttl }) => {
  const muster = new MusterPlayer({ url, key, config, player });
  if (ttl > 0) {
    const ask = muster.getIceServers.bind(muster);
    muster.getIceServers = async (options) => ({ ...(await ask(options)), ttl });
  }
  await muster.createLobby({ name: 'den', forceFresh: true });
  let matchedAt = null;
  muster.onEvent((event) => {
    if (event.lobby?.status === 'matched' || event.lobby?.status === 'in_game') {
      matchedAt ??= performance.now();
    }
  });
  const open = Promise.withResolvers();
  const heard = Promise.withResolvers();
  let heardAt = null;
  let silenceMs = 0;
  const peers = await connect(muster, {
    transport,
    onPeer: (peer) => {
      open.resolve({ peer, ms: performance.now() - matchedAt });
      peer.send('hello');
    },
    onMessage: () => {
      silenceMs = Math.max(silenceMs, performance.now() - (heardAt ?? performance.now()));
      heardAt = performance.now();
      heard.resolve();
    },
  });
  void muster.playMatch('duel');
  setTimeout(() => open.reject(new Error('not connected')), ${GIVE_UP_MS});
  const { peer, ms } = await open.promise;
  await heard.promise;
  const until = performance.now() + ${SETTLED_MS};
  let path = await peer.path();
  while (path?.isRelayed !== false && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    path = await peer.path();
  }
  [heardAt, silenceMs] = [null, 0];
  for (let at = 0; at < ttl * 20; at += 1) {
    peer.send('still here');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  window.leave = async () => {
    await muster.leaveLobby();
    peers.close();
  };
  return { ms, isRelayed: path?.isRelayed, silenceMs };
};
window.isLoaded = true;
`;

const script = await clientBundle(PAGE);
const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(`<!doctype html><script type="module">${script}</script>`);
});
await new Promise<void>((resolve) => site.listen(PAGES_PORT, CENTRE, resolve));
const coturn = spawn(
  'turnserver',
  [
    '-n',
    `--listening-ip=${CENTRE}`,
    `--relay-ip=${CENTRE}`,
    `--listening-port=${TURN_PORT}`,
    '--use-auth-secret',
    `--static-auth-secret=${SECRET}`,
    '--realm=nats',
    '--no-tls',
    '--no-dtls',
    '--no-cli',
    '--log-file=stdout',
    `--pidfile=${join(folder, 'pid')}`,
    `--userdb=${join(folder, 'users')}`,
  ],
  { stdio: 'ignore' },
);
process.on('exit', () => coturn.kill());
const keys = await networkKeys(join(folder, 'data'));
const service = await startService({
  port: 0,
  host: CENTRE,
  dataDir: join(folder, 'data'),
  env: {
    ...keys.env,
    FLEET: 'simulated',
    LIMITS: 'off',
    ALLOWED_HOSTS: CENTRE,
    ICE_STUN: `stun:${CENTRE}:${TURN_PORT}`,
    ICE_TURN: `turn:${CENTRE}:${TURN_PORT}?transport=udp,turn:${CENTRE}:${TURN_PORT}?transport=tcp`,
    ICE_TURN_SECRET: SECRET,
  },
});
const browsers = new Map<Home, Browser>();

/** The browser of the home of that kind: of the first, or of the last. */
async function browserIn(kind: Kind, isFirst: boolean): Promise<Browser> {
  const of = homes.filter((home) => home.kind === kind);
  const home = (isFirst ? of[0] : of.at(-1)) as Home;
  const known =
    browsers.get(home) ?? (await chromium.launch({ executablePath: home.browser, args: FLAGS }));
  browsers.set(home, known);
  return known;
}

async function loaded(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(ADDRESS);
  await page.waitForFunction('window.isLoaded');
  return page;
}

interface Played {
  readonly ms: number;
  readonly silenceMs: number;
  readonly isRelayed: boolean;
}

/** One game between two homes. Null: they did not connect. */
async function game(
  name: string,
  of: readonly [Browser, Browser],
  config: string,
): Promise<Played | null> {
  const pages = await Promise.all(of.map(loaded));
  try {
    const each = pages.map((page, side) => {
      const asked = {
        url: service.url,
        key: keys.clientKey,
        player: `${name}-${side}`,
        config,
        transport,
        ttl,
      };
      return page.evaluate<Played>(`play(${JSON.stringify(asked)})`);
    });
    const [one, two] = (await Promise.all(each)) as [Played, Played];
    await Promise.all(pages.map((page) => page.evaluate('leave()')));
    return {
      ms: Math.max(one.ms, two.ms),
      silenceMs: Math.max(one.silenceMs, two.silenceMs),
      isRelayed: one.isRelayed || two.isRelayed,
    };
  } catch (error) {
    console.log(`${name}: ${String(error)}`);
    return null;
  } finally {
    await Promise.all(pages.map((page) => page.close()));
  }
}

/** Two homes of these kinds. With `isShared`, two players of one home. */
async function combination(
  [one, two]: readonly [Kind, Kind],
  isShared: boolean,
  count: number,
): Promise<boolean> {
  const name = isShared ? 'one home' : `${one} and ${two}`;
  if (!only.split(',').some((each) => name.includes(each))) {
    return true;
  }
  const of = [await browserIn(one, true), await browserIn(two, isShared)] as const;
  const results: (Played | null)[] = [];
  let begun = 0;
  const inTurn = async (at: number): Promise<void> => {
    while (begun < count) {
      begun += 1;
      results.push(await game(`${name.replaceAll(' ', '-')}-${begun}`, of, `nats-${at}`));
    }
  };
  await Promise.all(Array.from({ length: GAMES_AT_ONCE }, (_, at) => inTurn(at)));
  const connected = results.flatMap((each) => each ?? []);
  const relayed = connected.filter(({ isRelayed }) => isRelayed).length;
  const times = connected.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const p50 = Math.round(times[Math.floor(times.length / 2)] ?? NaN);
  console.log(
    `| ${name} | ${count} | ${connected.length} | ${connected.length - relayed} | ${relayed} | ${p50} |`,
  );
  if (ttl > 0) {
    const silence = Math.round(Math.max(...connected.map(({ silenceMs }) => silenceMs)));
    console.log(
      `With credentials of ${ttl} s, nobody heard nothing for longer than ${silence} ms.`,
    );
  }
  return connected.length === count;
}

try {
  const operator = new Player(service.url, 'operator', keys.serverKey);
  for (let at = 0; at < GAMES_AT_ONCE; at += 1) {
    await operator.ok('PUT', `/lobby-configs/nats-${at}`, { matchmaking: { modes: { duel: {} } } });
  }
  const kinds = KINDS.flatMap((one, at) => KINDS.slice(at).map((two) => [one, two] as const));
  const count = Math.ceil(pairs / (kinds.length + 1));
  console.log(
    '| Behind | pairs | connected | directly | by relay | p50 ms |\n|---|---|---|---|---|---|',
  );
  let isWhole = await combination(['port restricted', 'port restricted'], true, count);
  for (const each of kinds) {
    isWhole = (await combination(each, false, count)) && isWhole;
  }
  process.exitCode = isWhole ? 0 : 1;
} finally {
  await Promise.all([...browsers.values()].map((each) => each.close()));
  await service.stop();
  coturn.kill();
  site.close();
}
