import { isMusterError, MusterPlayer } from '@muster/client';

const $ = (id) => document.getElementById(id);
// Each tab is a player of its own.
const player = (sessionStorage.player ??= `player-${Math.random().toString(36).slice(2, 8)}`);
const url = 'http://127.0.0.1:MUSTER_PORT';
const muster = new MusterPlayer({ url, key: 'client_dev_key', config: 'game', player });

async function play() {
  $('play').disabled = true;
  $('message').textContent = 'Looking for somebody…';
  try {
    const match = await muster.play('duel');
    const socket = new WebSocket(`ws://${match.host}:${match.port}`);
    const tap = () => socket.send(JSON.stringify({ tap: true }));
    socket.addEventListener('open', () => socket.send(JSON.stringify({ ticket: match.ticket })));
    socket.addEventListener('message', ({ data }) => {
      $('score').textContent = JSON.parse(data).score.join(' : ');
    });
    $('tap').addEventListener('click', tap);
    $('message').textContent = `You are in team ${match.team + 1}. Go!`;
    $('tap').hidden = false;
    await match.ended;
    $('tap').removeEventListener('click', tap);
    $('message').textContent = 'The game is over.';
  } catch (error) {
    if (!isMusterError(error, 'NO_MATCH')) {
      throw error;
    }
    $('message').textContent = `No match: ${error.reason}`;
  } finally {
    $('tap').hidden = true;
    $('play').disabled = false;
  }
}

$('play').addEventListener('click', () => void play());
