// A Seat object: holds the seats of a share of a config's players. A player's seat says which lobby the player is
// in, and makes sure that it is one only. The lobby's member list is the truth: a seat whose lobby does not know
// the player is free, and the next claim takes it. The object also has the streams of players without a lobby.

import type { LobbyId, MemberId, PlayerId } from '../../common/ids';
import { Lru } from '../../common/lru';
import type { Reply } from '../../lobby/refusals';
import { ok } from '../../common/result';
import type { Membership } from '../contracts/lobby';
import type { SeatRpc } from '../contracts/seat';
import type { ActorPorts } from '../contracts/actor-ports';
import type { FarEnd } from '../kit/ports';
import { Streams } from '../kit/listeners';

const SEAT = 'seat:';

interface TakenSeat {
  readonly lobbyId: LobbyId;
  readonly memberId: MemberId;
  /** The player is in no lobby, and that lobby keeps a place. */
  readonly isKept?: boolean;
}

/** Seats that are kept in memory: each is asked for some four times within a game. */
const KEPT = 1_000;

export class SeatActor implements SeatRpc {
  readonly #ports: ActorPorts;
  /** As storage has them. */
  readonly #seats = new Lru<TakenSeat | 'free'>(KEPT);
  readonly #streams: Streams;

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#streams = new Streams(ports);
  }

  async claim(lobbyId: LobbyId, { player, memberId }: Membership): ReturnType<SeatRpc['claim']> {
    for (;;) {
      const taken = this.#taken(player);
      // This check also covers the same lobby: a late claim must not displace a newer membership.
      if (taken !== null && taken.memberId !== memberId) {
        if (await this.#knows(player, taken)) {
          return { heldBy: taken.lobbyId };
        }
        // The seat may have changed while the other lobby was asked. Only the seat that was checked may be taken.
        if (this.#taken(player)?.memberId !== taken.memberId) {
          continue;
        }
      }
      this.#put(player, { lobbyId, memberId });
      this.#streams.end(player, 'seated');
      return { heldBy: null };
    }
  }

  #taken(player: PlayerId): TakenSeat | null {
    const seat = this.#seats.getOr(
      player,
      () => this.#ports.store.get<TakenSeat>(SEAT + player) ?? 'free',
    );
    return seat === 'free' ? null : seat;
  }

  #put(player: PlayerId, taken: TakenSeat): void {
    this.#ports.store.put(SEAT + player, taken);
    this.#seats.set(player, taken);
  }

  #knows(player: PlayerId, { lobbyId, memberId }: TakenSeat): Promise<boolean> {
    return this.#ports.peers.lobby(lobbyId).knows({ player, memberId });
  }

  async release({ player, memberId }: Membership, isKept = false): Promise<void> {
    const taken = this.#taken(player);
    if (taken?.memberId !== memberId) {
      return;
    }
    if (isKept) {
      this.#put(player, { ...taken, isKept });
    } else {
      this.#ports.store.delete(SEAT + player);
      this.#seats.set(player, 'free');
    }
  }

  async where(player: PlayerId, orKept = false): Promise<LobbyId | null> {
    const { lobbyId = null, isKept = false } = this.#taken(player) ?? {};
    return isKept && !orKept ? null : lobbyId;
  }

  async elsewhere(player: PlayerId, lobbyId: LobbyId): Promise<boolean> {
    const taken = this.#taken(player);
    return taken !== null && taken.lobbyId !== lobbyId && (await this.#knows(player, taken));
  }

  async watch(player: PlayerId): Promise<Reply<FarEnd>> {
    return ok(this.#streams.open(player).far);
  }

  async lineClosed(player: string): Promise<void> {
    this.#streams.closed(player);
  }
}
