// Whether who opened a stream may still have it (record 0033). A project may require tokens since, or may have
// changed what a token must say or be signed with. The relay asks at each beat, and before it passes on a ticket.

import { Fresh } from '../../fresh';
import type { Clock } from '../../later';
import type { ProjectDocument } from '../../objects/project/contract';
import { projectDocument } from '../../objects/caches/project';
import { DEFAULT_PLAYERS } from '../../objects/project/identity';
import type { PlayerCall } from '../call';
import { FRESH_MS } from '../identity/jwks';
import { Expiry } from './expiry';

/** So old may be what a beat asks: an isolate with streams asks each project every 15 s. */
const documents = new Fresh<ProjectDocument>({
  size: 200,
  maxAgeMs: 20_000,
  refreshAfterMs: 15_000,
});

export class Standing extends Expiry {
  readonly #call: PlayerCall;
  readonly #clock: Clock;
  /** What the last good answer depended on, and when that was. */
  #good = { revisions: '', at: -Infinity };

  constructor(call: PlayerCall, clock: Clock) {
    super(call.playerUntil, clock);
    this.#call = call;
    this.#clock = clock;
  }

  /**
   * By what is known of the project, which `mayBeOld` by up to 20 s, else by 3 s. If it does not hold, it is over.
   * While nothing can be known, it holds.
   */
  async holds(how: { readonly mayBeOld: boolean }): Promise<boolean> {
    const holds = await this.#asked(this.#clock.now(), how.mayBeOld);
    if (!holds) {
      this.end();
    }
    return holds;
  }

  async #asked(now: number, mayBeOld: boolean): Promise<boolean> {
    const { peers, project, player, playerUntil, identify } = this.#call;
    const load = (): Promise<ProjectDocument> => projectDocument(peers, project, now);
    try {
      const document = await (mayBeOld ? documents.get(project, now, load) : load());
      const { playerAuth } = document.players ?? DEFAULT_PLAYERS;
      if (playerAuth === 'trust') {
        return true;
      }
      // By name alone: nobody would see its token expire.
      if (playerUntil === null) {
        return false;
      }
      const revisions = `${document.revision} ${document.keys?.revision ?? 0}`;
      if (revisions === this.#good.revisions && now < this.#good.at + FRESH_MS) {
        return true;
      }
      const caller = await identify(document);
      if (!caller.ok) {
        return caller.refusal.code === 'UNAVAILABLE';
      }
      this.#good = { revisions, at: now };
      return caller.value.player === player;
    } catch {
      return true;
    }
  }
}
