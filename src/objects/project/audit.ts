// The audit list: what operators did in a project, newest first, in a bounded ring. What a backend does all day is not
// in it: it would push out everything else, and cost each write of an attribute a call to this object.

import type { By } from '../../common/happening';
import type { Deed, DeedsQuery, SavedDeed } from '../contracts/audit';
import type { Ports } from '../kit/ports';
import { Ring } from '../kit/ring';

/** Rows of some 4 KiB: 10,000 entries of any length, and of the usual length 400 a day for 90 days. */
const SLOTS = 1_024;
const MAX_TEXT = 200;

export class Audit {
  readonly #ports: Pick<Ports, 'store' | 'now' | 'log'>;
  readonly #ring: Ring<null>;
  #lastAt: number | null = null;

  constructor(ports: Pick<Ports, 'store' | 'now' | 'log'>) {
    this.#ports = ports;
    this.#ring = new Ring(ports.store, 'deeds:', SLOTS);
  }

  /** Call inside the transaction of the change. Without an operator nothing is noted. */
  note({ kind, by, on, detail }: Omit<Deed, 'by'> & { readonly by: By | undefined }): void {
    if (by === undefined) {
      return;
    }
    this.#lastAt ??= this.#all().next().value?.at ?? 0;
    this.#lastAt = Math.max(this.#ports.now(), this.#lastAt + 1);
    const short = detail === undefined ? {} : { detail: detail.slice(0, MAX_TEXT) };
    const deed: SavedDeed = { at: this.#lastAt, kind, by, on, ...short };
    this.#ring.append(JSON.stringify(deed), () => null);
    this.#ring.write(() => null);
    this.#ports.log('operator_acted', { kind, by, ...(on === null ? {} : { on }), ...short });
  }

  /** Newest first. */
  find({ by, kind, on, until, limit }: DeedsQuery): readonly SavedDeed[] {
    return this.#all()
      .filter((deed) => deed.at < until && (kind ?? deed.kind) === deed.kind)
      .filter((deed) => (by ?? deed.by) === deed.by && (on ?? deed.on) === deed.on)
      .take(limit)
      .toArray();
  }

  *#all(): Generator<SavedDeed, undefined> {
    for (const row of this.#ring.from(null, -1)) {
      for (const line of row.text.trimEnd().split('\n').toReversed()) {
        yield JSON.parse(line) as SavedDeed;
      }
    }
    return undefined;
  }
}
