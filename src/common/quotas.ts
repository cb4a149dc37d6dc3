// How much each player, address, key and project may use: the defaults, and LIMITS to change them. Players and
// addresses are always limited. Keys and projects are only limited if several projects share the service, because
// those limits protect projects from each other.

import type { Limit } from './buckets';
import { isObject } from './json';
import { logEvent } from './log';
import { refuse, ok, type Result } from './result';

export type Scope = 'player' | 'address' | 'key' | 'project' | 'config';

/** The caller's key in each scope. Null: the caller has none, or it is not known. */
export type Asking = Readonly<Partial<Record<Scope, string | null>>>;
export type Kind = 'requests' | 'creates' | 'joins' | 'starts' | 'wrongCodes';
/** Things that count for as long as they exist. */
export type Held = 'streams' | 'servers';

type Table<V> = Readonly<Partial<Record<Scope, V>>>;

export interface Quotas {
  readonly rates: Readonly<Record<Kind, Table<Limit>>>;
  readonly held: Readonly<Record<Held, Table<number>>>;
  /** Whether several projects share the service. */
  readonly isShared: boolean;
}

export interface QuotaSettings {
  /** JSON, `{"requests": {"player": "600/10s"}, "streams": {"address": 1000}}`, or `off`. */
  readonly LIMITS?: string;
  readonly API_KEYS?: string;
}

const RATES: Readonly<Record<Kind, Table<string>>> = {
  requests: { player: '600/10s', address: '6000/3s', key: '3000/3s', project: '6000/3s' },
  creates: { player: '60/60s', address: '300/15s', key: '300/3s', project: '600/3s' },
  joins: { player: '60/60s', address: '600/15s', key: '600/3s', project: '1200/3s' },
  starts: { player: '60/60s', address: '300/15s', key: '300/3s', project: '600/3s' },
  wrongCodes: { player: '20/60s', address: '120/60s', config: '1200/60s' },
};
const HELD: Readonly<Record<Held, Table<number>>> = {
  streams: { player: 10, address: 1_000, key: 5_000, project: 10_000 },
  // Half of what an agent runs by default.
  servers: { project: 32 },
};
/** Scopes that are not limited if the service has only one project. */
const NOT_ALONE: ReadonlySet<string> = new Set(['key', 'project']);
const MOST = 1_000_000_000;

const kinds = Object.keys(RATES) as Kind[];
const holds = Object.keys(HELD) as Held[];

let known: { readonly from: QuotaSettings; readonly quotas: Quotas } | null = null;

/** The quotas that LIMITS sets. If LIMITS is invalid, that is logged and the defaults apply. */
export function quotasOf({ LIMITS, API_KEYS }: QuotaSettings): Quotas {
  if (known === null || known.from.LIMITS !== LIMITS || known.from.API_KEYS !== API_KEYS) {
    const read = readQuotas(LIMITS, projectsIn(API_KEYS) > 1);
    if (!read.ok) {
      logEvent('limits_invalid', { detail: read.refusal });
    }
    const quotas = read.ok ? read.value : made({}, projectsIn(API_KEYS) > 1);
    known = { from: { LIMITS, API_KEYS } as QuotaSettings, quotas };
  }
  return known.quotas;
}

/** Whether several projects share the service and must be protected from each other. */
export function isShared(settings: QuotaSettings): boolean {
  return quotasOf(settings).isShared;
}

function projectsIn(keys: string | undefined): number {
  try {
    const listed = JSON.parse(keys ?? '[]') as readonly { readonly project?: unknown }[];
    return new Set(listed.map(({ project }) => project)).size;
  } catch {
    // The code that reads the keys reports the error.
    return 0;
  }
}

type Given = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Reads LIMITS. `shared`: several projects share the service. The refusal says what is wrong. */
export function readQuotas(text: string | undefined, shared: boolean): Result<Quotas, string> {
  if (text === 'off') {
    const none = <K extends string>(names: readonly K[]): Record<K, object> =>
      Object.fromEntries(names.map((name) => [name, {}])) as Record<K, object>;
    return ok({ rates: none(kinds), held: none(holds), isShared: false });
  }
  let given: unknown;
  try {
    given = JSON.parse(text === undefined || text === '' ? '{}' : text);
  } catch {
    return refuse('LIMITS is neither JSON nor off');
  }
  const wrong = problemIn(given);
  return wrong === null ? ok(made(given as Given, shared)) : refuse(`LIMITS${wrong}`);
}

function problemIn(given: unknown): string | null {
  if (!isObject(given)) {
    return ' must be an object';
  }
  for (const [name, cells] of Object.entries(given)) {
    const isRate = Object.hasOwn(RATES, name);
    const defaults = isRate ? RATES[name as Kind] : HELD[name as Held];
    if (!isRate && !Object.hasOwn(HELD, name)) {
      return `.${name}: there are ${[...kinds, ...holds].join(', ')}`;
    }
    if (!isObject(cells)) {
      return `.${name} must be an object`;
    }
    for (const [scope, value] of Object.entries(cells)) {
      if (!Object.hasOwn(defaults, scope)) {
        return `.${name}.${scope}: there are ${Object.keys(defaults).join(', ')}`;
      }
      const fits = value === null || (isRate ? limitOf(value) !== null : isCount(value));
      if (!fits) {
        return `.${name}.${scope} must be ${isRate ? 'like "600/10s"' : 'a whole number'}, or null`;
      }
    }
  }
  return null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST;
}

function limitOf(value: unknown): Limit | null {
  const [, most, seconds] = /^(\d{1,9})\/(\d{1,5})s$/.exec(String(value)) ?? [];
  const limit = { most: Number(most), perMs: Number(seconds) * 1000 };
  return limit.most > 0 && limit.perMs > 0 ? limit : null;
}

function made(given: Given, shared: boolean): Quotas {
  const table = <V>(name: string, defaults: Table<unknown>, read: (value: unknown) => V | null) => {
    const cells = Object.entries(defaults).flatMap(([scope, value]) => {
      const own = given[name] ?? {};
      const said = Object.hasOwn(own, scope) ? own[scope] : undefined;
      const unsaid = shared || !NOT_ALONE.has(scope) ? value : null;
      const limit = said === undefined ? unsaid : said;
      const cell = limit === null ? null : read(limit);
      return cell === null ? [] : [[scope, cell] as const];
    });
    return Object.fromEntries(cells) as Table<V>;
  };
  const rates = kinds.map((kind) => [kind, table(kind, RATES[kind], limitOf)]);
  const held = holds.map((name) => [name, table(name, HELD[name], (value) => value as number)]);
  return {
    rates: Object.fromEntries(rates) as Quotas['rates'],
    held: Object.fromEntries(held) as Quotas['held'],
    isShared: shared,
  };
}
