// Finds out why a row cannot be read. For a damaged database the platform's error is just "internal error", but
// SQLite says more when it is asked in SQL.

import { damageSeen } from '../../../common/log';

/** A check reads the whole database while all other work waits. If it finds nothing, it is not repeated this soon. */
const CHECK_AGAIN_MS = 60_000;

/** Turns the error of a read into one that names the damage, if there is any. */
export function explainer(sql: SqlStorage, now: () => number): (error: unknown) => unknown {
  let checkedAt = -Infinity;
  return (error) => {
    const isNew = damageSeen() === null && Math.abs(now() - checkedAt) >= CHECK_AGAIN_MS;
    if (!String(error).includes('internal error') || (damageSeen() === null && !isNew)) {
      return error;
    }
    checkedAt = now();
    const damage = isNew ? damageIn(sql) : 'as seen before';
    return damage === null
      ? error
      : new Error(`the database is damaged: SQLITE_CORRUPT (${damage})`, { cause: error });
  };
}

function damageIn(sql: SqlStorage): string | null {
  try {
    const { quick_check: found } = sql.exec<{ quick_check: string }>('PRAGMA quick_check(1)').one();
    return found === 'ok' ? null : found;
  } catch (error) {
    return String(error);
  }
}
