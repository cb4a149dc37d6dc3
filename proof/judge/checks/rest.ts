// What must be once the service rests: nothing fails any more, nothing is on its way, and every deadline is over.

import { fieldsOf, isLobby, isMatch, textOf, type Lobby } from '../api.ts';
import { mayBeIn, maySearch, type Asked, type Case } from '../case.ts';
import { keyOf } from '../stories.ts';

const PASSING = ['matched', 'match_found', 'starting'];
const OVER = ['ended', 'crashed', 'failed'];

/** The answers at rest. */
function atRest({ asked, history }: Case): readonly Asked[] {
  return asked.filter(({ from }) => from >= history.restAt);
}

/** The lobbies that their own players read at rest. */
function lobbiesOf(of: Case): readonly Lobby[] {
  const read = atRest(of).flatMap(({ kind, lobby }) =>
    lobby !== null && (kind === 'read' || kind === 'look') ? [lobby] : [],
  );
  return [...new Map(read.map((lobby) => [keyOf(lobby), lobby])).values()];
}

function comesToRest(of: Case, lobbies: readonly Lobby[]): void {
  const outcomes = new Map(
    atRest(of).flatMap(({ kind, target, answer }) =>
      kind === 'match' && isMatch(answer) ? [[target, answer.outcome] as const] : [],
    ),
  );
  for (const { id, status, matchId } of lobbies) {
    const outcome = outcomes.get(matchId ?? '') ?? 'running';
    of.findings.check(
      'comes to rest',
      !PASSING.includes(status) && !OVER.includes(outcome),
      () => `lobby ${id} rests ${status}, in match ${String(matchId)}, which is ${outcome}`,
    );
  }
}

/** Nobody plays on in a match whose game has put them out. */
function staysOut(of: Case, lobbies: readonly Lobby[]): void {
  const kicks = of.asked.filter(({ kind, outcome }) => kind === 'steer' && outcome === 'done');
  for (const { fields, target } of kicks.filter((call) => 'kick' in call.fields)) {
    const found = lobbies.find(
      ({ status, server, players }) =>
        status === 'in_game' &&
        server?.instance_id === target &&
        players.some(({ id }) => id === fields['kick']),
    );
    of.findings.check(
      'kicked',
      found === undefined,
      () =>
        `${String(fields['kick'])} was put out by the game ${target}, and is in lobby ${found?.id}`,
    );
  }
}

function browsingFinds(of: Case, lobbies: readonly Lobby[]): void {
  for (const { kind, config, answer } of atRest(of)) {
    const { lobbies: page, hasMore } = fieldsOf(answer);
    if (kind !== 'browse' || !Array.isArray(page) || hasMore !== false) {
      continue;
    }
    // A lobby may be listed as it was some changes ago, also as it was about to be founded.
    const listed = new Set(page.filter(isLobby).map(({ id }) => id));
    const mayBeHidden = (lobby: Lobby): boolean =>
      of.stories.get(keyOf(lobby))?.states.some(({ isPrivate }) => isPrivate) === true;
    for (const lobby of lobbies.filter((each) => each.config === config)) {
      of.findings.check(
        'browsing finds',
        lobby.isPrivate ? !listed.has(lobby.id) : listed.has(lobby.id) || mayBeHidden(lobby),
        () =>
          `lobby ${lobby.id} is ${lobby.isPrivate ? 'private' : 'public'}, and browsing shows ${[...listed].join(', ') || 'none'}`,
      );
    }
  }
}

/** A call to set or to remove hooks may have taken effect at any time: only hooks that were set for certain count. */
function hooksSince({ asked }: Case): number {
  const isRemoved = asked.some(({ kind, outcome }) => kind === 'unhook' && outcome !== 'refused');
  const set = asked.filter(({ kind, outcome }) => kind === 'hooks' && outcome === 'done');
  return isRemoved ? Infinity : Math.min(Infinity, ...set.map(({ to }) => to));
}

/** Matches that form a few seconds after the hooks were set are told. */
const HOOKS_HOLD_MS = 10_000;

/**
 * The backend is told again after 1 s, 2 s, 4 s and so on: after each failure it waits no longer than it has waited
 * in all. So whatever was owed when the last failure was over is told once as much time has passed again.
 */
function isAllTold({ calmAt, restAt, clockMs }: Case['history'], since: number): boolean {
  return restAt - calmAt > calmAt - since + HOOKS_HOLD_MS + clockMs;
}

/** A match forms after each of its lobbies has asked to search. */
function formedAfter(of: Case, match: string): number {
  const its = [...of.stories.values()].filter(({ states }) =>
    states.some(({ matchId }) => matchId === match),
  );
  const ever = { from: -Infinity, to: Infinity };
  const asked = its.map((story) => maySearch(of, story, ever).map(({ from }) => from));
  return Math.max(-Infinity, ...asked.map((times) => Math.min(Infinity, ...times)));
}

function toldIsTrue(of: Case): void {
  const { history, findings } = of;
  const told = Map.groupBy(
    history.told.map(({ body }) => fieldsOf(body)),
    ({ matchId }) => String(matchId),
  );
  const since = hooksSince(of) + HOOKS_HOLD_MS + history.clockMs;
  for (const { kind, target, answer, status } of atRest(of)) {
    const own = told.get(target) ?? [];
    if (kind === 'match' && own.length > 0) {
      findings.check(
        'told is true',
        status !== 404,
        () => `the backend was told of match ${target}, which is not there`,
      );
    }
    const formed = formedAfter(of, target);
    if (kind !== 'match' || !isMatch(answer) || formed < since || !isAllTold(history, formed)) {
      continue;
    }
    const heard = new Set(own.map(({ type }) => type));
    const owed = [
      'match.formed',
      ...(OVER.includes(answer.outcome) ? [`match.${answer.outcome}`] : []),
    ];
    const missing = owed.filter((type) => !heard.has(type));
    findings.check(
      'told is true',
      missing.length === 0,
      () => `the backend never heard ${missing.join(' and ')} of match ${target}`,
    );
  }
}

const SAYS = ['attributes', 'patch attributes', 'erase attributes'];

/** What a backend's last word may be of a key of a player: whatever no later word has replaced for certain. */
function lastWords(of: Case, player: string, key: string): ReadonlySet<string> {
  const words = of.asked.flatMap((call) => {
    const { kind, target, outcome, fields } = call;
    const isWord = SAYS.includes(kind) && target === player && outcome !== 'refused';
    const said = fieldsOf(fields['attributes'] ?? fields);
    const isSilent = kind === 'patch attributes' && !Object.hasOwn(said, key);
    const value = kind === 'erase attributes' ? undefined : (said[key] ?? undefined);
    return isWord && !isSilent ? [{ call, value: textOf(value) }] : [];
  });
  const certain = words.filter(({ call }) => call.outcome === 'done');
  const standing = words.filter(({ call }) => !certain.some((later) => later.call.from > call.to));
  return new Set([
    ...standing.map(({ value }) => value),
    ...(certain.length === 0 ? ['absent'] : []),
  ]);
}

function backendIsShown(of: Case, lobbies: readonly Lobby[]): void {
  const words = of.asked.filter(({ kind }) => SAYS.includes(kind));
  const keys = new Set(
    words.flatMap(({ fields }) => Object.keys(fieldsOf(fields['attributes'] ?? fields))),
  );
  for (const { id: lobby, players, status } of lobbies) {
    for (const { id, state } of status === 'waiting' || status === 'in_queue' ? players : []) {
      for (const key of words.some(({ target }) => target === id) ? keys : []) {
        const allowed = lastWords(of, id, key);
        const is = textOf(state?.[key] ?? undefined);
        of.findings.check(
          'backend is shown',
          allowed.has(is),
          () =>
            `${id} shows ${key} ${is} in lobby ${lobby}, and the backend said ${[...allowed].join(' or ')}`,
        );
      }
    }
  }
}

export function checkRest(of: Case): void {
  if (of.history.restAt === Infinity || of.asked.some((call) => isLate(of, call))) {
    return;
  }
  const lobbies = lobbiesOf(of);
  comesToRest(of, lobbies);
  staysOut(of, lobbies);
  browsingFinds(of, lobbies);
  toldIsTrue(of);
  backendIsShown(of, lobbies);
}

/** A change at rest: then nothing rests. */
function isLate({ history }: Case, call: Asked): boolean {
  const isRead = call.does.startsWith('GET ');
  return !isRead && mayBeIn(call, { from: history.restAt + 1, to: Infinity });
}
