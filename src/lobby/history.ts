// A lobby's history: the states before and after are compared, so no command can forget to record what it does. Pure.

import type { By, Happening } from '../common/happening';
import type { Change, News } from './command';
import type { Lobby } from './lobby';

/** What caused a change, where the two states do not show it. */
export interface Cause {
  readonly by?: By | undefined;
  /** Why the lobby was deleted, players were removed or the game ended. */
  readonly reason?: string | undefined;
  readonly kicks?: boolean | undefined;
  /** For operators. */
  readonly detail?: string | undefined;
}

type LobbyNote = Omit<Happening, 'at'>;

/** Empty for a change that operators need not see, such as a hold or a sign of life. */
export function happenings(
  before: Lobby | null,
  { lobby: after, news }: Change,
  cause: Cause,
  at: number,
): readonly Happening[] {
  const { by, reason } = cause;
  if (before === null) {
    return after === null ? [] : [{ at, kind: 'created', playerId: after.host }];
  }
  if (after === null) {
    return [{ at, kind: 'deleted', by, reason, matchId: before.part?.matchId }];
  }
  const notes: LobbyNote[] = [
    ...members(before, after, cause),
    ...(before.config === after.config
      ? []
      : [{ kind: 'moved', by, detail: `from ${before.config} to ${after.config}` }]),
    ...(before.host === after.host ? [] : [{ kind: 'host_changed', playerId: after.host }]),
    ...moves(before, after, news, cause),
    ...confirmedOrRunning(before, after, by),
  ];
  return notes.map((each) => ({ at, ...each }));
}

function members(before: Lobby, after: Lobby, { by, reason, kicks }: Cause): LobbyNote[] {
  if (before.players === after.players) {
    return [];
  }
  const had = new Set(before.players.map(({ id }) => id));
  const has = new Set(after.players.map(({ id }) => id));
  const came = [...has].filter((id) => !had.has(id));
  const went = [...had].filter((id) => !has.has(id));
  return [
    ...came.map((playerId) => ({ kind: 'joined', playerId })),
    ...went.map((playerId) => {
      const left = kicks === true ? { kind: 'kicked', by } : { kind: 'left' };
      return { ...left, playerId, reason };
    }),
  ];
}

/** The change of status, if it is one, with what caused it. */
function moves(before: Lobby, after: Lobby, news: readonly News[], cause: Cause): LobbyNote[] {
  if (before.status === after.status) {
    return [];
  }
  const move = moved(before, after, news);
  const { by, detail = move.detail } = cause;
  const reason = move.reason ?? (after.status === 'waiting' ? cause.reason : undefined);
  return [{ ...move, by, detail, reason }];
}

/** A change of status. It names the mode when the lobby enters or leaves the queue, and the match when it is in one. */
function moved(before: Lobby, after: Lobby, news: readonly News[]): LobbyNote {
  const returned = news.find((each) => each.kind === 'returned');
  // A match that failed at once was shown in passing only (decision 25).
  const passed = news.map((each) => (each.kind === 'updated' ? each.lobby.part : null));
  const matchId = [after.part, before.part, ...passed].find((part) => part !== null)?.matchId;
  switch (after.status) {
    case 'in_queue':
      return {
        kind: 'entered',
        detail: after.search?.modes?.join(', ') ?? after.search?.mode,
        matchId,
      };
    case 'waiting':
      return before.status === 'in_queue' && matchId === undefined
        ? { kind: 'left_queue', reason: returned?.reason, detail: returned?.detail }
        : { kind: 'returned', reason: returned?.reason, detail: returned?.detail, matchId };
    case 'starting':
      return {
        kind: 'started',
        matchId,
        detail: after.game ? `server ${after.game.instanceId}` : undefined,
      };
    case 'in_game':
      return { kind: 'launched', matchId, detail: `server ${after.game?.instanceId ?? ''}` };
    default:
      return { kind: after.status, matchId };
  }
}

function confirmedOrRunning(before: Lobby, after: Lobby, by: By | undefined): LobbyNote[] {
  const isConfirmed = after.part?.confirmation?.confirmed === true;
  const wasConfirmed = before.part?.confirmation?.confirmed === true;
  const matchId = after.part?.matchId;
  const runs = after.game?.block?.status === 'running';
  const ran = before.game?.block?.status === 'running';
  return [
    ...(isConfirmed && !wasConfirmed ? [{ kind: 'confirmed', by, matchId }] : []),
    ...(runs && !ran ? [{ kind: 'running', matchId }] : []),
  ];
}
