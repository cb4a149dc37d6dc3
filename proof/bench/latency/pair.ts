// One measurement: two players who have never been seen create a lobby each, open their streams and queue. The time
// runs from the second player's request to queue until both streams have shown `in_game`.

import type { Target } from './http.ts';

export const CONFIG = 'bench';
export const MODE = 'duel';
/** A measurement that takes longer is a failure and says so. */
const GIVE_UP_MS = 20_000;

export interface Timing {
  /** From the second request to queue until both players saw `in_game`. */
  readonly latencyMs: number;
  /** The same until both saw `matched`. */
  readonly matchedMs: number;
  readonly createMs: number;
  readonly connectMs: number;
  readonly queueMs: number;
}

const CONNECTED = 'event: connected';
const MATCHED = '"status":"matched"';
const IN_GAME = '"status":"in_game"';
/** The text that is searched for may be split between two chunks. */
const TAIL = IN_GAME.length;

interface Ear {
  readonly connected: Promise<number>;
  readonly matched: Promise<number>;
  readonly inGame: Promise<number>;
  hangUp(): void;
}

function listen(target: Target, player: string): Ear {
  const [connected, matched, inGame] = [moment(), moment(), moment()];
  let tail = '';
  const hangUp = target.listen(CONFIG, player, (chunk) => {
    const now = performance.now();
    const text = tail + chunk;
    if (text.includes(CONNECTED)) {
      connected.come(now);
    }
    if (text.includes(MATCHED)) {
      matched.come(now);
    }
    if (text.includes(IN_GAME)) {
      inGame.come(now);
    }
    tail = text.slice(-TAIL);
  });
  return { connected: connected.at, matched: matched.at, inGame: inGame.at, hangUp };
}

function moment(): { readonly at: Promise<number>; readonly come: (now: number) => void } {
  let come: (now: number) => void = () => undefined;
  const at = new Promise<number>((resolve) => (come = resolve));
  return { at, come };
}

const PATH = `/lobbies/${CONFIG}`;

/** What is done before the first request to queue, and when both saw `in_game`. */
export interface Around {
  readonly begins: () => Promise<unknown>;
  readonly ends: () => Promise<unknown>;
  /** Brings the two into a match, in place of their searches. */
  readonly makes?: (players: readonly [string, string]) => Promise<unknown>;
}

/** `pair` is a word that nobody else uses, so only the two lobbies of one pair fit each other. */
export async function measurePair(target: Target, pair: string, around?: Around): Promise<Timing> {
  const players = [`${pair}-a`, `${pair}-b`] as const;
  const [first, second] = players;
  const ears: Ear[] = [];
  try {
    const begun = performance.now();
    const state = { pair };
    await Promise.all(
      players.map((player) => target.ok('POST', PATH, player, { name: player, state })),
    );
    const created = performance.now();
    ears.push(...players.map((player) => listen(target, player)));
    await within(Promise.all(ears.map((ear) => ear.connected)), 'connected');
    const connected = performance.now();
    await around?.begins();
    const search = (player: string) =>
      target.ok('POST', `${PATH}/me/matchmaking`, player, { mode: MODE });
    await (around?.makes ? null : search(first));
    const queued = performance.now();
    const asked = performance.now();
    const entered = around?.makes ? around.makes(players) : search(second);
    const all = (which: 'matched' | 'inGame'): Promise<number[]> =>
      Promise.all(ears.map((ear) => ear[which]));
    const [, matched, inGame] = await Promise.all([
      entered,
      within(all('matched'), 'matched'),
      within(all('inGame'), 'in_game'),
    ]);
    await around?.ends();
    return {
      latencyMs: Math.max(...inGame) - asked,
      matchedMs: Math.max(...matched) - asked,
      createMs: created - begun,
      connectMs: connected - created,
      queueMs: queued - connected,
    };
  } finally {
    ears.forEach((ear) => ear.hangUp());
    // The lobbies and the server end too, so that the next pair finds the service as this one did.
    await Promise.all(
      players.map((player) => target.ask('DELETE', `${PATH}/me`, player).catch(() => null)),
    );
  }
}

async function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not ${what} within ${GIVE_UP_MS} ms`)), GIVE_UP_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A lobby that waits in the queue and fits nobody. */
export async function block(target: Target, player: string): Promise<void> {
  const body = { name: player, state: { pair: player } };
  await target.patiently('POST', PATH, player, body);
  await target.patiently('POST', `${PATH}/me/matchmaking`, player, { mode: MODE });
}
