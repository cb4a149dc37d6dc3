// What operators did in a project, newest first: the audit list. Entries are lines of a bounded ring. What a backend
// does all day is not in it: it would push out everything else, and cost each write of an attribute a call to this
// object.

import type { By } from '../../common/happening';
import type { Ports } from '../kit/ports';
import { Ring } from '../kit/ring';

/** Rows of some 4 KiB: 10,000 entries of any length, and of the usual length 400 a day for 90 days. */
const SLOTS = 1_024;
const MAX_TEXT = 200;

/** The past tense of what operators do. */
export const DEEDS = [
  'config_saved',
  'config_deleted',
  'settings_saved',
  'build_saved',
  'build_deleted',
  'secrets_changed',
  'banned',
  'unbanned',
  'kicked',
  'left_queue',
  'game_ended',
  'match_ended',
  'lobby_deleted',
  'server_restarted',
  'server_stopped',
  'servers_stopped',
  'attributes_deleted',
  'season_ended',
  'ratings_imported',
] as const;

export interface Deed {
  readonly kind: (typeof DEEDS)[number];
  readonly by: By;
  /** The name or id of the config, build, player, lobby, match or server. Null: the project. */
  readonly on: string | null;
  /** The outcome, in words. Never a secret. */
  readonly detail?: string | undefined;
}

export interface SavedDeed extends Deed {
  /** Epoch ms. No two entries of a project have the same time. */
  readonly at: number;
}

export interface DeedsQuery {
  /** Null: any, here and below. */
  readonly by: string | null;
  readonly kind: Deed['kind'] | null;
  readonly on: string | null;
  /** Epoch ms, exclusive. */
  readonly until: number;
  readonly limit: number;
}

export class Audit {
  readonly #host: Pick<Ports, 'store' | 'now' | 'log'>;
  readonly #ring: Ring<null>;
  #lastAt: number | null = null;

  constructor(host: Pick<Ports, 'store' | 'now' | 'log'>) {
    this.#host = host;
    this.#ring = new Ring(host.store, 'deeds:', SLOTS);
  }

  /** Call inside the transaction of the change. Without an operator nothing is noted. */
  note({ kind, by, on, detail }: Omit<Deed, 'by'> & { readonly by: By | undefined }): void {
    if (by === undefined) {
      return;
    }
    this.#lastAt ??= this.#all().next().value?.at ?? 0;
    this.#lastAt = Math.max(this.#host.now(), this.#lastAt + 1);
    const short = detail === undefined ? {} : { detail: detail.slice(0, MAX_TEXT) };
    this.#ring.append(
      JSON.stringify({ at: this.#lastAt, kind, by, on, ...short } satisfies SavedDeed),
      () => null,
    );
    this.#ring.write(() => null);
    this.#host.log('operator_acted', { kind, by, ...(on === null ? {} : { on }), ...short });
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
