// What all checks look at: the calls with their routes, the stories, and which calls may have caused what.

import {
  codeOf,
  fieldsOf,
  isLobby,
  outcomeOf,
  routeOf,
  type Fields,
  type Kind,
  type Lobby,
  type Outcome,
  type Route,
} from './api.ts';
import type { Findings } from './findings.ts';
import type { Call, History } from './lines.ts';
import { keyOf, lists, storiesOf, type Span, type Story } from './stories.ts';

export interface Asked extends Call, Route {
  readonly outcome: Outcome;
  readonly code: string;
  readonly fields: Fields;
  /** The lobby that the answer shows. */
  readonly lobby: Lobby | null;
}

export interface MatchStay extends Span {
  readonly match: string;
  readonly player: string;
  readonly config: string;
  readonly lobby: string;
}

export interface Case {
  readonly history: History;
  readonly findings: Findings;
  readonly asked: readonly Asked[];
  readonly stories: ReadonlyMap<string, Story>;
  /** What configs were saved, whether or not that was answered: any may be in force. */
  readonly configs: readonly (readonly [name: string, body: Fields])[];
}

export function caseOf(history: History, findings: Findings): Case {
  const asked = history.calls.map((call): Asked => {
    const outcome = outcomeOf(call);
    const lobby = outcome === 'done' && isLobby(call.answer) ? call.answer : null;
    return {
      ...call,
      ...routeOf(call),
      outcome,
      lobby,
      code: codeOf(call),
      fields: fieldsOf(call.body),
    };
  });
  const configs = asked.flatMap(({ kind, config, outcome, fields }) =>
    kind === 'config' && outcome !== 'refused' ? [[config, fields] as const] : [],
  );
  return { history, findings, asked, stories: storiesOf(history), configs };
}

/** These may be carried out twice on their way. The other time may have done it though the one that was answered was refused. */
const REPEATED = new Set<Kind>([
  'create',
  'join',
  'state',
  'heartbeat',
  'move',
  'make',
  'rematch',
  'result',
  'vote',
  'delete',
]);

export function mayHaveHappened({ outcome, kind, code }: Asked): boolean {
  // A game that has begun and ended before its start is answered refuses the start.
  const isOver = kind === 'start' && code === 'INVALID_STATE';
  return outcome !== 'refused' || REPEATED.has(kind) || isOver;
}

/** Whether the call may have taken effect in that span. */
export function mayBeIn(call: Asked, { from, to }: Span): boolean {
  return mayHaveHappened(call) && call.from <= to && call.to >= from;
}

/** The answered calls that say in which lobby of a config the caller is; null: in none. */
export function ownPlaceOf(call: Asked): Lobby | null | undefined {
  const { kind, who, lobby, code } = call;
  if (who === null || kind === 'leave' || kind === 'browse') {
    return undefined;
  }
  if (lobby !== null) {
    const isThere = lobby.as === 'spectator' || lobby.players.some(({ id }) => id === who);
    return isThere ? lobby : undefined;
  }
  return code === 'LOBBY_NOT_FOUND' && kind !== 'join' ? null : undefined;
}

/** When the players of each lobby were certainly with it in a match. A player who comes to its lobby later is so too. */
export function matchStays({ stories }: Case): readonly MatchStay[] {
  return [...stories.values()].flatMap((story) => {
    const matches = new Set(story.states.flatMap(({ matchId }) => matchId ?? []));
    return [...matches].flatMap((match) =>
      [...story.players].flatMap((player) =>
        story
          .certainly((lobby) => lobby.matchId === match && lists(lobby, player))
          .map((span) => ({ ...span, match, player, config: story.at(match), lobby: story.id })),
      ),
    );
  });
}

export function isOf(story: Story, lobby: Lobby): boolean {
  return keyOf(lobby) === story.key;
}

/** The lobbies and players of whom a match was to be made. */
export function namesIn({ fields }: Asked): readonly string[] {
  const teams = Array.isArray(fields['teams']) ? fields['teams'].map(fieldsOf) : [];
  return teams.flatMap(({ lobbies, players }) =>
    [lobbies, players].flatMap((names) => (Array.isArray(names) ? names.map(String) : [])),
  );
}

/** The requests that may have brought the lobby into a match. */
export function maySearch(of: Case, story: Story, span: Span): readonly Asked[] {
  return of.asked.filter(
    (call) =>
      mayBeIn(call, span) &&
      (call.kind === 'make'
        ? namesIn(call).some((name) => name === story.id || story.players.has(name))
        : (call.kind === 'queue' || call.kind === 'start' || call.kind === 'rematch') &&
          story.configs.has(call.config) &&
          (call.lobby === null ? story.players.has(call.who ?? '') : isOf(story, call.lobby))),
  );
}
