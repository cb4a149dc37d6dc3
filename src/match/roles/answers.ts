// Answers to questions of many small numbers, remembered without a text for each question: a text costs
// more than most answers. Bounded: when there are too many, all are forgotten.

import type { Answer } from '../sets/steps';

interface Known {
  readonly question: Int32Array;
  readonly answer: Answer;
  /** Another question of the same hash. */
  readonly next: Known | undefined;
}

const MOST = 20_000;

export class Answers {
  readonly #known = new Map<number, Known>();
  #size = 0;
  /** The question being put together. */
  #question = new Int32Array(64);
  #length = 0;
  #hash = 0;

  /** A new question begins. */
  begin(): void {
    this.#length = 0;
    this.#hash = 0;
  }

  /** The next number of the question. */
  add(number: number): void {
    if (this.#length === this.#question.length) {
      const grown = new Int32Array(2 * this.#length);
      grown.set(this.#question);
      this.#question = grown;
    }
    this.#question[this.#length] = number;
    this.#length += 1;
    const mixed = Math.imul(this.#hash ^ number, 0x9e3779b1);
    this.#hash = mixed ^ (mixed >>> 15);
  }

  /** The question as a text, for whoever keeps it longer. */
  get text(): string {
    return this.#question.subarray(0, this.#length).join();
  }

  /** What is known of the question. */
  get(): Answer | undefined {
    let known = this.#known.get(this.#hash);
    while (known !== undefined && !this.#isAsked(known.question)) {
      known = known.next;
    }
    return known?.answer;
  }

  /** Keeps the answer to the question, in place of one that was known. */
  set(answer: Answer): void {
    if (this.#size >= MOST) {
      this.#known.clear();
      this.#size = 0;
    }
    this.#size += 1;
    const question = this.#question.slice(0, this.#length);
    this.#known.set(this.#hash, { question, answer, next: this.#known.get(this.#hash) });
  }

  #isAsked(question: Int32Array): boolean {
    if (question.length !== this.#length) {
      return false;
    }
    for (let at = 0; at < question.length; at += 1) {
      if (question[at] !== this.#question[at]) {
        return false;
      }
    }
    return true;
  }
}
