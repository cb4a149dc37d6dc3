// Launches that fail in a row put a brake on more of the same: matches of that build and region are held back, and one is
// tried after a pause that doubles (record 0089). Not saved: after a crash, three more failures bring it back.

import { backoff } from '../../common/later';
import { FAILING_LAUNCHES } from '../../common/limits';
import { own, type Named } from '../../common/named';
import type { Build } from '../../fleet/build';
import type { ServerRow } from '../contracts/project';

const PAUSE = { first: 2_000, last: 60_000 };

interface Braked {
  failures: number;
  tries: number;
  /** When the next is tried, epoch ms. */
  nextAt: number;
  /** The last failure was for want of a fleet that takes it. */
  lacksRoom: boolean;
}

export class Brakes {
  readonly #braked = new Map<string, Braked>();

  /** Hears how the launch of a server went, or that one has ended. */
  hear({ block, launch }: ServerRow, builds: Named<Build>, now: number): void {
    const { version_tag: name, version, region, started_at: startedAt, stopped_at: end } = block;
    const build = name === null ? undefined : own(builds, name);
    const key = JSON.stringify([name, region]);
    if (launch === 'ran') {
      this.#braked.delete(key);
    } else if (startedAt !== null && end !== null) {
      // Its place may be any other's.
      const short = this.#braked.values().filter(({ lacksRoom }) => lacksRoom);
      short.forEach((each) => (each.nextAt = Math.min(each.nextAt, now)));
    } else if (launch && build && (version ?? build.version) === build.version) {
      const lacksRoom = launch === 'unable';
      // Who may wait for room waits in line instead (record 0068).
      if (!lacksRoom || !build.launch.capacitySeconds) {
        const { failures = 0, tries = 0, nextAt = 0 } = this.#braked.get(key) ?? {};
        const next = Math.max(nextAt, now + backoff(tries, PAUSE));
        this.#braked.set(key, { failures: failures + 1, tries, nextAt: next, lacksRoom });
      }
    }
  }

  /** As `ProjectRpc.launchPause`. */
  pause(build: string, region: string, isTry: boolean, now: number): number | null {
    const known = this.#braked.get(JSON.stringify([build, region]));
    if (known === undefined || known.failures < FAILING_LAUNCHES) {
      return null;
    }
    const wait = Math.max(0, known.nextAt - now);
    if (wait === 0 && isTry) {
      known.tries += 1;
      known.nextAt = now + backoff(known.tries, PAUSE);
    }
    return wait;
  }

  /** What was saved may have mended it. */
  clear(): void {
    this.#braked.clear();
  }
}
