// The places for logins that wait for a provider. A provider that is slow fills neither the memory of the isolate
// nor the places of other providers and projects.

import { LIMIT_MS } from '../identity/outside';

const MAX_WAITING = 192;
/** Two answers of a provider. A request whose client has left may never say that it has ended. */
const LONGEST_MS = 2 * LIMIT_MS;

interface Waiting {
  readonly project: string;
  readonly provider: string;
  readonly until: number;
}

export class Places {
  #waiting: readonly Waiting[] = [];

  /**
   * Takes a place at `now` (epoch ms), and returns the function that gives it back. Null: there is none. A project
   * may take as many places as are left for others, and a provider half as many: alone 64.
   */
  take(project: string, provider: string, now: number): (() => void) | null {
    this.#waiting = this.#waiting.filter(({ until }) => until > now);
    const ofProject = this.#waiting.filter((each) => each.project === project);
    const ofProvider = ofProject.filter((each) => each.provider === provider);
    const free = MAX_WAITING - this.#waiting.length;
    if (ofProject.length >= free || ofProvider.length * 2 >= free) {
      return null;
    }
    const place = { project, provider, until: now + LONGEST_MS };
    this.#waiting = [...this.#waiting, place];
    return () => {
      this.#waiting = this.#waiting.filter((each) => each !== place);
    };
  }
}
