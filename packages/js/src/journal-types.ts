// What operators read of the past: matches, lobbies and players (see admin-types.ts). And who has which place in a match that runs.

import type { Bots } from './game-server-types.ts';
import type { Ban } from './identity-types.ts';
import type { RatingChange } from './rating-types.ts';
import type { Result, ResultTally } from './result-types.ts';
import type { JsonObject } from './types.ts';

/** One thing that happened to a lobby or a match. */
export interface Happening {
  readonly at: string;
  /** What happened: `entered`, `kicked`, `launched`. */
  readonly kind: string;
  /** `player:` and an id, or `operator:` and the name or fingerprint of a server key. */
  readonly by: string | null;
  readonly lobbyId: string | null;
  readonly playerId: string | null;
  readonly matchId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** How a match stands or how it ended. `failed`: no game came of it. `crashed`: its server ended in the middle of the game. */
export type Outcome = 'confirming' | 'launching' | 'running' | 'ended' | 'crashed' | 'failed';

export interface MatchesQuery {
  readonly config?: string | undefined;
  readonly mode?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly build?: string | undefined;
  readonly region?: string | undefined;
  /** Only matches that their maker calls so (`makeMatch`). */
  readonly ref?: string | undefined;
  /** Only matches that formed at this time or later: ISO 8601. */
  readonly since?: string | undefined;
  /** Only matches that formed before this time, such as the last one that was listed. */
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
}

export interface MatchSummary {
  readonly id: string;
  readonly config: string;
  readonly mode: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly formedAt: string;
  readonly endedAt: string | null;
  readonly players: number;
  /** It began with places open. */
  readonly short: boolean;
  /** Null: places of a running match were filled. */
  readonly region: string | null;
  /** A server key or a rematch made it, and calls it `ref`. Absent: matchmaking formed it. */
  readonly made_by?: 'key' | 'rematch';
  readonly ref?: string;
  /** Null: not known, or none was launched. */
  readonly build: string | null;
  /** The longest wait of its lobbies. */
  readonly waitedSeconds: number;
  /** From when its server ran until its end. Null unless it ran and has ended. */
  readonly playedSeconds: number | null;
  /** How it went for the player, in `getPlayer` alone. Absent: no result was reported. */
  readonly result?: {
    /** Its team's; 1 is the best. By the scores, if the game reports those. */
    readonly rank: number;
    /** The player's own, else its team's. Null: none was reported. */
    readonly score: number | null;
    readonly abandoned: boolean;
    /** Who abandons has lost. `drawn`: all teams are first. */
    readonly outcome: 'won' | 'drawn' | 'lost';
    /** What it did to the player's rating, in points. Absent if it is not rated. */
    readonly rating?: { readonly before: number; readonly rating: number };
  };
}

/** How good a match is, as it formed. Who comes in later changes nothing. */
export interface MatchQuality {
  /** How likely each team is to win, 0 to 1, by the mode's ladder. Absent without one. */
  readonly win?: readonly number[];
  /**
   * How far apart the means of the teams' players are, in the field of the `balance` rule or else of the first
   * `difference` rule. Absent without such a rule, or if a lobby has no number.
   */
  readonly gap?: number;
  /** What its players measured to its region, in ms. Absent without a `latency` rule, or if nobody measured it. */
  readonly ping?: { readonly worst: number; readonly mean: number };
  /** How long its lobbies waited, in seconds. */
  readonly waits: { readonly p50: number; readonly max: number };
}

export interface Match {
  readonly id: string;
  readonly config: string;
  readonly mode: string;
  readonly outcome: Outcome;
  /** Why it ended or failed. */
  readonly reason: string | null;
  readonly detail: string | null;
  readonly build: string | null;
  readonly formedAt: string;
  readonly runningAt: string | null;
  readonly endedAt: string | null;
  readonly teams: readonly {
    readonly name: string | null;
    readonly lobbies: readonly {
      readonly lobbyId: string;
      readonly waitedSeconds: number;
      /** Each player stands once: where they first took a place, or else where they first came in. */
      readonly players: readonly {
        readonly id: string;
        readonly role: string | null;
        /** Every stay in the match, in the order of time, with the index of the team. Absent: there was one. */
        readonly stays?: readonly {
          readonly team: number;
          readonly lobbyId: string;
          readonly role: string | null;
        }[];
      }[];
    }[];
  }[];
  /** What each rule saw of the lobbies, longest wait first. */
  readonly rules: readonly {
    readonly rule: string;
    readonly values: readonly (string | number | null)[];
  }[];
  /** Absent for one team, and in a mode that compares no number. */
  readonly quality?: MatchQuality;
  /** The places that bots had when it began. Absent: none. */
  readonly bots?: readonly Bots[];
  /**
   * Who made it: the `host` of its only lobby, a server `key` (`makeMatch`), or the lobbies of another match in a `rematch`. Absent:
   * matchmaking.
   */
  readonly made_by?: 'host' | 'key' | 'rematch';
  /** What its maker calls it. Absent: it has no such name. */
  readonly ref?: string;
  /** Null if no server was ordered, or if it is forgotten. */
  readonly server: {
    readonly id: string;
    readonly status: string;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly detail: string | null;
  } | null;
  /** Oldest first. */
  readonly history: readonly Happening[];
  /** Absent until one is reported. */
  readonly result?: Result & { readonly at: string };
  /** How players said that they are connected with each other. Absent: none did. */
  readonly links?: readonly PeerPath[];
  /** What players said of the result, where most of them must say the same. Absent: nobody did. */
  readonly votes?: ResultTally;
  /** What the result did to the players' ratings, in points. Absent until then. */
  readonly rating?: {
    readonly field: string;
    readonly changes: readonly RatingChange[];
  };
}

/** A lobby that searches in a mode with `matcher: "external"`. */
export interface WaitingTicket {
  readonly id: string;
  readonly lobbyId: string;
  /** ISO 8601: since when it waits. */
  readonly since: string;
  /** Those who take a place, with the roles that they accept, preferred first; an empty list accepts any. */
  readonly players: readonly { readonly id: string; readonly roles: readonly string[] }[];
  /** Of its players' states: means of numbers, and what all of them share. */
  readonly state: JsonObject;
  /** The lobby's own. */
  readonly region: string;
  /** That all of them accept, preferred first. Empty: any. */
  readonly regions: readonly string[];
}

/** What changed in the queue of a mode. */
export interface TicketChanges {
  /** Those that came or changed. */
  readonly tickets: readonly WaitingTicket[];
  /** The ids of those that went: into a match, or back to their lobbies. */
  readonly gone: readonly string[];
  /** The `after` of the next request. */
  readonly next: string;
  /** Forget all tickets that you know: this is the first page of all. */
  readonly whole: boolean;
}

/** A match of lobbies and players that you choose. */
export interface MatchToMake {
  readonly config: string;
  readonly mode: string;
  /** In the order of the mode's teams. A player without a lobby gets one; of a lobby, all players are named. */
  readonly teams: readonly {
    /** Default: that of the mode. */
    readonly name?: string | undefined;
    readonly lobbies?: readonly string[] | undefined;
    readonly players?: readonly string[] | undefined;
  }[];
  /** Your name for it. The same order again is the same match. */
  readonly ref: string;
  /** Refuse lobbies that the rules of the mode would keep apart. Default: false. */
  readonly rules?: boolean | undefined;
  /** Ask every lobby to confirm. Default: false. */
  readonly confirm?: boolean | undefined;
  /** Whether it counts for the mode's ladder, if that has one. Default: true. */
  readonly rated?: boolean | undefined;
  /** Default: one that all lobbies accept. */
  readonly region?: string | undefined;
  /** Default: that of the mode. */
  readonly build?: string | undefined;
}

/** How a player says it is connected with another one. */
export interface PeerPath {
  readonly from: string;
  readonly to: string;
  readonly isRelayed: boolean;
  /** The round trip. */
  readonly ms: number;
}

export interface PlayerSeen {
  readonly id: string;
  readonly places: readonly {
    readonly config: string;
    readonly lobbyId: string;
    readonly lobbyStatus: string;
    /** It has an open stream. */
    readonly streaming: boolean;
    /** The player only watches. */
    readonly as?: 'spectator';
  }[];
  /** Newest first. */
  readonly matches: readonly MatchSummary[];
  /** What your backend says of the player. */
  readonly attributes: JsonObject;
  /** Those that hold. */
  readonly bans: readonly Ban[];
}

export interface AuditQuery {
  /** `operator:` and the name or fingerprint of a key. */
  readonly by?: string | undefined;
  /** Such as `kicked`. */
  readonly kind?: string | undefined;
  /** The name or id of what was changed. */
  readonly on?: string | undefined;
  /** Only what was done before this time, such as `next`. */
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
}

export interface AuditPage {
  /** Newest first. */
  readonly items: readonly {
    readonly at: string;
    readonly kind: string;
    readonly by: string;
    /** Null: the project. */
    readonly on: string | null;
    /** The outcome. */
    readonly detail: string | null;
  }[];
  /** The `until` that goes on. Null: there are no more. */
  readonly next: string | null;
}

/** A player who has, or had, a place in the match. */
export interface Seated {
  readonly id: string;
  /** The lobby that the player came in with. */
  readonly lobby: string;
  /** Index of the team. */
  readonly team: number;
  /** Null in modes without roles. */
  readonly role: string | null;
  /** The player's state, as it was when the player came in. Null: not known. */
  readonly state: JsonObject | null;
  /**
   * `away`: the player dropped out, and the place is kept. `left`: the place is free, or somebody else has it. `kicked`:
   * the game put the player out, who does not come in again.
   */
  readonly status: 'here' | 'away' | 'left' | 'kicked';
  /** While `away`: until when. Null: as long as the game lasts. */
  readonly until?: string | null;
  /** The roster's revision when this last changed. */
  readonly revision: number;
}

/** Who has which place in a running match. */
export interface GameRoster {
  /** The match's id. */
  readonly match: string;
  /** Rises with every change. */
  readonly revision: number;
  /** The open places. */
  readonly open: readonly { readonly team: number; readonly places: number }[];
  /** Those whose place has changed after the revision that was asked for; all, if none was. */
  readonly players: readonly Seated[];
}

/** What a game says of the places in its match. What is left out stays as it is. */
export interface PlacesOrder {
  /** So many places are open; 0 closes. Once a game has said this, only what it opened is open. */
  readonly open?: number;
  /** In this team. Absent: in any, the emptiest first. */
  readonly team?: number;
  /** Until then, an RFC 3339 time. Absent: until the game says otherwise. */
  readonly until?: string;
  /** This player has no place any more. */
  readonly release?: string;
  /** This player leaves the match and its lobby, and does not come in again. */
  readonly kick?: string;
  /** The players whom the game has. None of them is put out of a lobby for silence. */
  readonly present?: readonly string[];
  /**
   * The revision of the roster that the game knows. Who came in since counts against `open`, and a place that was taken
   * since is not released. So a call that is repeated changes nothing.
   */
  readonly after?: number;
}
