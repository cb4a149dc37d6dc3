// The floor under Muster's figures: a bare Worker with one object that takes the same requests, makes
// the same hop and as many durable writes, and does nothing else. It knows no rules: two players
// whose names differ in the last letter are a pair.

import { DurableObject } from 'cloudflare:workers';

/** Rows that a box writes for each request, as docs/costs.md counts them. */
const ROWS = { create: 6, join: 4, state: 1, queue: 3, cancel: 3, match: 16, leave: 5 };
/** As many bytes as a row of a lobby has. */
const ROW = { text: 'x'.repeat(400) };
const LOBBY = JSON.stringify({ id: 'floor', code: 'FLOOR-1', status: 'waiting', text: ROW.text });
/** As long as what a change of a lobby of a hundred takes on a stream, and how long changes are gathered. */
const CHANGE = JSON.stringify({ text: 'x'.repeat(240) });
const FRAME_MS = 50;
const encoder = new TextEncoder();

export class Floor extends DurableObject {
  #streams = new Map();
  #queued = new Map();
  #rows = 0;
  #revision = 0;
  /** The players of each config whose streams asked for changes, and the configs whose next frame is due. */
  #changing = new Map();
  #due = new Set();

  #write(count) {
    for (let row = 0; row < count; row += 1) {
      this.#rows += 1;
      // A bounded table, as Muster's is: rows of lobbies that ended make room.
      this.ctx.storage.kv.put(`row:${this.#rows % 100_000}`, ROW);
    }
  }

  read() {
    return LOBBY;
  }

  write(what) {
    this.#write(ROWS[what] ?? 0);
    return LOBBY;
  }

  /** A change that the config's streams are told, with others of a frame. */
  change(config) {
    this.#write(ROWS.state);
    this.#revision += 1;
    if (this.#changing.has(config) && !this.#due.has(config)) {
      this.#due.add(config);
      setTimeout(() => {
        this.#due.delete(config);
        const bytes = encoder.encode(
          `event: lobby_changed\nid: ${this.#revision}\ndata: ${CHANGE}\n\n`,
        );
        this.#changing.get(config).forEach((player) => this.#send(player, bytes));
      }, FRAME_MS);
    }
    return JSON.stringify({ revision: this.#revision });
  }

  listenToChanges(player, config) {
    this.#changing.set(config, [...(this.#changing.get(config) ?? []), player]);
    return this.listen(player);
  }

  listen(player) {
    const { readable, writable } = new IdentityTransformStream({ highWaterMark: 65_536 });
    const writer = writable.getWriter();
    this.#streams.set(player, writer);
    writer.closed.catch(() => this.#streams.delete(player));
    this.#say(player, 'connected', LOBBY);
    return readable;
  }

  #say(player, event, data) {
    this.#send(player, encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  }

  #send(player, bytes) {
    this.#streams
      .get(player)
      ?.write(bytes)
      .catch(() => {});
  }

  queue(player) {
    this.#write(ROWS.queue);
    const pair = player.slice(0, -1);
    const other = this.#queued.get(pair);
    if (other === undefined) {
      this.#queued.set(pair, player);
      return LOBBY;
    }
    this.#queued.delete(pair);
    this.#write(ROWS.match);
    for (const status of ['matched', 'in_game']) {
      for (const each of [player, other]) {
        this.#say(each, 'lobby_updated', LOBBY.replace('"waiting"', `"${status}"`));
      }
    }
    return LOBBY;
  }

  leave(player) {
    this.#write(ROWS.leave);
    this.#streams
      .get(player)
      ?.close()
      .catch(() => {});
    this.#streams.delete(player);
    return LOBBY;
  }
}

const json = (text, status = 200) =>
  new Response(text, { status, headers: { 'content-type': 'application/json' } });

export default {
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    const [, , , config, me, act] = pathname.split('/');
    const player = request.headers.get('x-player-id') ?? '';
    const object = env.FLOOR.getByName('floor');
    if (request.method === 'POST' || request.method === 'PATCH') {
      JSON.parse((await request.text()) || '{}');
    }
    if (pathname === '/health') {
      return json('{"status":"ok"}');
    }
    if (act === 'events') {
      const listening =
        search === '?changes=1' ? object.listenToChanges(player, config) : object.listen(player);
      const body = await listening;
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    }
    switch (`${request.method} ${me ?? ''} ${act ?? ''}`.trim()) {
      case 'POST':
        return json(await object.write('create'), 201);
      case 'POST join':
        return json(await object.write('join'));
      case 'PATCH me':
        return json(await object.change(config));
      case 'POST me matchmaking':
        return json(await object.queue(player));
      case 'DELETE me matchmaking':
        return json(await object.write('cancel'));
      case 'DELETE me':
        return json(await object.leave(player));
      default:
        return json(await object.read());
    }
  },
};
