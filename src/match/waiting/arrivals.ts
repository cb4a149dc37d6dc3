// How fast compatible players have been arriving: what the patience of a short match goes by
// (docs/internals/design.md A5). An exponentially weighted rate per cell of the pool; a cell is named by its
// caller. Holds always: a cell without history reads zero, so that nobody waits on a guess.

/** Memory of the rate, in milliseconds: an arrival this old weighs 1/e. */
const MEMORY_MS = 30_000;
/** Cells below this weight say nothing and are forgotten. */
const FORGOTTEN = 1e-3;
/** Players choose the names of cells. Of more than this, those that came first are forgotten. */
const MOST_CELLS = 65_536;
/** So many cells are looked at, whether they can be forgotten, for each that is new. */
const LOOKED_AT = 2;

interface Cell {
  weight: number;
  at: number;
}

export class Arrivals {
  readonly #cells = new Map<string, Cell>();
  #walk = this.#cells.entries();

  /** `players` have arrived in the cell at `now` (epoch ms). */
  observe(cell: string, players: number, now: number): void {
    const known = this.#cells.get(cell);
    if (known === undefined) {
      this.#cells.set(cell, { weight: players, at: now });
      this.#prune(now);
      return;
    }
    known.weight = decayed(known, now) + players;
    known.at = Math.max(known.at, now);
  }

  /** Players per millisecond that have lately arrived in the cell. */
  rate(cell: string, now: number): number {
    const known = this.#cells.get(cell);
    return known === undefined ? 0 : decayed(known, now) / MEMORY_MS;
  }

  #prune(now: number): void {
    for (let looks = 0; looks < LOOKED_AT; looks += 1) {
      const next = this.#walk.next();
      if (next.done === true) {
        this.#walk = this.#cells.entries();
      } else if (decayed(next.value[1], now) < FORGOTTEN) {
        this.#cells.delete(next.value[0]);
      }
    }
    const [first] = this.#cells.keys();
    if (first !== undefined && this.#cells.size > MOST_CELLS) {
      this.#cells.delete(first);
    }
  }
}

function decayed(cell: Cell, now: number): number {
  return cell.weight * Math.exp(Math.min(0, cell.at - now) / MEMORY_MS);
}
