// One object that holds all actors of a box: their rows are in one database, the writes of one stretch of work are one commit,
// and actors call each other within the process.

import { DurableObject } from 'cloudflare:workers';
import { later as platformLater, type Later, useTimersOf } from '../../../common/later';
import { logEvent } from '../../../common/log';
import { disk } from '../../kit/disk';
import { lag } from '../../kit/lag';
import { Timers } from '../../kit/timers';
import { projectDocument } from '../../caches/project';
import { peersThrough, type Kind } from '../../contracts/peers';
import { makeActor } from '../actors';
import { type Place, stubs } from '../at';
import type { Env } from '../env';
import { basicsOf, storeOf } from '../platform';
import { alarmTable, DiskRoom, damageExplainer } from './database';
import { copied, type Ground } from './ground';
import { anyKey, type ImportBatch, take } from './import';
import { Gate, Mailbox } from './lines';
import { ownAlarm, SliceTurns, Together } from './thread';
import { Residents } from './residents';

/** How often a database that could only be opened for reading is reopened. */
const OPEN_ANEW_MS = 5_000;
/** A health check reads this many rows, which takes a few milliseconds. */
const ROWS_READ = 200;
/** Alarms write, so while the disk is full they are postponed by this much. */
const NO_ROOM_MS = 1_000;

/** `later` sets a timer, and `wake` the object's alarm. */
function groundOf(
  ctx: DurableObjectState,
  env: Env,
  later: Later,
  wake: Ground['alarms']['wake'],
): Ground {
  const gate = new Gate(() => ctx.storage.sync());
  const openedAt = Date.now();
  const refused = (): void => {
    if (Math.abs(Date.now() - openedAt) >= OPEN_ANEW_MS) {
      ctx.abort('the storage takes no writes');
    }
  };
  return {
    basics: { ...basicsOf(env), upSince: openedAt },
    isShared: env.INSTANCE !== undefined,
    rows: storeOf(ctx.storage, refused, damageExplainer(ctx.storage.sql)),
    alarms: alarmTable(ctx.storage, wake, refused),
    make: (kind, ports) => makeActor(kind, ports, env),
    later,
    log: logEvent,
    // Nothing evicts a box, so `waitUntil` would only cost time.
    background: () => {},
    post: (hungUp) => new Mailbox(hungUp),
    gate: (send, fail) => gate.pass(send, fail),
    document: (peers, project) => projectDocument(peers, project, Date.now()),
    copy: copied,
  };
}

/** Work that is under way ends within this time, once the object is to leave. No timer fires after it. */
const ENDING_MS = 150;
/** How soon streams end once the object is to leave. The platform is told to stop a few milliseconds after that. */
const LEAVING_MS = 30;

/** A subclass says how requests are served, because that is no matter of placement. */
export abstract class Box extends DurableObject<Env> {
  readonly #slices: SliceTurns;
  readonly #residents: Residents;
  readonly #place: Place;
  readonly #room: DiskRoom;
  readonly #wake: (at: number) => void;
  readonly #timers: Timers;
  readonly #alarms: Ground['alarms'];

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const now = (): number => Date.now();
    const isAlone = env.INSTANCE === undefined;
    this.#timers = new Timers(now, platformLater);
    if (!isAlone) {
      useTimersOf(this.#timers);
    }
    const { later } = this.#timers;
    this.#slices = new SliceTurns({ now, later });
    this.#wake = ownAlarm({ now, later }, this.#slices, () => this.#ring());
    const saved = (): Promise<void> => ctx.storage.sync();
    this.#room = new DiskRoom(ctx.storage, isAlone);
    const laterOrNext: Later = (ms, run) => (ms > 0 ? later(ms, run) : this.#slices.add(run));
    const ground = groundOf(ctx, env, laterOrNext, this.#wake);
    this.#residents = new Residents(ground);
    this.#alarms = ground.alarms;
    const together = new Together(saved);
    let last = '';
    this.#place = {
      env,
      peers: peersThrough(stubs((...asked) => this.#residents.run(...asked))),
      background: (work) => ctx.waitUntil(work),
      later,
      saved,
      // Each call reads the next rows. After the last row it starts over.
      readRows: () => {
        const read = [...ground.rows.list('', { after: last, limit: ROWS_READ })];
        last = read.length < ROWS_READ ? '' : (read.at(-1)?.[0] ?? '');
      },
      together: () => together.begin(),
    };
  }

  protected abstract serve(request: Request, place: Place): Promise<Response>;

  /** Ends event streams and long polls. `goes`: also those that are opened later. */
  protected abstract endEarly(goes: boolean): void;

  override fetch(request: Request): Promise<Response> {
    lag.note(Date.now, setTimeout);
    return this.#slices.ahead(() => this.serve(request, this.#place));
  }

  /** Calls an actor by its name, without a request. For tests and for reaching an actor directly. */
  call(kind: Kind, name: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#residents.run(kind, name, method, args);
  }

  async residents(): Promise<number> {
    return this.#residents.size;
  }

  async letGo(kind: Kind, name: string): Promise<void> {
    this.#residents.letGo(kind, name);
  }

  /** Call after the disk was measured and `disk` has the reading. */
  lookedAtDisk(): Promise<void> {
    return this.#room.look();
  }

  /** Where the instance is on which this object runs. */
  whose(): string {
    return this.#place.env.INSTANCE ?? '';
  }

  /** Whether nothing was ever saved. */
  isEmpty(): boolean {
    return anyKey(this.ctx.storage.kv) === null;
  }

  /** Takes rows of another box. Returns why it does not, or null. */
  async take(batch: ImportBatch): Promise<string | null> {
    const refused = take(this.ctx.storage.kv, this.#alarms, batch);
    await this.ctx.storage.sync();
    return refused;
  }

  /**
   * Call before the instance `from` is told to stop. Streams are opened anew elsewhere. If it is this one, nothing may hold the
   * object here, as a pending timer does (findings/workerd-cluster-handoff.sh), and one sets the next. Alarms ring at the next
   * owner. Until the end further requests come in, and then they wait for that one.
   */
  leave(from: string): void {
    const goes = from === this.whose();
    if (goes) {
      this.#timers.endWithin(ENDING_MS);
    }
    this.#place.later(LEAVING_MS, () => this.endEarly(goes));
  }

  #ring(): void {
    if (disk.level === 'spent') {
      this.#wake(Date.now() + NO_ROOM_MS);
    } else {
      this.#residents.alarm();
    }
  }

  /** Rings as the timer of the object's alarm does. For tests. */
  override async alarm(): Promise<void> {
    this.#ring();
  }
}
