// The events that wait while a stream is quiet, oldest first: which of them replace others, which an answer makes
// needless, and which must be said before it (decision 64).

import type { Lobby, Status } from '../../lobby/lobby';

/** An event that shows the lobby. */
export interface Shown {
  readonly kind: 'lobby';
  readonly event: 'connected' | 'lobby_updated';
  readonly lobby: Lobby;
}

/** The word to the relay that everything older than an answer at that revision has been said. */
export interface Mark {
  readonly kind: 'answer';
  readonly revision: number;
}

export type Said =
  | Shown
  | Mark
  | { readonly kind: 'stats'; readonly stats: object }
  | { readonly kind: 'event'; readonly event: string; readonly data: object }
  /** The last event to a player who is no longer in the lobby. */
  | { readonly kind: 'end'; readonly last: Shown | { readonly deleted: string } }
  /** No event: the stream of a player who has left goes back to the seat. */
  | { readonly kind: 'left' };

/** What an answer shows of the lobby. A null status: that there is none. */
export interface Shows {
  readonly revision: number;
  readonly status: Status | null;
}

export function isMark(said: Said): said is Mark {
  return said.kind === 'answer';
}

/**
 * The waiting events and the new one, without those that it replaces: an older update with the same status, older
 * statistics. The newest state takes over the name `connected`.
 */
export function withNewest(waiting: readonly Said[], said: Said): readonly Said[] {
  if (said.kind === 'stats') {
    return [...waiting.filter(({ kind }) => kind !== 'stats'), said];
  }
  if (said.kind !== 'lobby') {
    return [...waiting, said];
  }
  const last = waiting.findLast((each) => isShown(each) || isMark(each));
  const isOutdated = last?.kind === 'lobby' && last.lobby.status === said.lobby.status;
  const connects = waiting.some((each) => isShown(each) && each.event === 'connected');
  const kept = waiting.filter((each) => each !== last || !isOutdated);
  return [
    ...kept.map((each): Said => (isShown(each) ? { ...each, event: 'lobby_updated' } : each)),
    connects ? { ...said, event: 'connected' } : said,
  ];
}

function isShown(said: Said): said is Shown {
  return said.kind === 'lobby';
}

/** The status changes that an answer would swallow: those between what the client shows and what the answer shows. */
export function changes(waiting: readonly Said[], shown: Shows, answer: Shows): readonly Said[] {
  const past = waiting
    .filter(isShown)
    .filter(({ lobby: { revision } }) => revision > shown.revision && revision <= answer.revision);
  const first = past.findIndex(({ lobby }) => lobby.status !== shown.status);
  const last = past.findLastIndex(({ lobby }) => lobby.status !== answer.status);
  return first < 0 ? [] : past.slice(first, last + 1);
}

/** Puts the mark behind the changes that its answer owes. Of other older states only the newest stays, behind the mark. */
export function withMark(
  waiting: readonly Said[],
  { owed, mark }: { readonly owed: readonly Said[]; readonly mark: Mark },
): readonly Said[] {
  const isOlder = (said: Said): boolean => isShown(said) && said.lobby.revision <= mark.revision;
  const marked = 1 + waiting.findLastIndex(isMark);
  const rest = waiting.slice(marked);
  const newest = rest.findLast(isOlder);
  const end = 1 + rest.findLastIndex((said) => said === newest);
  const isKept = newest !== undefined && !owed.includes(newest);
  return [
    ...waiting.slice(0, marked),
    ...rest.slice(0, end).filter((said) => !isOlder(said) || owed.includes(said)),
    mark,
    ...(isKept ? [newest] : []),
    ...rest.slice(end),
  ];
}

/** The waiting events that no answer has shown. If no state is newer, the newest is sent: the answer may be lost. */
export function after(waiting: readonly Said[], shown: Shows): readonly Said[] {
  const newest = waiting.findLast(isShown);
  const isOld = (said: Said): boolean => isShown(said) && said.lobby.revision <= shown.revision;
  return waiting.filter((said) => said === newest || !isOld(said));
}
