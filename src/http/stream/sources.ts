// The objects that one page of the dashboard shows: a line to each, on which the object reports changes, and its
// answers since the last change. An object that has not changed is not asked again, so objects can sleep while a
// page shows them (record 0020).

import type { FarEnd } from '../../objects/kit/ports';
import type { Watchable } from '../../objects/kit/watched';
import type { Ask, Source } from '../operators/views';
import { pause } from '../../common/later';
import { retrying } from '../ask';

const LINE_LIMIT_MS = 3_000;

class Looked {
  readonly answers = new Map<string, unknown>();
  /** Rises when the answers become outdated. */
  version = 0;
  /** Whether the answers become outdated by themselves: they show how long somebody waits, or there is no line. */
  ages = true;
  /** Settles once there is a line, or there will be none. */
  readonly settled: Promise<unknown>;
  #line: FarEnd | null = null;
  #isLate = false;
  #isBroken = false;
  #isOver = false;
  readonly #changed: () => void;

  constructor(source: Source<Watchable>, changed: () => void) {
    this.#changed = changed;
    const limit = pause(LINE_LIMIT_MS).then(() => {
      this.#isLate = true;
    });
    this.settled = Promise.race([this.#open(source), limit]);
  }

  async #open(source: Source<Watchable>): Promise<void> {
    try {
      const reply = await source.at().changes();
      if (!reply.ok) {
        return;
      }
      this.#line = reply.value;
      this.ages = false;
      this.#line.listen(
        () => this.#old(),
        () => {
          this.#isBroken = true;
          this.#old();
        },
      );
      if (this.#isOver) {
        this.hangUp();
      } else if (this.#isLate) {
        this.#old();
      }
    } catch {
      // An object that cannot be reached shows when it is asked.
    }
  }

  get hasLine(): boolean {
    return this.#line !== null && !this.#isBroken;
  }

  /** The line broke, and must be opened again. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  forget(): void {
    this.version += 1;
    this.answers.clear();
  }

  #old(): void {
    this.forget();
    this.#changed();
  }

  hangUp(): void {
    this.#isOver = true;
    void this.#line?.hangUp();
  }
}

export class Sources {
  /** How many calls were made, including those for lines. */
  questions = 0;
  readonly #changed: () => void;
  readonly #looked = new Map<string, Looked>();
  readonly #used = new Set<string>();

  /** `changed` is called when a source has changed or may have changed. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  readonly ask: Ask = async (source, what, question, ages = () => false) => {
    type Answer = Awaited<ReturnType<typeof question>>;
    this.#used.add(source.key);
    const looked = this.#lookedAt(source);
    await looked.settled;
    if (looked.answers.has(what)) {
      return looked.answers.get(what) as Answer;
    }
    const { version } = looked;
    this.questions += 1;
    const answer = await retrying(() => question(source.at()));
    if (looked.version === version) {
      looked.answers.set(what, answer);
      looked.ages = ages(answer) || !looked.hasLine;
    }
    return answer;
  };

  #lookedAt(source: Source<Watchable>): Looked {
    const known = this.#looked.get(source.key);
    if (known?.isBroken === false) {
      return known;
    }
    this.questions += 1;
    const looked = new Looked(source, this.#changed);
    this.#looked.set(source.key, looked);
    return looked;
  }

  /** Call after a round. Hangs up on objects that the round did not ask. */
  tidy(): void {
    for (const [key, looked] of this.#looked) {
      if (!this.#used.has(key)) {
        looked.hangUp();
        this.#looked.delete(key);
      }
    }
    this.#used.clear();
  }

  /** Forgets answers that become outdated by themselves. Returns whether there were any. */
  age(): boolean {
    let any = false;
    for (const [key, looked] of this.#looked) {
      if (looked.ages) {
        any = true;
        looked.forget();
        if (!looked.hasLine) {
          looked.hangUp();
          this.#looked.delete(key);
        }
      }
    }
    return any;
  }

  hangUp(): void {
    this.#looked.forEach((looked) => looked.hangUp());
    this.#looked.clear();
  }
}
