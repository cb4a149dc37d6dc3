// Which lobby each player may be in: the player's own acknowledged and lost requests, and what
// others did to it (kicks, deletions), as spans. The answer is a set of possibilities; when it
// holds one, every reply must agree with it.

import { Register } from './register.ts';
import type { Span, Write } from './register.ts';

/** In no lobby. */
export const NOWHERE = 'nowhere';
/** In a lobby whose id is not known yet: a create or a join by code under way, or lost. */
export const SOMEWHERE = 'somewhere';

/** A player within a config. */
export function placeOf(config: string, player: string): string {
  return `${config}/${player}`;
}

/** Someone, or everybody, is put out of a lobby. */
export interface Removal extends Span {
  readonly lobby: string;
  /** Null: the lobby is deleted. */
  readonly place: string | null;
  sure: boolean;
}

export class Membership {
  readonly #registers = new Map<string, Register<string>>();
  readonly #removals = new Map<string, Removal[]>();

  of(place: string): Register<string> {
    const known = this.#registers.get(place);
    if (known !== undefined) {
      return known;
    }
    const fresh = new Register<string>();
    fresh.saw(NOWHERE, { from: 0, to: 0 });
    this.#registers.set(place, fresh);
    return fresh;
  }

  remove(lobby: string, place: string | null, from: number): Removal {
    const removal: Removal = { lobby, place, from, to: Infinity, sure: false };
    this.#removals.set(lobby, [...(this.#removals.get(lobby) ?? []), removal]);
    return removal;
  }

  drop(removal: Removal): void {
    const others = this.#removals.get(removal.lobby)?.filter((each) => each !== removal);
    this.#removals.set(removal.lobby, others ?? []);
  }

  /** The lobby had certainly ended before the span begins. */
  isDeleted(lobby: string, { from }: Span): boolean {
    const removals = this.#removals.get(lobby) ?? [];
    return removals.some(({ place, sure, to }) => place === null && sure && to <= from);
  }

  #removalsOf({ value }: Write<string>, place: string): readonly Removal[] {
    const removals = this.#removals.get(value) ?? [];
    return removals.filter((each) => each.place === null || each.place === place);
  }

  /** Where a reading over this span may find the player. */
  allowed(place: string, read: Span): ReadonlySet<string> {
    const found = new Set<string>();
    for (const write of this.of(place).standing(read)) {
      const removals = this.#removalsOf(write, place).filter(
        ({ from, to }) => to >= write.from && from <= read.to,
      );
      const isGone = removals.some(
        ({ sure, from, to }) => sure && from >= write.to && to <= read.from,
      );
      if (!isGone) {
        found.add(write.value);
      }
      if (removals.length > 0) {
        found.add(NOWHERE);
      }
    }
    return found;
  }

  /** The only possible place of the player, or null while there are several. */
  certain(place: string, read: Span): string | null {
    const [only, ...others] = this.allowed(place, read);
    return only === undefined || others.length > 0 || only === SOMEWHERE ? null : only;
  }

  mayBe(place: string, lobby: string, read: Span): boolean {
    const allowed = this.allowed(place, read);
    return allowed.has(lobby) || allowed.has(SOMEWHERE);
  }

  /** Players of a config that must be in this lobby throughout the reading. */
  membersOf(config: string, lobby: string, read: Span): readonly string[] {
    const places = [...this.#registers.keys()].filter((place) => place.startsWith(`${config}/`));
    return places.filter((place) => this.certain(place, read) === lobby);
  }
}
