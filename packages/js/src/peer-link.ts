// One connection to another player: one of the two offers, both open the same two channels, tickets come before anything
// else, and what breaks is mended by an ICE restart until it takes too long.

import type { Seat } from './identity-types.ts';

export type Data = string | ArrayBuffer;
export type How = 'reliable' | 'unreliable';

/** What two players tell each other in signals. `n` numbers the offers. */
export type Said =
  | { readonly kind: 'offer' | 'answer'; readonly n: number; readonly sdp: string }
  | { readonly kind: 'ice'; readonly n: number; readonly of: readonly RTCIceCandidateInit[] };

/** What a link needs of those who hold it. */
export interface Holder {
  readonly config: RTCConfiguration;
  readonly isOfferer: boolean;
  /** Those that are valid now. */
  iceServers(): Promise<RTCIceServer[]>;
  /** Resolves when it has left, in the order in which it was said. */
  say(said: Said): Promise<void>;
  /** Asks the other side to offer. */
  ask(): void;
  /** One's own ticket, once there is one. Null: the game has none. */
  ticket(): Promise<string | null>;
  verify(ticket: string | null): Promise<Seat | null | 'none'>;
  ready(seat: Seat | null): void;
  heard(data: Data, how: How): void;
  gone(why: 'ticket' | 'lost'): void;
}

/** A description waits so long for the candidates of this machine, and later candidates for each other: fewer signals. */
const GATHER_MS = 15;
const BATCH_MS = 50;
const NEXT_BATCH_MS = 300;
/** A signal has room for more, but not for twice as many. */
const MAX_BATCH = 12;
const AGAIN_MS = 4_000;
const FRESH_MS = 1_500;
const DISCONNECTED_MS = 2_000;
const GIVE_UP_MS = 20_000;
/** What may come before the ticket is verified. */
const MAX_EARLY = 64;
/** Bytes. Browsers take no longer message, and some end the channel for it. */
const MAX_MESSAGE = 256 * 1024;
/** What may wait to leave for `unreliable`, in bytes, and for how long it may. What waits longer comes in a burst later. */
const MAX_WAITING = 16 * 1024;
const MAX_WAIT_MS = 100;

function lengthOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

export class Link {
  readonly #holder: Holder;
  readonly #pc: RTCPeerConnection;
  readonly #channels: Readonly<Record<How, RTCDataChannel>>;
  #todo: Promise<void> = Promise.resolve();
  #n = 0;
  /** Whether the other side has the newest description, and the candidates that wait. */
  #isDescribed = false;
  #candidates: RTCIceCandidateInit[] = [];
  /** Whether a time is set at which they are sent. */
  #isBatching = false;
  readonly #early: Data[] = [];
  #state: 'new' | 'verifying' | 'ready' | 'closed' = 'new';
  #timers: ReturnType<typeof setTimeout>[] = [];
  #mending: ReturnType<typeof setTimeout> | undefined;
  /** Since when it is not connected, epoch ms. */
  #lostAt = Date.now();
  #offeredAt = -Infinity;
  /** Since when what was sent by `unreliable` waits to leave, epoch ms. Null: nothing does. */
  #waitsSince: number | null = null;

  constructor(holder: Holder) {
    this.#holder = holder;
    this.#pc = new RTCPeerConnection(holder.config);
    const open = (how: How, id: number, options: RTCDataChannelInit): RTCDataChannel => {
      const channel = this.#pc.createDataChannel(how, { negotiated: true, id, ...options });
      channel.binaryType = 'arraybuffer';
      channel.addEventListener('message', ({ data }) => this.#came(data as Data, how));
      return channel;
    };
    this.#channels = {
      reliable: open('reliable', 0, {}),
      unreliable: open('unreliable', 1, { ordered: false, maxRetransmits: 0 }),
    };
    this.#channels.reliable.addEventListener('open', () => void this.#greet());
    this.#channels.reliable.addEventListener('close', () => this.#end('lost'));
    this.#pc.addEventListener('icecandidate', ({ candidate }) => this.#found(candidate));
    this.#pc.addEventListener('connectionstatechange', () => this.#changed());
    this.#mendIn(AGAIN_MS);
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  get isConnected(): boolean {
    return this.#pc.connectionState === 'connected';
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers = this.#timers.filter((each) => each !== timer);
      run();
    }, ms);
    this.#timers.push(timer);
  }

  /** One after the other. What fails is mended later. */
  #do(work: () => Promise<void>): void {
    this.#todo = this.#todo
      .then(() => (this.#state === 'closed' ? undefined : work()))
      .catch(() => {});
  }

  /** Offers, or offers anew with fresh addresses, unless it is connected or has just done so: both sides say hi at the same time. */
  offer(): void {
    if (!this.isConnected && Date.now() - this.#offeredAt > FRESH_MS) {
      this.#offer();
    }
  }

  /** The credentials of relays are new. A connection through one needs them when the old ones end. */
  async renew(): Promise<void> {
    if (this.#holder.isOfferer && (await this.path())?.isRelayed === true) {
      this.#offer();
    }
  }

  #offer(): void {
    this.#offeredAt = Date.now();
    this.#do(async () => {
      this.#n += 1;
      this.#isDescribed = false;
      this.#candidates = [];
      await this.#configure();
      const offer = await this.#pc.createOffer({ iceRestart: this.#n > 1 });
      await this.#describe(offer, this.#n);
    });
  }

  /** What is gathered from now on is gathered with credentials that are valid. */
  async #configure(): Promise<void> {
    const iceServers = await this.#holder.iceServers();
    this.#pc.setConfiguration({ ...this.#holder.config, iceServers });
  }

  async #describe(own: RTCSessionDescriptionInit, n: number): Promise<void> {
    await this.#pc.setLocalDescription(own);
    if (this.#pc.iceGatheringState !== 'complete') {
      await new Promise<void>((resolve) => {
        this.#later(GATHER_MS, resolve);
        this.#pc.addEventListener('icegatheringstatechange', () => {
          if (this.#pc.iceGatheringState === 'complete') {
            resolve();
          }
        });
      });
    }
    const { sdp = '' } = this.#pc.localDescription ?? {};
    // The text has those that were found so far.
    this.#candidates = [];
    this.#isDescribed = true;
    void this.#holder.say({ kind: own.type === 'offer' ? 'offer' : 'answer', n, sdp });
  }

  #found(candidate: RTCIceCandidate | null): void {
    if (candidate !== null && candidate.candidate !== '') {
      this.#candidates.push(candidate.toJSON());
      this.#batch(BATCH_MS);
    }
  }

  /** Candidates that come late are fewer, and wait longer for each other. */
  #batch(ms: number): void {
    if (!this.#isDescribed || this.#isBatching || this.#candidates.length === 0) {
      return;
    }
    this.#isBatching = true;
    this.#later(ms, () => {
      // A new description has those that were found before it.
      const of = this.#isDescribed ? this.#candidates.splice(0, MAX_BATCH) : [];
      const said = of.length === 0 ? null : this.#holder.say({ kind: 'ice', n: this.#n, of });
      void Promise.resolve(said).then(() => {
        this.#isBatching = false;
        this.#batch(NEXT_BATCH_MS);
      });
    });
  }

  /** The other side has said that. What is older than the newest offer is ignored. */
  take(said: Said): void {
    this.#do(async () => {
      if (said.kind === 'offer' && !this.#holder.isOfferer && said.n > this.#n) {
        this.#n = said.n;
        this.#isDescribed = false;
        await this.#configure();
        await this.#pc.setRemoteDescription({ type: 'offer', sdp: said.sdp });
        await this.#describe(await this.#pc.createAnswer(), said.n);
      } else if (said.n !== this.#n) {
        return;
      } else if (said.kind === 'answer' && this.#pc.signalingState === 'have-local-offer') {
        await this.#pc.setRemoteDescription({ type: 'answer', sdp: said.sdp });
      } else if (said.kind === 'ice') {
        await Promise.allSettled(said.of.map((each) => this.#pc.addIceCandidate(each)));
      }
    });
  }

  #changed(): void {
    const { connectionState: state } = this.#pc;
    if (state === 'connected') {
      this.#lostAt = Infinity;
    } else if (state === 'failed' || state === 'disconnected') {
      this.#lostAt = Math.min(this.#lostAt, Date.now());
      this.#mendIn(state === 'failed' ? 0 : DISCONNECTED_MS);
    }
  }

  #mendIn(ms: number): void {
    clearTimeout(this.#mending);
    this.#mending = setTimeout(() => this.#mend(), ms);
  }

  /** Tries again until it is connected, or has tried for too long. */
  #mend(): void {
    if (this.#state === 'closed' || this.isConnected) {
      return;
    }
    if (Date.now() - this.#lostAt > GIVE_UP_MS) {
      this.#end('lost');
      return;
    }
    if (this.#holder.isOfferer) {
      this.#offer();
    } else {
      this.#holder.ask();
    }
    this.#mendIn(AGAIN_MS);
  }

  async #greet(): Promise<void> {
    const ticket = await this.#holder.ticket();
    if (this.#channels.reliable.readyState === 'open') {
      this.#channels.reliable.send(JSON.stringify({ ticket }));
    }
  }

  #came(data: Data, how: How): void {
    if (this.#state === 'ready') {
      this.#holder.heard(data, how);
    } else if (this.#state === 'verifying' && how === 'reliable') {
      this.#early.push(data);
      if (this.#early.length > MAX_EARLY) {
        this.#end('ticket');
      }
    } else if (this.#state === 'new' && how === 'reliable') {
      void this.#verify(data);
    }
  }

  async #verify(data: Data): Promise<void> {
    this.#state = 'verifying';
    let ticket: string | null = null;
    try {
      ticket = (
        JSON.parse(typeof data === 'string' ? data : '') as { readonly ticket: string | null }
      ).ticket;
    } catch {
      // No ticket.
    }
    const seat = await this.#holder.verify(ticket).catch(() => 'none' as const);
    if ((this.#state as string) === 'closed') {
      return;
    }
    if (seat === 'none') {
      this.#end('ticket');
      return;
    }
    this.#state = 'ready';
    this.#holder.ready(seat);
    this.#early.splice(0).forEach((each) => this.#holder.heard(each, 'reliable'));
  }

  /** False: it was not sent. Throws a RangeError if it is too long for any channel. */
  send(data: Data, how: How): boolean {
    const length = typeof data === 'string' ? lengthOf(data) : data.byteLength;
    if (length > MAX_MESSAGE) {
      throw new RangeError(`A message may have ${MAX_MESSAGE} bytes, and this one has ${length}`);
    }
    const channel = this.#channels[how];
    const isOpen = this.isReady && channel.readyState === 'open';
    if (!isOpen || (how === 'unreliable' && !this.#flows(channel))) {
      return false;
    }
    try {
      // The two overloads take one type each.
      channel.send(data as string);
      return true;
    } catch {
      // Its queue is full. That keeps nothing from the other players.
      return false;
    }
  }

  /** Whether what is sent now leaves now: a channel queues while the connection is broken, whatever its retransmits. */
  #flows({ bufferedAmount: waiting }: RTCDataChannel): boolean {
    this.#waitsSince = waiting === 0 ? null : (this.#waitsSince ?? Date.now());
    const isLate = Date.now() - (this.#waitsSince ?? Infinity) > MAX_WAIT_MS;
    return this.isConnected && waiting <= MAX_WAITING && !isLate;
  }

  /** How the two are connected. Null: they are not. */
  async path(): Promise<{ readonly isRelayed: boolean; readonly ms: number } | null> {
    const stats = [...((await this.#pc.getStats()) as unknown as Map<string, unknown>).values()];
    const all = stats as readonly Readonly<Record<string, unknown>>[];
    const { selectedCandidatePairId: selected } = {
      ...all.find(({ type }) => type === 'transport'),
    };
    // Firefox says it of the pair itself. Others than the selected one may be nominated, too.
    const pair = all.find(({ id, type, selected: isSelected }) => {
      return type === 'candidate-pair' && (isSelected === true || id === selected);
    });
    const kinds = all
      .filter(({ id }) => id === pair?.['localCandidateId'] || id === pair?.['remoteCandidateId'])
      .map(({ candidateType }) => candidateType);
    const ms = Math.round(Number(pair?.['currentRoundTripTime'] ?? 0) * 1000);
    return pair === undefined || !this.isConnected
      ? null
      : { isRelayed: kinds.includes('relay'), ms };
  }

  #end(why: 'ticket' | 'lost'): void {
    if (this.#state !== 'closed') {
      this.close();
      this.#holder.gone(why);
    }
  }

  close(): void {
    this.#state = 'closed';
    [this.#mending, ...this.#timers].forEach((timer) => clearTimeout(timer));
    this.#pc.close();
  }
}
