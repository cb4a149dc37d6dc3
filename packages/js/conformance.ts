// The conformance of the TypeScript client: prints the lines of packages/conformance/steps.json.

import { isMusterError } from './src/errors.ts';
import { MusterPlayer } from './src/player.ts';
import type { PlayerOptions } from './src/player-options.ts';
import { readMatch, reportResult, seatOf } from './src/server.ts';
import type { StreamState } from './src/following.ts';
import type { Lobby } from './src/types.ts';

const [url = '', key = '', config = '', player = '', scenario = '', extra = ''] =
  process.argv.slice(2);
const FOLLOW = { connectMs: 4_000, silenceMs: 3_000, pollMs: 300, heartbeatMs: 1_000 };

function say(...words: readonly unknown[]): void {
  process.stdout.write(`${words.join(' ')}\n`);
}

let tokens = 0;

function client(other: Partial<PlayerOptions> = {}): MusterPlayer {
  const isAsked = scenario === 'calls' || scenario === 'token';
  const token = async (): Promise<string> => {
    tokens += 1;
    return `t${tokens}`;
  };
  return new MusterPlayer({ url, key, config, player, ...(isAsked && { token }), ...other });
}

async function refused(what: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
    say(what, 'worked');
  } catch (error) {
    if (!isMusterError(error)) {
      throw error;
    }
    say(what, error.code, error.status, ...error.issues.map(({ path }) => path));
  }
}

async function calls(): Promise<void> {
  const me = client();
  await fetch(`${url}/health`);
  say('health ok');
  say('where_am_i', (await me.whereAmI()).length);
  await me.createLobby({ name: 'Den' });
  say('create ok');
  await refused('create again', () => me.createLobby({ name: 'Den' }));
  say('where_am_i', (await me.whereAmI()).length);
  const lobby = await me.updateMyState({ text: 'zwölf 😀 "quoted"' });
  say('state', lobby.players[0]?.state?.['text']);
  say('settings', (await me.updateLobbySettings({ name: 'Den' })).name);
  await refused('settings wrong', () => me.updateLobbySettings({ maxPlayers: 0 }));
  say('moved', (await me.moveTo('hall')).config);
  await refused('move unknown', () => me.moveTo('nosuch'));
  await refused('rematch', () => me.rematch());
  await refused('mode unknown', () => me.startMatchmaking('nosuch'));
  await me.leave();
  say('leave ok');
  await me.leave();
  say('leave again ok');
  await refused('lobby gone', () => me.getMyLobby());
  say('find', (await me.findMyLobby()) === null ? 'none' : 'one');
  await me.quickJoin({ create: { name: 'Den' } });
  say('token renewed');
  await me.sendHeartbeat();
  await me.leave();
  say('leave ok');
  say('retry after 503 ok');
  await refused('not Muster', () => me.declineMatch());
  await refused('wrong key', () => client({ key: 'nosuch' }).whereAmI());
  await refused('nobody there', () => client({ url: 'http://127.0.0.1:1' }).whereAmI());
}

async function follow(me: MusterPlayer): Promise<void> {
  let shown = '';
  let at = config;
  const onState = (state: StreamState): void => {
    if (state === 'polling') {
      say('state polling');
    }
  };
  for await (const event of me.streamEvents({ ...FOLLOW, onState })) {
    if (event.type === 'connected' || event.type === 'lobby_updated') {
      const { status, players = [], settings, as } = event.lobby ?? {};
      if ((event.lobby?.config ?? at) !== at) {
        at = event.lobby?.config ?? at;
        say('moved', at);
      }
      const line = `lobby ${status} ${players.length} ${(settings?.['mark'] as string | undefined) ?? '-'}`;
      if (line !== shown && (as === 'spectator' || players.some(({ id }) => id === player))) {
        say(line);
        if (line.endsWith(' leave')) {
          await me.leave();
          say('leave ok');
        }
      }
      shown = line;
    } else if (event.type === 'matchmaking_timeout') {
      say('search ended', event.reason);
    } else if (event.type === 'signal') {
      say('signal', (event.data as { readonly text: string }).text);
    } else if (event.type === 'closed') {
      say('closed', event.reason);
    }
  }
}

async function joined(): Promise<void> {
  const me = client();
  await me.joinLobby({ code: extra });
  say('join ok');
  await follow(me);
}

async function created(): Promise<void> {
  const me = client();
  await me.createLobby({ name: 'Den', isPrivate: true });
  say('create ok');
  await follow(me);
}

async function play(): Promise<void> {
  const me = client();
  const match = await me.play('solo');
  say('in_game', `${match.host}:${match.port}`);
  say('ticket of team', match.team);
  say('ended', (await match.ended).status);
  const agreed = await me.play('agreed');
  say('confirmed', `${agreed.host}:${agreed.port}`);
  say('ended', (await agreed.ended).status);
  await me.play('never').catch((error: unknown) => {
    say('no match', isMusterError(error) ? error.reason : error);
  });
}

async function lost(): Promise<void> {
  const me = client();
  await me.joinLobby({ code: extra });
  say('join ok');
  await me.play('large').catch((error: unknown) => {
    say('no match', isMusterError(error) ? error.reason : error);
  });
}

async function watch(): Promise<void> {
  const me = client();
  await me.joinLobby({ code: extra, as: 'spectator' });
  say('watch ok');
  const match = await me.play('solo');
  say('watching', `${match.host}:${match.port}`);
  say(match.ticket === null ? 'no ticket' : 'ticket of', match.team ?? 'no team');
  say('ended', (await match.ended).status);
  await follow(me);
}

async function shows(me: MusterPlayer, holds: (lobby: Lobby) => boolean): Promise<Lobby> {
  for await (const lobby of me.follow(FOLLOW)) {
    if (lobby !== null && holds(lobby)) {
      return lobby;
    }
  }
  throw new Error('the lobby is over');
}

async function rematch(): Promise<void> {
  const me = client();
  const match = await me.play('duel');
  say('in_game', `${match.host}:${match.port}`);
  say('ended', (await match.ended).status);
  const asked = await shows(me, (lobby) => lobby.rematch !== undefined);
  say('rematch', asked.rematch?.yes, 'of', asked.rematch?.needed);
  await me.rematch();
  const again = await me.waitForMatch();
  say('again', `${again.host}:${again.port}`);
  say('ended', (await again.ended).status);
  const own = await me.rematch();
  say('rematch', own.rematch?.yes, 'of', own.rematch?.needed);
  await shows(me, (lobby) => lobby.rematch === undefined);
  say('no rematch');
}

async function server(): Promise<void> {
  const { mode, players } = readMatch();
  say('match', mode, players.length);
  const seat = seatOf(extra);
  const told = players.find(({ id }) => id === seat?.player);
  say('seat', told !== undefined && seat?.team === told.team ? 'in its team' : 'elsewhere');
  say('forged', seatOf(`${extra.slice(0, -4)}AAAA`) === null ? 'refused' : 'taken');
  const teams = [
    { team: 0, score: 3 },
    { team: 1, score: 1 },
  ];
  await reportResult(teams);
  say('result ok');
  await reportResult(teams);
  say('result once');
  await refused('other result', () =>
    reportResult([
      { team: 0, score: 0 },
      { team: 1, score: 9 },
    ]),
  );
}

const RUN: Readonly<Record<string, () => Promise<void>>> = {
  calls,
  follow: joined,
  token: joined,
  poll: joined,
  replaced: created,
  deleted: created,
  play,
  lost,
  watch,
  rematch,
  server,
};
await RUN[scenario]?.();
