// @muster/client/peers: connections between the players of a game, over WebRTC. Muster's signals carry what the two
// sides have to tell each other first, and its seat tickets say who is who. A star around the player who hosts, or a mesh.

import { isMusterError } from './errors.ts';
import type { CallOptions } from './http.ts';
import type { Seat } from './identity-types.ts';
import { gameOf, hostingOf, isPlaying, type GameOptions } from './peer-game.ts';
import { Link, type Data, type How, type Said } from './peer-link.ts';
import { tellPath } from './peer-path.ts';
import type { MusterPlayer } from './player.ts';
import { seatIn, type SeatKey } from './seat-check.ts';
import type { AnyLobby, IceServer, Json, LobbyEvent } from './types.ts';
import { pause } from './wait.ts';

export type { Data, How } from './peer-link.ts';
export type { Seat } from './identity-types.ts';

/** Another player, connected and with a verified ticket. */
export interface Peer {
  readonly id: string;
  /** Null in a lobby that plays no game: such players have no seat. */
  readonly seat: Seat | null;
  /** `reliable` by default: in order, and repeated until it arrives. False: the connection is being mended, nothing was sent. */
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
  #ice: Promise<readonly IceServer[]> = Promise.resolve([]);
  #keys: Promise<readonly SeatKey[]> | null = null;
  #tickets: ((ticket: string | null) => void)[] = [];
  /** Signals leave in order. */
  #saying: Promise<void> = Promise.resolve();
  readonly #end = new AbortController();

  constructor(muster: Client, options: PeersOptions) {
    this.#muster = muster;
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

  /** To all who are connected. */
  send(data: Data, how: How = 'reliable'): void {
    this.all.forEach((peer) => peer.send(data, how));
  }

  close(): void {
    this.#end.abort();
    this.#drop(() => true);
  }

  /** Follows the player's lobby. */
  async begin(): Promise<void> {
    const { signal } = this.#end;
    const stop = this.#muster.onEvent((event) => this.#heard(event));
    signal.addEventListener('abort', stop, { once: true });
    if (!this.#muster.isFollowing) {
      const events = this.#muster.streamEvents({ signal });
      await events.next();
      void (async () => {
        for await (const _ of events) {
          // The listener hears all of them.
        }
      })().catch(() => this.close());
    }
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
    this.#lobby = lobby;
    const game = gameOf(lobby, this.#options);
    const isNew = game !== this.#game;
    if (isNew) {
      this.#game = game;
      this.#drop(() => true);
      this.#ice = game === null ? Promise.resolve([]) : this.#iceServers();
    }
    if ((this.#isOther(lobby) || isNew) && game !== null) {
      this.#greet();
    }
    this.#sayReady(lobby);
    const ticket = lobby?.server?.ticket;
    if (ticket !== undefined || !isPlaying(lobby)) {
      this.#tickets.splice(0).forEach((resolve) => resolve(ticket ?? null));
    }
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

  async #iceServers(): Promise<readonly IceServer[]> {
    try {
      return this.#options.iceServers ?? (await this.#muster.getIceServers()).iceServers;
    } catch {
      return [];
    }
  }

  /** In a star, the host wants all, and everybody else the host. */
  #wants(player: string): boolean {
    const isStar = hostingOf(this.#lobby, this.#options) !== null;
    return !isStar || this.isHost || player === this.#host;
  }

  /** Says that this program is there. Whoever is to connect with it then offers, or answers. */
  #greet(): void {
    const isStar = hostingOf(this.#lobby, this.#options) !== null;
    const to = isStar && !this.isHost ? this.#host : 'all';
    if (to !== null && this.#game !== null) {
      this.#say(to, { kind: 'hi', mine: this.#mine });
    }
  }

  #say(to: string, peer: Told): void {
    const { signal } = this.#end;
    this.#saying = this.#saying.then(async () => {
      for (let tries = 1; tries <= TRIES && !signal.aborted; tries += 1) {
        try {
          await this.#muster.sendSignal(to, { peer: peer as unknown as Json }, { signal });
          return;
        } catch (error) {
          if (!isMusterError(error) || !error.isPassing) {
            // That player is gone. Who comes back says hi.
            return;
          }
          await pause((error.retryAfter ?? 0) * 1000 + RETRY_MS * Math.random(), signal).catch(
            () => {},
          );
        }
      }
    });
  }

  #told(from: string, told: Told): void {
    if (!this.#wants(from) || (told.yours !== undefined && told.yours !== this.#mine)) {
      return;
    }
    let held = this.#held.get(from);
    const isOfferer = this.#muster.player < from;
    if (held?.yours !== told.mine && (told.kind === 'hi' || told.kind === 'offer')) {
      this.#drop((player) => player === from);
      held = undefined;
    }
    if (told.kind === 'hi') {
      if (!isOfferer && told.isReply !== true) {
        this.#say(from, { kind: 'hi', isReply: true, mine: this.#mine, yours: told.mine });
      }
      if (isOfferer && held?.link.isConnected !== true) {
        void this.#hold(from, told.mine).then((link) => link?.offer());
      }
    } else if (held !== undefined && held.yours === told.mine) {
      held.link.take(told);
    } else if (told.kind === 'offer') {
      void this.#hold(from, told.mine).then((link) => link?.take(told));
    }
  }

  async #hold(id: string, yours: string): Promise<Link | null> {
    const game = this.#game;
    const iceServers = (await this.#ice).map((each) => ({ ...each, urls: [...each.urls] }));
    const known = this.#held.get(id);
    if (game !== this.#game || this.#end.signal.aborted || known?.yours === yours) {
      return known?.link ?? null;
    }
    const { transport: iceTransportPolicy = 'all', onPeer, onMessage, onGone } = this.#options;
    const link = new Link({
      config: { iceServers, iceTransportPolicy },
      isOfferer: this.#muster.player < id,
      say: (said) => this.#say(id, { ...said, mine: this.#mine, yours }),
      ask: () => this.#say(id, { kind: 'hi', mine: this.#mine }),
      ticket: () => this.#ticket(),
      verify: (ticket) => this.#verify(id, ticket),
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
          this.#say(id, { kind: 'hi', mine: this.#mine });
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

  /** A game has tickets once it is `in_game`, so what is connected before waits for them. */
  #ticket(): Promise<string | null> {
    const ticket = this.#lobby?.server?.ticket ?? null;
    return ticket !== null || !isPlaying(this.#lobby)
      ? Promise.resolve(ticket)
      : new Promise((resolve) => this.#tickets.push(resolve));
  }

  async #verify(player: string, ticket: string | null): Promise<Seat | null | 'none'> {
    const own = await this.#ticket();
    if (own === null) {
      return null;
    }
    const keysOf = (project: string): Promise<readonly SeatKey[]> =>
      (this.#keys ??= this.#muster.seatKeys(project));
    return (await seatIn(ticket, { player, own }, keysOf)) ?? 'none';
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
 * await muster.playMatch('duel');
 */
export async function connect<State extends object, Settings extends object>(
  muster: MusterPlayer<State, Settings>,
  options: PeersOptions = {},
): Promise<Peers> {
  const peers = new Peers(muster as unknown as Client, options);
  await peers.begin();
  return peers;
}
