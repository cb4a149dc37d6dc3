// The story of each lobby, put together from all that was seen of it: its states by revision, and when it was at which.
// A lobby that was founded anew under an old id is another.

import { fieldsOf, isLobby, outcomeOf, routeOf, type Lobby } from './api.ts';
import type { History } from './lines.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The lobby was so at an instant of this span. */
export interface Sighting extends Span {
  readonly lobby: Lobby;
  /** It was the newest state at that instant. An event and a page of browsing may be old. */
  readonly isLive: boolean;
}

export function keyOf({ id, createdAt }: Lobby): string {
  return `${id} ${createdAt}`;
}

export class Story {
  readonly key: string;
  readonly sightings: readonly Sighting[];
  /** By revision, lowest first. */
  readonly states: readonly Lobby[];
  readonly #reachedBy = new Map<number, number>();
  readonly #heldAt = new Map<number, number>();

  constructor(key: string, sightings: readonly Sighting[]) {
    this.key = key;
    this.sightings = sightings.toSorted((a, b) => a.lobby.revision - b.lobby.revision);
    const states = new Map(sightings.map(({ lobby }) => [lobby.revision, lobby]));
    this.states = [...states.values()].toSorted((a, b) => a.revision - b.revision);
    let held = -Infinity;
    for (const { lobby, from, isLive } of this.sightings) {
      held = isLive ? Math.max(held, from) : held;
      this.#heldAt.set(lobby.revision, held);
    }
    let reached = Infinity;
    for (const { lobby, to } of this.sightings.toReversed()) {
      reached = Math.min(reached, to);
      this.#reachedBy.set(lobby.revision, reached);
    }
  }

  get id(): string {
    return this.states[0]?.id ?? '';
  }

  /** Those that it was in: it may have moved. */
  get configs(): ReadonlySet<string> {
    return new Set(this.states.map(({ config }) => config));
  }

  /** Its config in that match. */
  at(match: string): string {
    return this.states.find(({ matchId }) => matchId === match)?.config ?? '';
  }

  get players(): ReadonlySet<string> {
    return new Set(this.states.flatMap(({ players }) => players.map(({ id }) => id)));
  }

  get spectators(): ReadonlySet<string> {
    return new Set(this.states.flatMap(({ spectators = [] }) => spectators.map(({ id }) => id)));
  }

  /** By then the lobby was at this known revision or beyond. */
  reachedBy(revision: number): number {
    return this.#reachedBy.get(revision) ?? Infinity;
  }

  /** At that time the lobby was at this known revision or before it. */
  heldAt(revision: number): number {
    return this.#heldAt.get(revision) ?? -Infinity;
  }

  /** When it held for certain, throughout. Between two revisions that follow each other the lobby is in no third state. */
  certainly(holds: (lobby: Lobby) => boolean): readonly Span[] {
    const spans: Span[] = [];
    let first: Lobby | null = null;
    let last: Lobby | null = null;
    const close = (): void => {
      if (first !== null && last !== null) {
        const span = { from: this.reachedBy(first.revision), to: this.heldAt(last.revision) };
        if (span.from < span.to) {
          spans.push(span);
        }
      }
      first = null;
    };
    for (const lobby of this.states) {
      if (!holds(lobby) || (last !== null && lobby.revision !== last.revision + 1)) {
        close();
      }
      if (holds(lobby)) {
        first ??= lobby;
        last = lobby;
      }
    }
    close();
    return spans;
  }
}

/** Whatever shows lobbies: answers, pages of browsing, events. */
function sightingsOf({ calls, events }: History): readonly Sighting[] {
  const answers = calls.flatMap((call): readonly Sighting[] => {
    const { from, to, answer } = call;
    if (outcomeOf(call) !== 'done') {
      return [];
    }
    if (routeOf(call).kind === 'browse') {
      const { lobbies } = fieldsOf(answer);
      const shown = Array.isArray(lobbies) ? lobbies.filter(isLobby) : [];
      return shown.map((lobby) => ({ lobby, from: -Infinity, to, isLive: false }));
    }
    // What spectators are shown may be late.
    const isLive = isLobby(answer) && answer.as === undefined;
    return isLobby(answer) ? [{ lobby: answer, from: isLive ? from : -Infinity, to, isLive }] : [];
  });
  const heard = events.flatMap(({ at, data }): readonly Sighting[] =>
    isLobby(data) ? [{ lobby: data, from: -Infinity, to: at, isLive: false }] : [],
  );
  return [...answers, ...heard];
}

export function storiesOf(history: History): ReadonlyMap<string, Story> {
  const grouped = Map.groupBy(sightingsOf(history), ({ lobby }) => keyOf(lobby));
  return new Map([...grouped].map(([key, own]) => [key, new Story(key, own)]));
}

export function lists({ players }: Lobby, player: string): boolean {
  return players.some(({ id }) => id === player);
}

export function isWatchedBy({ spectators = [] }: Lobby, player: string): boolean {
  return spectators.some(({ id }) => id === player);
}
