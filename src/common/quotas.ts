// How much each player, address, key, project and game server may use: the defaults, and LIMITS to change them. Keys and projects are
// only limited if several projects share the service, to protect projects from each other.

import * as z from 'zod';
import type { Limit } from './buckets';
import { logEvent } from './log';
import { refuse, ok, type Result } from './result';
import { closed, parseWith, wholeNumber } from './shape';

export type Scope = 'player' | 'address' | 'key' | 'project' | 'server' | 'config';

/** The caller's key in each scope. Null: the caller has none, or it is not known. */
export type Asking = Readonly<Partial<Record<Scope, string | null>>>;
export type CountedKind = Exclude<keyof typeof DEFAULTS, HeldKind>;
/** Things that count for as long as they exist. */
type HeldKind = 'streams' | 'polls' | 'servers';

type Table<V> = Readonly<Partial<Record<Scope, V>>>;

export interface Quotas {
  readonly rates: Readonly<Record<CountedKind, Table<Limit>>>;
  readonly held: Readonly<Record<HeldKind, Table<number>>>;
  /** Whether several projects share the service. */
  readonly isShared: boolean;
}

export interface QuotaSettings {
  /** JSON, `{"requests": {"player": "600/10s"}, "streams": {"address": 1000}}`, or `off`. */
  readonly LIMITS?: string;
  readonly API_KEYS?: string;
}

const DEFAULTS = {
  requests: {
    player: '600/10s',
    address: '6000/3s',
    key: '3000/3s',
    project: '6000/3s',
    server: '100/5s',
  },
  creates: { player: '60/60s', address: '300/15s', key: '300/3s', project: '600/3s' },
  joins: { player: '60/60s', address: '600/15s', key: '600/3s', project: '1200/3s' },
  starts: { player: '60/60s', address: '300/15s', key: '300/3s', project: '600/3s' },
  signals: { player: '20/10s', address: '2000/10s', key: '6000/3s', project: '6000/3s' },
  // KiB that others hear of, through their streams.
  changes: { player: '1000/10s' },
  ice: { player: '20/60s', address: '300/15s', key: '600/3s', project: '1200/3s' },
  wrongCodes: { player: '20/60s', address: '120/60s', config: '1200/60s' },
  streams: { player: 10, address: 1_000, key: 5_000, project: 10_000 },
  polls: { server: 4, key: 1_000, project: 2_000 },
  // Half of what an agent runs by default.
  servers: { project: 32 },
} satisfies Record<string, Table<string | number>>;
/** Scopes that are not limited if the service has only one project. */
const NOT_ALONE: ReadonlySet<string> = new Set(['key', 'project']);
const rate = z
  .string('must be like "600/10s", or null')
  .regex(/^0*[1-9]\d{0,8}\/0*[1-9]\d{0,4}s$/, 'must be like "600/10s", or null')
  .transform((text): Limit => {
    const [most, seconds] = text.split('/');
    return { most: Number(most), perMs: Number.parseInt(seconds ?? '', 10) * 1_000 };
  });
const count = wholeNumber(0, 1_000_000_000);

type LimitTable = Readonly<
  Record<string, Readonly<Record<string, Limit | number | null>> | undefined>
>;

/** LIMITS has the tables and cells of the defaults, or some of them. */
const schema = closed(
  mapped<Table<string | number>, z.ZodType>(DEFAULTS, (cells) =>
    closed(
      mapped(cells, (cell) => (typeof cell === 'number' ? count : rate).nullable().optional()),
    ).optional(),
  ),
);
const USUAL = schema.parse(DEFAULTS) as LimitTable;

function mapped<T, U>(
  of: Readonly<Record<string, T>>,
  each: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, each(value, name)]));
}

let known: { readonly from: QuotaSettings; readonly quotas: Quotas } | null = null;

/** The quotas that LIMITS sets. If LIMITS is invalid, that is logged and the defaults apply. */
export function quotasOf({ LIMITS, API_KEYS }: QuotaSettings): Quotas {
  if (known === null || known.from.LIMITS !== LIMITS || known.from.API_KEYS !== API_KEYS) {
    const shared = projectsIn(API_KEYS) > 1;
    const read = readQuotas(LIMITS, shared);
    if (!read.ok) {
      logEvent('limits_invalid', { detail: read.refusal });
    }
    const quotas = read.ok ? read.value : made({}, shared);
    known = { from: { LIMITS, API_KEYS } as QuotaSettings, quotas };
  }
  return known.quotas;
}

export function projectsIn(keys: string | undefined): number {
  try {
    const listed = JSON.parse(keys ?? '[]') as readonly { readonly project?: unknown }[];
    return new Set(listed.map(({ project }) => project)).size;
  } catch {
    // The code that reads the keys reports the error.
    return 0;
  }
}

/** Reads LIMITS. `shared`: several projects share the service. The refusal says what is wrong. */
export function readQuotas(text: string | undefined, shared: boolean): Result<Quotas, string> {
  if (text === 'off') {
    const none = mapped(USUAL, () => ({}));
    return ok(made({}, false, none));
  }
  let input: unknown;
  try {
    input = JSON.parse(text === undefined || text === '' ? '{}' : text);
  } catch {
    return refuse('LIMITS is neither JSON nor off');
  }
  const read = parseWith(schema, input);
  if (read.ok) {
    return ok(made(read.value as LimitTable, shared));
  }
  const [issue] = read.refusal;
  return refuse(`LIMITS${issue?.path ? `.${issue.path}` : ''} ${issue?.message}`);
}

function made(input: LimitTable, shared: boolean, from: LimitTable = USUAL): Quotas {
  const cells = mapped(from, (usual, name) => {
    const said = Object.entries(usual ?? {}).filter(([scope]) => shared || !NOT_ALONE.has(scope));
    const all = Object.entries({ ...Object.fromEntries(said), ...input[name] });
    return Object.fromEntries(all.filter(([, limit]) => limit !== null));
  });
  const { streams, polls, servers, ...rates } = cells;
  return { rates, held: { streams, polls, servers }, isShared: shared } as Quotas;
}
