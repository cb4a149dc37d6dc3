// Whether the player who opened a stream may still have it (record 0033): until the token expires, or the project requires
// tokens, changes its token rules or keys, or bans the player (record 0045). The relay checks that at each beat and before
// a ticket.

import type { Clock } from '../../common/later';
import { projectDocument } from '../../objects/caches/project';
import { DEFAULT_PLAYERS } from '../../objects/contracts/secrets';
import type { PlayerCall } from '../wire/call';
import { FRESH_MS } from '../identity/jwks';
import { Refused } from '../wire/answer';

/** The longest wait that timers take. For a later end, the timer is set again. */
const LONGEST_MS = 2 ** 31 - 1;
/** The age of the document at a beat, so that streams alone make an isolate read each project every 15 s. */
const AT_BEATS = { maxAgeMs: 20_000, refreshAfterMs: 15_000 };

export class StreamStanding {
  readonly #call: PlayerCall;
  readonly #clock: Clock;
  /** When the player may have the stream no longer. */
  #until: number;
  #over: () => void = () => {};
  #cancel: () => void = () => {};
  /** The revisions that the last positive answer depended on, and its time. */
  #good = { revisions: '', at: -Infinity };

  constructor(call: PlayerCall, clock: Clock) {
    this.#call = call;
    this.#clock = clock;
    this.#until = call.playerUntil ?? Infinity;
    if (call.playerUntil !== null) {
      this.#wait();
    }
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#until;
  }

  /** Sets the callback for the end, and calls it at once if that has come. It replaces an older one. */
  whenOver(callback: () => void): void {
    this.#over = callback;
    if (this.isOver) {
      callback();
    }
  }

  forget(): void {
    this.#cancel();
  }

  #wait(): void {
    const left = this.#until - this.#clock.now();
    this.#cancel = this.#clock.later(Math.min(Math.max(left, 0), LONGEST_MS), () =>
      this.isOver ? this.#over() : this.#wait(),
    );
  }

  /** If not, the stream ends. The document may be 3 s old, or 20 s with `mayBeOld`. If it cannot be read, it holds. */
  async holds(how: { readonly mayBeOld: boolean }): Promise<boolean> {
    const now = this.#clock.now();
    // An old document may be older than the stream, so it ends none.
    const holds =
      (how.mayBeOld && (await this.#asked(now, true))) || (await this.#asked(now, false));
    if (!holds) {
      this.#until = -Infinity;
      this.#over();
    }
    return holds;
  }

  async #asked(now: number, mayBeOld: boolean): Promise<boolean> {
    const { peers, project, player, playerUntil, identify } = this.#call;
    let isTrusted = true;
    try {
      const document = await projectDocument(peers, project, now, mayBeOld ? AT_BEATS : undefined);
      const { playerAuth } = document.players ?? DEFAULT_PLAYERS;
      isTrusted = playerAuth === 'trust';
      if (isTrusted && document.bans === undefined) {
        return true;
      }
      // The stream was opened without a token, so no token would ever expire.
      if (!isTrusted && playerUntil === null) {
        return false;
      }
      const { revision, keys, bans } = document;
      const revisions = `${revision} ${keys?.revision ?? 0} ${bans ?? 0}`;
      if (revisions === this.#good.revisions && now < this.#good.at + FRESH_MS) {
        return true;
      }
      const caller = await identify(document);
      const isSame = isTrusted || caller.player === player;
      if (isSame) {
        this.#good = { revisions, at: now };
      }
      return isSame;
    } catch (error) {
      const code = error instanceof Refused ? error.refusal.code : 'UNAVAILABLE';
      return isTrusted ? code !== 'BANNED' : code === 'UNAVAILABLE';
    }
  }
}
