// A whole game lobby in one plain page: create, share the code, ready up, queue, accept, connect.
// The lobby is drawn from every event. Whatever did not change in it is the same object as before, so only the lines of players
// who changed are touched, and a lobby of a hundred draws as fast as one of two.
//
// The address may name what to use: ?config=arena&mode=duel&player=ann&code=MEOW-7K2QXD

import { addressOf, isMusterError, MusterPlayer } from '@muster/client';
import './lobby.css';

const asked = new URLSearchParams(location.search);
const config = asked.get('config') ?? 'arena';
// A game ships its client key; this one is accepted on your own machine only.
const key = asked.get('key') ?? 'client_dev_key';

/** The largest party of each mode of the config, which the game knows because it has saved them. */
const MODES = { duel: 1, duos: 2 };
/** Until the player chooses one, the first mode that takes the party. */
let isModeChosen = asked.has('mode');

const $ = (id) => document.getElementById(id);

/** The player's client, once we know who that is. */
let muster = null;
/** The lobby as last told; null before, and after. */
let lobby = null;
/** The line of each player that is shown, and the player as it shows them. */
let lines = new Map();
/** Ends the event stream. */
let listening = new AbortController();

/** A text that stays is not written again: a screen reader would read it out again. */
function write(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function say(text) {
  write($('message'), text);
}

/** What went wrong, for people. */
function explain(error) {
  if (isMusterError(error, 'NO_MATCHMAKING_MODES') || isMusterError(error, 'MODE_NOT_FOUND')) {
    return `There is no such mode: add it to the config “${config}” in the dashboard.`;
  }
  return isMusterError(error) ? error.detail : String(error);
}

/** Runs what a button does, and says it when the service refuses. */
async function attempt(action) {
  try {
    say('');
    await action();
  } catch (error) {
    say(explain(error));
  }
}

function onClick(id, action) {
  $(id).addEventListener('click', () => void attempt(action));
}

function onSubmit(id, action) {
  $(id).addEventListener('submit', (event) => {
    event.preventDefault();
    if ($('who').reportValidity()) {
      void attempt(action);
    }
  });
}

/** Who plays: chosen on the first screen, and kept for this tab. */
function me() {
  const player = $('player').value.trim();
  sessionStorage.setItem('player', player);
  if (muster?.player !== player) {
    muster = new MusterPlayer({ url: location.origin, key, config, player });
  }
  return muster;
}

function myState() {
  return { mmr: Number($('skill').value), ready: false };
}

/** From now on every change of the lobby is drawn, until it is over. */
async function listen() {
  listening.abort();
  listening = new AbortController();
  const { signal } = listening;
  try {
    for await (const event of muster.streamEvents({ signal })) {
      if (event.type === 'lobby_updated' || event.type === 'connected') {
        draw(event.lobby ?? lobby);
      } else if (event.type === 'queue_stats') {
        drawStats(event.stats);
      } else if (event.type === 'matchmaking_timeout') {
        say(
          event.reason === 'launch_failed'
            ? 'The game server could not be started. Try again in a moment.'
            : `No match: ${event.reason.replaceAll('_', ' ')}.`,
        );
      } else if (event.type === 'closed') {
        draw(null);
        say(event.reason === 'kicked' ? 'The host has removed you.' : 'The lobby is closed.');
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      draw(null);
      say(explain(error));
    }
  }
}

async function enter(joining) {
  draw(await joining);
  $('lobby-title').focus();
  void listen();
}

/** Shows the one screen, and of it the one part, that the lobby's status asks for. */
function draw(next) {
  if (next !== null && next.id === lobby?.id && next.revision < lobby.revision) {
    // An answer that a newer event has overtaken.
    return;
  }
  lobby = next;
  $('home').hidden = lobby !== null;
  $('lobby').hidden = lobby === null;
  if (lobby === null) {
    void attempt(browse);
    return;
  }
  const { status, host, players, matchmaking, code } = lobby;
  if (!isModeChosen) {
    const fits = Object.keys(MODES).find((mode) => players.length <= MODES[mode]);
    $('mode').value = fits ?? $('mode').value;
  }
  const isHost = host === muster.player;
  write($('lobby-title'), lobby.name);
  write($('lobby-code'), code);
  write($('status'), sentence());
  drawPlayers(players);

  $('waiting').hidden = status !== 'waiting';
  const mine = players.find(({ id }) => id === muster.player)?.state;
  $('ready').setAttribute('aria-pressed', String(mine?.ready === true));
  const allReady = players.every(({ state }) => state?.ready === true);
  $('start').disabled = !isHost || !allReady;
  $('queue').disabled = !isHost || !allReady || tooMany() !== '';

  $('searching').hidden = status !== 'in_queue';
  $('cancel').disabled = !isHost;
  drawStats(matchmaking?.queueStats);

  $('found').hidden = status !== 'match_found';
  for (const id of ['accept', 'decline']) {
    $(id).disabled = matchmaking?.confirmation?.confirmed === true;
  }

  const address = addressOf(lobby);
  $('playing').hidden = address === null;
  write($('address'), address === null ? '' : `${address.host}:${address.port}`);
  $('end').disabled = !isHost;
}

/** Why the party cannot queue in the chosen mode; empty if it can. */
function tooMany() {
  const { length } = lobby.players;
  const mode = $('mode').value.trim();
  const most = Object.hasOwn(MODES, mode) ? MODES[mode] : Infinity;
  return length <= most
    ? ''
    : `“${mode}” takes parties of at most ${most} ${most === 1 ? 'player' : 'players'}, and yours has ${length}: choose another mode, or play by yourselves.`;
}

function sentence() {
  const { status, server, players, host } = lobby;
  switch (status) {
    case 'waiting':
      if (host === muster.player && tooMany() !== '') {
        return tooMany();
      }
      return players.every(({ state }) => state?.ready === true)
        ? 'Everybody is ready: the host can find a match.'
        : 'Waiting for everybody to be ready.';
    case 'in_queue':
      return 'Searching for a match.';
    case 'match_found':
      return 'A match is found.';
    case 'matched':
    case 'starting':
      return 'The game server starts.';
    default:
      return server?.status === 'running' ? 'The game is on.' : 'The game server starts.';
  }
}

function drawPlayers(players) {
  const list = $('players');
  const before = lines;
  lines = new Map(
    players.map((player) => {
      const { line = document.createElement('li'), shown } = before.get(player.id) ?? {};
      if (shown !== player) {
        write(line, factsOf(player));
      }
      return [player.id, { line, shown: player }];
    }),
  );
  before.forEach(({ line }, id) => lines.has(id) || line.remove());
  let next = list.firstElementChild;
  for (const { line } of lines.values()) {
    if (line === next) {
      next = next.nextElementSibling;
    } else {
      list.insertBefore(line, next);
    }
  }
}

function factsOf({ id, isHost, state }) {
  const facts = [
    id,
    isHost ? 'host' : '',
    state?.ready === true ? '✓ ready' : 'not ready',
    `skill ${state?.mmr ?? 'unknown'}`,
  ];
  return facts.filter((fact) => fact !== '').join(', ');
}

function drawStats(stats) {
  if (stats !== undefined) {
    const { playersSearching, avgWaitSeconds } = stats;
    write(
      $('search-stats'),
      `${playersSearching} searching, mean wait ${avgWaitSeconds.toFixed(0)} s.`,
    );
  }
}

/** Counts down to the deadline of the match that asks to be accepted. */
function tick() {
  const confirmation = lobby?.matchmaking?.confirmation;
  if (confirmation !== undefined) {
    const left = Math.max(0, Math.ceil((Date.parse(confirmation.deadline) - Date.now()) / 1000));
    const isIn = confirmation.confirmed;
    write($('countdown'), isIn ? 'Accepted. Waiting for the others.' : `Accept within ${left} s.`);
  }
}

async function browse() {
  const { lobbies } = await me().browseLobbies({ status: 'waiting', limit: 10 });
  const items = lobbies.map(({ id, name, currentPlayers, maxPlayers }) => {
    const line = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Join ${name}, ${currentPlayers} of ${maxPlayers}`;
    button.disabled = currentPlayers >= maxPlayers;
    const join = () => enter(me().joinLobby({ lobbyId: id, state: myState() }));
    button.addEventListener('click', () => void attempt(join));
    line.append(button);
    return line;
  });
  if (items.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'None: create the first one.';
    items.push(none);
  }
  $('open').replaceChildren(...items);
}

onSubmit('create', () =>
  enter(me().createLobby({ name: $('lobby-name').value, maxPlayers: 4, state: myState() })),
);
onSubmit('join', () => enter(me().joinLobby({ code: $('code').value.trim(), state: myState() })));
onClick('refresh', browse);

/** A link to this page, for a config that has no links of its own. */
function ownLink() {
  const link = new URL(location.pathname, location.href);
  const given = asked.has('key') ? { key } : {};
  link.search = new URLSearchParams({ config, code: lobby.code, ...given }).toString();
  return link.href;
}

onClick('copy', async () => {
  const link = lobby.invite_url ?? ownLink();
  if (navigator.clipboard === undefined) {
    // Browsers have none for pages that came over plain HTTP from another machine.
    say(link);
    return;
  }
  await navigator.clipboard.writeText(link);
  say('The link is copied.');
});
onClick('ready', async () => {
  const ready = $('ready').getAttribute('aria-pressed') !== 'true';
  draw(await muster.updateMyState({ ready }));
});
$('mode').addEventListener('input', () => {
  isModeChosen = true;
  draw(lobby);
});
onClick('queue', async () => draw(await muster.startMatchmaking($('mode').value.trim())));
onClick('start', async () => draw(await muster.startGame()));
onClick('cancel', async () => draw(await muster.cancelMatchmaking()));
onClick('accept', async () => draw(await muster.confirmMatch()));
onClick('decline', async () => draw(await muster.declineMatch()));
onClick('end', async () => draw(await muster.endMatch()));
onClick('leave', async () => {
  listening.abort();
  await muster.leave();
  draw(null);
});

$('player').value =
  asked.get('player') ??
  sessionStorage.getItem('player') ??
  `player-${Math.random().toString(36).slice(2, 6)}`;
$('lobby-name').value = `${$('player').value}'s lobby`;
$('mode').value = asked.get('mode') ?? 'duel';
$('modes').append(...Object.keys(MODES).map((mode) => new Option(mode)));
$('code').value = asked.get('code') ?? '';
$('home').hidden = false;
setInterval(tick, 250);

// Whoever reloads the page is still in the lobby.
await attempt(async () => {
  const mine = await me().findMyLobby();
  if (mine === null) {
    await browse();
  } else {
    await enter(Promise.resolve(mine));
  }
});
