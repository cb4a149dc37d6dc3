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
import type { QueueStats } from '../../lobby/view';
import type { FarEnd } from '../../objects/kit/ports';
import { placeOf, queueStats, withWait } from '../../objects/caches/queue-stats';
import type { PlayerCall } from '../call';
import { messageWithTicket } from '../identity/seat-tickets';
import { charge } from '../admission/rates';
import {
  callerKey,
  forgetLobby,
  inLobby,
  rememberedLobby,
  seatedAt,
  type Caller,
} from '../players/where';
import { takeStream } from '../limits/streams';
import { problem } from '../problem';
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

interface Source {
  readonly from: 'lobby' | 'seat';
  readonly line: FarEnd;
  /** Whether the seat was taken before the watch began, in which case the seat will not report it. */
  readonly taken: boolean;
}

/** The last revision that the client saw, if it names a valid one. Browsers' WebSockets cannot send headers. */
function lastRevisionOf({ request, url }: PlayerCall): number | null {
  const text = request.headers.get('last-event-id') ?? url.searchParams.get('last-event-id') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

async function bind(call: PlayerCall, lastRevision: number | null): Promise<Source> {
  const { peers, project, config, player } = call;
  const reply = await inLobby(call, (id) => peers.lobby(id).events(player, lastRevision));
  if (reply.ok) {
    return { from: 'lobby', line: reply.value, taken: false };
  }
  const watched = await peers.seat(project, config, player).watch(player);
  if (!watched.ok) {
    throw new Error(watched.refusal.detail);
  }
  return { from: 'seat', line: watched.value, taken: (await seatedAt(call)) !== null };
}

/** Full jitter, so that the players of a lobby do not all reconnect at once after a restart. */
function waitMs(failures: number): number {
  return Math.random() * Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

class Relay {
  readonly #call: PlayerCall;
  readonly #client: Client;
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

  constructor(call: PlayerCall, client: Client, clock: Clock) {
    this.#call = call;
    this.#client = client;
    this.#lastRevision = lastRevisionOf(call);
    this.#standing = new Standing(call, clock);
    client.onBeat = () => this.#beat();
  }

  async run(): Promise<void> {
    await this.#relay();
    this.#standing.forget();
  }

  /** Resolves once the client's stream has sent all events that are older than an answer at that revision. */
  async passed(revision: number): Promise<void> {
    while (this.#answered < revision) {
      await new Promise<void>((resume) => this.#answering.push(resume));
    }
    await this.#client.passed();
  }

  async #relay(): Promise<void> {
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
        await pause(waitMs(this.#failures));
        // A client that has left must not replace its own newer stream.
        if (this.#client.gone) {
          return;
        }
      }
    }
  }

  /** Follows one line from its beginning to its end. A line that cannot be opened counts as broken. */
  async #follow(): Promise<End> {
    let source: Source;
    try {
      source = await bind(this.#call, this.#lastRevision);
    } catch (error) {
      const { project, config, player } = this.#call;
      logEvent('events_unbound', { project, config, playerId: player, error: String(error) });
      return this.#client.gone ? 'gone' : 'broken';
    }
    this.#lastRevision = null;
    if (this.#outdated === null) {
      this.#answered = 0;
    }
    await this.#outdated?.hangUp();
    this.#outdated = null;
    if (source.from === 'seat' && !this.#greeted) {
      this.#client.say(message('connected', null));
    }
    this.#greeted = true;
    if (source.taken && this.#failures < MAX_RECHECKS) {
      await source.line.hangUp();
      return 'seated';
    }
    return this.#listen(source.line);
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
    const isGreeting = said.event === 'connected' && this.#isUnattended;
    this.#client.say(isGreeting ? { ...said, event: 'lobby_updated' } : said);
    if (said.event === 'queue_stats') {
      this.#client.restartBeat();
      return;
    }
    const { event, queue } = said;
    if (event === 'connected') {
      charge(this.#call.asking, this.#call.env, Math.floor(said.data.length / REQUEST_CHARACTERS));
    }
    if (event === 'connected' || event === 'lobby_updated') {
      this.#queue = queue;
    }
    if (event === 'connected' && queue !== null) {
      this.#client.restartBeat();
      void this.#tellStats();
    }
  }

  #beat(): void {
    this.#beats += 1;
    void this.#standing.holds({ mayBeOld: true });
    if (this.#queue !== null) {
      void this.#tellStats();
    }
    if (this.#beats % BEATS_A_PING === 0) {
      this.#client.say(message('ping', undefined));
    } else {
      this.#client.comment();
    }
  }

  /** Sends the queue's statistics, except for the first ones, which the lobby sends on queueing (decision 26). */
  async #tellStats(): Promise<void> {
    const { peers } = this.#call;
    const mode = this.#queue;
    if (mode === null) {
      return;
    }
    try {
      let stats: QueueStats | null = null;
      while (stats === null && this.#queue === mode) {
        stats = await queueStats(peers, placeOf(this.#call, mode), Date.now());
        if (stats === null) {
          await pause(STATS_WAIT_MS);
        }
      }
      if (stats !== null && this.#queue === mode) {
        const lobbyId = rememberedLobby(this.#call);
        const place = placeOf(this.#call, mode);
        const shown =
          lobbyId === null
            ? stats
            : await withWait(peers, place, { lobbyId, stats, now: Date.now() });
        this.#client.say(message('queue_stats', shown));
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
  const isSocket = isUpgrade(call.request);
  const place = takeStream(call.asking, call.env);
  if (typeof place !== 'function') {
    return Promise.resolve(problem(place));
  }
  const carrier = isSocket ? new ClientSocket(clock) : new EventStream();
  const { response } = carrier;
  const relay = new Relay(call, new Client(carrier, call.later), clock);
  const caller = callerKey(call);
  if (call.isSdk) {
    relays.set(caller, relay);
  }
  metrics.count('muster_streams', {}, 1);
  const over = (): void => {
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
