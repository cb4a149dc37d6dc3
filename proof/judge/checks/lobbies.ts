// What a lobby shows: one state a revision, no more players than it may have, and what was written, until it is written again.

import { fieldsOf, textOf, type Fields, type Lobby } from '../api.ts';
import { isOf, mayHaveHappened, type Asked, type Case } from '../case.ts';
import { lists, type Story } from '../stories.ts';

/** What does not depend on who looks, and when. */
function stateOf(lobby: Lobby): string {
  const { status, host, name, maxPlayers, isPrivate, settings, players, matchId } = lobby;
  return textOf({ status, host, name, maxPlayers, isPrivate, settings, players, matchId });
}

function checkStates({ findings }: Case, { id, sightings }: Story): void {
  const shown = new Map<number, string>();
  for (const { lobby } of sightings) {
    const state = stateOf(lobby);
    const before = shown.get(lobby.revision);
    shown.set(lobby.revision, before ?? state);
    if (before !== undefined) {
      findings.check(
        'one state',
        before === state,
        () => `lobby ${id} shows revision ${lobby.revision} as ${before} and as ${state}`,
      );
    }
  }
}

function checkCapacity({ findings }: Case, { id, states }: Story): void {
  for (const { revision, players, maxPlayers, matchId, ...state } of states) {
    const ids = new Set(players.map((player) => player.id));
    const { currentPlayers: taken = ids.size } = state;
    // In a match, a place that is kept is a taken place.
    const counts = matchId === null ? taken === ids.size : taken >= ids.size;
    findings.check(
      'capacity',
      taken <= maxPlayers && ids.size === players.length && counts,
      () =>
        `lobby ${id} has at revision ${revision} ${players.length} players (${[...ids].join(', ')}), ${taken} of ${maxPlayers} places`,
    );
  }
}

/** A field as a lobby shows it, and the calls that may write it. */
interface Field {
  readonly name: string;
  /** Undefined: this state says nothing of the field. */
  readonly shown: (lobby: Lobby) => string | undefined;
  /** What the call writes there; undefined: nothing. */
  readonly written: (call: Asked) => string | undefined;
}

const ABSENT = 'absent';

function valueIn(fields: unknown, key: string): string {
  const value = fieldsOf(fields)[key];
  return value === undefined || value === null ? ABSENT : textOf(value);
}

/** A patch says nothing of the keys that it leaves out. */
function patchOf(fields: Fields, key: string): string | undefined {
  return Object.hasOwn(fields, key) ? valueIn(fields, key) : undefined;
}

const OWN = ['name', 'maxPlayers', 'isPrivate'] as const;

function settingsOf(story: Story, calls: readonly Asked[]): readonly Field[] {
  const patches = calls.filter(({ kind }) => kind === 'settings');
  const keys = new Set([
    ...story.states.flatMap(({ settings }) => Object.keys(fieldsOf(settings))),
    ...patches.flatMap(({ fields }) => Object.keys(fieldsOf(fields['settings']))),
  ]);
  const own = OWN.map((key): Field => ({
    name: key,
    shown: (lobby) => valueIn(lobby, key),
    written: ({ kind, fields }) => (kind === 'settings' ? patchOf(fields, key) : undefined),
  }));
  const free = [...keys].map((key): Field => ({
    name: `settings.${key}`,
    shown: ({ settings }) => valueIn(settings, key),
    written: ({ kind, fields }) =>
      kind === 'settings' ? patchOf(fieldsOf(fields['settings']), key) : undefined,
  }));
  return [...own, ...free];
}

function playersOf(
  story: Story,
  calls: readonly Asked[],
  trusted: ReadonlySet<string>,
): readonly Field[] {
  return [...story.players].flatMap((player) => {
    const own = calls.filter(({ who }) => who === player);
    const states = story.states.flatMap(({ players }) => players.filter(({ id }) => id === player));
    const keys = new Set([
      ...states.flatMap(({ state }) => Object.keys(state ?? {})),
      ...own.flatMap(({ fields }) => Object.keys(fieldsOf(fields['state']))),
    ]);
    return [...keys]
      .filter((key) => !trusted.has(key))
      .map((key): Field => ({
        name: `state.${key} of ${player}`,
        shown: (lobby) =>
          lists(lobby, player)
            ? valueIn(lobby.players.find(({ id }) => id === player)?.state, key)
            : undefined,
        written: ({ kind, who, fields }) => {
          if (who !== player) {
            return undefined;
          }
          if (kind === 'state') {
            return patchOf(fieldsOf(fields['state']), key);
          }
          return kind === 'join' || kind === 'create' ? valueIn(fields['state'], key) : undefined;
        },
      }));
  });
}

interface Write {
  readonly call: Asked;
  readonly value: string;
}

/** Between two states, somebody wrote what the later one shows. */
function checkChanges(
  { findings }: Case,
  story: Story,
  field: Field,
  writes: readonly Write[],
): void {
  let before: { readonly lobby: Lobby; readonly value: string } | null = null;
  for (const lobby of story.states) {
    const value = field.shown(lobby);
    if (value === undefined) {
      before = null;
      continue;
    }
    if (before !== null) {
      const { revision } = before.lobby;
      const [least, most] = [story.heldAt(revision), story.reachedBy(lobby.revision)];
      const was = before.value;
      // The config that it moves to may allow fewer places.
      const isFewer = field.name === 'maxPlayers' && before.lobby.config !== lobby.config;
      const isWritten = writes.some(
        (write) => write.value === value && write.call.from <= most && write.call.to >= least,
      );
      findings.check(
        'written is shown',
        was === value || isWritten || isFewer,
        () =>
          `lobby ${story.id}: ${field.name} is ${was} at revision ${revision} and ${value} at ${lobby.revision}, and nobody wrote that then`,
      );
    }
    before = { lobby, value };
  }
}

/** What an accepted change wrote is in its own answer, unless another change was under way. */
function checkAnswers(
  { findings }: Case,
  story: Story,
  field: Field,
  writes: readonly Write[],
): void {
  for (const { call, value } of writes) {
    const is =
      call.lobby === null || !isOf(story, call.lobby) ? undefined : field.shown(call.lobby);
    const isChange = call.kind === 'state' || call.kind === 'settings';
    if (is !== undefined && isChange) {
      const isOther = writes.some(
        (write) => write.value === is && write.call.from <= call.to && write.call.to >= call.from,
      );
      findings.check(
        'written is shown',
        is === value || isOther,
        () =>
          `lobby ${story.id}: the call ${call.id} wrote ${value} as ${field.name}, and is answered ${is}`,
      );
    }
  }
}

/** The keys of a player's state that the service writes. */
function trustedOf({ configs }: Case): ReadonlySet<string> {
  const said = configs.flatMap(([, { trusted }]) => (Array.isArray(trusted) ? trusted : []));
  return new Set(said.map(String));
}

export function checkLobbies(of: Case): void {
  const trusted = trustedOf(of);
  for (const story of of.stories.values()) {
    checkStates(of, story);
    checkCapacity(of, story);
    const calls = of.asked.filter(
      (call) =>
        mayHaveHappened(call) &&
        story.configs.has(call.config) &&
        (call.lobby === null || isOf(story, call.lobby)),
    );
    for (const field of [...settingsOf(story, calls), ...playersOf(story, calls, trusted)]) {
      const writes = calls.flatMap((call) => {
        const value = field.written(call);
        return value === undefined ? [] : [{ call, value }];
      });
      checkChanges(of, story, field, writes);
      checkAnswers(of, story, field, writes);
    }
  }
}
