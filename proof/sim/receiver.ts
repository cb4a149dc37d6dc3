// The studio's backend as its matches see it: it hears events over the network, and checks each against what is saved.

import type { Hook } from '../../src/fleet/hook';
import type { MatchId } from '../../src/common/ids';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import type { Weather } from './faults';
import type { History } from './history';
import type { Journal } from './journal';
import { Broken, type Saved } from './parts';
import { matchOn } from './truth';

/** Where the events of a run go. */
export const HOOK: Hook = {
  url: 'https://studio.test/muster',
  secret: 'a secret of the simulation',
};

const ROSTER = 'match.roster';
const ORDER = [
  'match.formed',
  ROSTER,
  'match.ended',
  'match.failed',
  'match.result',
  'match.rated',
];

interface Told {
  readonly id: string;
  readonly type: string;
  readonly matchId: MatchId;
  /** Of a roster. */
  readonly revision?: number;
}

export class Receiver {
  /** The types of each match, in the order in which they were first heard. */
  readonly heard = new Map<MatchId, string[]>();
  /** The newest roster of each match. */
  readonly #rosters = new Map<MatchId, number>();
  readonly #journal: Journal;
  history: History | null = null;
  readonly #weather: Weather;
  readonly #match: (id: MatchId) => Saved;

  constructor(journal: Journal, weather: Weather, match: (id: MatchId) => Saved) {
    this.#journal = journal;
    this.#weather = weather;
    this.#match = match;
  }

  async hear(body: string): Promise<void> {
    const refused = this.#weather.chance('fleet');
    this.history?.note({ told: JSON.parse(body) as unknown, ...(refused ? { refused } : {}) });
    if (refused) {
      throw new Broken('the receiver answers 503');
    }
    const { type, matchId, revision = 0 } = JSON.parse(body) as Told;
    const heard = this.heard.get(matchId) ?? [];
    this.heard.set(matchId, heard);
    const isOld = type !== ROSTER || revision <= (this.#rosters.get(matchId) ?? 0);
    if (heard.includes(type) && isOld) {
      this.#journal.count('hooks: told again');
      return;
    }
    this.#journal.count(`hooks: ${type}`);
    this.#rosters.set(matchId, Math.max(revision, this.#rosters.get(matchId) ?? 0));
    const others = heard.filter((earlier) => earlier !== ROSTER || type !== ROSTER);
    const isLast = others.every((earlier) => ORDER.indexOf(earlier) < ORDER.indexOf(type));
    this.#journal.check(isLast, () => `${matchId} told ${type} after ${heard.join(', ')}`);
    this.#checkSaved(type, matchId, revision);
    heard.push(type);
  }

  /** Nothing is told before it is saved. */
  #checkSaved(type: string, id: MatchId, revision: number): void {
    const { disk } = this.#match(id);
    const [match, past] = [matchOn(disk), disk.read<MatchRecord>('past')];
    const isOver = past !== undefined || match?.phase === 'over';
    const isKnown = isOver || (match?.steered?.revision ?? 0) >= revision;
    const isBegun = type === 'match.formed' || type === ROSTER;
    const isSaved = isBegun ? isKnown && (isOver || match !== null) : isOver;
    this.#journal.check(isSaved, () => `${id} told ${type} before it was saved`);
  }
}
