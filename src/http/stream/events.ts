// GET /me/events: one unbroken stream to the client across the objects that feed it (spec: Events; decision 23).
// The lobby sends events while the player is in one. Otherwise the seat waits for the player to get a lobby. This
// relay has a line to one after the other, and opens a new line after an object has restarted. The relay also does
// everything that a stream needs while nothing happens, so that objects can sleep (record 0020): signs of life,
// pings, the detection of clients that vanish or stall, and the statistics of a queue.
//
// the line ended with   the relay
// left, kicked          binds to the seat; the client's stream goes on
// seated                binds to the lobby, whose first event is `connected` with the whole lobby
// replaced              ends the client's stream, as it does when the player's token expires or is no longer valid
// nothing               waits a little and binds again, because the object restarted
//
// The relay also binds again for a client that lagged and reads again: `connected` has the newest state.

import { type Clock, pause } from '../../common/later';
import { logEvent } from '../../common/log';
import { metrics } from '../../common/metrics';
import { ANSWERED, message, type Farewell, type Message } from '../../common/line';
import type { LobbyId } from '../../common/ids';
import type { FarEnd } from '../../objects/kit/ports';
import { placeOf, queueStats, withWait } from '../../objects/caches/queue-stats';
import type { PlayerCall } from '../call';
import { messageWithTicket } from '../identity/seat-tickets';
import { charge, takeStream } from '../admission/rates';
import {
  callerKey,
  forgetLobby,
  inLobby,
  rememberedLobby,
  seatedAt,
  type Caller,
} from '../players/where';
import { problem } from '../problem';
import { granted } from '../refused';
import { isUpgrade } from '../requests';
import { Client } from './client';
import { ClientSocket } from './client-socket';
import { EventStream } from './event-stream';
import { Standing } from './standing';

/** A stream counts as one more request for each of this many characters in its first events. */
const REQUEST_CHARACTERS = 16 * 1024;
const FIRST_WAIT_MS = 25;
const LAST_WAIT_MS = 2_000;
/** A line that lasted this long does not count as a failure. */
const STEADY_MS = 1_000;
/** How often a seat is checked again whose lobby does not know the player. */
const MAX_RECHECKS = 8;
/** Send a `ping` event every 30 s, and a sign of life that is no event on the beats between. */
const BEATS_A_PING = 3;
/** Pause while another stream of the isolate reads a queue's first statistics. */
const STATS_WAIT_MS = 100;

/**
 * Why the relay stopped listening to a line: the actor's farewell, a break, or a client that left, whose token
 * expired or that lags.
 */
type End = Farewell | 'broken' | 'gone' | 'expired' | 'stale';

class Relay {
  readonly #call: PlayerCall;
  readonly #client: Client;
  /** The last revision that the client saw, if it names a valid one. For the first line. */
  #lastRevision: number | null;
  #greeted = false;
  /** How many lines in a row ended too soon. */
  #failures = 0;
  #beats = 0;
  /** The mode in whose queue the lobby waits. */
  #queue: string | null = null;
  /**
   * The player of a hosted service's SDK was kicked. That SDK then no longer notices the end of its stream, and
   * would stop polling at the next `connected` (docs/internals/sdk.md).
   */
  #isUnattended = false;
  /**
   * The lobby's revision in the last answer that the lobby announced, and the answers that wait for a later one.
   */
  #answered = 0;
  readonly #answering: (() => void)[] = [];
  readonly #standing: Standing;
  /** The old line of a stale client, until there is a new one. */
  #outdated: FarEnd | null = null;
  /** Resolves when the last event that waits for a ticket has been sent. */
  #signing: Promise<void> | null = null;

  constructor(call: PlayerCall, client: Client, standing: Standing) {
    this.#call = call;
    this.#client = client;
    this.#standing = standing;
    const name = 'last-event-id';
    // Browsers' WebSockets cannot send headers.
    const text = call.request.headers.get(name) ?? call.url.searchParams.get(name) ?? '';
    this.#lastRevision = /^\d{1,15}$/.test(text) ? Number(text) : null;
    client.onBeat = () => this.#beat();
  }

  /** Resolves once the client's stream has sent all events that are older than an answer at that revision. */
  async passed(revision: number): Promise<void> {
    while (this.#answered < revision) {
      await new Promise<void>((resume) => this.#answering.push(resume));
    }
    await this.#client.passed();
  }

  async run(): Promise<void> {
    for (;;) {
      const since = Date.now();
      const end = await this.#follow();
      this.#queue = null;
      if (end === 'gone') {
        return;
      }
      if (end === 'replaced' || end === 'expired') {
        forgetLobby(this.#call);
        await this.#signing;
        await this.#client.end(end);
        return;
      }
      const hasLeft = end === 'left' || end === 'kicked';
      if (hasLeft) {
        forgetLobby(this.#call);
      }
      this.#isUnattended ||= end === 'kicked' && this.#call.isSdk;
      // One seat that is taken at once is a normal join. Several in a row mean a lobby that does not know
      // the player yet, or no longer.
      const steady = hasLeft || end === 'stale' || Date.now() - since > STEADY_MS;
      this.#failures = steady ? 0 : this.#failures + 1;
      if (this.#failures > 1 || end === 'broken') {
        this.#client.comment();
        // Full jitter, so that the players of a lobby do not all reconnect at once after a restart.
        await pause(Math.random() * Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures));
        // A client that has left must not replace its own newer stream.
        if (this.#client.gone) {
          return;
        }
      }
    }
  }

  /** Follows one line from its beginning to its end. A line that cannot be opened counts as broken. */
  async #follow(): Promise<End> {
    const { peers, project, config, player } = this.#call;
    let line: FarEnd;
    /** Null: the line is the lobby's. True: the seat was taken before the watch began, so it does not report that. */
    let isTaken: boolean | null = null;
    try {
      const ask = (id: LobbyId) => peers.lobby(id).events(player, this.#lastRevision);
      const reply = await inLobby(this.#call, ask);
      line = granted(reply.ok ? reply : await peers.seat(project, config, player).watch(player));
      isTaken = reply.ok ? null : (await seatedAt(this.#call)) !== null;
    } catch (error) {
      logEvent('events_unbound', { project, config, playerId: player, error: String(error) });
      return this.#client.gone ? 'gone' : 'broken';
    }
    this.#lastRevision = null;
    if (this.#outdated === null) {
      this.#answered = 0;
    }
    await this.#outdated?.hangUp();
    this.#outdated = null;
    if (isTaken !== null && !this.#greeted) {
      this.#client.say(message('connected', null));
    }
    this.#greeted = true;
    if (isTaken === true && this.#failures < MAX_RECHECKS) {
      await line.hangUp();
      return 'seated';
    }
    return this.#listen(line);
  }

  /** Passes on messages until the line or the client ends. */
  async #listen(line: FarEnd): Promise<End> {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.#standing.whenOver(() => resolve('expired'));
    this.#client.onGone = () => resolve('gone');
    this.#client.onStale = () => resolve('stale');
    if (this.#client.gone) {
      resolve('gone');
    }
    line.listen(
      (heard) => (typeof heard === 'string' ? resolve(heard) : this.#heard(heard)),
      () => resolve('broken'),
    );
    const end = await promise;
    this.#client.onGone = () => {};
    this.#client.onStale = () => {};
    if (end === 'stale') {
      this.#outdated = line;
    } else {
      await line.hangUp();
    }
    return end;
  }

  /** Sends a message. Events keep their order: those that arrive while a ticket is being signed wait. */
  #heard(said: Message): void {
    if (said.seat === undefined && this.#signing === null) {
      this.#tell(said);
      return;
    }
    const signing = (this.#signing ?? Promise.resolve())
      .then(() => said.seat === undefined || this.#standing.holds({ mayBeOld: false }))
      .then((stands) => (stands ? messageWithTicket(this.#call, said) : null))
      .then((whole) => {
        if (whole !== null) {
          this.#tell(whole);
        }
        this.#signing = this.#signing === signing ? null : this.#signing;
      });
    this.#signing = signing;
  }

  #tell(said: Message): void {
    if (said.event === ANSWERED) {
      this.#answered = said.id ?? 0;
      this.#answering.splice(0).forEach((resume) => resume());
      return;
    }
    const { event, queue, data } = said;
    const isGreeting = event === 'connected';
    this.#client.say(isGreeting && this.#isUnattended ? { ...said, event: 'lobby_updated' } : said);
    if (isGreeting) {
      charge(this.#call.asking, this.#call.env, Math.floor(data.length / REQUEST_CHARACTERS));
    }
    if (isGreeting || event === 'lobby_updated') {
      this.#queue = queue;
    }
    if (event === 'queue_stats' || (isGreeting && queue !== null)) {
      this.#client.restartBeat();
    }
    if (isGreeting && queue !== null) {
      void this.#tellStats(queue);
    }
  }

  #beat(): void {
    this.#beats += 1;
    void this.#standing.holds({ mayBeOld: true });
    if (this.#queue !== null) {
      void this.#tellStats(this.#queue);
    }
    if (this.#beats % BEATS_A_PING === 0) {
      this.#client.say(message('ping', undefined));
    } else {
      this.#client.comment();
    }
  }

  /** Sends the queue's statistics, except for the first ones, which the lobby sends on queueing (decision 26). */
  async #tellStats(mode: string): Promise<void> {
    const { peers } = this.#call;
    const place = placeOf(this.#call, mode);
    try {
      while (this.#queue === mode) {
        const stats = await queueStats(peers, place, Date.now());
        if (stats !== null && this.#queue === mode) {
          const lobbyId = rememberedLobby(this.#call);
          const shown =
            lobbyId === null
              ? stats
              : await withWait(peers, place, { lobbyId, stats, now: Date.now() });
          this.#client.say(message('queue_stats', shown));
          return;
        }
        await pause(STATS_WAIT_MS);
      }
    } catch {
      // Statistics are optional, and the next beat asks again.
    }
  }
}

/** The isolate's relays whose callers must get answers after older events (decision 39). */
const relays = new Map<string, Relay>();

/**
 * Resolves once the caller's stream, if this isolate has it, has sent all events that are older than an answer
 * with the lobby at that revision.
 */
export async function eventsPassed(caller: Caller, revision: number): Promise<void> {
  await relays.get(callerKey(caller))?.passed(revision);
}

/** Opens the stream as server-sent events, or as a WebSocket if the request asks for one. */
export function events(
  call: PlayerCall,
  clock: Clock = { now: () => Date.now(), later: call.later },
): Promise<Response> {
  const place = takeStream(call.asking, call.env);
  if (typeof place !== 'function') {
    return Promise.resolve(problem(place));
  }
  const carrier = isUpgrade(call.request) ? new ClientSocket(clock) : new EventStream();
  const { response } = carrier;
  const standing = new Standing(call, clock);
  const relay = new Relay(call, new Client(carrier, call.later), standing);
  const caller = callerKey(call);
  if (call.isSdk) {
    relays.set(caller, relay);
  }
  metrics.count('muster_streams', {}, 1);
  const over = (): void => {
    standing.forget();
    metrics.count('muster_streams', {}, -1);
    if (relays.get(caller) === relay) {
      relays.delete(caller);
    }
  };
  call.background(relay.run().finally(over));
  // A client that was cut off keeps its connection, and with it its place, until it reads or leaves.
  void carrier.over.then(place);
  return Promise.resolve(response);
}
