// Invariant of signals: whoever hears one, it was for that player, who has been in one lobby or match with the sender since it
// was said (record 0070).

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Heard } from '../../src/common/line';
import type { Lobby } from '../../src/lobby/lobby';
import type { Journal } from './journal';
import type { Loop } from './loop';

interface Sent {
  readonly from: PlayerId;
  readonly to: PlayerId | null;
  readonly lobby: LobbyId;
  readonly at: number;
}

/** Since then the lobby has been another. */
interface Was {
  readonly lobby: Lobby;
  readonly until: number;
}

export class Signals {
  readonly #lobbies: ReadonlyMap<LobbyId, Lobby>;
  readonly #loop: Loop;
  readonly #journal: Journal;
  readonly #sent: Sent[] = [];
  readonly #was = new Map<LobbyId, Was[]>();

  constructor(lobbies: ReadonlyMap<LobbyId, Lobby>, loop: Loop, journal: Journal) {
    this.#lobbies = lobbies;
    this.#loop = loop;
    this.#journal = journal;
  }

  /** The number of the signal. */
  said(signal: Omit<Sent, 'at'>): number {
    return this.#sent.push({ ...signal, at: this.#loop.now }) - 1;
  }

  /** A lobby that was so is another now. */
  changed(lobby: Lobby | null): void {
    if (lobby !== null && this.#sent.length > 0) {
      const was = { lobby, until: this.#loop.now };
      this.#was.set(lobby.id, [...(this.#was.get(lobby.id) ?? []), was]);
    }
  }

  #since(id: LobbyId, at: number): readonly Lobby[] {
    const was = (this.#was.get(id) ?? []).filter(({ until }) => until >= at);
    const now = this.#lobbies.get(id);
    return [...was.map(({ lobby }) => lobby), ...(now === undefined ? [] : [now])];
  }

  heard(player: PlayerId, lobby: LobbyId, said: Heard): void {
    if (typeof said === 'string' || said.event !== 'signal') {
      return;
    }
    const { data } = JSON.parse(said.data) as { readonly data: number };
    const sent = this.#sent[data];
    const matches = sent === undefined ? [] : this.#since(sent.lobby, sent.at).map(matchIn);
    const isTogether =
      sent !== undefined &&
      this.#since(lobby, sent.at).some((its) => {
        const isMember = its.players.some(({ id }) => id === player);
        const match = matchIn(its);
        return isMember && (lobby === sent.lobby || (match !== null && matches.includes(match)));
      });
    this.#journal.check(
      isTogether && sent.from !== player && (sent.to ?? player) === player,
      () => `${player} in ${lobby} hears a signal that is not for them: ${JSON.stringify(sent)}`,
    );
    this.#journal.count(
      `happened: a signal is heard in ${lobby === sent?.lobby ? 'its lobby' : 'another lobby'}`,
    );
  }
}

/** A lobby that is held for a match may not know yet that it has formed. */
function matchIn({ part, search }: Lobby): string | null {
  return part?.matchId ?? search?.hold?.matchId ?? null;
}
