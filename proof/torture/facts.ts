// All that is known for certain, or in doubt, of lobbies and players, from the requests and their
// answers alone; and the judgement of every lobby that is read: does it agree with what was
// acknowledged before? Revisions never go back, one revision has one content, no acknowledged
// write is missing, nobody is where it cannot be, a search goes on until something ends it.

import type { Lobby } from '../../scripts/player.ts';
import type { Log } from './log.ts';
import { Membership, placeOf } from './membership.ts';
import { Register } from './register.ts';
import type { Span } from './register.ts';
import { Searches } from './searches.ts';
import { incoherences } from './view.ts';

/** Settings and states hold one number under this name: which request wrote it. */
export const MARK = 'mark';

interface Known {
  readonly config: string;
  code: string;
  readonly name: Register<string>;
  readonly mark: Register<number | null>;
  /** What each revision showed. */
  readonly shown: Map<number, string>;
  readonly views: Map<number, Lobby>;
  /** Matches that the lobby was shown to have confirmed, with the first revision that did. */
  readonly confirmed: Map<string, number>;
  /** The highest revision seen, by the time it was. */
  readonly highest: { at: number; revision: number }[];
}

function markOf(bag: Readonly<Record<string, unknown>> | null): number | null {
  const mark = bag?.[MARK];
  return typeof mark === 'number' ? mark : null;
}

/** A lobby without what may differ between two readings of one revision: `custom_data` is for players of the match. */
function contentOf(lobby: Lobby): string {
  const passing = new Set(['queueStats', 'ticket', 'custom_data']);
  return JSON.stringify(lobby, (key, value: unknown) => (passing.has(key) ? undefined : value));
}

export class Facts {
  readonly membership = new Membership();
  readonly searches: Searches;
  readonly #log: Log;
  readonly #lobbies = new Map<string, Known>();
  readonly #states = new Map<string, Register<number | null>>();
  /** Lobbies judged, and values compared: a checker that compares nothing finds nothing. */
  judged = 0;
  lobbiesSeen = 0;
  compared = 0;

  constructor(log: Log) {
    this.#log = log;
    this.searches = new Searches(log);
  }

  /** Ids of all lobbies ever heard of. */
  get lobbies(): IterableIterator<string> {
    return this.#lobbies.keys();
  }

  configOf(id: string): string {
    return this.#lobbies.get(id)?.config ?? '';
  }

  forget(id: string): void {
    this.#lobbies.delete(id);
  }

  stateOf(place: string): Register<number | null> {
    const known = this.#states.get(place);
    if (known !== undefined) {
      return known;
    }
    const fresh = new Register<number | null>();
    this.#states.set(place, fresh);
    return fresh;
  }

  nameOf(id: string): Register<string> | null {
    return this.#lobbies.get(id)?.name ?? null;
  }

  markOf(id: string): Register<number | null> | null {
    return this.#lobbies.get(id)?.mark ?? null;
  }

  /** The lobby as some revision of it was shown, if it was. */
  shown(id: string, revision: number): Lobby | null {
    return this.#lobbies.get(id)?.views.get(revision) ?? null;
  }

  #known(lobby: Lobby): Known {
    const known = this.#lobbies.get(lobby.id);
    if (known !== undefined) {
      return known;
    }
    const fresh: Known = {
      config: lobby.config,
      code: lobby.code,
      name: new Register(),
      mark: new Register(),
      shown: new Map(),
      views: new Map(),
      confirmed: new Map(),
      highest: [],
    };
    this.#lobbies.set(lobby.id, fresh);
    this.lobbiesSeen += 1;
    return fresh;
  }

  /** A lobby as a stream or the list showed it. It may be old, but must have been true once. */
  heard(lobby: Lobby, at: number): void {
    const known = this.#known(lobby);
    this.judged += 1;
    for (const what of incoherences(lobby)) {
      this.#log.violation(`lobby ${lobby.id} revision ${lobby.revision}: ${what}`, [lobby.id]);
    }
    const content = contentOf(lobby);
    const before = known.shown.get(lobby.revision);
    if (before === undefined) {
      known.shown.set(lobby.revision, content);
      known.views.set(lobby.revision, lobby);
    } else if (before !== content) {
      const what = `lobby ${lobby.id} showed revision ${lobby.revision} in two ways`;
      this.#log.violation(`${what}:\n    ${before}\n    ${content}`, [lobby.id], what);
    }
    this.#confirmation(lobby, known);
    const top = known.highest.at(-1);
    if (top === undefined || lobby.revision > top.revision) {
      known.highest.push({ at, revision: lobby.revision });
    }
  }

  /** It never changes: without its code nobody finds the lobby. */
  isPrivate(id: string): boolean {
    return [...(this.#lobbies.get(id)?.views.values() ?? [])].some((view) => view.isPrivate);
  }

  /** A confirmed match stays confirmed for as long as it asks. */
  #confirmation({ id, revision, matchId, matchmaking }: Lobby, { confirmed }: Known): void {
    const confirmation = matchmaking?.confirmation;
    if (confirmation === undefined || matchId === null) {
      return;
    }
    const since = confirmed.get(matchId) ?? Infinity;
    if (confirmation.confirmed) {
      confirmed.set(matchId, Math.min(since, revision));
    } else if (revision > since) {
      const what = `lobby ${id} had confirmed match ${matchId} at revision ${since}`;
      this.#log.violation(`${what}, and has not at ${revision}`, [id]);
    }
  }

  /** A lobby as an answer showed it. It was true at some instant between request and answer. */
  read(lobby: Lobby, span: Span): void {
    this.heard(lobby, span.to);
    const known = this.#known(lobby);
    const tags = [lobby.id];
    const high = known.highest.findLast(({ at }) => at <= span.from);
    if (high !== undefined && lobby.revision < high.revision) {
      this.#log.violation(
        `lobby ${lobby.id} went back from revision ${high.revision} to ${lobby.revision}`,
        tags,
      );
    }
    this.#compare(`lobby ${lobby.id} name`, known.name, { value: lobby.name, span, tags });
    const mark = markOf(lobby.settings);
    this.#compare(`lobby ${lobby.id} settings`, known.mark, { value: mark, span, tags });
    this.#members(lobby, span);
    this.searches.judge(lobby, span);
  }

  #compare<T>(
    what: string,
    register: Register<T>,
    { value, span, tags }: { value: T; span: Span; tags: readonly string[] },
  ): void {
    if (register.known) {
      this.compared += 1;
      const allowed = register.allowed(span);
      if (!allowed.includes(value)) {
        this.#log.violation(
          `${what} shows ${String(value)}, not one of ${allowed.join(', ')}`,
          tags,
        );
      }
    }
    register.saw(value, span);
  }

  #members(lobby: Lobby, span: Span): void {
    const present = new Set(lobby.players.map(({ id }) => placeOf(lobby.config, id)));
    for (const { id, state } of lobby.players) {
      const place = placeOf(lobby.config, id);
      const tags = [lobby.id, place];
      this.compared += 1;
      if (!this.membership.mayBe(place, lobby.id, span)) {
        const allowed = [...this.membership.allowed(place, span)].join(' or ');
        this.#log.violation(`${place} is in lobby ${lobby.id}, but must be ${allowed}`, tags);
      }
      const value = markOf(state);
      this.#compare(`${place} state`, this.stateOf(place), { value, span, tags });
    }
    for (const place of this.membership.membersOf(lobby.config, lobby.id, span)) {
      this.compared += 1;
      if (!present.has(place)) {
        this.#log.violation(`${place} is lost: not in lobby ${lobby.id} any more`, [
          lobby.id,
          place,
        ]);
      }
    }
  }
}
