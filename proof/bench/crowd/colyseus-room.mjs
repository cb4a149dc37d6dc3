// node colyseus-room.mjs PORT: a room whose state is a map of players, each of whom changes its own.

import { Room, Server } from '@colyseus/core';
import { MapSchema, schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';

const fields = { name: t.string(), ready: t.boolean(), mmr: t.number(), skin: t.string() };
const Player = schema({ ...fields, n: t.number() }, 'Player');
const State = schema({ players: t.map(Player) }, 'State');

class Crowd extends Room {
  maxClients = 200;

  onCreate() {
    this.state = new State();
    this.state.players ??= new MapSchema();
    this.onMessage('patch', (client, patch) => {
      Object.assign(this.state.players.get(client.sessionId), patch);
    });
  }

  onJoin(client, state) {
    const player = Object.assign(new Player(), { ready: false, n: 0, ...state });
    this.state.players.set(client.sessionId, player);
  }
}

const server = new Server({ transport: new WebSocketTransport({}), greet: false });
server.define('crowd', Crowd);
await server.listen(Number(process.argv[2]), '127.0.0.1');
console.log('listens');
