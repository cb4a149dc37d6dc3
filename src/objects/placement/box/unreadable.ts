// Why a row cannot be read. Of a damaged database the platform says nothing but "internal error"; SQLite itself
// says more when it is asked in SQL.

import { damageSeen } from '../../../log';

/** A check reads the whole database, and everybody waits: not again so soon where it found nothing. */
const CHECK_AGAIN_MS = 60_000;

/** Makes of an error that a read threw one that names the damage, if there is any. */
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
