// Counts how often an answer that is handled late undoes what an event has shown: pairs of clients
// play match after match, and handle each answer 0 to 80 ms late.
//   node test/sdk/crossings.ts [--matches 1000] [--pairs 6] [--late 80] [--url URL] [--lenient]
// A stall of this process delays answers further: quiet of 100 ms bears 20 ms of that.
// `--url`: a service that runs already, perhaps of another version; `--lenient`: take what cannot be read.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { SdkClient } from './client.ts';

export const KINDS = ['confirm', 'duel', 'launch failure'] as const;
export type Kind = (typeof KINDS)[number];

export interface Crossings {
  readonly kind: Kind;
  readonly matches: number;
  /** Answers or events that put an older state in the place of a newer one. */
  readonly fellBack: number;
  /** Matches that one of the two clients never saw reach their end. */
  readonly stuck: number;
  /** Events a game must not hear in such a match: a decline or a time-out that nobody caused. */
  readonly falseEvents: number;
}

export interface Counting {
  readonly url: string;
  readonly kind: Kind;
  readonly matches: number;
  /** Pairs that play at the same time, each in a config of its own: a project has twenty. */
  readonly pairs: number;
  /** An answer is handled up to so many milliseconds late. */
  readonly lateMs: number;
  readonly isLenient?: boolean;
}

const SETTLED = { withinMs: 3_000, everyMs: 5 };

const CONFIGS: Readonly<Record<Kind, object>> = {
  confirm: { matchmaking: { modes: { duel: { matchConfirmation: { enabled: true } } } } },
  duel: { matchmaking: { modes: { duel: {} } } },
  'launch failure': {
    matchmaking: { modes: { duel: {} } },
    serverSettings: { gameBuild: 'missing' },
  },
};

export async function countCrossings(counting: Counting): Promise<Crossings> {
  const { kind, matches, pairs } = counting;
  const each = await Promise.all(
    Array.from({ length: pairs }, (_, index) => {
      const share = Math.floor(matches / pairs) + (index < matches % pairs ? 1 : 0);
      return playPair(counting, `${kind.replace(' ', '-')}-${index}`, share);
    }),
  );
  const sum = (count: (one: Omit<Crossings, 'kind' | 'matches'>) => number): number =>
    each.reduce((total, one) => total + count(one), 0);
  return {
    kind,
    matches,
    fellBack: sum((one) => one.fellBack),
    stuck: sum((one) => one.stuck),
    falseEvents: sum((one) => one.falseEvents),
  };
}

type Pair = readonly [SdkClient, SdkClient];

function both(pair: Pair, fits: (client: SdkClient) => boolean): () => boolean {
  return () => pair.every((client) => client.isIdle && fits(client));
}

async function playPair(
  { url, kind, lateMs, isLenient = false }: Counting,
  config: string,
  matches: number,
): Promise<Omit<Crossings, 'kind' | 'matches'>> {
  const operator = new Player(url, 'operator', 'server_dev_key');
  await operator.ok('PUT', `/lobby-configs/${config}`, CONFIGS[kind]);
  const late = (): number => Math.random() * lateMs;
  const pair: Pair = [
    new SdkClient({ url, config, player: 'ann', late, isLenient }),
    new SdkClient({ url, config, player: 'bob', late, isLenient }),
  ];
  let stuck = 0;
  for (const client of pair) {
    client.begin();
    await eventually('connected', () => client.streamed.length > 0 && client.isIdle);
    await client.create();
    const greetings = (): number => client.streamed.filter((told) => told === 'connected').length;
    await eventually('greeted with the lobby', () => greetings() > 1 && client.isIdle);
  }
  try {
    for (let played = 0; played < matches; played += 1) {
      await eventually(
        'both wait',
        both(pair, ({ lobby }) => lobby?.status === 'waiting'),
      );
      const went = await play(kind, pair, played % 2 === 0).catch(() => false);
      if (!went) {
        stuck += 1;
        await recover(url, config, pair);
      }
    }
  } finally {
    pair.forEach((client) => client.end());
  }
  const falseEvents = pair.flatMap(({ heard }) =>
    heard.filter((event) => event === 'declined' || event === 'timed_out'),
  );
  const fellBack = pair.flatMap((client) => client.fellBack);
  fellBack.forEach((trace) => console.log(`  ${trace}`));
  return { fellBack: fellBack.length, stuck, falseEvents: falseEvents.length };
}

/** One match from queueing to waiting again; throws when a client never sees it get there. */
async function play(kind: Kind, pair: Pair, atOnce: boolean): Promise<boolean> {
  const [ann, bob] = pair;
  if (atOnce) {
    await Promise.all([ann.queue('duel'), bob.queue('duel')]);
  } else {
    await ann.queue('duel');
    await bob.queue('duel');
  }
  if (kind === 'launch failure') {
    await eventually(
      'both wait',
      both(pair, ({ lobby }) => lobby?.status === 'waiting'),
      SETTLED,
    );
    return true;
  }
  if (kind === 'confirm') {
    await eventually(
      'found',
      both(pair, ({ lobby }) => lobby?.status === 'match_found'),
      SETTLED,
    );
    await Promise.all([ann.confirm(), bob.confirm()]);
  }
  await eventually(
    'both play',
    both(pair, ({ running }) => running !== null),
    SETTLED,
  );
  await ann.endMatch();
  await eventually(
    'both wait',
    both(pair, ({ lobby }) => lobby?.status === 'waiting'),
    SETTLED,
  );
  return true;
}

/** Out of whatever the two were left in, by clients that see what is true. */
async function recover(url: string, config: string, pair: Pair): Promise<void> {
  const me = `/lobbies/${config}/me`;
  await eventually('back to waiting', async () => {
    const lobbies = await Promise.all(
      pair.map(async ({ player }) => {
        const truth = new Player(url, player);
        await truth.call('DELETE', `${me}/confirm-match`);
        await truth.call('DELETE', `${me}/matchmaking`);
        await truth.call('POST', `${me}/end-match`);
        return truth.ok('GET', me);
      }),
    );
    return lobbies.every(({ status }) => status === 'waiting');
  });
  for (const client of pair) {
    await client.patchState({ recovered: Date.now() });
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      matches: { type: 'string', default: '1000' },
      pairs: { type: 'string', default: '6' },
      late: { type: 'string', default: '80' },
      url: { type: 'string' },
      lenient: { type: 'boolean', default: false },
    },
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-crossings-'));
  const running =
    values.url === undefined
      ? await startAll({ port: 0, dataDir, env: { FLEET: 'simulated' } })
      : null;
  try {
    for (const kind of KINDS) {
      const stalls = monitorEventLoopDelay({ resolution: 1 });
      stalls.enable();
      const counted = await countCrossings({
        url: values.url ?? running?.url ?? '',
        kind,
        matches: Number(values.matches),
        pairs: Number(values.pairs),
        lateMs: Number(values.late),
        isLenient: values.lenient,
      });
      const { matches, fellBack, stuck, falseEvents } = counted;
      console.log(
        `${kind}: ${matches} matches, ${fellBack} states fell back, ` +
          `${falseEvents} false events, ${stuck} matches stuck ` +
          `(this process stalled for ${Math.round(stalls.max / 1e6)} ms at the most)`,
      );
    }
  } finally {
    await running?.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await main();
}
