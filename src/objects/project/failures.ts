// Counts the launches of each build that failed in a row, to show that it is failing. It is launched as before.

import { iso } from '../../common/clock';
import { FAILING_LAUNCHES } from '../../common/limits';
import { own, type Named } from '../../common/named';
import type { Build } from '../../fleet/build';
import type { ServerRow } from '../contracts/project';
import type { ActorPorts } from '../contracts/actor-ports';

const ROW = 'failures';
const NO_REASON = 'The fleet gave no reason';

interface Failures {
  readonly version: number;
  readonly count: number;
  /** When the first failure in the row was, epoch ms. */
  readonly since: number;
  /** The detail of the last failure. Null: the fleet gave none. */
  readonly detail: string | null;
}

export class BuildFailures {
  readonly #ports: ActorPorts;
  readonly #failures: Map<string, Failures>;

  constructor(ports: ActorPorts) {
    this.#ports = ports;
    this.#failures = new Map(Object.entries(ports.store.get<Record<string, Failures>>(ROW) ?? {}));
  }

  /** Counts the outcome of a server's launch. Launches of an older version of the build do not count. */
  hear({ block, launch }: ServerRow, builds: Named<Build>): void {
    const { version_tag: name, version, detail } = block;
    const build = name === null ? undefined : own(builds, name);
    if (
      build === undefined ||
      build.version !== version ||
      (launch !== 'ran' && launch !== 'failed')
    ) {
      return;
    }
    if (launch === 'ran') {
      this.forget(build.name);
      return;
    }
    const { count: before = 0, since = this.#ports.now() } = this.#of(build) ?? {};
    const count = before + 1;
    this.#failures.set(build.name, { version: build.version, count, since, detail });
    this.#ports.store.put(ROW, Object.fromEntries(this.#failures));
    if (count === FAILING_LAUNCHES) {
      this.#ports.log('build_failing', { build: build.name, version, reason: detail ?? '' });
    }
  }

  /** The build was saved or removed, so its earlier launches count no more. */
  forget(name: string): void {
    if (this.#failures.delete(name)) {
      this.#ports.store.put(ROW, Object.fromEntries(this.#failures));
    }
  }

  /** The builds. Each says whether it is failing, since when, and why its last launch failed. */
  shownIn(builds: Named<Build>): Named<Build> {
    const shown = Object.values(builds).map((build) => {
      const { count = 0, since = 0, detail } = this.#of(build) ?? {};
      const isFailing = count >= FAILING_LAUNCHES;
      const failing = isFailing ? { failing: true as const, failingSince: iso(since) } : {};
      const failure = count === 0 ? {} : { failure: detail ?? NO_REASON };
      return [build.name, { ...build, ...failing, ...failure }] as const;
    });
    return this.#failures.size === 0 ? builds : Object.fromEntries(shown);
  }

  #of({ name, version }: Build): Failures | null {
    const known = this.#failures.get(name);
    return known?.version === version ? known : null;
  }
}
