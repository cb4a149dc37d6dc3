// How a lobby is stored: a head, with the history, and a row for each player, so one player's new state does not rewrite
// those of ninety-nine others. Only rows that changed are written.

import { compact, type Happening } from '../../common/happening';
import type { PlayerId } from '../../common/ids';
import type { Debt } from '../../lobby/command';
import type { Doing, Lobby, LobbyFields, Player, Spectator } from '../../lobby/lobby';
import { assertNever, must } from '../../common/result';
import type { Store } from '../kit/ports';

const HEAD = 'lobby';
const PLAYER = 'player:';
const SPECTATOR = 'spectator:';

/** The history in the lobby's row, oldest first. */
export interface KeptHistory {
  readonly newest: readonly Happening[];
}

type LobbyHead = Doing &
  Omit<LobbyFields, 'players' | 'spectators'> & {
    readonly players: readonly PlayerId[];
    readonly spectators?: readonly PlayerId[];
    readonly history?: KeptHistory;
  };

/** The lobby, and its history if one is kept. Null: there is no lobby. */
export function loadLobby(store: Store): { lobby: Lobby; history: KeptHistory | undefined } | null {
  const head = store.get<LobbyHead>(HEAD);
  if (head === undefined) {
    return null;
  }
  const { history, players: ids, spectators: watchers, ...lobby } = head;
  const players = rowsOf<Player>(store, PLAYER, ids);
  const spectators = watchers && rowsOf<Spectator>(store, SPECTATOR, watchers);
  return { lobby: { ...lobby, players, ...(spectators && { spectators }) }, history };
}

function rowsOf<W extends Spectator>(store: Store, prefix: string, ids: readonly PlayerId[]) {
  const rows = new Map(ids.length > 0 ? store.list<W>(prefix) : []);
  return ids.map((id) => must(rows.get(prefix + id), 'the row of a player'));
}

/** Writes the rows that changed. */
function saveRows(
  store: Store,
  prefix: string,
  before: readonly Spectator[] = [],
  after: readonly Spectator[] = [],
): void {
  if (before === after) {
    return;
  }
  const old = new Map(before.map((each) => [each.id, each]));
  for (const each of after) {
    if (old.get(each.id) !== each) {
      store.put(prefix + each.id, each);
    }
    old.delete(each.id);
  }
  for (const id of old.keys()) {
    store.delete(prefix + id);
  }
}

/** Writes only the difference. Call inside a transaction. */
export function saveLobby(
  store: Store,
  before: Lobby | null,
  after: Lobby | null,
  history: KeptHistory | null,
): void {
  saveRows(store, PLAYER, before?.players, after?.players);
  saveRows(store, SPECTATOR, before?.spectators, after?.spectators);
  if (after === null) {
    store.delete(HEAD);
  } else {
    const { spectators: watchers, ...rest } = after;
    const players = after.players.map(({ id }) => id);
    const spectators = watchers?.map(({ id }) => id);
    const watched = spectators && { spectators };
    store.put<LobbyHead>(HEAD, { ...rest, players, ...watched, ...(history && { history }) });
  }
}

/** The key of a debt. A newer debt replaces one with the same key: leaving a queue replaces entering it. */
export function lobbyDebtKey(debt: Debt): string {
  switch (debt.to) {
    case 'seat':
      return `seat:${debt.memberId}`;
    case 'directory':
      return debt.of === undefined ? 'directory' : `directory:${debt.of.by}`;
    case 'queue':
      return `queue:${debt.ticketId}`;
    case 'match':
      return `match:${debt.matchId}:${debt.act}`;
    case 'server':
      return `server:${debt.instanceId}`;
    default:
      return assertNever(debt);
  }
}

const END_ROW = 'history-end';
/** Older entries are dropped. */
const MOST = 64;

/** The row that stays after a lobby was deleted. */
interface EndRow extends KeptHistory {
  readonly at: number;
}

export class LobbyHistory {
  readonly #store: Store;
  readonly #keepMs: number;
  #kept: KeptHistory;
  #end: EndRow | null;

  /** `kept` comes from the lobby's row. Undefined if there is no such row. */
  constructor(store: Store, keepMs: number, kept: KeptHistory | undefined) {
    this.#store = store;
    this.#keepMs = keepMs;
    this.#end = kept === undefined ? (store.get<EndRow>(END_ROW) ?? null) : null;
    this.#kept = kept ?? this.#end ?? { newest: [] };
  }

  /** When the history of a deleted lobby is forgotten. Null: the lobby lives, or left no history. */
  get forgottenAt(): number | null {
    return this.#end === null ? null : this.#end.at + this.#keepMs;
  }

  /** Adds a change, and returns what goes into the lobby's row. Null: no history is kept. */
  note(happenings: readonly Happening[]): KeptHistory | null {
    if (this.#keepMs === 0) {
      return null;
    }
    this.#kept = { newest: [...this.#kept.newest, ...happenings.map(compact)].slice(-MOST) };
    return this.#kept;
  }

  /** Call inside the transaction that deletes the lobby. */
  ended(at: number): void {
    if (this.#keepMs > 0) {
      this.#end = { ...this.#kept, at };
      this.#store.put(END_ROW, this.#end);
    }
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#end = null;
    this.#kept = { newest: [] };
  }

  /** Oldest first. */
  read(): readonly Happening[] {
    return this.#kept.newest;
  }
}
