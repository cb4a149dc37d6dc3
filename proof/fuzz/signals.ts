// Bodies of signals (record 0070) in bad shapes, sent to a lobby of three and by a stranger. Whatever is sent: what is no
// signal is refused with a 4xx, only those whom a signal is for hear it, and the lobby stays as it was.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import type { Random } from '../torture/random.ts';
import { hostile, pick, spoilt } from './values.ts';
import { LIMIT_MS, randomOf, volley } from './volley.ts';
import { closeIdle, send } from './wire.ts';

export interface Signalled {
  /** Each with the number that reproduces it. */
  readonly faults: readonly string[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly heard: number;
  readonly ms: number;
}

const MOST_BYTES = 4_096;
const MOST_FAULTS = 20;
const KEY = 'client_dev_key';
const PATH = '/lobbies/arena/me';
const SETTLE_MS = 500;
/** Two members with a stream each, and who is elsewhere. */
const LISTENERS = ['bob', 'cat', 'eve'] as const;
const TARGETS = ['bob', 'cat', 'all', 'ann', 'eve', 'nobody', '', '..', 'ALL', 'x'.repeat(129)];

interface Body {
  readonly to?: unknown;
  readonly data?: unknown;
}

/** The body as the service should read it, or null if it is no signal. */
function signalIn(text: string): { readonly to: string; readonly data: unknown } | null {
  let body: Body;
  try {
    body = JSON.parse(text.replace(/^\ufeff/, '')) as Body;
  } catch {
    return null;
  }
  const { to, data } = body ?? {};
  const isThere = data !== undefined && data !== null;
  const isSmall = isThere && Buffer.byteLength(JSON.stringify(data)) <= MOST_BYTES;
  return typeof to === 'string' && isSmall ? { to, data } : null;
}

function textOf(random: Random): string {
  const data = random.chance(0.6)
    ? hostile(random)
    : { at: random.whole(0, 1e6), x: 'é'.repeat(random.whole(1_900, 2_050)) };
  const to = random.chance(0.1) ? hostile(random) : pick(random, TARGETS);
  const body = random.chance(0.1) ? hostile(random) : { to, data };
  const text = JSON.stringify(body) ?? 'null';
  return random.chance(0.4) ? spoilt(random, text) : text;
}

/** Collects the signals that a player hears, as JSON. */
async function hears(service: Service, player: string, into: string[]): Promise<AbortController> {
  const end = new AbortController();
  const headers = { 'api-key': KEY, 'x-player-id': player };
  const url = `${service.url}/v3${PATH}/events`;
  const { body } = await fetch(url, { headers, signal: end.signal });
  void (async () => {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const piece of body ?? []) {
        const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        const signals = blocks.map((block) => /^event: (signal.*)\ndata: (.*)$/.exec(block));
        into.push(
          ...signals.flatMap((found) => (found === null ? [] : [`${found[1]} ${found[2]}`])),
        );
      }
    } catch {
      // The end of the test.
    }
  })();
  return end;
}

/** The value as it is told: half of a surrogate pair becomes U+FFFD. */
function told(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(told);
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value);
    return Object.fromEntries(pairs.map(([key, each]) => [key.toWellFormed(), told(each)]));
  }
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Each signal was sent to the player. All came, unless the player heard that some were lost. */
function wrongIn(
  player: string,
  came: readonly string[],
  sent: readonly string[],
): readonly string[] {
  const left = new Map<string, number>();
  sent.forEach((data) => left.set(data, (left.get(data) ?? 0) + 1));
  const heard = came.filter((each) => each.startsWith('signal '));
  for (const each of heard) {
    const data = JSON.stringify(JSON.parse(each.slice('signal '.length)));
    const count = left.get(data) ?? 0;
    if (count === 0) {
      return [`${player} heard what nobody sent: ${data.slice(0, 200)}`];
    }
    left.set(data, count - 1);
  }
  const isWhole = heard.length === sent.length || came.length > heard.length;
  return isWhole ? [] : [`${player} heard ${heard.length} of ${sent.length}`];
}

/** Sends so many bodies, and at the end reads what came, and the lobby once more. */
export async function signalling(bodies: number, seed: number): Promise<Signalled> {
  const begun = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-signals-'));
  const service = await startService({
    port: 0,
    dataDir,
    env: { LIMITS: 'off' },
    devKeys: true,
  });
  const faults: string[] = [];
  const statuses: Record<string, number> = {};
  const sent = new Map<string, string[]>(LISTENERS.map((player) => [player, []]));
  const came = new Map<string, string[]>(LISTENERS.map((player) => [player, []]));
  const streams: AbortController[] = [];
  const shoot = async (index: number): Promise<void> => {
    const random = randomOf(seed, index);
    const text = textOf(random);
    const from = random.chance(0.1) ? 'zed' : 'ann';
    const lines = [
      `POST /v3${PATH}/signals HTTP/1.1`,
      `Host: 127.0.0.1:${service.port}`,
      `api-key: ${KEY}`,
      `x-player-id: ${from}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${text}`);
    const { status } = await send({
      port: service.port,
      bytes,
      isHead: false,
      limitMs: LIMIT_MS,
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
    const signal = signalIn(text);
    const isMember = from === 'ann';
    if (status === 200 && isMember && signal !== null) {
      const those = LISTENERS.filter((each) => each !== 'eve');
      const data = JSON.stringify({ from, data: told(signal.data) });
      those
        .filter((each) => signal.to === 'all' || signal.to === each)
        .forEach((each) => sent.get(each)?.push(data));
    } else if (status < 400 || status >= 500) {
      faults.push(`${index}: ${status} to ${from}: ${text.slice(0, 200)}`);
    }
  };
  try {
    const ann = new Player(service.url, 'ann');
    const { code } = await ann.ok<{ code: string }>('POST', '/lobbies/arena', {
      name: 'den',
      maxPlayers: 4,
    });
    for (const guest of ['bob', 'cat']) {
      await new Player(service.url, guest).ok('POST', '/lobbies/arena/join', { code });
    }
    await new Player(service.url, 'eve').ok('POST', '/lobbies/arena', { name: 'elsewhere' });
    for (const player of LISTENERS) {
      streams.push(await hears(service, player, came.get(player) ?? []));
    }
    const before = JSON.stringify(await ann.ok('GET', PATH));
    await volley({ count: bodies }, () => faults.length >= MOST_FAULTS, shoot);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    for (const player of LISTENERS) {
      faults.push(...wrongIn(player, came.get(player) ?? [], sent.get(player) ?? []));
    }
    if (JSON.stringify(await ann.ok('GET', PATH)) !== before) {
      faults.push('the lobby changed');
    }
  } finally {
    streams.forEach((each) => each.abort());
    closeIdle();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  const heard = [...sent.values()].reduce((sum, each) => sum + each.length, 0);
  return { faults, statuses, heard, ms: performance.now() - begun };
}
