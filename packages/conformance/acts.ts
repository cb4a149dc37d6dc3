// What happens to a program between two of its lines (`then` of steps.json), and what the line between must have seen
// (`seen`).

import type { Player } from '../../scripts/player.ts';
import type { PlayersLine } from './front.ts';
import type { Stage } from './stage.ts';

/** One program in one scenario. */
export interface Scene {
  readonly stage: Stage;
  readonly player: string;
  readonly config: string;
  /** Hosts the lobby that the program joins. */
  readonly friend: Player;
  readonly line: PlayersLine;
  /** How many streams the program had opened, and what they had brought, at the last step. */
  before: { readonly opened: number; readonly brought: number };
}

const UNKNOWN = 'event: from_the_future\nid: 1\ndata: {"x":1}\n\n';
const WRONG_CHANGE = 'event: lobby_changed\ndata: {"revision":99999,"from":99998,"ops":[]}\n\n';

/** A change that begins where the lobby is, and does not fit it. */
function oddChange({ line }: Scene): string {
  const from = Number([...line.brought.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]);
  const ops = [{ op: 'replace', path: '/nosuch/deep', value: 1 }];
  const change = JSON.stringify({ revision: from + 1, from, ops });
  return `event: lobby_changed\nid: ${from + 1}\ndata: ${change}\n\n`;
}

/** The path of the lobby of whoever asks. */
const me = ({ config }: Scene): string => `/lobbies/${config}/me`;

type Act = (scene: Scene, word: string) => unknown;

const kick = (scene: Scene): Promise<unknown> =>
  scene.friend.ok('DELETE', `${me(scene)}/players/${scene.player}`);

const ACTS: Readonly<Record<string, Act>> = {
  mark: (scene, mark) => scene.friend.ok('PATCH', `${me(scene)}/settings`, { settings: { mark } }),
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
  odd: (scene) => scene.line.say(oddChange(scene)),
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
  signal: (scene, text) =>
    scene.friend.ok('POST', `${me(scene)}/signals`, { to: scene.player, data: { text } }),
  queue: (scene, mode) => scene.friend.ok('POST', `${me(scene)}/matchmaking`, { mode }),
  cancel: (scene) => scene.friend.ok('DELETE', `${me(scene)}/matchmaking`),
  move: (scene, config) => scene.friend.ok('POST', `${me(scene)}/move`, { config }),
  rematch: (scene) => scene.friend.ok('POST', `${me(scene)}/rematch`),
  decline: (scene) => scene.friend.ok('DELETE', `${me(scene)}/rematch`),
  kick,
  // The player is kicked while its next stream is being opened. One that is open is cut, as soon as it is.
  lose: (scene) => {
    const { line } = scene;
    line.refusals.push({ status: 503, code: 'UNAVAILABLE', first: () => kick(scene) });
    const timer = setInterval(() => {
      if (line.refusals.length > 0) {
        line.cut();
      } else {
        clearInterval(timer);
      }
    }, 20);
    timer.unref();
  },
  replace: ({ stage, player }) => stage.events(player),
  delete: async (scene) => {
    const { stage, player, config } = scene;
    const { id } = await stage.friend(player).ok('GET', me(scene));
    await stage.operator.ok('DELETE', `/lobbies/${config}/${id}`);
  },
  stop: async (scene) => {
    const { stage, player } = scene;
    const { server } = await stage.friend(player).ok('GET', me(scene));
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
