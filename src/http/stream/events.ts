// GET /me/events: one unbroken stream to the client across the objects that feed it (spec: Events;
// decision 23). The lobby speaks while the player is in one, else the seat keeps watch; this relay
// binds to one after the other, and again after an object has restarted.
//
// the source ended with   the relay
// left                    binds to the seat; the client's stream goes on
// seated                  binds to the lobby, whose first event is `connected` with all of it
// replaced                ends the client's stream
// nothing                 waits a little and binds anew: the object restarted

import { SSE_COMMENT, SSE_REPLACED, sseFrame } from '../../sse';
import { pause } from '../ask';
import type { PlayerCall } from '../call';
import { Client, copyEvents, type End } from './relay';
import { forgetLobby, inLobby, seatedAt } from '../players/where';

const FIRST_WAIT_MS = 25;
const LAST_WAIT_MS = 2_000;
/** A source that lasted this long was no part of a row of failures. */
const STEADY_MS = 1_000;

/** So often a seat is asked again that is taken for a lobby which does not know the player. */
const MAX_RECHECKS = 8;

interface Source {
  readonly from: 'lobby' | 'seat';
  readonly stream: ReadableStream<Uint8Array>;
  /** The seat was taken before the watch began, so that it will not say so. */
  readonly taken: boolean;
}

/** The lobby revision the client saw last, if it says so and it is one. */
function lastRevisionOf(request: Request): number | null {
  const text = request.headers.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function bind(call: PlayerCall, lastRevision: number | null): Promise<Source> {
  const { peers, project, config, player } = call;
  const reply = await inLobby(call, (id) => peers.lobby(id).events(player, lastRevision));
  if (reply.ok) {
    return { from: 'lobby', stream: reply.value, taken: false };
  }
  const stream = await peers.seat(project, config, player).watch(player);
  return { from: 'seat', stream, taken: (await seatedAt(call)) !== null };
}

/** Full jitter: after a restart all players of a lobby come back, and shall not come at once. */
function waitMs(failures: number): number {
  return Math.random() * Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

class Relay {
  readonly #call: PlayerCall;
  readonly #client: Client;
  #lastRevision: number | null;
  #greeted = false;
  /** Sources in a row that ended too soon. */
  #failures = 0;

  constructor(call: PlayerCall, client: Client) {
    this.#call = call;
    this.#client = client;
    this.#lastRevision = lastRevisionOf(call.request);
  }

  async run(): Promise<void> {
    for (;;) {
      const since = Date.now();
      const end = await this.#follow();
      if (end === 'gone') {
        return;
      }
      if (end === 'replaced') {
        forgetLobby(this.#call);
        await this.#client.write(SSE_REPLACED);
        await this.#client.close();
        return;
      }
      if (end === 'left') {
        forgetLobby(this.#call);
      }
      // One seat that was taken at once is what joining looks like; a row of them is a lobby that
      // does not know the player yet, or no longer.
      const steady = end === 'left' || Date.now() - since > STEADY_MS;
      this.#failures = steady ? 0 : this.#failures + 1;
      if (this.#failures > 1 || end === 'broken') {
        await pause(waitMs(this.#failures));
        // A client that has left must not take the place of its own newer stream.
        if (!(await this.#client.write(SSE_COMMENT))) {
          return;
        }
      }
    }
  }

  /** One source from its beginning to its end; one that cannot be had counts as broken off. */
  async #follow(): Promise<End> {
    let source: Source;
    try {
      source = await bind(this.#call, this.#lastRevision);
    } catch (error) {
      console.log(JSON.stringify({ event: 'events_unbound', error: String(error) }));
      return this.#client.gone ? 'gone' : 'broken';
    }
    this.#lastRevision = null;
    if (source.from === 'seat' && !this.#greeted) {
      void this.#client.write(sseFrame('connected', null));
    }
    this.#greeted = true;
    if (source.taken && this.#failures < MAX_RECHECKS) {
      source.stream.cancel().catch(() => {
        // It ended by itself: no matter, the next one is bound at once.
      });
      return 'seated';
    }
    return copyEvents(source.stream, this.#client);
  }
}

export function events(call: PlayerCall): Promise<Response> {
  const { readable, writable } = new IdentityTransformStream();
  const relay = new Relay(call, new Client(writable));
  call.background(relay.run());
  return Promise.resolve(
    new Response(readable, {
      headers: {
        'content-type': 'text/event-stream',
        // A proxy that compresses or gathers would hold events back.
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      },
    }),
  );
}
