// How fast players have been arriving, by cell: what the patience of a short match depends on
// (docs/internals/design.md A5). The caller names the cells. The rate is exponentially weighted. A cell without history
// reads zero, so that nobody waits on a guess.

/** Memory of the rate, ms: an arrival this old weighs 1/e. */
const MEMORY_MS = 30_000;
/** Players choose the names of cells, so their number is bounded. Cells unused for the longest time are forgotten. */
const MOST_CELLS = 65_536;

interface Cell {
  readonly weight: number;
  readonly at: number;
}

export class Arrivals {
  readonly #cells = new Map<string, Cell>();

  /** `players` have arrived in the cell at `now` (epoch ms). */
  observe(cell: string, players: number, now: number): void {
    const known = this.#cells.get(cell);
    // Set anew, the cell moves to the end.
    this.#cells.delete(cell);
    this.#cells.set(cell, {
      weight: decayed(known, now) + players,
      at: Math.max(known?.at ?? -Infinity, now),
    });
    const [unused] = this.#cells.size > MOST_CELLS ? this.#cells.keys() : [];
    if (unused !== undefined) {
      this.#cells.delete(unused);
    }
  }

  /** Players per millisecond that have lately arrived in the cell. */
  rate(cell: string, now: number): number {
    return decayed(this.#cells.get(cell), now) / MEMORY_MS;
  }
}

function decayed(cell: Cell | undefined, now: number): number {
  return cell === undefined ? 0 : cell.weight * Math.exp(Math.min(0, cell.at - now) / MEMORY_MS);
}
