// node colyseus-crowd.mjs PORT PLAYERS RATE SECONDS: the players of the room. It prints a line of JSON when the changes begin, and
// one when they end.

import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@colyseus/sdk';

const [port, players, rate, seconds] = process.argv.slice(2).map(Number);
const client = new Client(`ws://127.0.0.1:${port}`);
const stateOf = (index) => ({ name: `Player ${index}`, mmr: 1_200 + index, skin: 'x'.repeat(90) });
const rooms = [await client.create('crowd', stateOf(0))];
while (rooms.length < players) {
  rooms.push(await client.joinById(rooms[0].roomId, stateOf(rooms.length)));
}
let bytes = 0;
for (const room of rooms) {
  const socket = room.connection.transport.ws;
  socket.addEventListener('message', ({ data }) => {
    bytes += data.byteLength ?? data.length;
  });
}
await sleep(1_000);
const first = rooms[0].sessionId;
const hasAll = (n) => rooms.every(({ state }) => state.players.get(first)?.n >= n);
const heard = [];
const before = bytes;
const from = performance.now();
console.log(JSON.stringify({ what: 'begins', bytes: 0, heard }));
const samples = [];
for (let index = 0; index < rate * seconds; index += 1) {
  await sleep(Math.max(0, from + (index * 1_000) / rate - performance.now()));
  const n = index + 1;
  rooms[index % players].send('patch', { n });
  if (index % players === 0) {
    const since = performance.now();
    const sample = async () => {
      while (!hasAll(n)) {
        await sleep(2);
      }
      heard.push(performance.now() - since);
    };
    samples.push(sample());
  }
}
const all = bytes - before;
await Promise.race([Promise.all(samples), sleep(2_000)]);
console.log(JSON.stringify({ what: 'ends', bytes: all, heard }));
process.exit(0);
