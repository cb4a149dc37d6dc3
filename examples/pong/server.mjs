// The game server: one process for each match. It moves the ball, and reports who has won.
import { readMatch, reportResult, seatOf } from '@muster/client/server';
import { listen } from './socket.mjs';

const [WIDTH, HEIGHT, POINTS] = [640, 400, 3];
const { host, port, players } = readMatch();
/** Two paddles for each team. A paddle has the socket of its player while that player is connected. */
const paddles = [60, 130, 510, 580].map((x, at) => ({
  x,
  y: HEIGHT / 2,
  height: 70,
  move: 0,
  team: at < 2 ? 0 : 1,
  player: null,
  socket: null,
}));
/** Everybody who had a paddle, with the team. */
const members = new Map();
for (const { id, team } of players) {
  members.set(id, team);
  paddles.find((each) => each.team === team && each.player === null).player = id;
}
const score = [0, 0];
const ball = { x: WIDTH / 2, y: HEIGHT / 2, dx: 0, dy: 0 };

/** The player's own paddle. By backfill a newcomer takes one whose player is gone. */
function paddleFor(ticket) {
  const seat = seatOf(ticket);
  const team = paddles.filter((each) => each.team === seat?.team);
  const own = team.find(({ player }) => player === seat.player);
  const paddle = own ?? team.find(({ socket }) => socket === null);
  if (paddle !== undefined) {
    paddle.player = seat.player;
    members.set(seat.player, seat.team);
  }
  return paddle;
}

listen(port, host, (socket) => {
  let mine;
  socket.onText = (text) => {
    const { ticket, move, serve } = read(text);
    if (mine === undefined) {
      mine = paddleFor(ticket);
      // A player who connects again replaces the older connection.
      (mine === undefined ? socket : mine.socket)?.close();
      Object.assign(mine ?? {}, { socket, move: 0 });
    } else if (mine.socket === socket) {
      mine.move = [-1, 0, 1].includes(move) ? move : mine.move;
      if (serve === true && ball.dx === 0) {
        Object.assign(ball, { dx: mine.team === 0 ? 9 : -9, dy: Math.random() * 6 - 3 });
      }
    }
  };
  socket.onClose = () => {
    if (mine?.socket === socket) {
      Object.assign(mine, { socket: null, move: 0 });
    }
  };
});

/** A stranger may send anything. */
function read(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function fly() {
  ball.x += ball.dx;
  ball.y += ball.dy;
  if (ball.y < 5 || ball.y > HEIGHT - 5) {
    ball.dy = ball.y < 5 ? Math.abs(ball.dy) : -Math.abs(ball.dy);
  }
  const hit = paddles.find(({ team, x, y, height }) => {
    const isNear = Math.abs(ball.x - x) < 10 && Math.abs(ball.y - y) < height / 2 + 5;
    return isNear && team === (ball.dx < 0 ? 0 : 1);
  });
  if (hit !== undefined) {
    ball.dx = Math.min(Math.max(ball.dx * -1.05, -18), 18);
    ball.dy += (ball.y - hit.y) / 8;
  }
  if (ball.x < 0 || ball.x > WIDTH) {
    score[ball.x < 0 ? 1 : 0] += 1;
    Object.assign(ball, { x: WIDTH / 2, y: HEIGHT / 2, dx: 0, dy: 0 });
  }
}

function tick() {
  for (const paddle of paddles) {
    const [most, y] = [HEIGHT - paddle.height / 2, paddle.y + paddle.move * 9];
    paddle.y = Math.min(Math.max(y, HEIGHT - most), most);
  }
  fly();
  const shown = paddles.map(({ x, y, height, player, socket }) => {
    return { x, y, height, player: socket === null ? null : player };
  });
  for (const { socket } of paddles) {
    socket?.send(JSON.stringify({ paddles: shown, ball, score }));
  }
  if (Math.max(...score) === POINTS) {
    clearInterval(clock);
    void finish();
  }
}
const clock = setInterval(tick, 1000 / 30);

/** Players who are gone lose automatically. When this process ends, the others are back in their lobbies. */
async function finish() {
  const here = paddles.filter(({ socket }) => socket !== null).map(({ player }) => player);
  const gone = [...members].filter(([id]) => !here.includes(id));
  const teams = score.map((points, team) => {
    const left = gone.filter((member) => member[1] === team);
    return { team, score: points, players: left.map(([id]) => ({ id, abandoned: true })) };
  });
  await reportResult(teams);
  process.exit(0);
}
process.on('SIGTERM', () => process.exit(0));
