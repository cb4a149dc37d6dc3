// Matches as lobbies show them, as the backend was told of them, and as they are read at the end.

import { fieldsOf, isMatch, textOf, type Fields, type Kind, type Match } from '../api.ts';
import {
  isOf,
  matchStays,
  mayHaveHappened,
  maySearch,
  type Case,
  type MatchStay,
} from '../case.ts';
import { checkMade } from './made.ts';

/** A match that somebody heard of. */
interface Known {
  readonly id: string;
  readonly told: readonly (Match & { readonly type: string })[];
  /** As the server key read it, newest last. */
  readonly records: readonly Match[];
}

function naming(body: unknown): { readonly type: string; readonly matchId: string } {
  const { type, matchId } = fieldsOf(body);
  return { type: String(type), matchId: String(matchId) };
}

function knownOf({ asked, history }: Case): readonly Known[] {
  const told = Map.groupBy(
    history.told.flatMap(({ body }) => (isMatch(body) ? [{ ...body, ...naming(body) }] : [])),
    ({ matchId }) => matchId,
  );
  const read = Map.groupBy(
    asked.filter(({ kind, answer }) => kind === 'match' && isMatch(answer)),
    ({ target }) => target,
  );
  return [...new Set([...told.keys(), ...read.keys()])].map((id) => ({
    id,
    told: told.get(id) ?? [],
    records: (read.get(id) ?? []).map(({ answer }) => answer).filter(isMatch),
  }));
}

function playersOf({ teams }: Match): readonly string[] {
  return teams.flatMap(({ lobbies }) =>
    lobbies.flatMap(({ players }) => players.map(({ id }) => id)),
  );
}

/** Whoever is certainly in a match is not certainly in another of that config. */
function oneMatch(of: Case, stays: readonly MatchStay[]): void {
  for (const [place, own] of Map.groupBy(stays, ({ config, player }) => `${config} ${player}`)) {
    for (const { match, from, to } of own) {
      const other = own.find(
        (each) => each.match !== match && Math.max(each.from, from) < Math.min(each.to, to),
      );
      of.findings.check(
        'one match',
        other === undefined,
        () => `${place} is in the matches ${match} and ${String(other?.match)} at once`,
      );
    }
  }
}

function cancelOrMatch(of: Case): void {
  const cancels = of.asked.filter(({ kind, lobby }) => kind === 'cancel' && lobby !== null);
  for (const cancel of cancels) {
    const story = [...of.stories.values()].find(
      (each) => cancel.lobby !== null && isOf(each, cancel.lobby),
    );
    const revision = cancel.lobby?.revision ?? Infinity;
    const matched = story?.states.find(
      (lobby) => lobby.revision >= revision && lobby.matchId !== null,
    );
    const isAgain =
      story !== undefined &&
      matched !== undefined &&
      maySearch(of, story, { from: cancel.from, to: story.reachedBy(matched.revision) }).length > 0;
    of.findings.check(
      'cancel or match',
      matched === undefined || isAgain,
      () =>
        `lobby ${String(story?.id)} cancelled (call ${cancel.id}), and is in match ` +
        `${String(matched?.matchId)} at revision ${String(matched?.revision)} without another search`,
    );
  }
}

/** A match that ran used up a search of each of its lobbies. */
function oneMatchASearch(of: Case, known: readonly Known[]): void {
  const ran = known.flatMap(({ id, records, told }) => {
    const last = [...told, ...records].at(-1);
    return last === undefined || last.outcome === 'failed' ? [] : [{ id, teams: last.teams }];
  });
  for (const story of of.stories.values()) {
    const own = new Set(
      ran
        .filter(({ teams }) =>
          teams.some(({ lobbies }) => lobbies.some(({ lobbyId }) => lobbyId === story.id)),
        )
        .map(({ id }) => id),
    );
    if (own.size > 0) {
      const searches = maySearch(of, story, { from: -Infinity, to: Infinity }).length;
      of.findings.check(
        'one match a search',
        own.size <= searches,
        () =>
          `lobby ${story.id} searched ${searches} times, and is in the matches ${[...own].join(', ')}`,
      );
    }
  }
}

function oneServer(of: Case, known: readonly Known[]): void {
  const pairs = [...of.stories.values()].flatMap(({ states }) =>
    states.flatMap(({ matchId, server }) =>
      matchId === null || server === null ? [] : [[matchId, server.instance_id] as const],
    ),
  );
  for (const { id, records } of known) {
    pairs.push(...records.flatMap(({ server }) => (server ? [[id, server.id] as const] : [])));
  }
  const check = (
    what: string,
    groups: ReadonlyMap<string, readonly (readonly [string, string])[]>,
    other: 0 | 1,
  ): void => {
    for (const [id, own] of groups) {
      const others = new Set(own.map((pair) => pair[other]));
      of.findings.check(
        'one server',
        others.size === 1,
        () => `${what} ${id} has ${[...others].join(', ')}`,
      );
    }
  };
  check(
    'match',
    Map.groupBy(pairs, ([match]) => match),
    1,
  );
  check(
    'server',
    Map.groupBy(pairs, ([, server]) => server),
    0,
  );
}

/** Of players, none counts alone. */
const REPORTS: ReadonlySet<Kind> = new Set(['result', 'vote']);

function oneResult(of: Case, known: readonly Known[]): void {
  const shown = [...of.stories.values()].flatMap(({ states }) =>
    states.flatMap(({ lastResult }) => (lastResult === undefined ? [] : [lastResult])),
  );
  const accepted = of.asked.filter(({ kind, outcome }) => kind === 'result' && outcome === 'done');
  const results = [
    ...shown.map(({ matchId, teams }) => [matchId, teams] as const),
    ...accepted.map(({ target, fields }) => [target, fields['teams']] as const),
    ...known.flatMap(({ id, records, told }) =>
      [...records, ...told].flatMap(({ result }) => (result ? [[id, result.teams] as const] : [])),
    ),
  ];
  for (const [match, own] of Map.groupBy(results, ([id]) => id)) {
    const texts = new Set(own.map(([, teams]) => textOf(teams)));
    const isReported = of.asked.some(
      (call) => REPORTS.has(call.kind) && call.target === match && mayHaveHappened(call),
    );
    of.findings.check(
      'one result',
      texts.size === 1,
      () => `match ${match} has the results ${[...texts].join(' and ')}`,
    );
    of.findings.check(
      'one result',
      isReported,
      () => `match ${match} has a result that nobody reported`,
    );
  }
}

/** In any order of the teams. */
function saidBy(teams: unknown): string {
  return Array.isArray(teams) ? teams.map(textOf).toSorted().join() : textOf(teams);
}

/**
 * Where most must say the result, more than half have said it of those who were certainly there when the first did, or whom
 * another player had put out before. Who may have been banned, or have been in a lobby that the server key may have deleted, need
 * not have a vote. Nobody knows who had one where a game may free seats, or players may be without a place.
 */
function majority(of: Case, known: readonly Known[], stays: readonly MatchStay[]): void {
  const isUnclear = of.asked.some(({ kind }) => kind === 'own result' || kind === 'steer');
  const said = Map.groupBy(
    of.asked.filter((call) => call.kind === 'vote' && mayHaveHappened(call)),
    ({ target }) => target,
  );
  for (const { id, records, told } of isUnclear ? [] : known) {
    const [{ config, result } = {}] = [...records, ...told].filter((each) => each.result);
    const votes = said.get(id) ?? [];
    const isByOthers = of.asked.some(({ kind, target }) => kind === 'result' && target === id);
    if (!result || votes.length === 0 || isByOthers || !asksMost(of, config ?? '')) {
      continue;
    }
    const first = {
      from: Math.min(...votes.map(({ from }) => from)),
      to: Math.min(...votes.filter(({ outcome }) => outcome === 'done').map(({ to }) => to)),
    };
    const players = new Set([...records, ...told].flatMap(playersOf));
    const here = stays.filter((stay) => {
      const { match, player, from, to } = stay;
      const isThere = first.to <= to || wasKicked(of, stay);
      const hasVote = isThere && !mayBeOut(of, stay);
      return match === id && players.has(player) && from <= first.from && hasVote;
    });
    const all = new Set(here.map(({ player }) => player));
    const those = votes.filter(({ fields }) => saidBy(fields['teams']) === saidBy(result.teams));
    const most = new Set(those.map(({ who }) => who));
    of.findings.check(
      'one result',
      2 * most.size > all.size,
      () =>
        `the result of match ${id} is what ${[...most].join(', ')} said, of ${[...all].join(', ')}`,
    );
  }
}

/** By another player, who says so for certain, and nothing else may have taken them out. */
function wasKicked({ asked, configs }: Case, { player, config, from, to }: MatchStay): boolean {
  const kick = asked.find(
    ({ kind, target, outcome, ...call }) =>
      kind === 'kick' && target === player && outcome === 'done' && call.from >= from,
  );
  const others = asked.filter((call) => call.who === player && call.kind === 'leave');
  const isSilent = configs.some(([name, { heartbeat }]) => name === config && heartbeat === true);
  const mayHaveLeft = others.some((call) => mayHaveHappened(call) && call.to >= from);
  return kick !== undefined && to <= kick.to && !mayHaveLeft && !isSilent;
}

/** By the server key: banned, or with the lobby. */
function mayBeOut({ asked }: Case, { player, lobby }: MatchStay): boolean {
  return asked.some(
    (call) =>
      mayHaveHappened(call) &&
      ((call.kind === 'ban' && call.target === player) ||
        (call.kind === 'delete' && call.target === lobby)),
  );
}

/** In each version of the config. */
function asksMost({ configs }: Case, config: string): boolean {
  const own = configs.filter(([name]) => name === config).map(([, body]) => body);
  const asks = own.every((body) => fieldsOf(body['serverSettings'])['results'] === 'majority');
  const modes = own.flatMap(({ matchmaking }) =>
    Object.values(fieldsOf(fieldsOf(matchmaking)['modes'])),
  );
  return own.length > 0 && asks && modes.every((mode) => !hasAside(fieldsOf(mode)));
}

/** Some of its players take no place. */
function hasAside({ excludedFromQueue }: Fields): boolean {
  return Array.isArray(excludedFromQueue) && excludedFromQueue.length > 0;
}

/** A ladder at rest: no player has more games than matches with a result. */
function ratedOnce(of: Case, known: readonly Known[]): void {
  if (of.asked.some(({ kind }) => kind === 'import')) {
    return;
  }
  const resulted = new Set(
    of.asked.filter(({ kind }) => REPORTS.has(kind)).map(({ target }) => target),
  );
  const games = new Map<string, number>();
  for (const { id, records } of known) {
    for (const player of resulted.has(id) ? new Set(records.flatMap(playersOf)) : []) {
      games.set(player, (games.get(player) ?? 0) + 1);
    }
  }
  // Of a match that is not read the players are not known: each may have been in it.
  const unread = [...resulted].filter(
    (id) => !known.some((each) => each.id === id && each.records.length > 0),
  );
  for (const { kind, answer, from } of of.asked) {
    const { players } = fieldsOf(answer);
    for (const each of kind === 'ratings' && from >= of.history.restAt && Array.isArray(players)
      ? players
      : []) {
      const { player, games: counted } = fieldsOf(each);
      const most = (games.get(String(player)) ?? 0) + unread.length;
      of.findings.check(
        'rated once',
        Number(counted) <= most,
        () =>
          `the ladder counts ${String(counted)} games of ${String(player)}, who was in ${most} with a result`,
      );
    }
  }
}

/** The places of a team, in the largest version of its mode. Infinity: some players may take none. */
function placesOf({ configs }: Case, config: string, mode: string): number {
  if (mode === '') {
    // A host has started it: its lobby's settings say what its teams are.
    return Infinity;
  }
  const modes = configs
    .filter(([name]) => name === config)
    .map(([, body]) => fieldsOf(fieldsOf(fieldsOf(body['matchmaking'])['modes'])[mode]));
  const sizes = modes.flatMap((body) => {
    const { playersPerTeam, teamComposition } = body;
    const byRole = Object.values(fieldsOf(teamComposition)).map((roles) =>
      Object.values(fieldsOf(roles)).reduce<number>((sum, count) => sum + Number(count), 0),
    );
    return [...byRole, hasAside(body) ? Infinity : Number(playersPerTeam ?? 0)];
  });
  return sizes.length === 0 ? Infinity : Math.max(...sizes);
}

/** As it formed: later a lobby that takes late players makes its own team larger. */
function capacity(of: Case, known: readonly Known[]): void {
  for (const { id, told } of known) {
    for (const match of told.filter(({ type }) => type === 'match.formed')) {
      const places = placesOf(of, match.config, match.mode);
      const players = playersOf(match);
      const sizes = match.teams.map(
        ({ lobbies }) => lobbies.flatMap((lobby) => lobby.players).length,
      );
      of.findings.check(
        'capacity',
        sizes.every((size) => size <= places) && new Set(players).size === players.length,
        () =>
          `match ${id} formed with ${sizes.join(' and ')} (${players.join(', ')}), with places for ${places} a team`,
      );
    }
  }
}

export function checkMatches(of: Case): void {
  const known = knownOf(of);
  const stays = matchStays(of);
  oneMatch(of, stays);
  majority(of, known, stays);
  cancelOrMatch(of);
  oneMatchASearch(of, known);
  checkMade(of, known);
  oneServer(of, known);
  oneResult(of, known);
  ratedOnce(of, known);
  capacity(of, known);
}
