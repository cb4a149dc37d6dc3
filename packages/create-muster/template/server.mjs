// The game server: one process for each match. Who taps ten times first wins.

import { readMatch, reportResult, seatOf } from '@muster/client/server';
import { listen } from './socket.mjs';

const POINTS = 10;
const { host, port } = readMatch();
const score = [0, 0];
const sockets = new Set();

/** A stranger may send anything. */
function read(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function show() {
  sockets.forEach((socket) => socket.send(JSON.stringify({ score })));
}

listen(port, host, (socket) => {
  let seat = null;
  socket.onText = (text) => {
    const { ticket, tap } = read(text);
    if (seat === null) {
      // Without a ticket of this match nobody plays.
      seat = seatOf(ticket);
      if (seat === null) {
        socket.close();
        return;
      }
      sockets.add(socket);
    } else if (tap === true && Math.max(...score) < POINTS) {
      score[seat.team] += 1;
      if (score[seat.team] === POINTS) {
        void finish();
      }
    }
    show();
  };
  socket.onClose = () => void sockets.delete(socket);
});

/** When this process ends, the players are back in their lobbies. */
async function finish() {
  await reportResult(score.map((points, team) => ({ team, score: points })));
  process.exit(0);
}

process.on('SIGTERM', () => process.exit(0));
