// The one database of a box, with the rows and alarms of all its actors. Durable rows are also kept
// actor by actor, so that each actor can be checked as if it had a disk of its own.

import type { AlarmRows } from '../../src/objects/placement/box/ground';
import { Disk, type Op, type Session } from './disk';

/** Keys of alarms; rows of an actor are `kind|name>key`. */
export const ALARM = '@';
/** The time of the platform's one alarm. */
const WAKE = '!';

/** The disk of each actor. */
export interface Shares {
  disk(actor: string): Disk;
  /** The writes of one stretch of this actor are durable. */
  changed(actor: string): void;
  /** A new time for the platform's alarm is durable too. Null: no alarm. */
  wakes(at: number | null): void;
}

export class BoxDisk extends Disk {
  readonly #shares: Shares;

  constructor(shares: Shares) {
    super();
    this.#shares = shares;
  }

  /** A commit of several actors is reported as their stretches, in the order in which they ran. */
  override apply(ops: readonly Op[]): void {
    super.apply(ops);
    let last: string | null = null;
    for (const op of ops) {
      if (op.kind === 'stretch') {
        if (last !== null) {
          this.#shares.changed(last);
        }
        last = null;
        continue;
      }
      if (op.kind !== 'put' && op.kind !== 'delete') {
        throw new Error(`a box writes no ${op.kind}`);
      }
      if (op.key === WAKE) {
        this.#shares.wakes(op.kind === 'put' ? (op.value as number) : null);
        continue;
      }
      const isAlarm = op.key.startsWith(ALARM);
      const end = isAlarm ? op.key.length : op.key.indexOf('>');
      const actor = op.key.slice(isAlarm ? ALARM.length : 0, end);
      if (last !== null && last !== actor) {
        this.#shares.changed(last);
      }
      last = actor;
      const share = this.#shares.disk(actor);
      if (isAlarm) {
        share.alarm = op.kind === 'put' ? (op.value as number) : null;
      } else {
        share.apply([{ ...op, key: op.key.slice(end + 1) }]);
      }
    }
    if (last !== null) {
      this.#shares.changed(last);
    }
  }
}

/** Like the table of src/objects/placement/box/database.ts. */
export function alarmRows(session: Session): AlarmRows {
  return {
    put: (actor, at) => session.put(ALARM + actor, at),
    delete: (actor) => session.delete(ALARM + actor),
    get: (actor) => session.get<number>(ALARM + actor) ?? null,
    all: () =>
      Array.from(session.list<number>(ALARM), ([key, at]) => [key.slice(ALARM.length), at]),
    wake: (at) => session.put(WAKE, at),
  };
}

/** The platform's alarm is taken away as it fires. */
export function taken(session: Session): void {
  session.delete(WAKE);
}
