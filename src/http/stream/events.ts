// GET /me/events: one unbroken stream to the client across the objects that feed it (spec: Events; decision 23).
// The lobby sends events while the player is in one. Otherwise the seat waits for the player to get a lobby. This
// relay has a line to one after the other, and opens a new line after an object has restarted, or when a client that lagged
// reads again (what follows each end of a line: docs/internals/design.md: Events). The relay also does everything that a
// stream needs while nothing happens, so that objects can sleep (record 0020): signs of life, pings, the detection of clients
// that vanish or stall, and the statistics of a queue.

import { backoff, type Clock, pause } from '../../common/later';
import { logEvent } from '../../common/log';
import { metrics } from '../../common/metrics';
import { ANSWERED, message, type Farewell, type Heard, type Message } from '../../common/line';
import type { LobbyId } from '../../common/ids';
import type { StreamOpening } from '../../objects/contracts/lobby';
import type { SeatRpc } from '../../objects/contracts/seat';
import type { FarEnd } from '../../objects/kit/ports';
import type { PlayerCall } from '../wire/call';
import { messageWithTicket } from '../identity/seat-tickets';
import { charge, takePlace } from '../gate/rates';
import { relays } from '../isolate/relays';
import { callerKey, forgetLobby, inLobby, Moved, seatedAt } from '../isolate/where';
import { problem } from '../wire/problem';
import { granted } from '../wire/answer';
import { isUpgrade } from '../wire/requests';
import { Client } from './client';
import { ClientSocket } from './client-socket';
import { EventStream } from './event-stream';
import { OnceMore } from './once-more';
import { shownStats } from './shown-stats';
import { Signing } from './signing';
import { StreamStanding } from './standing';

/** A stream counts as one more request for each of this many characters in its first events. */
const REQUEST_CHARACTERS = 16 * 1024;
const RETRIES = { first: 25, last: 2_000 };
/** A line that lasted this long does not count as a failure. */
const STEADY_MS = 1_000;
/** If the lobby of a seat does not know the player, the seat is checked again this many times. */
const MAX_RECHECKS = 8;
/** Send a `ping` event every 30 s, and a sign of life that is no event on the beats between. */
const BEATS_A_PING = 3;

/** Why the relay stopped listening to a line: a farewell, a break, or a client that left, expired or lags. */
type LineEnd = Farewell | 'broken' | 'gone' | 'expired' | 'stale';

class Relay {
  readonly #call: PlayerCall;
  /** The same under the config that the player's lobby has moved to, while the player is in it. */
  #at: PlayerCall;
  readonly #client: Client;
  /** The last revision that the client saw, if it names a valid one, and of which lobby. For the first line. */
  #lastRevision: number | null;
  readonly #opening: StreamOpening;
  #greeted = false;
  /** How many lines in a row ended too soon. */
  #failures = 0;
  #beats = 0;
  /** The mode in whose queue the lobby waits. */
  #queue: string | null = null;
  /** Kicked: the hosted SDK misses the end of its stream, and stops polling at a `connected` (docs/internals/sdk.md). */
  #isUnattended = false;
  /** The lobby that the line is of, or is being asked for. */
  #lobby: LobbyId | null = null;
  /** The revision in the last answer that the lobby announced, and the answers that wait for a later one. */
  #answered = 0;
  readonly #answering: (() => void)[] = [];
  readonly #standing: StreamStanding;
  /** The old line of a stale client, until there is a new one. */
  #outdated: FarEnd | null = null;
  readonly #signing = new Signing();
  /** Ends the line that is followed, so that a new one is opened. */
  #breakLine: () => void = () => {};

  readonly #onceMore: OnceMore;

  constructor(call: PlayerCall, client: Client, standing: StreamStanding, clock: Clock) {
    this.#onceMore = new OnceMore(clock, (newest) => this.#heard(newest));
    this.#call = call;
    this.#at = call;
    this.#client = client;
    this.#standing = standing;
    const name = 'last-event-id';
    // Browsers' WebSockets cannot send headers.
    const text = call.request.headers.get(name) ?? call.url.searchParams.get(name) ?? '';
    this.#lastRevision = /^\d{1,15}$/.test(text) ? Number(text) : null;
    const { searchParams: query } = call.url;
    // PlayFlow's SDK applies whatever comes, and knows whole lobbies alone.
    const changes = query.get('changes') === '1' && !call.isSdk;
    this.#opening = changes ? { changes, lobby: query.get('lobby') } : {};
    client.onBeat = () => this.#beat();
  }

  /** Resolves once the client's stream has sent all events that are older than that lobby's answer at that revision. */
  async passed(lobby: LobbyId, revision: number): Promise<void> {
    while (this.#lobby === lobby && this.#answered < revision) {
      await new Promise<void>((resume) => this.#answering.push(resume));
    }
    // Events of a line that is over may still wait for their tickets.
    await this.#signing.done;
    await this.#client.passed();
  }

  /** The line's lobby says nothing more. Answers that wait for it may leave. */
  #isUnbound(): void {
    this.#lobby = null;
    this.#onceMore.forget();
    this.#answering.splice(0).forEach((resume) => resume());
  }

  forget(): void {
    this.#standing.forget();
    this.#isUnbound();
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
        forgetLobby(this.#at);
        await this.#signing.done;
        await this.#client.end(end);
        return;
      }
      const hasLeft = end === 'left' || end === 'kicked';
      if (hasLeft) {
        forgetLobby(this.#at);
        this.#at = this.#call;
      }
      this.#isUnattended ||= end === 'kicked' && this.#call.isSdk;
      // One seat that is taken at once is a normal join. Several in a row mean a lobby that does not know
      // the player yet, or no longer.
      const steady = hasLeft || end === 'stale' || Date.now() - since > STEADY_MS;
      this.#failures = steady ? 0 : this.#failures + 1;
      if (this.#failures > 1 || end === 'broken') {
        this.#client.comment();
        // Full jitter, so that the players of a lobby do not all reconnect at once after a restart.
        await pause(backoff(this.#failures, RETRIES, Math.random()));
        // A client that has left must not replace its own newer stream.
        if (this.#client.gone) {
          return;
        }
      }
    }
  }

  #seatOf({ peers, project, config, player }: PlayerCall): SeatRpc {
    return peers.seat(project, config, player);
  }

  /** Follows one line from its beginning to its end. A line that cannot be opened counts as broken. */
  async #follow(): Promise<LineEnd> {
    const at = this.#at;
    const { peers, config, player } = at;
    let line: FarEnd;
    /** Null: the line is the lobby's. True: the seat was taken before the watch began, so it does not report that. */
    let isTaken: boolean | null = null;
    /** The line of the seat under the path's config, if the lobby has moved: the player's next lobby there takes that seat. */
    let ofPath: FarEnd | null = null;
    if (this.#outdated === null) {
      this.#answered = 0;
    }
    try {
      const isAway = at !== this.#call;
      ofPath = isAway ? granted(await this.#seatOf(this.#call).watch(player)) : null;
      const expected = isAway ? await seatedAt(this.#call) : null;
      const reply = await inLobby(at, (id) => {
        // From now on, the lobby may say something on the line.
        this.#lobby = id;
        const how = { ...this.#opening, under: config };
        return peers.lobby(id).events(player, this.#lastRevision, how);
      });
      if (isAway && (!reply.ok || expected !== this.#lobby)) {
        this.#at = this.#call;
        this.#isUnbound();
        await Promise.all([reply.ok ? reply.value.hangUp() : null, ofPath?.hangUp()]);
        return 'seated';
      }
      if (!reply.ok) {
        this.#isUnbound();
      }
      line = granted(reply.ok ? reply : await this.#seatOf(at).watch(player));
      isTaken = reply.ok ? null : (await seatedAt(at)) !== null;
    } catch (error) {
      void ofPath?.hangUp();
      return this.#unopened(error);
    }
    this.#lastRevision = null;
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
    return this.#listen(line, ofPath);
  }

  /** What is to follow a line that could not be opened. */
  #unopened(error: unknown): LineEnd {
    if (error instanceof Moved) {
      const { config } = error;
      this.#at = config === this.#call.config ? this.#call : { ...this.#call, config };
      return 'seated';
    }
    this.#logUnbound(error);
    this.#isUnbound();
    return this.#client.gone ? 'gone' : 'broken';
  }

  /** Passes on messages until the line or the client ends. */
  async #listen(line: FarEnd, ofPath: FarEnd | null): Promise<LineEnd> {
    const { promise, resolve } = Promise.withResolvers<LineEnd>();
    this.#standing.whenOver(() => resolve('expired'));
    this.#client.onGone = () => resolve('gone');
    this.#client.onStale = () => resolve('stale');
    this.#breakLine = () => resolve('broken');
    if (this.#client.gone) {
      resolve('gone');
    }
    line.listen(
      (heard) => (typeof heard === 'string' ? resolve(heard) : this.#heard(heard)),
      () => resolve('broken'),
    );
    const leaves = (heard: Heard): void => {
      if (typeof heard === 'string') {
        this.#at = this.#call;
        resolve(heard);
      }
    };
    ofPath?.listen(leaves, () => resolve('broken'));
    const end = await promise;
    this.#client.onGone = () => {};
    this.#client.onStale = () => {};
    this.#breakLine = () => {};
    if (end === 'stale') {
      this.#outdated = line;
    } else {
      this.#isUnbound();
      await line.hangUp();
    }
    await ofPath?.hangUp();
    return end;
  }

  /** Sends a message. Events keep their order: those that arrive while a ticket is being signed wait. */
  #heard(said: Message): void {
    this.#onceMore.heard(said);
    const isSigned = said.seat !== undefined && said.seat.at !== null;
    if (!isSigned && !this.#signing.isBusy) {
      this.#tell(said);
      return;
    }
    const sign = async (): Promise<Message | null> =>
      !isSigned || (await this.#standing.holds({ mayBeOld: false }))
        ? messageWithTicket(this.#call, said)
        : null;
    const failed = (error: unknown): void => {
      // What this message says must not be skipped: a new line begins with the whole state.
      this.#logUnbound(error);
      this.#breakLine();
    };
    this.#signing.add(sign, (whole) => this.#tell(whole), failed);
  }

  #logUnbound(error: unknown): void {
    const { project, config, player: playerId } = this.#call;
    logEvent('events_unbound', { project, config, playerId, error: String(error) });
  }

  #tell(said: Message): void {
    if (said.event === ANSWERED) {
      this.#answered = Math.max(this.#answered, said.id ?? 0);
      this.#answering.splice(0).forEach((resume) => resume());
      if (this.#call.isSdk) {
        this.#onceMore.answered(said.id ?? 0);
      }
      return;
    }
    const { event, queue, data } = said;
    const isGreeting = event === 'connected';
    this.#client.say(isGreeting && this.#isUnattended ? { ...said, event: 'lobby_updated' } : said);
    if (isGreeting) {
      charge(this.#call.asking, this.#call.env, Math.floor(data.length / REQUEST_CHARACTERS));
    }
    if (isGreeting || event === 'lobby_updated' || event === 'lobby_changed') {
      this.#queue = queue;
      this.#client.watch(said.seat !== undefined && 'hosts' in said.seat.of);
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
      this.#client.say(message('ping', null));
    } else {
      this.#client.comment();
    }
  }

  /** Sends the queue's statistics, except for the first ones, which the lobby sends on queueing (decision 26). */
  async #tellStats(mode: string): Promise<void> {
    const shown = await shownStats(this.#at, mode, () => this.#queue === mode);
    if (shown !== null) {
      this.#client.say(message('queue_stats', shown));
    }
  }
}

/** Opens the stream as server-sent events, or as a WebSocket if the request asks for one. */
export function events(
  call: PlayerCall,
  clock: Clock = { now: () => Date.now(), later: call.later },
): Promise<Response> {
  const place = takePlace('streams', call);
  if (typeof place !== 'function') {
    return Promise.resolve(problem(place));
  }
  const carrier = isUpgrade(call.request) ? new ClientSocket(clock) : new EventStream(call.isSdk);
  const { response } = carrier;
  const standing = new StreamStanding(call, clock);
  const relay = new Relay(call, new Client(carrier, call.later), standing, clock);
  const caller = callerKey(call);
  if (call.isSdk) {
    relays.set(caller, relay);
  }
  metrics.count('muster_streams', {}, 1);
  const over = (): void => {
    relay.forget();
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
