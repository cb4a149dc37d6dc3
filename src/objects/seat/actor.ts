// A Seat object: holds the seats of a share of a config's players. A player's seat says which lobby the player is
// in, and makes sure that it is one only. The lobby's member list is the truth: a seat whose lobby does not know
// the player is free, and the next claim takes it. The object also has the streams of players without a lobby.

import type { LobbyId, MemberId, PlayerId } from '../../common/ids';
import type { Reply } from '../../lobby/refusals';
import { ok } from '../../common/result';
import type { Membership } from '../contracts/lobby';
import type { SeatRpc } from '../contracts/seat';
import type { Host } from '../contracts/host';
import type { FarEnd } from '../kit/ports';
import { Streams } from '../kit/listeners';

const SEAT = 'seat:';

interface Taken {
  readonly lobbyId: LobbyId;
  readonly memberId: MemberId;
  /** The player is in no lobby, and that lobby keeps a place. */
  readonly isKept?: boolean;
}

export class SeatActor implements SeatRpc {
  readonly #host: Host;
  readonly #streams: Streams;

  constructor(host: Host) {
    this.#host = host;
    this.#streams = new Streams(host);
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
      this.#host.store.put<Taken>(SEAT + player, { lobbyId, memberId });
      this.#streams.end(player, 'seated');
      return { heldBy: null };
    }
  }

  #taken(player: PlayerId): Taken | null {
    return this.#host.store.get<Taken>(SEAT + player) ?? null;
  }

  #knows(player: PlayerId, { lobbyId, memberId }: Taken): Promise<boolean> {
    return this.#host.peers.lobby(lobbyId).knows({ player, memberId });
  }

  async release({ player, memberId }: Membership, isKept = false): Promise<void> {
    const taken = this.#taken(player);
    if (taken?.memberId !== memberId) {
      return;
    }
    if (isKept) {
      this.#host.store.put<Taken>(SEAT + player, { ...taken, isKept });
    } else {
      this.#host.store.delete(SEAT + player);
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
