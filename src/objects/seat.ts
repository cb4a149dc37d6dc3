// A Seat: which lobby of a config one player is in. It decides exclusivity; the lobby's member
// list is the truth. A seat whose lobby does not know the player is free, and whoever finds that
// out takes it. Also the player's stream while it has no lobby, and its failed joins.

import type { LobbyId, MemberId, PlayerId } from '../ids';
import { must } from '../result';
import { SSE_COMMENT } from '../sse';
import { Alarm } from './alarm';
import type { Membership, SeatRpc } from './contracts';
import type { Host } from './host';
import { Streams } from './streams';

const SEAT = 'seat';
const FAILURES = 'failures';
const STREAM = 'player';
/** Guessing invite codes is made expensive: so many failed joins in the window, then 429. */
const MAX_FAILURES = 20;
const FAILURE_WINDOW_MS = 60_000;

interface Taken {
  readonly lobbyId: LobbyId;
  readonly memberId: MemberId;
}

interface Failures {
  readonly since: number;
  readonly count: number;
}

export class SeatActor implements SeatRpc {
  readonly #host: Host;
  readonly #player: PlayerId;
  readonly #alarm: Alarm;
  readonly #streams: Streams;

  constructor(host: Host) {
    this.#host = host;
    this.#player = must(host.name[2], 'the player of a seat') as PlayerId;
    this.#alarm = new Alarm(host);
    this.#streams = new Streams(host, () => {});
  }

  async claim(
    lobbyId: LobbyId,
    membership: Membership,
  ): Promise<{ readonly heldBy: LobbyId | null }> {
    for (;;) {
      const taken = this.#taken();
      // Even of the same lobby: a claim that comes late must not displace a newer membership.
      const mine = taken?.memberId === membership.memberId;
      if (taken === null || mine || !(await this.#knows(taken))) {
        // Asking the other lobby took time: only what was asked about may be overwritten.
        if (this.#taken()?.memberId === taken?.memberId) {
          this.#take({ lobbyId, memberId: membership.memberId });
          return { heldBy: null };
        }
      } else {
        return { heldBy: taken.lobbyId };
      }
    }
  }

  #take(taken: Taken): void {
    this.#host.store.put(SEAT, taken);
    this.#streams.end(STREAM, 'seated');
  }

  #taken(): Taken | null {
    return this.#host.store.get<Taken>(SEAT) ?? null;
  }

  #knows({ lobbyId, memberId }: Taken): Promise<boolean> {
    return this.#host.peers.lobby(lobbyId).knows({ player: this.#player, memberId });
  }

  async release(memberId: MemberId): Promise<void> {
    if (this.#taken()?.memberId === memberId) {
      this.#host.store.delete(SEAT);
      this.#forgetIfEmpty();
    }
  }

  async where(): Promise<LobbyId | null> {
    return this.#taken()?.lobbyId ?? null;
  }

  async elsewhere(lobbyId: LobbyId): Promise<boolean> {
    const taken = this.#taken();
    return taken !== null && taken.lobbyId !== lobbyId && (await this.#knows(taken));
  }

  async watch(): Promise<ReadableStream<Uint8Array>> {
    return this.#streams.open(STREAM, SSE_COMMENT);
  }

  #failures(): Failures | null {
    const failures = this.#host.store.get<Failures>(FAILURES);
    const current = failures !== undefined && this.#host.now() < failures.since + FAILURE_WINDOW_MS;
    return current ? failures : null;
  }

  async joinAllowed(): Promise<number> {
    const failures = this.#failures();
    if (failures === null || failures.count < MAX_FAILURES) {
      return 0;
    }
    return Math.ceil((failures.since + FAILURE_WINDOW_MS - this.#host.now()) / 1000);
  }

  async joinFailed(): Promise<number> {
    const { since, count } = this.#failures() ?? { since: this.#host.now(), count: 0 };
    this.#host.store.put<Failures>(FAILURES, { since, count: count + 1 });
    this.#alarm.arm(since + FAILURE_WINDOW_MS);
    return this.joinAllowed();
  }

  async alarm(): Promise<void> {
    this.#alarm.fired();
    const failures = this.#failures();
    if (failures === null) {
      this.#host.store.delete(FAILURES);
      this.#forgetIfEmpty();
    } else {
      this.#alarm.arm(failures.since + FAILURE_WINDOW_MS);
    }
  }

  #forgetIfEmpty(): void {
    if (this.#taken() === null && this.#host.store.get(FAILURES) === undefined) {
      this.#host.store.clear();
      this.#alarm.cleared();
    }
  }
}
