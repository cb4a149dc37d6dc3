// A game without any server: everybody moves a dot, and sees those of the others. Muster finds the players and
// introduces them to each other. What they say then goes from page to page.

import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';

const given = new URLSearchParams(location.search);
const player = given.get('player') ?? crypto.randomUUID().slice(0, 6);
const muster = new MusterPlayer({
  url: given.get('url') ?? 'http://127.0.0.1:8787',
  key: given.get('key') ?? 'client_dev_key',
  config: 'dots',
  player,
});
const board = document.querySelector('#board');
const says = document.querySelector('#says');
const dots = new Map();

function move(id, x, y) {
  const dot = dots.get(id) ?? document.createElement('span');
  dot.textContent = `● ${id}`;
  dot.style.left = `${x * 100}%`;
  dot.style.top = `${y * 100}%`;
  board.append(dot);
  dots.set(id, dot);
}

function remove(id) {
  dots.get(id)?.remove();
  dots.delete(id);
}

const peers = await connect(muster, {
  onPeer: ({ id }) => {
    says.value = `You play with ${id}.`;
    move(id, 0.5, 0.5);
  },
  // A lost position does not matter, because the next one comes soon.
  onMessage: ({ id }, data) => move(id, ...JSON.parse(data)),
  onGone: remove,
});

board.addEventListener('pointermove', ({ clientX, clientY }) => {
  const { left, top, width, height } = board.getBoundingClientRect();
  const at = [(clientX - left) / width, (clientY - top) / height];
  move(player, ...at);
  peers.send(JSON.stringify(at), 'unreliable');
});

async function play() {
  says.value = 'Searching.';
  try {
    const match = await muster.play('dots');
    await match.ended;
    says.value = 'The game is over.';
  } catch (error) {
    says.value = error.message;
  }
}

const button = document.querySelector('#play');
button.addEventListener('click', () => void play());
button.disabled = false;
