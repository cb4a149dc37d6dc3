// The page: the lobby is drawn from every event, and the game from every message of its server.
import { addressOf, isMusterError, MusterPlayer } from '@muster/client';

const $ = (id) => document.getElementById(id);
const say = (text) => ($('message').textContent = text);
const list = (id, texts) =>
  $(id).replaceChildren(
    ...texts.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
  );

// Each tab is a player of its own, and stays the same player when it is loaded again.
const asked = new URLSearchParams(location.search).get('player');
const made = `player-${Math.random().toString(36).slice(2, 6)}`;
const player = asked ?? sessionStorage.getItem('player') ?? made;
sessionStorage.setItem('player', player);
const [config, mode] = ['pong', 'doubles'];
const muster = new MusterPlayer({
  url: 'http://127.0.0.1:8787',
  key: 'client_dev_key',
  config,
  player,
});
let lobby = null;
/** The connection to the game server. */
let game = null;
/** Ends the event stream. */
let listening = new AbortController();

async function attempt(action) {
  try {
    say('');
    await action();
  } catch (error) {
    say(isMusterError(error) ? error.detail : String(error));
  }
}

async function enter(entering) {
  draw(await entering);
  listening = new AbortController();
  for await (const event of muster.streamEvents({ signal: listening.signal })) {
    if (event.type === 'connected' || event.type === 'lobby_updated') {
      draw(event.lobby);
    } else if (event.type === 'matchmaking_timeout') {
      say(`No match: ${event.reason}`);
    } else if (event.type === 'closed') {
      draw(null);
    }
  }
}

function draw(next) {
  if (next !== null && next.id === lobby?.id && next.revision < lobby.revision) {
    return; // A newer event has overtaken this answer.
  }
  lobby = next;
  const address = addressOf(lobby);
  $('home').hidden = lobby !== null;
  $('lobby').hidden = lobby === null;
  $('game').hidden = address === null;
  if (address === null) {
    game?.close();
    void attempt(drawLadder);
  } else if (game === null) {
    play(address, lobby.server.ticket);
  }
  if (lobby === null) {
    return;
  }
  const { status, host, players, matchmaking, code } = lobby;
  const { confirmed, accepted, needed } = matchmaking?.confirmation ?? {};
  const points = ({ mmr, ready }) => `${mmr} points, ${ready ? 'ready' : 'not ready'}`;
  $('invite').textContent = code;
  list(
    'players',
    players.map(({ id, state }) => `${id}, ${points(state)}`),
  );
  $('status').textContent = needed ? `${accepted} of ${needed} have accepted` : status;
  $('ready').hidden = $('find').hidden = status !== 'waiting';
  $('find').disabled = host !== player || !players.every(({ state }) => state.ready);
  $('accept').hidden = confirmed !== false;
}

async function drawLadder() {
  const { players } = await muster.getRatings({ config, mode, limit: 10 });
  list(
    'ladder',
    players.map((each) => `${each.player}: ${each.rating} (${each.games} played)`),
  );
}

function play({ url, host, port }, ticket) {
  game = new WebSocket(url ?? `ws://${host}:${port}`);
  game.addEventListener('open', () => send({ ticket }));
  game.addEventListener('message', ({ data }) => paint(JSON.parse(data)));
  game.addEventListener('close', () => {
    game = null;
    // If the game goes on, the lobby has the address and a fresh ticket.
    setTimeout(() => void attempt(async () => draw(await muster.findMyLobby())), 1000);
  });
}

function send(message) {
  if (game?.readyState === WebSocket.OPEN) {
    game.send(JSON.stringify(message));
  }
}

function paint({ paddles, ball, score }) {
  const pen = $('field').getContext('2d');
  pen.fillStyle = '#222';
  pen.fillRect(0, 0, 640, 400);
  for (const { x, y, height = 10, player: who = '' } of [...paddles, ball]) {
    pen.fillStyle = who === null ? '#666' : who === player ? '#fc3' : '#fff';
    pen.fillRect(x - 5, y - height / 2, 10, height);
  }
  const [one, two, three, four] = paddles.map(({ player: who }) => who ?? 'nobody');
  $('teams').textContent = `${one} and ${two} against ${three} and ${four}`;
  $('score').textContent = score.join(' : ');
}

const KEYS = { ArrowUp: { move: -1 }, ArrowDown: { move: 1 }, ' ': { serve: true } };
for (const type of ['keydown', 'keyup']) {
  document.addEventListener(type, (event) => {
    if (!$('game').hidden && event.key in KEYS) {
      event.preventDefault();
      send(type === 'keydown' ? KEYS[event.key] : { move: 0 });
    }
  });
}
const state = { ready: false };
const ACTIONS = {
  create: () => enter(muster.createLobby({ name: `${player}'s lobby`, state })),
  join: () => enter(muster.joinLobby({ code: $('code').value.trim(), state })),
  ready: async () => draw(await muster.updateMyState({ ready: true })),
  find: async () => draw(await muster.startMatchmaking(mode)),
  accept: async () => draw(await muster.confirmMatch()),
  leave: async () => {
    listening.abort();
    await muster.leave();
    draw(null);
  },
};
for (const [id, action] of Object.entries(ACTIONS)) {
  $(id).addEventListener('click', () => void attempt(action));
}
$('me').textContent = player;
// A player who loads the page again is still in the lobby, and in the game.
await attempt(async () => {
  const mine = await muster.findMyLobby();
  await (mine === null ? draw(null) : enter(mine));
});
