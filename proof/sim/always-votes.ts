// Invariants of results that most players must report (record 0075): more than half of those who have a vote have said it, and who
// has one follows from how each player went (decision 71).

import type { Result } from '../../packages/js/src/result-types.ts';
import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import { goneFrom } from '../../src/lobby/gone';
import type { LeaverTold, Lobby } from '../../src/lobby/lobby';
import type { Match, Participant } from '../../src/objects/match/state';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { recordOn } from './ratings';
import { matchOn } from './truth';

function winnerOf({ teams }: Result): number | undefined {
  return teams.find(({ rank }) => rank === 1)?.team;
}

function hereOf({ left, members, away = [] }: Participant): readonly PlayerId[] {
  const gone = new Set(away.map(({ id }) => id));
  return left ? [] : members.filter((id) => !gone.has(id));
}

export class Votes {
  readonly #journal: Journal;
  /** Match -> player -> whom the player ever named. */
  readonly #said = new Map<MatchId, Map<PlayerId, Set<number>>>();

  /** Lobby -> revision -> how those went who had places and are not back, while there were some. */
  readonly #gone = new Map<LobbyId, Map<number, readonly LeaverTold[]>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  asks(id: MatchId, player: PlayerId, winner: number): void {
    const said = this.#said.get(id) ?? new Map<PlayerId, Set<number>>();
    this.#said.set(id, said.set(player, (said.get(player) ?? new Set()).add(winner)));
  }

  lobbySaved(lobby: Lobby): void {
    const gone = lobby.gone ? goneFrom(lobby) : [];
    if (gone.length > 0) {
      const all = this.#gone.get(lobby.id) ?? new Map<number, readonly LeaverTold[]>();
      this.#gone.set(lobby.id, all.set(lobby.revision, gone));
    }
  }

  /** Once a match that a player hosts has heard of a lobby's players, it knows who of them has resigned. */
  matchSaved(id: MatchId, match: Match, before: Match | null): void {
    if (match.server?.block.term === undefined || before?.server?.block.term === undefined) {
      return;
    }
    const resigned = new Set(match.resigned);
    const here = new Set(match.participants.flatMap(hereOf));
    for (const { lobbyId, ticketId, rosterRevision } of match.participants) {
      const was = before.participants.find((who) => who.ticketId === ticketId);
      const told = rosterRevision > (was?.rosterRevision ?? 0) ? rosterRevision : 0;
      for (const { id: player, by } of this.#gone.get(lobbyId)?.get(told) ?? []) {
        const hasTo = by === 'key' || (by === 'self' && !before.votes);
        this.#journal.check(
          !hasTo || resigned.has(player) || here.has(player),
          () => `${player} went from ${id} (${by}), and still has a vote`,
        );
        this.#journal.check(
          by !== 'player' || !resigned.has(player) || before.resigned?.includes(player) === true,
          () => `${player} was put out of ${id} by a player, and has no vote`,
        );
        this.#journal.count(`happened: who voted no more, or still: ${by}`);
      }
    }
  }

  saved({ name, disk }: Saved): void {
    const id = name[0] as MatchId;
    const said = this.#said.get(id);
    const match = matchOn(disk);
    const { result, votes } = match ?? recordOn(disk) ?? {};
    if (said === undefined || result === undefined) {
      return;
    }
    const all = votes?.of ?? match?.participants.flatMap(({ members }) => members) ?? [];
    const those = all.filter((player) => said.get(player)?.has(winnerOf(result) ?? -1));
    this.#journal.check(
      those.length * 2 > all.length,
      () => `the result of ${id} is what ${those.join(', ')} said, of ${all.join(', ')}`,
    );
    this.#journal.count('happened: most players say what the result is');
  }
}
