// What is to be done when, at most one instant for each key: the earliest is found at once, however
// many there are.

import { InstantHeap } from '../../match/index/heap';

export class Agenda {
  readonly #heap = new InstantHeap();
  readonly #slots = new Map<string, number>();
  /** The key of each slot; a slot that is free has an old one. */
  readonly #keys: string[] = [];
  readonly #free: number[] = [];

  /** The earliest instant, epoch ms; null when there is none. */
  get nextAt(): number | null {
    return this.#heap.next === Infinity ? null : this.#heap.next;
  }

  set(key: string, at: number): void {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = this.#free.pop() ?? this.#keys.length;
      this.#slots.set(key, slot);
      this.#keys[slot] = key;
    }
    this.#heap.set(slot, at);
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot !== undefined) {
      this.#heap.remove(slot);
      this.#slots.delete(key);
      this.#free.push(slot);
    }
  }

  /** Takes out all whose instant has come, earliest first. */
  takeDue(now: number): readonly string[] {
    const due: string[] = [];
    while (this.#heap.next <= now) {
      const key = this.#keys[this.#heap.first] ?? '';
      this.delete(key);
      due.push(key);
    }
    return due;
  }
}
