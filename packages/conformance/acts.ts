// What happens to a program between two of its lines (`then` of steps.json), and what the line between must have seen
// (`seen`).

import type { Player } from '../../scripts/player.ts';
import type { PlayersLine } from './front.ts';
import { CONFIG, type Stage } from './stage.ts';

/** One program in one scenario. */
export interface Scene {
  readonly stage: Stage;
  readonly player: string;
  /** Hosts the lobby that the program joins. */
  readonly friend: Player;
  readonly line: PlayersLine;
  /** How many streams the program had opened, and what they had brought, at the last step. */
  before: { readonly opened: number; readonly brought: number };
}

const ME = `/lobbies/${CONFIG}/me`;
const UNKNOWN = 'event: from_the_future\nid: 1\ndata: {"x":1}\n\n';
const WRONG_CHANGE = 'event: lobby_changed\ndata: {"revision":99999,"from":99998,"ops":[]}\n\n';

type Act = (scene: Scene, word: string) => unknown;

const ACTS: Readonly<Record<string, Act>> = {
  mark: ({ friend }, mark) => friend.ok('PATCH', `${ME}/settings`, { settings: { mark } }),
  slow: ({ line }) => void (line.isSlow = true),
  fast: ({ line }) => void (line.isSlow = false),
  cut: ({ line }) => line.cut(),
  end: ({ line }) => line.end(),
  refuse: ({ line }, status) =>
    line.refusals.push(
      status === '401'
        ? { status: 401, code: 'PLAYER_TOKEN_EXPIRED' }
        : { status: 503, code: 'UNAVAILABLE', retryAfter: 1 },
    ),
  wrong: ({ line }) => line.say(WRONG_CHANGE),
  unknown: ({ line }) => line.say(UNKNOWN),
  silence: ({ line }) => {
    line.isSilent = true;
    const opened = line.opened.length;
    const timer = setInterval(() => {
      if (line.opened.length > opened) {
        clearInterval(timer);
        line.isSilent = false;
      }
    }, 5);
    timer.unref();
  },
  token: ({ line }) => line.end(': token expired\n\n'),
  restart: ({ stage }) => stage.restart(),
  signal: ({ friend, player }, text) =>
    friend.ok('POST', `${ME}/signals`, { to: player, data: { text } }),
  queue: ({ friend }, mode) => friend.ok('POST', `${ME}/matchmaking`, { mode }),
  cancel: ({ friend }) => friend.ok('DELETE', `${ME}/matchmaking`),
  kick: ({ friend, player }) => friend.ok('DELETE', `${ME}/players/${player}`),
  replace: ({ stage, player }) => stage.events(player),
  delete: async ({ stage, player }) => {
    const { id } = await stage.friend(player).ok('GET', ME);
    await stage.operator.ok('DELETE', `/lobbies/${CONFIG}/${id}`);
  },
  stop: async ({ stage, player }) => {
    const { server } = await stage.friend(player).ok('GET', ME);
    await stage.operator.ok('DELETE', `/servers/${server?.instance_id}`);
  },
};

/** Does what a step says. Throws on a word that is none. */
export async function act(scene: Scene, text: string): Promise<void> {
  const [name = '', ...words] = text.split(' ');
  const known = ACTS[name];
  if (known === undefined) {
    throw new Error(`steps.json: nothing does "${text}"`);
  }
  await known(scene, words.join(' '));
}

/** What the line must have seen since the last step, as questions. */
const SEEN: Readonly<Record<string, (scene: Scene, word: string) => boolean>> = {
  changes: ({ line, before }) =>
    line.brought.slice(before.brought).includes('event: lobby_changed') &&
    line.opened.at(-1)?.changes === '1',
  resumed: ({ line, before }) => {
    const { lastEventId, lobby } = line.opened.at(-1) ?? {};
    return line.opened.length > before.opened && lastEventId !== undefined && lobby !== null;
  },
  begun: ({ line, before }) =>
    line.opened.length > before.opened && line.opened.at(-1)?.lastEventId === undefined,
  not: ({ line, before }) => line.opened.length === before.opened,
  opened: ({ line }, token) => line.opened.at(-1)?.token === token,
  called: ({ line }, token) => line.calls.some((call) => call.endsWith(` ${token}`)),
  heartbeat: ({ line }) => line.calls.some((call) => call.includes('/me/heartbeat')),
  waited: ({ line }) => {
    const next = line.opened.at(-1)?.at ?? performance.now();
    return Math.max(next, line.calledAt) - line.refusedAt >= 1_000;
  },
};

export function wasSeen(scene: Scene, text: string): boolean {
  const [name = '', ...words] = text.split(' ');
  return SEEN[name]?.(scene, words.join(' ')) === true;
}
