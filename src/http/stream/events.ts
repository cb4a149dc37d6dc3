// GET /me/events: one unbroken stream to the client across the objects that feed it (spec: Events;
// decision 23). The lobby speaks while the player is in one, else the seat keeps watch; this relay
// has a line to one after the other, and again after an object has restarted. All that a stream
// needs while nothing happens is done here, so that objects sleep meanwhile (record 0020): signs of
// life, pings, the watch for clients that vanish or stall, the statistics of a queue.
//
// the line ended with   the relay
// left, kicked          binds to the seat; the client's stream goes on
// seated                binds to the lobby, whose first event is `connected` with all of it
// replaced              ends the client's stream, as it does when the player's token is over, or counts no more
// nothing               waits a little and binds anew: the object restarted
//
// A client that lagged and reads again makes the relay bind anew as well: `connected` has the newest state.

import type { Clock } from '../../later';
import { logEvent } from '../../log';
import { metrics } from '../../metrics';
import { ANSWERED, message, type Farewell, type Message } from '../../line';
import type { QueueStats } from '../../match/waiting/proposal';
import type { FarEnd } from '../../objects/kit/ports';
import { placeOf, queueStats, withWait } from '../../objects/caches/queue-stats';
import { pause } from '../ask';
import type { PlayerCall } from '../call';
import { messageWithTicket } from '../identity/seat-tickets';
import { charge } from '../limits/admission';
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

/** A stream costs another request for each so many characters that it begins with. */
const REQUEST_CHARACTERS = 16 * 1024;
const FIRST_WAIT_MS = 25;
const LAST_WAIT_MS = 2_000;
/** A line that lasted this long was no part of a row of failures. */
const STEADY_MS = 1_000;
/** So often a seat is asked again that is taken for a lobby which does not know the player. */
const MAX_RECHECKS = 8;
/** A ping each 30 s; a sign of life, which is no event, at the other beats. */
const BEATS_A_PING = 3;
/** While another stream of the isolate reads a queue's first statistics. */
const STATS_WAIT_MS = 100;

/**
 * Why a line ended: what the actor said, or that it broke off, or that the client left or its
 * player's token is over.
 */
type End = Farewell | 'broken' | 'gone' | 'expired' | 'stale';

interface Source {
  readonly from: 'lobby' | 'seat';
  readonly line: FarEnd;
  /** The seat was taken before the watch began, so that it will not say so. */
  readonly taken: boolean;
}

/** The lobby revision the client saw last, if it says so and it is one. Sockets of browsers send no headers. */
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

/** Full jitter: after a restart all players of a lobby come back, and shall not come at once. */
function waitMs(failures: number): number {
  return Math.random() * Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
}

class Relay {
  readonly #call: PlayerCall;
  readonly #client: Client;
  #lastRevision: number | null;
  #greeted = false;
  /** Lines in a row that ended too soon. */
  #failures = 0;
  #beats = 0;
  /** The mode in whose queue the lobby waits. */
  #queue: string | null = null;
  /**
   * The hosted service's SDK has been kicked: it no longer notices the end of its stream, and would
   * stop polling at the next `connected` (docs/internals/sdk.md).
   */
  #isUnattended = false;
  /** The lobby's revision in the last answer that it told of, and who waits for a later one. */
  #answered = 0;
  readonly #answering: (() => void)[] = [];
  readonly #standing: Standing;
  /** The line that a stale client had, until there is a new one. */
  #outdated: FarEnd | null = null;
  /** Until the last event that waits for a ticket is told. */
  #signing: Promise<void> | null = null;

  constructor(call: PlayerCall, client: Client, clock: Clock) {
    this.#call = call;
    this.#client = client;
    this.#lastRevision = lastRevisionOf(call);
    this.#standing = new Standing(call, clock);
    client.onBeat(() => this.#beat());
  }

  async run(): Promise<void> {
    await this.#relay();
    this.#standing.forget();
  }

  /** Settled once the client's stream has passed on all that is older than an answer at that revision. */
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
      // One seat that was taken at once is what joining looks like; a row of them is a lobby that
      // does not know the player yet, or no longer.
      const steady = hasLeft || end === 'stale' || Date.now() - since > STEADY_MS;
      this.#failures = steady ? 0 : this.#failures + 1;
      if (this.#failures > 1 || end === 'broken') {
        this.#client.comment();
        await pause(waitMs(this.#failures));
        // A client that has left must not take the place of its own newer stream.
        if (this.#client.gone) {
          return;
        }
      }
    }
  }

  /** One line from its beginning to its end; one that cannot be had counts as broken off. */
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

  /** Passes on what is said until the line or the client ends. */
  async #listen(line: FarEnd): Promise<End> {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.#standing.whenOver(() => resolve('expired'));
    this.#client.whenGone(() => resolve('gone'));
    this.#client.whenStale(() => resolve('stale'));
    if (this.#client.gone) {
      resolve('gone');
    }
    line.listen(
      (heard) => (typeof heard === 'string' ? resolve(heard) : this.#heard(heard)),
      () => resolve('broken'),
    );
    const end = await promise;
    this.#client.whenGone(() => {});
    this.#client.whenStale(() => {});
    if (end === 'stale') {
      this.#outdated = line;
    } else {
      await line.hangUp();
    }
    return end;
  }

  /** Events leave in their order: what comes while a ticket is signed waits behind it. */
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

  /** The first at once on queueing come from the lobby, later ones from here (decision 26). */
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
      // Statistics are shown where they can be had; the next beat asks again.
    }
  }
}

/** Those of this isolate whose callers must get answers after older events (decision 39). */
const relays = new Map<string, Relay>();

/**
 * Settled once the caller's stream, where this isolate has it, has passed on all that is older than an
 * answer with the lobby at that revision.
 */
export async function eventsPassed(caller: Caller, revision: number): Promise<void> {
  await relays.get(callerKey(caller))?.passed(revision);
}

/** As server-sent events, or as a WebSocket where the request asks for one. */
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
    place();
  };
  call.background(relay.run().finally(over));
  return Promise.resolve(response);
}
