// Times in bodies and queries, as people type them and as the service keeps them.

import * as z from 'zod';

/** An RFC 3339 time, which is kept in UTC with `Z` (decision 63). Left out or null: null. */
export function timeOrNull(): z.ZodType<string | null> {
  return (
    z.iso
      .datetime({ offset: true, error: 'must be an RFC 3339 time: 2026-11-21T09:00:00Z' })
      // What is no time gets here too, and is refused as it was typed.
      .overwrite((typed) =>
        typed.endsWith('Z') || Number.isNaN(Date.parse(typed))
          ? typed
          : new Date(typed).toISOString(),
      )
      .nullable()
      .default(null)
  );
}

const UNITS = new Map(Object.entries({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }));
const AGO = /^-(?:\d{1,9}[smhd])+$/;

/** The same, or a time ago, such as `-1h30m`. */
export function sinceOrNull(): z.ZodType<string | null> {
  const error = 'must be an RFC 3339 time such as 2026-11-21T09:00:00Z, or a time ago such as -1h';
  const absolute = z.iso.datetime({ offset: true });
  const ago = z.string().regex(AGO);
  return z.union([absolute, ago], error).nullable().default(null);
}

/** The instant that `sinceOrNull` means, epoch ms. */
export function sinceAt(since: string, now: number): number {
  if (!AGO.test(since)) {
    return Date.parse(since);
  }
  const parts = since.matchAll(/(\d+)([smhd])/g);
  return parts.reduce((at, [, count, of = '']) => at - Number(count) * (UNITS.get(of) ?? 0), now);
}
