// Where players are: in one lobby of a config, where they were answered that they are, and out of it when they were kicked.

import type { Lobby } from '../api.ts';
import { mayBeIn, ownPlaceOf, type Asked, type Case } from '../case.ts';
import { isWatchedBy, keyOf, lists, type Sighting, type Span, type Story } from '../stories.ts';

interface Stay extends Span {
  readonly story: Story;
  readonly player: string;
  readonly config: string;
}

function staysOf({ stories }: Case): ReadonlyMap<string, readonly Stay[]> {
  const stays = [...stories.values()].flatMap((story) =>
    [...story.players.union(story.spectators)].flatMap((player) =>
      [...story.configs].flatMap((config) =>
        story
          .certainly(
            (lobby) =>
              lobby.config === config && (lists(lobby, player) || isWatchedBy(lobby, player)),
          )
          .map((span): Stay => ({ ...span, story, player, config })),
      ),
    ),
  );
  return Map.groupBy(stays, ({ config, player }) => `${config} ${player}`);
}

function isWithin({ from, to }: Span, span: Span): boolean {
  return span.from <= from && to <= span.to;
}

/** Nobody is certainly in a lobby while he is seen in another, or certainly in another. */
function oneLobby(of: Case, stays: ReadonlyMap<string, readonly Stay[]>): void {
  const seen = new Map<string, { readonly sighting: Sighting; readonly key: string }[]>();
  for (const story of of.stories.values()) {
    for (const sighting of story.sightings.filter(({ isLive }) => isLive)) {
      const { players, spectators = [] } = sighting.lobby;
      for (const { id } of [...players, ...spectators]) {
        const place = `${sighting.lobby.config} ${id}`;
        const own = seen.get(place) ?? [];
        own.push({ sighting, key: story.key });
        seen.set(place, own);
      }
    }
  }
  for (const [place, own] of stays) {
    for (const stay of own) {
      const elsewhere = seen
        .get(place)
        ?.find(({ sighting, key }) => key !== stay.story.key && isWithin(sighting, stay));
      const other = own.find(
        ({ story, from, to }) =>
          story !== stay.story && Math.max(from, stay.from) < Math.min(to, stay.to),
      );
      const found = elsewhere?.sighting.lobby.id ?? other?.story.id;
      of.findings.check(
        'one lobby',
        found === undefined,
        () => `${place} is in the lobbies ${stay.story.id} and ${String(found)} at once`,
      );
    }
  }
}

const IDLE_SECONDS = 300;
const LONGEST_GAME_SECONDS = 7_200;

/** The least time after which a lobby, or a player, may be put out by itself, in ms. */
function patienceMs({ configs }: Case): number {
  if (configs.some(([, { heartbeat }]) => heartbeat === true)) {
    return 0;
  }
  const seconds = configs.map(([, { timeout, enabled }]) =>
    typeof timeout === 'number' && enabled !== false ? timeout : IDLE_SECONDS,
  );
  const least = Math.min(
    LONGEST_GAME_SECONDS,
    ...(seconds.length === 0 ? [IDLE_SECONDS] : seconds),
  );
  return 1_000 * least;
}

/** Whether the call may put the player out of that lobby. */
function mayPutOut(
  of: Case,
  call: Asked,
  { story, player }: Pick<Stay, 'story' | 'player'>,
): boolean {
  const { kind, config, target, who, fields } = call;
  switch (kind) {
    case 'leave': {
      const deletes = of.configs.some(([, body]) => body['hostLeaveBehavior'] === 'delete');
      return story.configs.has(config) && (who === player || deletes);
    }
    case 'kick':
    case 'ban':
      return target === player;
    case 'steer':
      // The game of the player's match, which tells the lobby after its answer.
      return fields['kick'] === player;
    case 'delete':
      return target === story.id;
    case 'join':
      // Under a config that the lobby has left, a player may come into another.
      return who === player && story.configs.size > 1;
    case 'create':
      // It may delete what the caller hosts, and be refused after that.
      return (
        story.configs.has(config) &&
        (fields['forceFresh'] === true || (who === player && story.configs.size > 1))
      );
    default:
      return false;
  }
}

interface Move {
  readonly before: Asked;
  readonly after: Asked;
  readonly story: Story;
  readonly player: string;
}

/** Somebody, or the service for a reason of its own, may have put the player out in the meantime. */
function isExplained(of: Case, { before, after, story, player }: Move): boolean {
  const span = { from: before.from, to: after.to };
  const isAsked = of.asked.some((call) => {
    const during = call.kind === 'steer' ? { from: -Infinity, to: span.to } : span;
    return mayBeIn(call, during) && mayPutOut(of, call, { story, player });
  });
  return (
    isAsked ||
    span.to - idleSince(of, { before, story, player }) + of.history.clockMs >= patienceMs(of)
  );
}

/** The last change that the player made there, from which on the lobby was not idle. */
function idleSince(of: Case, { before, story, player }: Omit<Move, 'after'>): number {
  const changes = of.asked.filter(
    ({ who, kind, lobby, to }) =>
      who === player &&
      kind !== 'read' &&
      lobby !== null &&
      keyOf(lobby) === story.key &&
      to <= before.to,
  );
  return Math.max(-Infinity, ...changes.map(({ from }) => from));
}

/** A player's own answers, one after the other. */
function readLater(of: Case): void {
  const own = of.asked.filter((call) => ownPlaceOf(call) !== undefined);
  for (const calls of Map.groupBy(own, ({ who, config }) => `${config} ${String(who)}`).values()) {
    const byEnd = calls.toSorted((a, b) => a.to - b.to);
    for (const after of calls) {
      const before = byEnd.findLast(({ to }) => to < after.from);
      const was = before === undefined ? null : ownPlaceOf(before);
      const story = was === null || was === undefined ? undefined : of.stories.get(keyOf(was));
      const { who: player } = after;
      if (before !== undefined && story !== undefined && player !== null) {
        const is = ownPlaceOf(after);
        const isSame = is !== null && is !== undefined && keyOf(is) === story.key;
        // A spectator is put out for a silence of seconds.
        const stays = isSame || was?.as === 'spectator';
        of.findings.check(
          'read later',
          stays || isExplained(of, { before, after, story, player }),
          () =>
            `${player} was in lobby ${story.id} (call ${before.id}), is then in ${is?.id ?? 'none'} ` +
            `(call ${after.id}), and nothing put ${player} out`,
        );
      }
    }
  }
}

/** Who is certainly in a lobby is not told to be in none. */
function toldOut(of: Case, stays: ReadonlyMap<string, readonly Stay[]>): void {
  for (const call of of.asked.filter((each) => ownPlaceOf(each) === null)) {
    const stay = stays
      .get(`${call.config} ${String(call.who)}`)
      ?.find((each) => isWithin(call, each));
    of.findings.check(
      'read later',
      stay === undefined,
      () =>
        `${String(call.who)} is told to be in no lobby (call ${call.id}), and is in ${stay?.story.id}`,
    );
  }
}

/** A lobby never shows less than was known when it was asked. */
function neverOlder(of: Case): void {
  for (const story of of.stories.values()) {
    const newest = story.sightings.toSorted((a, b) => a.to - b.to);
    let next = 0;
    let known = 0;
    for (const live of story.sightings
      .filter(({ isLive }) => isLive)
      .toSorted((a, b) => a.from - b.from)) {
      for (; (newest[next]?.to ?? Infinity) < live.from; next += 1) {
        known = Math.max(known, newest[next]?.lobby.revision ?? 0);
      }
      const { revision } = live.lobby;
      of.findings.check(
        'read later',
        revision >= known,
        () => `lobby ${story.id} is answered at revision ${revision}, after ${known} was shown`,
      );
    }
  }
}

function kicked(of: Case): void {
  const kicks = of.asked.filter(({ kind, outcome }) => kind === 'kick' && outcome === 'done');
  for (const kick of kicks) {
    const story = kick.lobby === null ? undefined : of.stories.get(keyOf(kick.lobby));
    const revision = kick.lobby?.revision ?? Infinity;
    for (const { lobby, to } of story?.sightings ?? []) {
      const isIn = lobby.revision >= revision && lists(lobby, kick.target);
      const came = of.asked.some(
        (call) =>
          call.who === kick.target &&
          (call.kind === 'join' || call.kind === 'create') &&
          mayBeIn(call, { from: kick.from, to }),
      );
      of.findings.check(
        'kicked',
        !isIn || came,
        () =>
          `${kick.target} was kicked from lobby ${lobby.id} (call ${kick.id}), and is in it at revision ${lobby.revision}`,
      );
    }
  }
}

/** A ban holds everywhere within three seconds. */
const BAN_HOLDS_MS = 3_000;
const KEPT_OUT = ['create', 'join', 'start', 'queue'];

function banned(of: Case): void {
  const bans = of.asked.filter(({ kind, outcome }) => kind === 'ban' && outcome === 'done');
  for (const ban of bans) {
    const { config, until } = ban.fields;
    const lifts = of.asked.filter(
      ({ kind, target, outcome, from }) =>
        (kind === 'unban' || kind === 'ban') &&
        target === ban.target &&
        outcome !== 'refused' &&
        from > ban.from,
    );
    const ends = Math.min(Infinity, ...lifts.map(({ from }) => from));
    const tries = of.asked.filter(
      ({ who, kind, from, to, config: where }) =>
        who === ban.target &&
        KEPT_OUT.includes(kind) &&
        (typeof config !== 'string' || config === where) &&
        from > ban.to + BAN_HOLDS_MS + of.history.clockMs &&
        to < ends,
    );
    for (const call of typeof until === 'string' ? [] : tries) {
      of.findings.check(
        'banned',
        call.outcome !== 'done',
        () =>
          `${ban.target} is banned (call ${ban.id}), and ${call.kind} is accepted (call ${call.id})`,
      );
    }
  }
}

/** Strangers see how many watch, and not who. */
function whoIn({ players, currentSpectators = 0 }: Lobby): string {
  return `${players.map(({ id }) => id).join()} and ${currentSpectators} who watch`;
}

/** Between two revisions that follow each other nobody comes or goes besides. */
function movedWhole(of: Case): void {
  for (const story of of.stories.values()) {
    for (const [at, after] of story.states.entries()) {
      const before = story.states[at - 1];
      if (before === undefined || before.config === after.config) {
        continue;
      }
      const span = { from: story.heldAt(before.revision), to: story.reachedBy(after.revision) };
      const isAsked = of.asked.some(
        (call) => call.kind === 'move' && mayBeIn(call, span) && story.configs.has(call.config),
      );
      const isNext = after.revision === before.revision + 1;
      const who = [whoIn(before), whoIn(after)];
      of.findings.check(
        'moved whole',
        isAsked && (!isNext || who[0] === who[1]),
        () =>
          `lobby ${story.id} is in ${before.config} with ${who[0]} at revision ${before.revision}, and in ${after.config} ` +
          `with ${who[1]} at ${after.revision}${isAsked ? '' : ', and nobody asked'}`,
      );
    }
  }
}

export function checkPlaces(of: Case): void {
  const stays = staysOf(of);
  oneLobby(of, stays);
  movedWhole(of);
  toldOut(of, stays);
  readLater(of);
  neverOlder(of);
  kicked(of);
  banned(of);
}
