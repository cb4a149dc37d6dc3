// Counts how often an answer that is handled late undoes what an event has shown: pairs of clients
// play match after match, and handle each answer 0 to 80 ms late.
//   node test/sdk/crossings.ts [--matches 1000] [--pairs 6] [--late 80] [--guests 50] [--frames 120-350] [--writes 80]
//     [--pieces 7] [--kind confirm|duel|'launch failure'] [--objects] [--url URL --server-key KEY] [--lenient]
// `--guests`: each lobby has a guest who writes every so many milliseconds; 0 (the default): it has none. `--frames`:
// all that has arrived is handled in frames of that length, in place of `--late`. `--writes`: the pair itself writes
// its state that often. `--pieces`: it reads its stream in pieces of so many bytes. `--objects`: an object an actor, as
// at the edge.
// When a thing arrived is noted by a thread of its own (./arrivals.ts). Matches in which this process was so
// late that it may itself have changed the order are counted apart, and as many more are played.
// `--url`: a service that runs already, perhaps of another version; `--lenient`: take what cannot be read.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Player, type Lobby } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { startArrivals } from './arrivals.ts';
import { SdkClient, type SdkOptions } from './client.ts';
import { guestOf, writing, type Guest } from './guests.ts';
import { framesOf, onService } from './service.ts';

export const KINDS = ['confirm', 'duel', 'launch failure'] as const;
type Kind = (typeof KINDS)[number];

export interface Crossings {
  readonly kind: Kind;
  readonly matches: number;
  /** Answers or events that put an older state in the place of a newer one. */
  readonly fellBack: number;
  /** Matches that one of the two clients did not see end, or go on, for three seconds after they had. */
  readonly stuck: number;
  /** Events a game must not hear in such a match: a decline or a time-out that nobody caused. */
  readonly falseEvents: number;
  /** Matches beyond `matches`, spoilt by stalls of this process: nothing of them is in the counts above. */
  readonly spoilt: number;
  /** From an answer to the next newer event, if the answer came as early and the event as late as can be. */
  readonly shortestSilenceMs: number;
}

export interface Counting {
  readonly url: string;
  readonly serverKey: string;
  readonly kind: Kind;
  /** Begins the names of its configs; default: its kind. */
  readonly label?: string;
  readonly matches: number;
  /** Pairs that play at the same time, each in a config of its own: a project has twenty. */
  readonly pairs: number;
  /** An answer is handled up to so many milliseconds late. */
  readonly lateMs: number;
  /** Each lobby has a guest who writes every so many milliseconds; default 0: it has none. */
  readonly guestMs?: number;
  /** How the clients behave besides. */
  readonly client?: Pick<SdkOptions, 'frame' | 'pieceBytes' | 'isLenient'>;
  /** Each client writes its state every so many milliseconds; default 0: only by its game. */
  readonly writeMs?: number;
}

/** A client that has not seen for so long what is true will not see it any more. */
const STUCK_MS = 3_000;
/** However slow the machine is, a step takes no longer. */
const STEP_MS = 60_000;

/** `size`: of each party. */
function configOf(kind: Kind, size: number): object {
  const duel = { playersPerTeam: size, matchConfirmation: { enabled: kind === 'confirm' } };
  const serverSettings = kind === 'launch failure' ? { gameBuild: 'missing' } : {};
  return { matchmaking: { modes: { duel } }, serverSettings };
}

export async function countCrossings(counting: Counting): Promise<Crossings> {
  const { kind, matches, pairs } = counting;
  const arrivals = await startArrivals(counting.url);
  try {
    const each = await Promise.all(
      Array.from({ length: pairs }, (_, index) => {
        const share = Math.floor(matches / pairs) + (index < matches % pairs ? 1 : 0);
        const label = (counting.label ?? kind).replaceAll(' ', '-');
        const config = `${label}-${counting.guestMs ?? 0}-${index}`;
        return playPair(counting, { url: arrivals.url, config }, share);
      }),
    );
    const sum = (count: (one: Counted) => number): number =>
      each.flat().reduce((total, one) => total + count(one), 0);
    return {
      kind,
      matches: sum(({ isSpoilt }) => (isSpoilt ? 0 : 1)),
      fellBack: sum(({ isSpoilt, fellBack }) => (isSpoilt ? 0 : fellBack)),
      stuck: sum(({ isSpoilt, isStuck }) => (!isSpoilt && isStuck ? 1 : 0)),
      falseEvents: sum(({ isSpoilt, falseEvents }) => (isSpoilt ? 0 : falseEvents)),
      spoilt: sum(({ isSpoilt }) => (isSpoilt ? 1 : 0)),
      shortestSilenceMs: Math.min(...each.flat().map((one) => one.shortestSilenceMs)),
    };
  } finally {
    await arrivals.stop();
  }
}

/** One match. */
interface Counted {
  readonly fellBack: number;
  readonly isStuck: boolean;
  readonly falseEvents: number;
  /** This process was late, and nothing else. */
  readonly isSpoilt: boolean;
  /** Of all matches of the pair until now. */
  readonly shortestSilenceMs: number;
}

type Pair = readonly [SdkClient, SdkClient];

/** What is true: the client's lobby, as an operator reads it, which no client notices. */
type Truth = (client: SdkClient) => Promise<Lobby>;

interface Step {
  readonly what: string;
  /** Both clients show it. */
  readonly fits: (client: SdkClient) => boolean;
  /** It is so. */
  readonly isTrue: (lobby: Lobby) => boolean;
}

/** Until both clients show the step. Rejects when it has been true for three seconds, and one still does not. */
async function reaches(pair: Pair, truth: Truth, { what, fits, isTrue }: Step): Promise<void> {
  const endAt = performance.now() + STEP_MS;
  for (let trueAt: number | null = null; ;) {
    const withinMs = trueAt === null ? STUCK_MS : 500;
    const isSeen = await eventually(what, both(pair, fits), { withinMs, everyMs: 5 }).catch(
      () => false,
    );
    if (isSeen) {
      return;
    }
    const lobbies = await Promise.all(pair.map(truth));
    trueAt = lobbies.every(isTrue) ? (trueAt ?? performance.now()) : null;
    const now = performance.now();
    if (both(pair, fits)()) {
      // Seen while the truth was asked for, which takes long on a busy machine.
      return;
    }
    if ((trueAt !== null && now - trueAt > STUCK_MS) || now > endAt) {
      throw new Error(`${what}, for ${Math.round(now - (trueAt ?? now))} ms`);
    }
  }
}

const WAITING: Step = {
  what: 'both wait',
  fits: ({ lobby }) => lobby?.status === 'waiting',
  isTrue: ({ status }) => status === 'waiting',
};
const FOUND: Step = {
  what: 'found',
  fits: ({ lobby }) => lobby?.status === 'match_found',
  isTrue: ({ status }) => status === 'match_found',
};
const PLAYING: Step = {
  what: 'both play',
  fits: ({ running }) => running !== null,
  isTrue: ({ server }) => server?.status === 'running',
};

function both(pair: Pair, fits: (client: SdkClient) => boolean): () => boolean {
  return () => pair.every((client) => client.isIdle && fits(client));
}

/** `where`: the pair plays by its URL, through the thread that notes arrivals; guests do not. */
async function playPair(
  { url: direct, serverKey, kind, lateMs, guestMs = 0, writeMs = 0, client: ways }: Counting,
  where: { readonly url: string; readonly config: string },
  matches: number,
): Promise<readonly Counted[]> {
  const { url, config } = where;
  const operator = new Player(direct, 'operator', serverKey);
  await operator.ok('PUT', `/lobby-configs/${config}`, configOf(kind, guestMs > 0 ? 2 : 1));
  const truth: Truth = ({ lobby }) => operator.ok('GET', `/lobbies/${config}/${lobby?.id ?? ''}`);
  const late = (): number => Math.random() * lateMs;
  const pair: Pair = [
    new SdkClient({ url, config, player: 'ann', late, ...ways }),
    new SdkClient({ url, config, player: 'bob', late, ...ways }),
  ];
  for (const client of pair) {
    client.begin();
    await eventually('connected', () => client.streamed.length > 0 && client.isIdle);
    await client.create();
    const greetings = (): number => client.streamed.filter((told) => told === 'connected').length;
    await eventually('greeted with the lobby', () => greetings() > 1 && client.isIdle);
  }
  const guests: Guest[] = [];
  for (const { player, lobby } of guestMs > 0 ? pair : []) {
    const guest = { url: direct, config, player: `guest of ${player}` };
    guests.push(await guestOf(guest, lobby?.id ?? '', guestMs));
  }
  const counted: Counted[] = [];
  const stopWriting = writeMs === 0 ? [] : pair.map((client) => writing(client, writeMs));
  try {
    while (counted.filter(({ isSpoilt }) => !isSpoilt).length < matches) {
      await reaches(pair, truth, WAITING);
      const before = seen(pair);
      const stuckAt = await play(kind, pair, truth, counted.length % 2 === 0).then(
        () => null,
        (error: unknown) => String(error),
      );
      const isStuck = stuckAt !== null;
      // Before the recovery, which ends searches that the clients did not end.
      const now = seen(pair);
      if (isStuck) {
        console.log(`  stuck at ${stuckAt}: ${await stateOf(truth, pair)}`);
        await recover(url, config, pair);
      }
      const fellBack = now.fellBack - before.fellBack;
      counted.push({
        fellBack,
        isStuck,
        falseEvents: now.falseEvents - before.falseEvents,
        isSpoilt: fellBack === 0 && now.stalled > before.stalled,
        shortestSilenceMs: Math.min(...pair.map(({ order }) => order.shortestSilenceMs)),
      });
    }
    await Promise.all(guests.map((guest) => guest.stop()));
  } finally {
    stopWriting.forEach((stop) => stop());
    pair.forEach((client) => client.end());
    pair.flatMap(({ order }) => order.fellBack).forEach((trace) => console.log(`  ${trace}`));
  }
  return counted;
}

function seen(pair: Pair): {
  readonly fellBack: number;
  readonly stalled: number;
  readonly falseEvents: number;
} {
  const heard = pair.flatMap((client) => client.heard);
  return {
    fellBack: pair.flatMap(({ order }) => order.fellBack).length,
    stalled: pair.flatMap(({ order }) => order.stalled).length,
    falseEvents: heard.filter((event) => event === 'declined' || event === 'timed_out').length,
  };
}

/** What each client shows, and what is true. */
async function stateOf(truth: Truth, pair: Pair): Promise<string> {
  const states = pair.map(async (client) => {
    const { player, lobby, isIdle, running, order } = client;
    const body = await truth(client);
    const shown = `${lobby?.status} ${lobby?.revision}${isIdle ? '' : ', busy'}${running === null ? '' : ', playing'}`;
    return `${player} shows ${shown}; true is ${body.status} ${body.revision} ${body.server?.status ?? ''}; last ${order.last}`;
  });
  return (await Promise.all(states)).join(' | ');
}

/** One match from queueing to waiting again; throws when a client never sees it get there. */
async function play(kind: Kind, pair: Pair, truth: Truth, atOnce: boolean): Promise<void> {
  const [ann, bob] = pair;
  if (atOnce) {
    await Promise.all([ann.queue('duel'), bob.queue('duel')]);
  } else {
    await ann.queue('duel');
    await bob.queue('duel');
  }
  if (kind === 'launch failure') {
    await reaches(pair, truth, WAITING);
    return;
  }
  if (kind === 'confirm') {
    await reaches(pair, truth, FOUND);
    await Promise.all([ann.confirm(), bob.confirm()]);
  }
  await reaches(pair, truth, PLAYING);
  await ann.endMatch();
  await reaches(pair, truth, WAITING);
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
      guests: { type: 'string', default: '0' },
      frames: { type: 'string' },
      writes: { type: 'string', default: '0' },
      pieces: { type: 'string' },
      kind: { type: 'string' },
      objects: { type: 'boolean', default: false },
      url: { type: 'string' },
      'server-key': { type: 'string', default: '' },
      lenient: { type: 'boolean', default: false },
    },
  });
  await onService(values, async ({ url, serverKey }) => {
    for (const kind of KINDS.filter((each) => each === (values.kind ?? each))) {
      const stalls = monitorEventLoopDelay({ resolution: 1 });
      stalls.enable();
      const counted = await countCrossings({
        url,
        serverKey,
        kind,
        matches: Number(values.matches),
        pairs: Number(values.pairs),
        lateMs: Number(values.late),
        guestMs: Number(values.guests),
        writeMs: Number(values.writes),
        client: {
          isLenient: values.lenient,
          ...(values.frames === undefined ? {} : { frame: framesOf(values.frames) }),
          ...(values.pieces === undefined ? {} : { pieceBytes: Number(values.pieces) }),
        },
      });
      const { matches, fellBack, stuck, falseEvents, spoilt } = counted;
      console.log(
        `${kind}: ${matches} matches, ${fellBack} states fell back, ` +
          `${falseEvents} false events, ${stuck} matches stuck; the shortest silence after an answer took ` +
          `${Math.round(counted.shortestSilenceMs)} ms; besides, ${spoilt} matches spoilt by stalls of ` +
          `this process (${Math.round(stalls.max / 1e6)} ms at the most)`,
      );
    }
  });
}

if (import.meta.main) {
  await main();
}
