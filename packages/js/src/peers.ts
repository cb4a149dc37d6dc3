// @muster/client/peers: connections between the players of a game, over WebRTC. Muster's signals carry what the two
// sides have to tell each other first, and its seat tickets say who is who. A star around the player who hosts, or a mesh.

import { isMusterError } from './errors.ts';
import type { CallOptions } from './http.ts';
import type { Seat } from './identity-types.ts';
import { IceSource } from './peer-ice.ts';
import { gameOf, hostingOf, type GameOptions } from './peer-game.ts';
import { Seats } from './peer-seats.ts';
import { Link, type Data, type How, type Said } from './peer-link.ts';
import { tellPath } from './peer-path.ts';
import type { MusterPlayer } from './player.ts';
import type { AnyLobby, IceServer, Json, LobbyEvent } from './types.ts';
import { pause } from './wait.ts';

export type { Data, How } from './peer-link.ts';
export type { Seat } from './identity-types.ts';

/** Another player, connected and with a verified ticket. */
export interface Peer {
  readonly id: string;
  /** Null in a lobby that plays no game: such players have no seat. */
  readonly seat: Seat | null;
  /**
   * `reliable` by default: in order, and repeated until it arrives, also after a break that is mended. `unreliable`: now or
   * never. False: nothing was sent. The channel is not open, or its queue is full; for `unreliable`, the connection is broken or
   * too slow. Throws a RangeError for more than 256 KiB.
   */
  send(data: Data, how?: How): boolean;
  /** Whether a relay is between the two, and the round trip. Null: not connected now. */
  path(): Promise<{ readonly isRelayed: boolean; readonly ms: number } | null>;
}

export interface PeersOptions extends CallOptions, GameOptions {
  /** Instead of those of the service. */
  readonly iceServers?: readonly IceServer[] | undefined;
  /** `relay`: never directly, so that players do not see each other's addresses. */
  readonly transport?: RTCIceTransportPolicy | undefined;
  readonly onPeer?: ((peer: Peer) => void) | undefined;
  readonly onMessage?: ((peer: Peer, data: Data, how: How) => void) | undefined;
  /** `ticket`: the player had no valid one. `lost`: no way was found in time. `over`: the game or the host changed. */
  readonly onGone?: ((player: string, why: 'ticket' | 'lost' | 'over') => void) | undefined;
  /** Of a star: who hosts from now on. Null: nobody yet. */
  readonly onHostChange?: ((host: string | null, term: number | null) => void) | undefined;
}

/** What comes in a signal: a greeting, or something of a link. `mine` and `yours` name the two programs that talk. */
type Told = { readonly mine: string; readonly yours?: string } & (
  | { readonly kind: 'hi'; readonly isReply?: true }
  | Said
);

interface Held {
  readonly link: Link;
  /** The program on the other side. */
  readonly yours: string;
  peer: Peer | null;
}

const TRIES = 4;
const RETRY_MS = 1_000;
/** So soon after a greeting come the offers of those who heard it. */
const GREETED_MS = 500;
type Client = MusterPlayer<object, object>;

export class Peers {
  readonly #muster: Client;
  readonly #options: PeersOptions;
  readonly #mine = crypto.randomUUID().slice(0, 8);
  readonly #held = new Map<string, Held>();
  #lobby: AnyLobby | null = null;
  /** The game that the links are of. Null: none, so nobody is connected. */
  #game: string | null = null;
  #host: string | null = null;
  #term: number | null = null;
  #readyIn = '';
  #greetedAt = -Infinity;
  #ice: IceSource | null = null;
  readonly #seats: Seats;
  readonly #end = new AbortController();

  constructor(muster: Client, options: PeersOptions) {
    this.#muster = muster;
    this.#seats = new Seats(muster);
    this.#options = options;
    options.signal?.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Who is connected now. */
  get all(): readonly Peer[] {
    return [...this.#held.values()].flatMap(({ peer }) => peer ?? []);
  }

  /** Who hosts. Null in a mesh, and while nobody does. */
  get host(): string | null {
    return this.#host;
  }

  get isHost(): boolean {
    return this.#host === this.#muster.player;
  }

  /** To all who are connected. Whoever cannot be sent to keeps nothing from the others. */
  send(data: Data, how: How = 'reliable'): void {
    this.all.forEach((peer) => peer.send(data, how));
  }

  close(): void {
    this.#end.abort();
    this.#ice?.stop();
    this.#drop(() => true);
  }

  /** Follows the player's lobby. */
  async begin(): Promise<void> {
    const { signal } = this.#end;
    const stop = this.#muster.onEvent((event) => this.#heard(event));
    signal.addEventListener('abort', stop, { once: true });
    await this.#muster.listen(signal, () => this.close());
    const lobby = await this.#muster.findMyLobby({ signal });
    if (lobby !== null && (this.#lobby === null || lobby.revision > this.#lobby.revision)) {
      this.#follow(lobby);
    }
  }

  #heard(event: LobbyEvent<AnyLobby>): void {
    if (event.type === 'signal') {
      const { peer } = { ...(event.data as { readonly peer?: Told } | null) };
      const isOld = event.term !== undefined && event.term < (this.#term ?? 0);
      if (peer !== undefined && !isOld && this.#game !== null) {
        this.#told(event.from, peer);
      }
    } else if (event.type === 'signals_lost') {
      this.#greet();
    } else if (event.type === 'closed' && event.reason !== 'replaced') {
      this.#follow(null);
    } else if (event.type === 'connected' || event.type === 'lobby_updated') {
      const isAgain = event.type === 'connected' && this.#lobby !== null;
      this.#follow(event.lobby);
      // Signals may have been lost in the gap.
      if (isAgain) {
        this.#greet();
      }
    }
  }

  #follow(lobby: AnyLobby | null): void {
    const game = gameOf(lobby, this.#options);
    if (this.#lobby === null && lobby !== null && game === null) {
      this.#warmUp();
    }
    this.#lobby = lobby;
    const isNew = game !== this.#game;
    if (isNew) {
      this.#game = game;
      this.#drop(() => true);
      this.#ice?.stop();
      this.#ice = game === null ? null : this.#iceServers();
    }
    this.#seats.follow(lobby, isNew);
    if ((this.#isOther(lobby) || isNew) && game !== null) {
      this.#greet();
    }
    this.#sayReady(lobby);
  }

  /** Whether another player hosts now, or in another term. */
  #isOther(lobby: AnyLobby | null): boolean {
    const { host_player: host = null, term = null } = hostingOf(lobby, this.#options) ?? {};
    if (host === this.#host && term === this.#term) {
      return false;
    }
    [this.#host, this.#term] = [host, term];
    this.#drop((player) => !this.#wants(player));
    this.#options.onHostChange?.(host, term);
    return true;
  }

  /** Whoever hosts by Muster's word says that it is ready, once a term. */
  #sayReady(lobby: AnyLobby | null): void {
    const { host_token: token, term } = hostingOf(lobby, this.#options) ?? {};
    const { instance_id: id = '', status } = lobby?.server ?? {};
    if (token !== undefined && status === 'launching' && this.#readyIn !== `${id} ${term}`) {
      this.#readyIn = `${id} ${term}`;
      this.#muster.reportHosting(id, token).catch(() => {
        this.#readyIn = '';
      });
    }
  }

  /** Asks at once: the others say hi meanwhile. */
  #iceServers(): IceSource {
    const { iceServers } = this.#options;
    const source = new IceSource(
      async () =>
        iceServers === undefined
          ? this.#muster.getIceServers({ signal: this.#end.signal })
          : { iceServers, ttl: Infinity },
      () => this.#held.forEach(({ link }) => void link.renew()),
    );
    void source.get();
    return source;
  }

  /** In a star, the host wants all, and everybody else the host. */
  #wants(player: string): boolean {
    const isStar = hostingOf(this.#lobby, this.#options) !== null;
    return !isStar || this.isHost || player === this.#host;
  }

  /** A browser asks whether it may call another origin before its first call. It does so while the player waits. */
  #warmUp(): void {
    void this.#say(null, { kind: 'hi', mine: this.#mine });
    if (this.#options.iceServers === undefined) {
      this.#muster.getIceServers({ signal: this.#end.signal }).catch(() => {});
    }
  }

  /** Says that this program is there. Whoever is to connect with it then offers, or answers. */
  #greet(): void {
    const isStar = hostingOf(this.#lobby, this.#options) !== null;
    const to = isStar && !this.isHost ? this.#host : undefined;
    if (to !== null && this.#game !== null) {
      this.#greetedAt = Date.now();
      void this.#say(to ?? null, { kind: 'hi', mine: this.#mine });
    }
  }

  /** Null: to all. A player may be called `all`, too. */
  async #say(id: string | null, peer: Told): Promise<void> {
    const { signal } = this.#end;
    const to = id === 'all' ? { player: id } : (id ?? 'all');
    for (let tries = 1; tries <= TRIES && !signal.aborted; tries += 1) {
      try {
        await this.#muster.sendSignal(to, { peer: peer as unknown as Json }, { signal });
        return;
      } catch (error) {
        if (!isMusterError(error) || !error.isPassing) {
          // That player is gone. Who comes back says hi.
          return;
        }
        const ms = (error.retryAfter ?? 0) * 1000 + RETRY_MS * Math.random();
        await pause(ms, signal).catch(() => {});
      }
    }
  }

  #told(from: string, told: Told): void {
    if (!this.#wants(from) || (told.yours !== undefined && told.yours !== this.#mine)) {
      return;
    }
    const isOfferer = this.#muster.player < from;
    if (told.kind !== 'hi') {
      this.#linkTo(from, told)?.take(told);
    } else if (isOfferer) {
      this.#linkTo(from, told)?.offer();
    } else if (told.isReply !== true) {
      void this.#reply(from, told.mine);
    }
  }

  /** Who heard the greeting of a moment ago offers, and needs no second one: a player may not say much. */
  async #reply(to: string, yours: string): Promise<void> {
    const { signal } = this.#end;
    const ms = this.#greetedAt + GREETED_MS - Date.now();
    await (ms > 0 ? pause(ms, signal).catch(() => {}) : null);
    if (this.#held.get(to)?.yours !== yours) {
      await this.#say(to, { kind: 'hi', isReply: true, mine: this.#mine, yours });
    }
  }

  /** Null where something else than a greeting or an offer comes of a program that is not known. */
  #linkTo(id: string, { kind, mine }: Told): Link | null {
    const held = this.#held.get(id);
    if (held?.yours === mine) {
      return held.link;
    }
    if (kind !== 'hi' && kind !== 'offer') {
      return null;
    }
    this.#drop((player) => player === id);
    return this.#hold(id, mine);
  }

  #hold(id: string, yours: string): Link {
    const source = this.#ice;
    const { transport: iceTransportPolicy = 'all', onPeer, onMessage, onGone } = this.#options;
    let saying = Promise.resolve();
    const link = new Link({
      config: { iceTransportPolicy },
      isOfferer: this.#muster.player < id,
      iceServers: async () => (await source?.get()) ?? [],
      say: (said) => {
        saying = saying.then(() => this.#say(id, { ...said, mine: this.#mine, yours }));
        return saying;
      },
      ask: () => void this.#say(id, { kind: 'hi', mine: this.#mine }),
      ticket: () => this.#seats.own(),
      verify: (ticket) => this.#seats.of(id, ticket),
      ready: (seat) => {
        held.peer = {
          id,
          seat,
          send: (data, how = 'reliable') => link.send(data, how),
          path: () => link.path(),
        };
        onPeer?.(held.peer);
        void tellPath(this.#muster, this.#lobby, held.peer, () => this.#held.get(id) === held);
      },
      heard: (data, how) => held.peer && onMessage?.(held.peer, data, how),
      gone: (why) => {
        this.#held.delete(id);
        onGone?.(id, why);
        if (why === 'lost') {
          void this.#say(id, { kind: 'hi', mine: this.#mine });
        }
      },
    });
    const held: Held = { link, yours, peer: null };
    this.#held.set(id, held);
    return link;
  }

  #drop(whose: (player: string) => boolean): void {
    for (const [player, { link }] of this.#held) {
      if (whose(player)) {
        this.#held.delete(player);
        link.close();
        this.#options.onGone?.(player, 'over');
      }
    }
  }
}

/**
 * Connects the player with the others of its game, from now on, in each game of its lobby. Call it before the game: a player
 * who hosts says by this that it is ready. Needs a browser, or another platform with `RTCPeerConnection`.
 *
 * @example
 * const peers = await connect(muster, {
 *   onPeer: (peer) => peer.send('hello'),
 *   onMessage: (peer, data) => console.log(peer.id, data),
 * });
 * await muster.play('duel');
 */
export async function connect<State extends object, Settings extends object>(
  muster: MusterPlayer<State, Settings>,
  options: PeersOptions = {},
): Promise<Peers> {
  const peers = new Peers(muster as unknown as Client, options);
  await peers.begin();
  return peers;
}
